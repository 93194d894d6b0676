/*
 * Late global indexes: a ring of snapshots, so that an index answers as of some time ago.
 *
 * With a lag, a thread takes a snapshot every max(10 ms, lag / 100); a read of a global index uses
 * the newest one that is at least `lag` old.  Without a lag there is no ring, no thread, no cost.
 */
#ifndef ENGINE_LAG_H
#define ENGINE_LAG_H

#include <pthread.h>

#include "base/error.h"

struct engine;
struct store_snapshot;
struct lag_snapshot;

enum { LAG_RING = 128 };

struct lag {
    unsigned lag_ms; /* 0: off */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t stop;
    bool started;
    bool stopping;
    struct lag_snapshot *ring[LAG_RING]; /* oldest first */
    unsigned count;
};

MUST_CHECK struct error *lag_start(struct engine *e, struct arena *a, unsigned lag_ms);
void lag_stop(struct engine *e);

/* The snapshot that a global index read must use: NULL when there is no lag (the newest state).
 * Released by lag_release.  Called inside the readers' gate. */
struct lag_snapshot *lag_acquire(struct engine *e);
const struct store_snapshot *lag_store_snapshot(const struct lag_snapshot *s);
void lag_release(struct engine *e, struct lag_snapshot *s); /* takes NULL */

/* Lets go of the whole ring: the store is about to be reopened. */
void lag_forget(struct engine *e);

#endif
