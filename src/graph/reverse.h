/*
 * The second item of a double edge, kept in step without transactions.
 *
 * The edge's own item is the truth.  The second item enters with keys of the queue's index and
 * loses them when, after it was put, the edge was seen to be there still.  So one put too late, by
 * a writer that slept while the edge was deleted and then died, is found by a sweep and taken away.
 */
#ifndef GRAPH_REVERSE_H
#define GRAPH_REVERSE_H

#include "graph/edge.h"

/* The second item, as PutItem takes it; in the queue if so. */
void reverse_write(struct graph *g, struct arena *a, struct json_writer *w,
                   const struct edge_keys *k, struct slice op, bool queued);

/* Does what `_p` of the edge's item tells and removes it. */
MUST_CHECK struct error *reverse_settle(struct graph *g, struct arena *a, const struct edge_keys *k,
                                        const struct json *item);

/* A queued second item: stays without its queue keys, or goes, as the edge says. */
MUST_CHECK struct error *reverse_confirm(struct graph *g, struct arena *a,
                                         const struct edge_keys *k, struct slice op);

/* Puts the second item of an edge that is there, in place of none or of one with the id `seen`. */
MUST_CHECK struct error *reverse_restore(struct graph *g, struct arena *a,
                                         const struct edge_keys *k, struct slice op,
                                         struct slice seen);

/* Deletes a second item if it still has this id. */
MUST_CHECK struct error *reverse_remove(struct graph *g, struct arena *a, const struct edge_keys *k,
                                        struct slice op);

/* The edge whose second item this is; false when it is none of the type's. */
bool reverse_keys_of_item(struct graph *g, struct arena *a, const struct edge_type *t,
                          const struct json *item, struct edge_keys *out);

#endif
