/*
 * Edges as files: read from CSV or NDJSON, written as NDJSON, CSV, DOT or GraphML.
 *
 * NDJSON: {"type": "FOLLOW", "src": "alice", "dst": "bob", "attributes": {"since": "2024"}} a line.
 * CSV (RFC 4180): a header with src and dst, perhaps type; other columns are attributes, text, left
 * out where empty.  A type may be given for rows that name none.
 */
#ifndef GRAPH_TRANSFER_H
#define GRAPH_TRANSFER_H

#include <stdio.h>

#include "graph/graph.h"

enum { TRANSFER_COLUMNS = 64 };

struct transfer_reader {
    FILE *file;
    struct arena *arena; /* of the header */
    bool csv;
    bool started;
    uint64_t line; /* of the row read last */
    struct slice columns[TRANSFER_COLUMNS];
    size_t column_count;
};

/* The next row, in arena `a`; `*more` is false at the end.  `type` is for rows without one.  EINVAL
 * with the line's number. */
MUST_CHECK struct error *transfer_read(struct transfer_reader *r, struct arena *a,
                                       struct slice type, struct graph_edge *edge, bool *more);

enum transfer_format { TRANSFER_NDJSON, TRANSFER_CSV, TRANSFER_DOT, TRANSFER_GRAPHML };

/* EINVAL for a name that is no format. */
MUST_CHECK struct error *transfer_format_find(struct arena *a, struct slice name,
                                              enum transfer_format *out);

void transfer_write_begin(FILE *out, enum transfer_format format);
void transfer_write_edge(FILE *out, struct arena *a, enum transfer_format format,
                         const struct graph_edge *edge);
void transfer_write_end(FILE *out, enum transfer_format format);

#endif
