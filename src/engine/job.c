#include "engine/job.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/reader.h"
#include "engine/backfill.h"
#include "engine/collection.h"
#include "engine/counts.h"
#include "engine/engine_int.h"
#include "engine/keyspace.h"
#include "engine/sweep.h"
#include "engine/table_names.h"

enum { JOB_VERSION = 1, JOB_ROW_BYTES = 64 * 1024, JOB_SWEEP_SECONDS = 60 };

/* --- The row ---------------------------------------------------------------------------------- */

static struct slice job_key(struct arena *a, uint64_t id) {
    struct buf suffix = buf_in(a, 8);
    buf_add_u64(&suffix, id);
    return keyspace_key(a, SPACE_JOBS, buf_slice(&suffix));
}

static void job_encode_drop(struct buf *row, const struct job *job) {
    buf_add_varint(row, job->space_count);
    for (size_t i = 0; i < job->space_count; i++)
        buf_add_u64(row, job->spaces[i]);
}

static void job_encode_backfill(struct buf *row, const struct job *job) {
    buf_add_varint(row, job->table.len);
    buf_add(row, job->table);
    buf_add_u64(row, job->index_space);
    buf_add_varint(row, job->cursor.len);
    buf_add(row, job->cursor);
}

static bool job_decode_drop(struct arena *a, struct reader *r, struct job *out) {
    uint64_t count;
    if (!reader_varint(r, &count) || count > reader_left(r) / 8)
        return false;
    uint64_t *spaces = arena_array(a, count, sizeof *spaces);
    for (size_t i = 0; i < count; i++)
        if (!reader_u64(r, &spaces[i]))
            return false;
    out->spaces = spaces;
    out->space_count = count;
    return true;
}

static bool job_decode_backfill(struct arena *a, struct reader *r, struct job *out) {
    struct slice table, cursor;
    if (!reader_sized(r, &table) || !reader_u64(r, &out->index_space) || !reader_sized(r, &cursor))
        return false;
    out->table = arena_copy(a, table);
    out->cursor = arena_copy(a, cursor);
    return true;
}

static const struct job_form {
    void (*encode)(struct buf *row, const struct job *job);
    bool (*decode)(struct arena *a, struct reader *r, struct job *out);
} job_forms[] = {
    [JOB_DROP] = {job_encode_drop, job_decode_drop},
    [JOB_BACKFILL] = {job_encode_backfill, job_decode_backfill},
};

struct slice job_encode(struct arena *a, const struct job *job) {
    struct buf row = buf_in(a, JOB_ROW_BYTES);
    buf_add_char(&row, JOB_VERSION);
    buf_add_char(&row, (char)job->kind);
    job_forms[job->kind].encode(&row, job);
    return buf_slice(&row);
}

bool job_decode(struct arena *a, struct slice bytes, struct job *out) {
    struct reader r = reader_of(bytes);
    uint8_t version, kind;
    if (!reader_u8(&r, &version) || version != JOB_VERSION || !reader_u8(&r, &kind) ||
        kind >= ARRAY_LEN(job_forms) || !job_forms[kind].decode ||
        !job_forms[kind].decode(a, &r, out))
        return false;
    out->kind = kind;
    return reader_left(&r) == 0;
}

void job_stage_progress(struct write_view *v, const struct job *job) {
    write_view_put_unseen(v, job_key(v->arena, job->id), job_encode(v->arena, job));
}

void job_stage_end(struct write_view *v, const struct job *job) {
    write_view_delete_unseen(v, job_key(v->arena, job->id));
}

static void job_stage_new(struct write_view *v, struct job job) {
    job.id = engine_new_id(v);
    job_stage_progress(v, &job);
    v->jobs_staged = true;
}

void job_stage_drop(struct write_view *v, const uint64_t *spaces, size_t count) {
    job_stage_new(v, (struct job){.kind = JOB_DROP, .spaces = spaces, .space_count = count});
}

void job_stage_backfill(struct write_view *v, struct slice table, uint64_t index_space) {
    job_stage_new(v,
                  (struct job){.kind = JOB_BACKFILL, .table = table, .index_space = index_space});
}

/* --- Doing it --------------------------------------------------------------------------------- */

/* The end of a job: its row and what else it leaves go in one group. */
struct job_end {
    struct writer_task task;
    const struct job *job;
};

static struct error *job_end_run(struct writer_task *task, struct write_view *view) {
    const struct job *job = ((struct job_end *)task)->job;
    counts_stage_removal(view, job->spaces, job->space_count);
    job_stage_end(view, job);
    return NULL;
}

static struct error *job_drop_spaces(struct engine *e, struct arena *a, const struct job *job) {
    for (size_t i = 0; i < job->space_count; i++)
        TRY(store_drop_range(e->store, a, keyspace_first(a, job->spaces[i]),
                             keyspace_end(a, job->spaces[i])));
    struct slice lower, upper;
    table_names_range(a, job->spaces[0], &lower, &upper);
    TRY(store_drop_range(e->store, a, lower, upper));
    collection_range(a, job->spaces[0], &lower, &upper);
    return store_drop_range(e->store, a, lower, upper);
}

