/*
 * Nodes that a walk has met: ids with where each was reached from.
 *
 * A hash table in an arena, in the order of meeting; 48 bytes and the id for each.
 */
#ifndef GRAPH_ID_SET_H
#define GRAPH_ID_SET_H

#include "base/arena.h"

#define ID_SET_NONE UINT32_MAX

struct id_set_row {
    struct slice id;
    uint32_t from; /* the row it was reached from, ID_SET_NONE for a start */
    uint32_t depth;
};

struct id_set {
    struct arena *arena;
    struct id_set_row *rows; /* in the order of meeting */
    size_t count, row_room;
    uint32_t *slots; /* of the hash table: a row + 1, 0 is free */
    size_t slot_count;
};

struct id_set id_set_create(struct arena *a);

/* False when it was there already; `*row` is its place in either case.  The id is copied. */
bool id_set_add(struct id_set *s, struct slice id, uint32_t from, uint32_t depth, uint32_t *row);

bool id_set_find(const struct id_set *s, struct slice id, uint32_t *row);

#endif
