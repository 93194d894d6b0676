/*
 * An item's entry in an index: whether it has one, its key, its projected attributes.
 */
#ifndef ENGINE_INDEX_ENTRY_H
#define ENGINE_INDEX_ENTRY_H

#include "engine/table.h"

struct index_entry {
    bool present;
    struct slice key;      /* in the store */
    struct item projected; /* what the index holds of the item, the table's key included */
    size_t size;           /* of the projected item, as DynamoDB counts it */
};

/* `item` NULL or not in the index: not present. `item_key` is the item's key in the store. */
struct index_entry index_entry_of(struct arena *a, const struct table_schema *t,
                                  const struct index_schema *index, const struct item *item,
                                  struct slice item_key);

#endif