static struct error *job_drop(struct engine *e, struct arena *a, const struct job *job) {
    gate_enter(&e->readers);
    struct error *error = job_drop_spaces(e, a, job);
    gate_leave(&e->readers);
    TRY(error);
    struct job_end end = {.task = {.arena = a, .run = job_end_run, .frees_space = true},
                          .job = job};
    return writer_run(e, &end.task);
}

static struct error *job_run(struct engine *e, struct arena *a, struct job *job) {
    switch (job->kind) {
    case JOB_DROP:
        return job_drop(e, a, job);
    case JOB_BACKFILL:
        return backfill_run(e, a, job);
    }
    return NULL;
}

static struct error *job_read_first(struct engine *e, struct arena *a, struct job *out,
                                    bool *found) {
    struct store_range range = {.lower = keyspace_first(a, SPACE_JOBS),
                                .upper = keyspace_end(a, SPACE_JOBS)};
    CLEANUP(store_iterator_release) struct store_iterator *it = NULL;
    struct slice key, value;
    TRY(store_iterate(e->store, NULL, a, &range, &it));
    TRY(store_iterator_next(it, a, &key, &value, found));
    if (!*found)
        return NULL;
    struct reader r = {key.ptr + 8, key.ptr + key.len};
    if (!reader_u64(&r, &out->id) || !job_decode(a, value, out))
        return error_new(a, ERR_INTERNAL, "a job's row is malformed or of a newer version");
    return NULL;
}

/* The oldest job there is; `*found` false when there is none. */
static struct error *job_next(struct engine *e, struct arena *a, struct job *out, bool *found) {
    gate_enter(&e->readers);
    struct error *error = job_read_first(e, a, out, found);
    gate_leave(&e->readers);
    return error;
}

/* --- The thread ------------------------------------------------------------------------------- */

bool job_is_stopping(struct engine *e) {
    struct job_runner *r = &e->jobs;
    pthread_mutex_lock(&r->lock);
    bool stopping = r->stopping;
    pthread_mutex_unlock(&r->lock);
    return stopping;
}

/* All jobs in order.  A fault leaves the job for the next try, a minute later. */
static void job_run_all(struct engine *e, struct arena *a) {
    while (!job_is_stopping(e)) {
        struct job job;
        bool found = false;
        arena_reset(a);
        struct error *error = job_next(e, a, &job, &found);
        if (!error && found)
            error = job_run(e, a, &job);
        if (error)
            log_line(LOG_WARN, "a job waits for its next try: %.*s", SLICE_ARG(error->message));
        if (error || !found)
            return;
    }
}

static void job_sweep(struct engine *e, struct arena *a) {
    arena_reset(a);
    struct error *error = sweep_expired(e, a, clock_wall_ms());
    if (error)
        log_line(LOG_WARN, "sweeping what has expired: %.*s", SLICE_ARG(error->message));
}

/* Waits for work or for the time of the next sweep; false: stop. */
static bool job_wait(struct job_runner *r) {
    int64_t until = clock_monotonic_ns() + JOB_SWEEP_SECONDS * 1000000000LL;
    struct timespec at = {until / 1000000000, until % 1000000000};
    pthread_mutex_lock(&r->lock);
    r->idle = !r->waiting_work;
    pthread_cond_broadcast(&r->changed);
    while (!r->stopping && !r->waiting_work &&
           pthread_cond_timedwait(&r->changed, &r->lock, &at) != ETIMEDOUT)
        ;
    r->waiting_work = r->idle = false;
    bool go_on = !r->stopping;
    pthread_mutex_unlock(&r->lock);
    return go_on;
}

static void *job_main(void *argument) {
    struct engine *e = argument;
    struct arena *a = arena_create();
    do {
        job_run_all(e, a);
        job_sweep(e, a);
    } while (job_wait(&e->jobs));
    arena_destroy(a);
    return NULL;
}

void job_wake(struct engine *e) {
    struct job_runner *r = &e->jobs;
    pthread_mutex_lock(&r->lock);
    r->waiting_work = true;
    r->idle = false;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

void job_wait_idle(struct engine *e) {
    struct job_runner *r = &e->jobs;
    pthread_mutex_lock(&r->lock);
    while (!r->idle)
        pthread_cond_wait(&r->changed, &r->lock);
    pthread_mutex_unlock(&r->lock);
}

struct error *job_start(struct engine *e, struct arena *a) {
    struct job_runner *r = &e->jobs;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    if (pthread_create(&r->thread, NULL, job_main, e) != 0)
        return error_new(a, ERR_LOCAL, "the job thread could not be started");
    r->started = true;
    return NULL;
}

void job_stop(struct engine *e) {
    struct job_runner *r = &e->jobs;
    if (!r->started)
        return;
    pthread_mutex_lock(&r->lock);
    r->stopping = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
}
