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

/* The first index key that gets a value of another type. */
struct update_types {
    const struct table_schema *table;
    const struct index_schema *index;
    const struct key_attribute *key;
    enum value_type actual;
};

static void update_types_visit(void *context, struct slice attribute, enum value_type type) {
    struct update_types *types = context;
    for (size_t i = 0; i < types->table->index_count && !types->key; i++) {
        const struct index_schema *index = &types->table->indexes[i];
        const struct key_attribute *key = key_schema_find(&index->key, attribute, NULL);
        if (!key || key->type == type)
            continue;
        types->index = index;
        types->key = key;
        types->actual = type;
    }
}

struct error *update_index_types_check(struct arena *a, const struct table_schema *t,
                                       const struct update *update) {
    struct update_types types = {.table = t};
    if (update)
        update_visit_types(update, update_types_visit, &types);
    if (!types.key)
        return NULL;
    return error_new(a, ERR_VALIDATION,
                     "One or more parameter values were invalid: Type mismatch for Index Key %.*s "
                     "Expected: %s Actual: %s IndexName: %.*s",
                     SLICE_ARG(types.key->name), value_type_name(types.key->type),
                     value_type_name(types.actual), SLICE_ARG(types.index->name));
}
