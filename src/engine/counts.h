/*
 * Items and bytes per table and index, kept with every write (form at the top of counts.c).
 */
#ifndef ENGINE_COUNTS_H
#define ENGINE_COUNTS_H

#include "engine/write_view.h"

/* Stages the rows of the table's cells that the group moved. */
void counts_stage(struct write_view *v, struct table *t);

/* What was pending becomes the figure (committed), or is forgotten. */
void counts_settle(struct table *t, bool committed);

/* Stages the removal of the rows of a dropped table's spaces. */
void counts_stage_removal(struct write_view *v, const uint64_t *spaces, size_t count);

/* Reads the table's rows. */
MUST_CHECK struct error *counts_load(struct store *s, struct arena *a, struct table *t);

/* The row's value, and what it says; for the checker and the golden bytes. */
struct slice counts_encode(struct arena *a, struct table_counts counts);
bool counts_decode(struct slice bytes, struct table_counts *out);

#endif
