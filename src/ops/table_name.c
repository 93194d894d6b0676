#include "ops/table_name.h"

#include "engine/catalogue.h"

static struct error *table_name_unknown(struct op_call *call, struct slice bare) {
    return error_new(call->arena, ERR_RESOURCE_NOT_FOUND,
                     "Requested resource not found: Table: %.*s not found", SLICE_ARG(bare));
}

struct error *table_name_find(struct op_call *call, struct slice name, struct table **out) {
    struct error *fault = op_call_table(call, name, out);
    if (!fault || fault->kind != ERR_RESOURCE_NOT_FOUND)
        return fault;
    return table_name_unknown(call, table_name_from_arn(name));
}

struct error *table_name_current(struct op_call *call, struct slice name,
                                 const struct table **out) {
    struct slice bare = table_name_from_arn(name);
    *out = catalogue_current(call->view, bare);
    return *out ? NULL : table_name_unknown(call, bare);
}
