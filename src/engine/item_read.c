#include "engine/item_read.h"

#include "engine/engine_int.h"

static struct error *item_read_check(struct arena *a, const struct table *t) {
    if (atomic_load(&t->state->dropped))
        return error_new(a, ERR_RESOURCE_NOT_FOUND, "Requested resource not found");
    return NULL;
}

struct error *item_read(struct engine *e, struct arena *a, const struct table *t,
                        const struct primary_key *key, struct slice *stored, bool *found) {
    TRY(item_read_check(a, t));
    gate_enter(&e->readers);
    struct error *error = store_get(e->store, NULL, a, key->store_key, stored, found);
    gate_leave(&e->readers);
    return error;
}

static struct error *item_read_at(struct engine *e, struct arena *a,
                                  const struct store_snapshot *snapshot,
                                  struct item_read_one *reads, size_t count) {
    for (size_t i = 0; i < count; i++)
        TRY(store_get(e->store, snapshot, a, reads[i].key->store_key, &reads[i].stored,
                      &reads[i].found));
    return NULL;
}

struct error *item_read_many(struct engine *e, struct arena *a, struct item_read_one *reads,
                             size_t count) {
    for (size_t i = 0; i < count; i++)
        TRY(item_read_check(a, reads[i].table));
    gate_enter(&e->readers);
    struct store_snapshot *snapshot = store_snapshot(e->store);
    struct error *error = item_read_at(e, a, snapshot, reads, count);
    store_snapshot_release(e->store, snapshot);
    gate_leave(&e->readers);
    return error;
}
