/*
 * Values of type S, N and B as bytes whose memcmp order is DynamoDB's key order.
 *
 * One component: a tag for the type, the bytes with 00 written as 00 FF, the end 00 01.  Several
 * components follow each other, and no component is a prefix of another, so a concatenation sorts
 * by its first component, then its second.  The form is on disk (top of key_bytes.c).
 */
#ifndef ITEM_KEY_BYTES_H
#define ITEM_KEY_BYTES_H

#include "base/reader.h"
#include "item/value.h"

/* Appends the component of `v`, which is of type S, N or B. */
void key_bytes_add(struct buf *out, const struct value *v);

/* Appends the component of an S or B `v` without its end: the shared start of all components whose
 * value begins with `v` (begins_with). */
void key_bytes_add_prefix(struct buf *out, const struct value *v);

/* The next component; false when malformed.  Bytes are unescaped into the arena when needed. */
MUST_CHECK bool key_bytes_read(struct reader *r, struct arena *a, struct value *out);

/* The smallest byte string greater than every string that starts with `prefix`; empty when there
 * is none (all FF). */
struct slice key_bytes_after_prefix(struct arena *a, struct slice prefix);

#endif
