/*
 * The engine: tables and items on a store.
 *
 * It owns the writer thread, the job thread, the catalogue in memory and the ring of snapshots for
 * late indexes.  Everything else of the room is reached through the headers beside this one:
 * table.h (find a table), writer.h (run a write), item_write.h (what a write does), item_read.h and
 * query.h (reads), capacity.h, token.h, job.h, check.h.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "base/error.h"
#include "store/store.h"

struct engine;

enum engine_sync { SYNC_COMMIT, SYNC_INTERVAL, SYNC_NONE };

struct engine_options {
    struct store *store;   /* owned by the engine once open succeeds */
    enum engine_sync sync; /* SYNC_NONE for a store in memory */
    unsigned gsi_lag_ms;   /* 0: a global index is up to date at once */
};

/* Reads the catalogue, resumes jobs, starts the threads. */
MUST_CHECK struct error *engine_open(struct arena *a, const struct engine_options *options,
                                     struct engine **out);

/* Finishes what was submitted, stops the threads, closes the store.  Takes NULL. */
void engine_close(struct engine *e);

struct engine_stats {
    uint64_t groups;   /* commits of the writer */
    uint64_t writes;   /* requests in them */
    uint64_t refused;  /* for want of disk space */
    uint64_t reopened; /* after a failed commit */
};
void engine_stats(struct engine *e, struct engine_stats *out);

#endif
