#include "engine/table_names.h"

#include "base/buf.h"
#include "engine/keyspace.h"

static struct slice table_names_key(struct arena *a, uint64_t space, uint32_t id) {
    struct buf key = buf_in(a, 20);
    buf_add_u64(&key, SPACE_NAMES);
    buf_add_u64(&key, space);
    buf_add_u32(&key, id);
    return buf_slice(&key);
}

void table_names_stage(struct write_view *v, struct table *t) {
    uint32_t count = names_count(t->names);
    for (uint32_t id = t->state->names_saved + 1; id <= count; id++) {
        struct slice name;
        if (names_get(t->names, id, &name))
            write_view_put_unseen(v, table_names_key(v->arena, t->schema->space, id), name);
    }
    t->state->names_staged = count;
}

void table_names_range(struct arena *a, uint64_t space, struct slice *lower, struct slice *upper) {
    *lower = table_names_key(a, space, 0);
    *upper = table_names_key(a, space + 1, 0);
}

struct error *table_names_load(struct store *s, struct arena *a, struct table *t) {
    struct store_range range = {0};
    table_names_range(a, t->schema->space, &range.lower, &range.upper);
    CLEANUP(store_iterator_release) struct store_iterator *it = NULL;
    TRY(store_iterate(s, NULL, a, &range, &it));
    for (uint32_t id = 1;; id++) {
        struct slice key, name;
        bool found, added;
        TRY(store_iterator_next(it, a, &key, &name, &found));
        if (!found)
            return NULL;
        if (!slice_equal(key, table_names_key(a, t->schema->space, id)) ||
            names_add(t->names, name, &added) != id)
            return error_new(a, ERR_INTERNAL, "the attribute names of table %.*s are malformed",
                             SLICE_ARG(t->schema->name));
        t->state->names_saved = t->state->names_staged = id;
    }
}
