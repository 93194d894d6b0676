/*
 * Items as they stand on disk (form at the top of stored.c).
 *
 * Version, logical size, then attributes sorted by name with normalised values: two items are equal
 * exactly when their bytes are, and an item's size is read without decoding it.
 */
#ifndef ITEM_STORED_H
#define ITEM_STORED_H

#include "item/names.h"
#include "item/value.h"
#include "json/json_writer.h"

/* Appends the stored form.  `names` gives numbers; names it does not have are written in full, so
 * names_add is offered every top-level name before.  NULL is an empty dictionary, here and below.
 * Lists and maps deeper than LIMIT_VALUE_DEPTH are for the caller to refuse (value_depth): one
 * level more is still read back, the next is malformed. */
void stored_encode(struct buf *out, const struct item *item, const struct names *names);

/* DynamoDB's size of the item, from the header; false when malformed. */
MUST_CHECK bool stored_size(struct slice bytes, size_t *out);

/* The whole item; strings borrow from `bytes`, names from the dictionary.  False when malformed:
 * every length, order and type is checked, so corrupt bytes are an answer and never a crash. */
MUST_CHECK bool stored_decode(struct arena *a, struct slice bytes, const struct names *names,
                              struct item *out);

/* Writes the item as DynamoDB JSON; to text without making values.  False when malformed (what was
 * written by then is to be dropped). */
MUST_CHECK bool stored_to_json(struct arena *a, struct slice bytes, const struct names *names,
                               struct json_writer *w);

#endif
