/*
 * A check under way.
 */
#ifndef GRAPH_FSCK_INT_H
#define GRAPH_FSCK_INT_H

#include "graph/tally.h"

struct fsck {
    struct graph *graph;
    struct arena *arena; /* of the findings */
    bool repair;
    struct graph_fsck *result;
    struct tally tally;
};

void fsck_report(struct fsck *f, const char *code, struct slice pk, struct slice sk,
                 const char *what, bool repaired);

/* An item that is no edge: a node with its counters and maps, a shard's counter, or a stranger. */
MUST_CHECK struct error *fsck_node(struct fsck *f, struct arena *a, const struct json *item);

/* Counters that differ from what the scan gathered. */
MUST_CHECK struct error *fsck_counters(struct fsck *f);

#endif
