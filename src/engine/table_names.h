/*
 * The rows of a table's dictionary of attribute names.
 *
 *   SPACE_NAMES · table's space (u64) · name id (u32)  →  the name's bytes
 */
#ifndef ENGINE_TABLE_NAMES_H
#define ENGINE_TABLE_NAMES_H

#include "engine/write_view.h"

/* Stages the names that are not on disk yet.  A name stays to be staged until a group with it was
 * committed, so that a failed commit cannot leave items with unknown names behind. */
void table_names_stage(struct write_view *v, struct table *t);

/* Reads the rows into the (empty) dictionary. */
MUST_CHECK struct error *table_names_load(struct store *s, struct arena *a, struct table *t);

/* The range of a table's rows. */
void table_names_range(struct arena *a, uint64_t space, struct slice *lower, struct slice *upper);

#endif
