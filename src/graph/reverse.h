/*
 * The second item of a double edge, kept in step without transactions.
 */
#ifndef GRAPH_REVERSE_H
#define GRAPH_REVERSE_H

#include "graph/edge.h"

/* The second item, as PutItem takes it. */
void reverse_write(struct graph *g, struct json_writer *w, const struct edge_keys *k,
                   struct slice op);

/* Does what `_p` of the edge's item tells and removes it. */
MUST_CHECK struct error *reverse_settle(struct graph *g, struct arena *a, const struct edge_keys *k,
                                        const struct json *item);

#endif
