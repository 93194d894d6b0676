#include "ops/update_rules.h"

struct update_keys {
    const struct table_schema *table;
    struct slice found; /* the first key attribute that is changed */
};

static void update_keys_visit(void *context, struct slice attribute) {
    struct update_keys *keys = context;
    if (!keys->found.ptr && key_schema_find(&keys->table->key, attribute, NULL))
        keys->found = attribute;
}

struct error *update_keys_check(struct arena *a, const struct table_schema *t,
                                const struct update *update) {
    struct update_keys keys = {.table = t};
    if (update)
        update_visit_attributes(update, update_keys_visit, &keys);
    if (!keys.found.ptr)
        return NULL;
    return error_new(a, ERR_VALIDATION,
                     "One or more parameter values were invalid: Cannot update attribute %.*s. "
                     "This attribute is part of the key",
                     SLICE_ARG(keys.found));
}
