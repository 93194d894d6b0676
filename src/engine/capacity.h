/*
 * Capacity units: what a request consumed, of the table and of each index.
 *
 * Rules and sources: every figure is of AWS's measured behaviour (the arms of indexes are sized on
 * the projected entry; only the table's arm doubles in a transaction).
 */
#ifndef ENGINE_CAPACITY_H
#define ENGINE_CAPACITY_H

#include "schema/table_schema.h"

struct capacity {
    double table;                                                /* units of the table itself */
    double index[LIMIT_GLOBAL_INDEXES + LIMIT_LOCAL_INDEXES];    /* as in schema->indexes */
    bool index_used[LIMIT_GLOBAL_INDEXES + LIMIT_LOCAL_INDEXES]; /* an arm that changed */
};

double capacity_total(const struct capacity *c);
void capacity_add(struct capacity *sum, const struct capacity *more);

/* Units of one read of `bytes`: ceil(bytes / 4096), halved when eventual; a missing item is 0. */
double capacity_read_units(size_t bytes, bool consistent);

/* Units of one write: ceil(max(before, after) / 1024), at least 1. */
double capacity_write_units(size_t before, size_t after);

/* An index arm from the sizes of its entries before and after (0: none): numbers.md's table.
 * `*used` false when the arm did not change. */
double capacity_index_units(size_t before, size_t after, bool same_key, bool same_entry,
                            bool *used);

#endif
