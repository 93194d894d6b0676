/*
 * Sizes of item collections: what shares a partition key in a table with local indexes.
 *
 * Such a collection may not grow past 10 GB, and writes can report its size.  Kept for those tables
 * only, with every write, in the item's batch (form at the top of collection.c).
 */
#ifndef ENGINE_COLLECTION_H
#define ENGINE_COLLECTION_H

#include "engine/write_view.h"

/* Whether the table has local indexes. */
bool collection_is_kept(const struct table_schema *t);

/* Bytes of the collection that an item's store key is in, earlier writes of the group included. The
 * view remembers them, so that collection_change cannot fail. */
MUST_CHECK struct error *collection_size(struct write_view *view, struct arena *a,
                                         const struct table_schema *t, struct slice item_key,
                                         uint64_t *bytes);

/* Stages the collection's new size, which it returns; after collection_size in the same group. */
uint64_t collection_change(struct write_view *view, const struct table_schema *t,
                           struct slice item_key, int64_t bytes);

/* The range of a table's rows. */
void collection_range(struct arena *a, uint64_t space, struct slice *lower, struct slice *upper);

struct slice collection_encode(struct arena *a, uint64_t bytes);
bool collection_decode(struct slice row, uint64_t *bytes);

/* The key of the collection's row. */
struct slice collection_key(struct arena *a, uint64_t space, struct slice item_key);

#endif
