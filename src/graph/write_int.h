/*
 * What puts and deletes of edges share: the actions of their transactions and what stops them.
 */
#ifndef GRAPH_WRITE_INT_H
#define GRAPH_WRITE_INT_H

#include "graph/edge.h"

/* An edge that is being put. */
struct edge_write {
    struct edge_keys keys;
    const struct json *attributes;
    struct slice op;
};

/* The edge's item with its attributes, as PutItem's member; with the debt of a fold if so. */
void edge_item_write(struct graph *g, struct arena *a, struct json_writer *w,
                     const struct edge_write *e, bool debt);

/*
 * The counters' actions of an edge that comes (+1) or goes (-1): two updates, or one for a loop at
 * one item.  Those of +1 fail when a node is being deleted, is missing and required, or has got
 * shards that the writer does not know.
 */
MUST_CHECK struct error *counters_add(struct graph *g, struct arena *a, struct transaction *t,
                                      const struct edge_keys *k, int by);

/* Why a put found no way: a node is being deleted or missing.  NULL when neither is so; then `*map`
 * is the target's map as it is now. */
MUST_CHECK struct error *nodes_allow(struct graph *g, struct arena *a, const struct edge_keys *k,
                                     struct shard_map *map);

/* Marks an edge as deleted for a fold, if it is still the one of `item`. */
MUST_CHECK struct error *edge_mark(struct graph *g, struct arena *a, const struct edge_keys *k,
                                   const struct json *item, struct slice id, bool *applied);

#endif
