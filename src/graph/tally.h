/*
 * How many live edges each counter should tell, gathered in one pass.
 *
 * A hash table of counters by their item's key and the counter's attribute; 40 bytes and the keys'
 * text for each.
 */
#ifndef GRAPH_TALLY_H
#define GRAPH_TALLY_H

#include "graph/edge.h"

struct tally_row {
    const struct edge_type *type;
    enum graph_direction direction;
    int shard;
    struct slice id; /* the node's */
    int64_t edges;   /* that there are */
    int64_t counted; /* that the counter tells */
    struct slice key;
};

struct tally {
    struct arena *arena;
    struct tally_row *rows;
    size_t room, count; /* room is a power of two */
};

struct tally tally_create(struct arena *a);

/* The row of a counter, made when it is new. */
struct tally_row *tally_at(struct tally *t, const struct counter *c, struct slice id);

#endif
