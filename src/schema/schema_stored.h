/*
 * A table's schema as it stands in the catalogue (form at the top of schema_stored.c).
 */
#ifndef SCHEMA_SCHEMA_STORED_H
#define SCHEMA_SCHEMA_STORED_H

#include "base/buf.h"
#include "schema/table_schema.h"

/* Appends the stored form. */
void schema_encode(struct buf *out, const struct table_schema *schema);

/* False when malformed or of a version that is not known.  Strings are copied into the arena. */
MUST_CHECK bool schema_decode(struct arena *a, struct slice bytes, struct table_schema *out);

/* A deep copy, by way of the stored form, which knows every member. */
const struct table_schema *table_schema_copy(struct arena *a, const struct table_schema *schema);

#endif
