/*
 * A query under way: its bounds and what it holds.
 */
#ifndef ENGINE_QUERY_INT_H
#define ENGINE_QUERY_INT_H

#include "engine/lag.h"
#include "engine/query.h"
#include "store/store.h"

struct query_rows {
    struct slice lower;
    struct slice upper;

    /* Held between steps, inside the readers' gate. */
    bool inside;
    struct lag_snapshot *late;
    struct store_snapshot *snapshot; /* only when items are fetched beside the index */
    struct store_iterator *it;

    size_t room;         /* of q->rows and q->items */
    struct slice newest; /* stored form of the last row looked at, kept or not */
};

/* The table's key or the index's. */
const struct key_schema *query_key(const struct query *q);
uint64_t query_space(const struct query *q);

/* Lower and upper bound of the key condition (query_bounds.c). */
MUST_CHECK struct error *query_bounds(struct arena *a, struct query *q);

/* Narrows the bounds to what comes after the ExclusiveStartKey (query_start.c). */
MUST_CHECK struct error *query_apply_start(struct arena *a, struct query *q);

#endif
