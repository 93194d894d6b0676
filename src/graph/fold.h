/*
 * Counting without transactions: "fold", made of single-item conditional writes alone.
 *
 * A put leaves on the edge which directions are not counted yet (`_f`, a set of "o" and "i"); a
 * delete marks the edge (`_x`, the id of the delete) and leaves it there until both directions have
 * been subtracted (`_g`).  Folding a counter:
 *
 *   read its item: version v.  When a fold is under way, finish that first.
 *   for each candidate edge, read strongly: direction in _f: +1; else _x and not in _g: -1
 *   one update: count += sum, fold = [(edge, op, sign) …], version v+1
 *               if version = v and there is no fold
 *   finish: for each entry, if the edge's _op is the entry's: "+" takes the direction out of _f,
 *           "-" adds it to _g and deletes an edge that has both;
 *           then fold is removed, version v+2, if version = v+1
 *
 * Exactly once: an edge is counted when, and only when, it enters a fold; a second fold cannot
 * start before the first one's flags are cleared; a slow folder's write fails on the version.  No
 * clocks, no leases; whoever comes next finishes what a crash left.  The edge itself carries the
 * debt and keeps keys in the sparse index "queue" as long as there is one, so a sweep needs no
 * scan.
 *
 * A double edge's second item is kept in step by `_p` ("add", "del") in the same way: what `_p`
 * tells is done, then `_p` is removed, then the edge is counted.
 */
#ifndef GRAPH_FOLD_H
#define GRAPH_FOLD_H

#include "graph/edge.h"

enum { FOLD_ENTRIES = 256 }; /* of one fold: an item holds 400 KB */

/* Folds the edges with these keys into a counter; those of other counters are passed over. */
MUST_CHECK struct error *fold_counter(struct graph *g, struct arena *a, const struct counter *c,
                                      const struct edge_keys *edges, size_t count);

/* Finishes the fold that a counter's item has under way, if any. */
MUST_CHECK struct error *fold_finish(struct graph *g, struct arena *a, const struct counter *c);

/* Settles an edge: its second item, both directions.  Afterwards it has no debt, or is gone. */
MUST_CHECK struct error *fold_edge(struct graph *g, struct arena *a, const struct edge_keys *k);

/* Whether an edge's item has something left to do. */
static inline bool edge_in_debt(const struct json *item) {
    return item_has(item, SLICE("_f")) || item_has(item, SLICE("_x")) ||
           item_has(item, SLICE("_p"));
}

enum { FOLD_BUCKETS = 4 }; /* partitions of the queue */
struct slice fold_bucket(const struct graph *g, struct arena *a, unsigned bucket);

/* The bucket of an edge, by the id of its put. */
unsigned fold_bucket_of(struct slice op);

#endif
