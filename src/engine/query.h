/*
 * Pages of a table or an index: Query (one partition) and, by segments, Scan.
 *
 * A query is filled in, prepared (every check that needs the schema), then stepped until it is
 * done: a step reads at most so many rows, so a long page can be moved from an event loop to a
 * worker between two steps.  Rows are read from one snapshot.  The page ends at `limit` rows, at
 * LIMIT_PAGE_BYTES read, or at the end of the range.
 */
#ifndef ENGINE_QUERY_H
#define ENGINE_QUERY_H

#include "engine/table.h"
#include "expr/expr.h"

struct query_rows; /* query_int.h */

struct query {
    /* What is asked; filled by the operation. */
    struct table *table;
    const struct index_schema *index; /* NULL: the table */
    const struct key_condition *key;  /* NULL: all partitions (Scan) */
    const struct condition *filter;   /* or NULL */
    bool filter_is_map;               /* QueryFilter, which AWS's error names */
    const struct item *start;         /* ExclusiveStartKey, or NULL */
    uint32_t limit;                   /* 0: none */
    bool backward;                    /* ScanIndexForward false */
    bool fetch;      /* a local index: read the table's item for what is not projected */
    bool keep_rows;  /* false: Select COUNT */
    bool consistent; /* for the units only */
    uint32_t segment, total_segments; /* of a Scan; total 0: one */

    /* What comes out. */
    struct slice *rows; /* stored forms that passed the filter, in order; when keep_rows */
    struct item *items; /* the same rows decoded, when the filter needed that; or NULL */
    uint32_t count;
    uint32_t scanned;
    size_t bytes;               /* read, before the filter */
    size_t fetched_units_bytes; /* of `fetch`: each item's size rounded up to 4 KB, summed */
    bool has_last_key;
    struct item last_key; /* LastEvaluatedKey: the table's key and, for an index, the index's */
    bool done;

    struct query_rows *state;
};

/*
 * Checks key condition, start key and filter against the schema, with AWS's texts ("Query condition
 * missed key schema element: pk", "Query key condition not supported", "One or more parameter
 * values were invalid: Condition parameter type does not match schema type", "The provided starting
 * key is invalid", "Filter Expression can only contain non-primary key attributes: Primary key
 * attribute: pk", …), and sets up the range.  Reads nothing.
 */
MUST_CHECK struct error *query_prepare(struct arena *a, struct query *q);

/* Reads on, at most `max_rows` rows or `max_bytes`; `done` tells the end. */
MUST_CHECK struct error *query_step(struct engine *e, struct arena *a, struct query *q,
                                    uint32_t max_rows, size_t max_bytes);

/* Lets go of iterator and snapshot; also when the query was not finished.  May be called twice. */
void query_finish(struct engine *e, struct query *q);

#endif
