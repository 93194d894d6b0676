#include "ops/key_paths.h"

/* The first path that goes into a key of the table, and the first into one of an index. */
struct key_paths {
    const struct table_schema *table;
    struct slice key;
    struct slice index_key;
};

static bool is_index_key(const struct table_schema *t, struct slice attribute) {
    for (size_t i = 0; i < t->index_count; i++)
        if (key_schema_find(&t->indexes[i].key, attribute, NULL))
            return true;
    return false;
}

static void key_paths_visit(void *context, const struct path *path) {
    struct key_paths *found = context;
    if (path->count < 2)
        return;
    struct slice name = path->steps[0].name;
    if (!found->key.ptr && key_schema_find(&found->table->key, name, NULL))
        found->key = name;
    else if (!found->index_key.ptr && is_index_key(found->table, name))
        found->index_key = name;
}

static struct error *key_paths_error(struct arena *a, const struct key_paths *found) {
    if (!found->key.ptr && !found->index_key.ptr)
        return NULL;
    struct slice name = found->key.ptr ? found->key : found->index_key;
    return error_new(a, ERR_VALIDATION,
                     "Key attributes must be scalars; list random access '[]' and map lookup '.' "
                     "are not allowed: %s: %.*s",
                     found->key.ptr ? "Key" : "IndexKey", SLICE_ARG(name));
}

struct error *key_paths_check_condition(struct arena *a, const struct table_schema *t,
                                        const struct condition *c) {
    struct key_paths found = {.table = t};
    if (c)
        condition_visit_paths(c, key_paths_visit, &found);
    return key_paths_error(a, &found);
}

struct error *key_paths_check_projection(struct arena *a, const struct table_schema *t,
                                         const struct projection *p) {
    struct key_paths found = {.table = t};
    for (size_t i = 0; p && i < p->count; i++)
        key_paths_visit(&found, &p->paths[i]);
    return key_paths_error(a, &found);
}

struct error *key_paths_check_update(struct arena *a, const struct table_schema *t,
                                     const struct update *u) {
    struct key_paths found = {.table = t};
    if (u)
        update_visit_paths(u, key_paths_visit, &found);
    return key_paths_error(a, &found);
}
