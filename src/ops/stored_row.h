/*
 * A stored item as a reply shows it.
 *
 * Without a projection the bytes are written as JSON directly: no value is made.
 */
#ifndef OPS_STORED_ROW_H
#define OPS_STORED_ROW_H

#include "engine/table.h"
#include "expr/expr.h"
#include "json/json_writer.h"

/* `projection` NULL: the whole item.  ERR_INTERNAL when the bytes are corrupt. */
MUST_CHECK struct error *stored_row_write(struct arena *a, const struct table *t,
                                          struct slice stored, const struct projection *projection,
                                          struct json_writer *w);

/* What the projection selects, perhaps nothing. */
MUST_CHECK struct error *stored_row_project(struct arena *a, const struct table *t,
                                            struct slice stored,
                                            const struct projection *projection, struct item *out);

/* DynamoDB's size of it. */
MUST_CHECK struct error *stored_row_size(struct arena *a, struct slice stored, size_t *out);

#endif
