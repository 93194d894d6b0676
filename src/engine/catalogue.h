/*
 * Creating, changing and dropping tables, in the writer (tasks with `alone` set).
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

/* The newest version of a table, NULL when there is none; valid while the task runs. */
struct table *catalogue_current(struct write_view *view, struct slice name);

/*
 * Gives the table another schema: `revised` is a changed copy of the current one, of the same name,
 * id, keys and spaces.  An index without a space is new: it gets one, is CREATING, kept by all
 * writes from now on, filled by a job and then ACTIVE.  The data of an index that is gone is
 * removed by a job.
 * `*out` (in the arena) is the schema as stored.
 */
MUST_CHECK struct error *catalogue_update(struct write_view *view, struct arena *a,
                                          const struct table_schema *revised,
                                          const struct table_schema **out);

#endif
