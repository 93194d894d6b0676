/*
 * Ids as parts of keys: `%` is written %25 and `#` is written %23, nothing else changes.
 *
 * Keys put ids between `#`s ("TARGET#bob", "TARGET#bob#3"), so an id that holds one ("bob#3") would
 * be taken for something else.  An escaped id holds no `#`, has exactly one written form, and most
 * ids are their own.
 */
#ifndef MODEL_KEY_ID_H
#define MODEL_KEY_ID_H

#include "base/buf.h"
#include "base/error.h"

/* What may be an id: not empty, UTF-8.  ERR_VALIDATION says what is wrong. */
MUST_CHECK struct error *key_id_check(struct arena *a, struct slice id);

/* Adds the written form of `id`. */
void key_id_escape(struct buf *out, struct slice id);

/* The id of a written form; false when it is the form of no id (empty, a raw `#`, another escape).
 * Borrows from `written` when nothing is escaped. */
bool key_id_unescape(struct arena *a, struct slice written, struct slice *id);

#endif
