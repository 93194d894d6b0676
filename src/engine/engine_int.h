/*
 * The engine from inside: its parts and who owns what.
 */
#ifndef ENGINE_ENGINE_INT_H
#define ENGINE_ENGINE_INT_H

#include "engine/engine.h"
#include "engine/gate.h"
#include "engine/job.h"
#include "engine/lag.h"
#include "engine/table_int.h"
#include "engine/write_view.h"
#include "engine/writer.h"

struct writer {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct writer_task *first, *last; /* waiting, in order */
    struct writer_task *low_first, *low_last;
    bool stopping;
    bool started;
    struct write_view view;
    bool unsynced; /* SYNC_INTERVAL: commits since the last sync */
    int64_t next_sync_ns;
    int64_t next_low_ns; /* when a job's task runs though others wait */
    bool broken;         /* a commit failed: reopen before the next group */
    bool full;           /* said so in the log */
};

struct engine {
    struct store *store;
    enum engine_sync sync;
    struct gate readers; /* everybody who uses the store but the writer */
    struct catalogue catalogue;
    uint64_t next_id; /* of spaces and jobs; the writer's */
    struct writer writer;
    struct job_runner jobs;
    struct lag lag;
    _Atomic uint64_t groups, writes, refused, reopened;
};

/* Reads catalogue, names and counts: at the start, and again after a reopen, when it finds the
 * tables that a failed group may have left or taken. */
MUST_CHECK struct error *engine_load(struct engine *e, struct arena *a);

/* A number that was never given out; staged with the view. */
uint64_t engine_new_id(struct write_view *v);

MUST_CHECK struct error *writer_start(struct engine *e, struct arena *a);
void writer_stop(struct engine *e);

#endif
