/*
 * The keys of the store: which space a thing is in and how its key is composed.
 *
 *   space (u64, big-endian) · hash (16 bytes of SHA-256 over the partition key's components) · tail
 *
 * A space is a table's items, one index, a table's change records, or one of the engine's own
 * below. Tail of an item: its sort key's component.  Of a global index's entry: the index's sort
 * key components · the item's hash · the item's sort key component.  Of a local one: the index's
 * sort key component · the item's sort key component.  Components are those of item/key_bytes.h.
 * The hash comes first so that any back end can bound its keys and a Scan goes in hash order.
 */
#ifndef ENGINE_KEYSPACE_H
#define ENGINE_KEYSPACE_H

#include "schema/table_schema.h"

/* The engine's own spaces; never reused, never renumbered. */
enum keyspace_own {
    SPACE_META = 1,         /* name → value: the next space id */
    SPACE_CATALOGUE = 2,    /* table name → schema */
    SPACE_NAMES = 3,        /* table's space · name id (u32) → attribute name */
    SPACE_COUNTS = 4,       /* space (u64) → items, bytes */
    SPACE_TOKENS = 5,       /* token → what it did */
    SPACE_TOKEN_EXPIRY = 6, /* time (u64) · token → nothing */
    SPACE_JOBS = 7,         /* job id (u64) → job */
    SPACE_COLLECTIONS = 8,  /* table's space · hash → bytes of the item collection */
    SPACE_FIRST_TABLE = 1024,
};

enum { KEYSPACE_HASH_BYTES = 16, KEYSPACE_PREFIX_BYTES = 8 + KEYSPACE_HASH_BYTES };

/* space · suffix. */
struct slice keyspace_key(struct arena *a, uint64_t space, struct slice suffix);

/* The first key of the space and the first after it. */
struct slice keyspace_first(struct arena *a, uint64_t space);
struct slice keyspace_end(struct arena *a, uint64_t space);

/* space · hash of the given partition key values. */
struct slice keyspace_partition(struct arena *a, uint64_t space, const struct value *const *hash,
                                size_t count);

/* An item's key; its key attributes are there and of the right type. */
struct slice keyspace_item(struct arena *a, const struct table_schema *t, const struct item *item);

/* The key of an item's entry in an index; false when the item is not in the index (an index key
 * attribute is missing or of another type).  `item_key` is the item's own key. */
bool keyspace_index_entry(struct arena *a, const struct index_schema *index,
                          const struct item *item, struct slice item_key, struct slice *out);

#endif
