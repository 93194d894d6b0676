/*
 * Change records: what a write did to an item, for streams (and later point-in-time recovery).
 *
 * One per item write of a table whose stream is on, in the item's own batch, always with both
 * images whatever the stream's view is (form at the top of change.c).
 */
#ifndef ENGINE_CHANGE_H
#define ENGINE_CHANGE_H

#include "engine/write_view.h"

struct change {
    int64_t time_ms;
    struct slice old_stored; /* stored forms; empty: there was no item */
    struct slice new_stored;
};

/* Stages the record with the table's next sequence number. */
void change_stage(struct write_view *v, struct table *t, const struct change *change);

struct slice change_encode(struct arena *a, const struct change *change);
bool change_decode(struct slice bytes, struct change *out);
struct slice change_key(struct arena *a, uint64_t space, uint64_t sequence);

/* Finds the table's next sequence number. */
MUST_CHECK struct error *change_load(struct store *s, struct arena *a, struct table *t);

#endif
