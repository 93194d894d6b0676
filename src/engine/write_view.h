/*
 * What the tasks of one group see and stage.
 *
 * Reads see what earlier tasks of the group staged, through a hash of the keys they changed.  The
 * rows that only the group's end needs (counts, new attribute names) are kept with the tables and
 * staged once, by write_view_seal.
 */
#ifndef ENGINE_WRITE_VIEW_H
#define ENGINE_WRITE_VIEW_H

#include "engine/table_int.h"
#include "store/store.h"

struct overlay_entry {
    struct slice key;
    struct slice value; /* ptr NULL: deleted */
};

struct write_view {
    struct engine *engine;
    struct store *store;
    struct store_batch *batch;
    struct arena *arena; /* the group's: reset after each */

    struct overlay_entry *overlay; /* open addressing; size is a power of two */
    size_t overlay_room;
    size_t overlay_count;

    struct table *touched; /* tables with changed counts or names */
    struct table *created; /* published when the group is committed */
    struct table *removed;
    struct table *revised;
    bool jobs_staged; /* the job thread is woken when the group is committed */
};

/* Makes the view ready for a group. */
void write_view_begin(struct write_view *v);

/* The value of a point key, earlier changes of the group included. */
MUST_CHECK struct error *write_view_get(struct write_view *v, struct arena *a, struct slice key,
                                        struct slice *value, bool *found);

/* Seen by write_view_get but not staged: what was read and will be changed by staging, which must
 * not fail.  Recall gives it, or what was staged since; empty when deleted. */
void write_view_remember(struct write_view *v, struct slice key, struct slice value);
struct slice write_view_recall(const struct write_view *v, struct slice key);

/* Staged, and seen by write_view_get. */
void write_view_put(struct write_view *v, struct slice key, struct slice value);
void write_view_delete(struct write_view *v, struct slice key);

/* Staged only: for rows that no task reads (index entries, change records). */
void write_view_put_unseen(struct write_view *v, struct slice key, struct slice value);
void write_view_delete_unseen(struct write_view *v, struct slice key);

/* The counts of a table (index NULL) or index move; written with the group. */
void write_view_count(struct write_view *v, struct table *t, const struct index_schema *index,
                      int64_t items, int64_t bytes);

/* Numbers every attribute name of the item; the new ones are written with the group. */
void write_view_name(struct write_view *v, struct table *t, const struct item *item);

/* Stages what was gathered at the tables. */
void write_view_seal(struct write_view *v);

/* The group is committed, or has failed: what was pending takes effect or is dropped. */
void write_view_end(struct write_view *v, bool committed);

#endif
