/*
 * Finding tables.
 *
 * A table that was found is held: it stays valid (though perhaps dropped) until released.  Finding
 * is safe from any thread.  Creating, changing and dropping happens in the writer (catalogue.h).  A
 * changed schema makes another `struct table` of the same state: who holds the old one goes on with
 * the schema it was checked against, and the writer brings a write up to the newest.
 */
#ifndef ENGINE_TABLE_H
#define ENGINE_TABLE_H

#include "engine/engine.h"
#include "item/names.h"
#include "schema/table_schema.h"

struct table {
    const struct table_schema *schema;
    struct names *names; /* dictionary of the stored items */

    /* The engine's own: table_int.h. */
    struct table_state *state;
    struct arena *arena;              /* of this version */
    struct count_cell **index_counts; /* as in schema->indexes */
    struct table *older;              /* a version before it, perhaps still held */
};

/* NULL when there is no such table. */
struct table *engine_find_table(struct engine *e, struct slice name);
void table_release(struct engine *e, struct table *t); /* takes NULL */

/* Items and bytes, exact and up to date (AWS's own are some six hours late). */
struct table_counts {
    uint64_t items;
    uint64_t bytes;
};
struct table_counts table_counts(const struct table *t);
struct table_counts table_index_counts(const struct table *t, const struct index_schema *index);

/* Names of tables in ascending order after `after` (empty: from the start), at most `limit`. */
struct slice *engine_list_tables(struct engine *e, struct arena *a, struct slice after,
                                 size_t limit, size_t *count, bool *more);

size_t engine_table_count(struct engine *e);

#endif
