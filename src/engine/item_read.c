#include "engine/item_read.h"

#include "engine/engine_int.h"

struct error *item_read(struct engine *e, struct arena *a, const struct table *t,
                        const struct primary_key *key, struct slice *stored, bool *found) {
    if (atomic_load(&t->state->dropped))
        return error_new(a, ERR_RESOURCE_NOT_FOUND, "Requested resource not found");
    gate_enter(&e->readers);
    struct error *error = store_get(e->store, NULL, a, key->store_key, stored, found);
    gate_leave(&e->readers);
    return error;
}
