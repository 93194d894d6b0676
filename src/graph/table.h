/*
 * The table under a graph, and what its endpoint can do.
 */
#ifndef GRAPH_TABLE_H
#define GRAPH_TABLE_H

#include "graph/graph_int.h"

/* Whether the endpoint has TransactWriteItems, by asking for an empty one. */
MUST_CHECK struct error *table_transactions(struct graph *g, struct arena *a, bool *out);

/* The names of the table's key attributes.  ENOTFOUND, EINVAL when it has no sort key. */
MUST_CHECK struct error *table_keys(struct graph *g, struct arena *a, struct slice *pk,
                                    struct slice *sk);

/*
 * Makes the descriptor's table with the index "in", and the queue's when `queue_wanted`; or checks
 * that the table there is suits (EINVAL).  `queue` says whether the queue's index is there.
 */
MUST_CHECK struct error *table_ensure(struct graph *g, struct arena *a, bool queue_wanted,
                                      bool *queue);

#endif
