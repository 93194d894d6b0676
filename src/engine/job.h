/*
 * Jobs: long work that a kill does not lose.
 *
 * A job is a row, staged in the group that makes the work necessary; the job thread does it and
 * then removes the row by a task of the writer.  Work is repeatable, so a job that a kill cut short
 * is done again from its row.  The thread also sweeps what expires (tokens, change records).
 *
 *   SPACE_JOBS · id (u64)  →  version (1) · kind (1) · the kind's own bytes
 *   JOB_DROP: count (varint) · spaces (u64 each), the first being the table's or an index's
 *   JOB_BACKFILL: table's name (sized) · index's space (u64) · last item key done (sized)
 */
#ifndef ENGINE_JOB_H
#define ENGINE_JOB_H

#include <pthread.h>

#include "base/error.h"

struct engine;
struct write_view;

struct job_runner {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool started;
    bool stopping;
    bool waiting_work; /* rows may be there */
    bool idle;         /* nothing left when last looked at */
};

enum job_kind { JOB_DROP = 1, JOB_BACKFILL = 2 };

struct job {
    uint64_t id;
    enum job_kind kind;
    const uint64_t *spaces; /* JOB_DROP */
    size_t space_count;
    struct slice table; /* JOB_BACKFILL */
    uint64_t index_space;
    struct slice cursor; /* empty: nothing done yet */
};

/* Stages a job that removes the data of the spaces. */
void job_stage_drop(struct write_view *v, const uint64_t *spaces, size_t count);

/* Stages a job that fills a new index with the items that are there. */
void job_stage_backfill(struct write_view *v, struct slice table, uint64_t index_space);

/* Stages the job's row as it stands now, and its removal. */
void job_stage_progress(struct write_view *v, const struct job *job);
void job_stage_end(struct write_view *v, const struct job *job);

/* Whether the engine is being closed: a job stops between two chunks and goes on at the next start.
 */
bool job_is_stopping(struct engine *e);

struct slice job_encode(struct arena *a, const struct job *job);
bool job_decode(struct arena *a, struct slice bytes, struct job *out);

/* After a group with a job was committed. */
void job_wake(struct engine *e);

MUST_CHECK struct error *job_start(struct engine *e, struct arena *a);
void job_stop(struct engine *e);

/* Waits until no job is left; for tests and for a clean `drop then measure`. */
void job_wait_idle(struct engine *e);

#endif
