/*
 * What the engine keeps about a table beyond its schema, and the catalogue in memory.
 */
#ifndef ENGINE_TABLE_INT_H
#define ENGINE_TABLE_INT_H

#include <pthread.h>
#include <stdatomic.h>

#include "engine/table.h"

/* Items and bytes of one space.  The committed figures are read by any thread; the pending ones are
 * what the writer's current group changes. */
struct count_cell {
    _Atomic uint64_t items;
    _Atomic uint64_t bytes;
    int64_t pending_items;
    int64_t pending_bytes;
};

struct table_state {
    struct arena *arena; /* of this and of the count cells */
    atomic_uint holds;   /* on any version */
    atomic_bool dropped;
    struct count_cell counts;

    /* The writer's. */
    struct table *current; /* the newest version */
    uint32_t names_saved;  /* how many names of the dictionary are on disk */
    uint32_t names_staged; /* with the current group */
    uint64_t next_change;  /* sequence number of the next change record */
    bool touched;          /* by the current group */
    struct table *next_touched;
};

/* The tables by name. */
struct catalogue {
    pthread_rwlock_t lock;
    struct table **tables; /* sorted by name; each holds its table once */
    size_t count;
    size_t room;
};

void catalogue_init(struct catalogue *c);
void catalogue_finish(struct catalogue *c);

/* A table with one hold and empty counts; the schema is copied. */
struct table *table_create(const struct table_schema *schema);

/* Another version of the table: the same names and counts under a changed schema (copied).  In the
 * writer.  It becomes current by catalogue_replace, which frees the older versions if nobody holds
 * the table, else leaves that to the next one or to the table's end; or it is discarded. */
struct table *table_revise(struct table *t, const struct table_schema *schema);
void table_discard(struct table *revised);
void catalogue_replace(struct catalogue *c, struct table *revised);

/* Takes over the caller's hold. */
void catalogue_add(struct catalogue *c, struct table *t);

/* Marks it dropped and lets go of the catalogue's hold. */
void catalogue_remove(struct catalogue *c, struct table *t);

/* Held, or NULL. */
struct table *catalogue_find(struct catalogue *c, struct slice name);

void table_hold(struct table *t);
void table_let_go(struct table *t);

/* The cell of a table (index NULL) or of one of its indexes. */
struct count_cell *table_count_cell(const struct table *t, const struct index_schema *index);

#endif
