/*
 * Strong reads of many items at once.
 */
#ifndef GRAPH_BATCH_H
#define GRAPH_BATCH_H

#include "graph/graph_int.h"

struct batch_key {
    struct slice pk, sk;
};

/* Reads the items by BatchGetItem, as many requests as it takes; `items` gets one for each key,
 * NULL where there is none.  Keys may repeat. */
MUST_CHECK struct error *graph_get_items(struct graph *g, struct arena *a,
                                         const struct batch_key *keys, size_t count,
                                         const struct json **items);

#endif
