/*
 * Reading items by their keys.
 */
#ifndef ENGINE_ITEM_READ_H
#define ENGINE_ITEM_READ_H

#include "engine/primary_key.h"
#include "engine/table.h"

/* The item's stored form (item/stored.h, by the table's names), in the arena.  Always the newest
 * acknowledged state: an eventually consistent read may be consistent. */
MUST_CHECK struct error *item_read(struct engine *e, struct arena *a, const struct table *t,
                                   const struct primary_key *key, struct slice *stored,
                                   bool *found);

/* One of several items read together. */
struct item_read_one {
    const struct table *table;
    const struct primary_key *key;
    struct slice stored;
    bool found;
};

/* All of them as of one moment. */
MUST_CHECK struct error *item_read_many(struct engine *e, struct arena *a,
                                        struct item_read_one *reads, size_t count);

#endif
