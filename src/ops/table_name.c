#include "ops/table_name.h"

struct error *table_name_find(struct op_call *call, struct slice name, struct table **out) {
    struct error *fault = op_call_table(call, name, out);
    if (!fault || fault->kind != ERR_RESOURCE_NOT_FOUND)
        return fault;
    struct slice bare = table_name_from_arn(name);
    return error_new(call->arena, ERR_RESOURCE_NOT_FOUND,
                     "Requested resource not found: Table: %.*s not found", SLICE_ARG(bare));
}
