/*
 * The pieces of the stored form (top of stored.c) that its writer and its readers share.
 */
#ifndef ITEM_STORED_INT_H
#define ITEM_STORED_INT_H

#include "base/reader.h"
#include "item/names.h"
#include "item/value.h"

enum {
    STORED_VERSION = 1,
    STORED_SMALL = 15, /* in a head: the number does not fit and follows */
    STORED_DEPTH = LIMIT_VALUE_DEPTH + 1,
};

/* Version, size and count: what stands before the attributes. */
MUST_CHECK bool stored_read_start(struct reader *r, size_t *size, size_t *count);

/* A value's type and its number: a length, a count, or what the type means by it. */
MUST_CHECK bool stored_read_head(struct reader *r, enum value_type *type, size_t *n);

/* The rest of a number whose head said `n`. */
MUST_CHECK bool stored_read_number(struct reader *r, size_t n, struct number *out);

/* The name of a top-level attribute. */
MUST_CHECK bool stored_read_name(struct reader *r, const struct names *names, struct slice *out);

/* Whether the number has the short form, and which. */
bool stored_number_is_small(const struct number *n, unsigned *small);

#endif
