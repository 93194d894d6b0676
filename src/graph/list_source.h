/*
 * One partition of a list (a node's own, or a shard of a target), row by row in the list's order.
 */
#ifndef GRAPH_LIST_SOURCE_H
#define GRAPH_LIST_SOURCE_H

#include "graph/edge.h"

/* What all partitions of a list have in common. */
struct list_query {
    const struct edge_type *type;
    enum graph_direction direction;
    bool indexed; /* in the index "in": read eventually */
    bool descending;
    bool attributes;
    const struct key_template *sort; /* of the rows' order */
    struct slice partition_name, sort_name;
};
struct list_query list_query_of(const struct graph *g, const struct edge_type *t,
                                const struct graph_list *list);

struct list_row {
    struct slice key;        /* where it stands in the order */
    struct slice other;      /* the id at the other end */
    const struct json *item; /* as the partition has it */
};

struct list_source {
    struct slice partition;
    struct slice after; /* the last key that was passed; empty at the beginning */
    struct list_row *rows;
    size_t count, at;
    bool done; /* nothing follows the rows */
};

/* Reads on until there are `want` rows, or all.  Rows that were read before and not taken stay. */
MUST_CHECK struct error *list_source_fill(struct graph *g, struct arena *a,
                                          const struct list_query *q, struct list_source *s,
                                          size_t want);

#endif
