/*
 * Creating and dropping tables, in the writer (tasks with `alone` set).
 */
#ifndef ENGINE_CATALOGUE_H
#define ENGINE_CATALOGUE_H

#include "engine/table.h"
#include "engine/writer.h"

/*
 * Creates the table; the engine fills in id, spaces, status and time, and `*out` (in the arena) is
 * the schema as stored.  ERR_RESOURCE_IN_USE "Table already exists: NAME"; ERR_LIMIT_EXCEEDED.
 */
MUST_CHECK struct error *catalogue_create(struct write_view *view, struct arena *a,
                                          const struct table_schema *schema,
                                          const struct table_schema **out);

/* Drops the table: gone for everybody when the group is committed, its data is removed by a job.
 * ERR_RESOURCE_NOT_FOUND "Requested resource not found: Table: NAME not found"; ERR_VALIDATION when
 * protected ("Resource cannot be deleted as it is currently protected against deletion. Disable
 * deletion protection first."). */
MUST_CHECK struct error *catalogue_drop(struct write_view *view, struct arena *a, struct slice name,
                                        const struct table_schema **out,
                                        struct table_counts *counts);

#endif
