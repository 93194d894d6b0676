/*
 * An item's primary key: checked values and the store key made of them.
 *
 * The texts of the faults are AWS's; which of them applies depends on where the key stands, so
 * there are two ways in: from a Key member (exactly the key's attributes) and from a whole item.
 */
#ifndef ENGINE_PRIMARY_KEY_H
#define ENGINE_PRIMARY_KEY_H

#include "schema/table_schema.h"

struct primary_key {
    struct item attributes; /* just the key's attributes */
    struct slice store_key; /* space, hash, sort key: see keyspace.h */
};

/*
 * From a Key member.  "The provided key element does not match the schema" for too few, too many,
 * other names or other types; empty strings and sizes: "One or more parameter values are not valid.
 * The AttributeValue for a key attribute cannot contain an empty string value. Key: pk", "One or
 * more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048
 * bytes" (AWS: the space is missing there; captured by dynalite).
 */
MUST_CHECK struct error *primary_key_from_key(struct arena *a, const struct table_schema *t,
                                              const struct item *key, struct primary_key *out);

/*
 * From an item to be put.  "One or more parameter values were invalid: Missing the key pk in the
 * item", "… Type mismatch for key pk expected: S actual: N".
 */
MUST_CHECK struct error *primary_key_from_item(struct arena *a, const struct table_schema *t,
                                               const struct item *item, struct primary_key *out);

/* Checks an item's index key attributes, which must have the right type, not be empty and not be
 * too long: "… Type mismatch for Index Key gsi1pk Expected: S Actual: N IndexName: gsi1". */
MUST_CHECK struct error *index_keys_check(struct arena *a, const struct table_schema *t,
                                          const struct item *item);

/* The same of what an update changed: what was there before an index was made may stay.  "The
 * update expression attempted to update the secondary index key to unsupported type". */
MUST_CHECK struct error *index_keys_check_update(struct arena *a, const struct table_schema *t,
                                                 const struct item *before,
                                                 const struct item *after);

#endif
