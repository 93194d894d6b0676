/*
 * The writer's thread.
 *
 * It takes everything that waits and works it off in groups.  While a group is being synced new
 * tasks gather, so the groups grow with the load by themselves.  After a failed commit the store is
 * reopened before the next group, once there is room on the disk; until then reads go on and writes
 * are refused.
 */
#include "engine/writer.h"

#include <time.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "engine/engine_int.h"

enum { WRITER_LOW_MS = 10, WRITER_SYNC_MS = 100, WRITER_SPACE_FOR_DROPS = 16 * 1024 * 1024 };

/* --- Handing in ------------------------------------------------------------------------------- */

static void writer_append(struct writer_task **first, struct writer_task **last,
                          struct writer_task *task) {
    task->next = NULL;
    if (*last)
        (*last)->next = task;
    else
        *first = task;
    *last = task;
}

void writer_submit(struct engine *e, struct writer_task *task) {
    struct writer *w = &e->writer;
    pthread_mutex_lock(&w->lock);
    bool idle = w->first == NULL;
    writer_append(&w->first, &w->last, task);
    pthread_mutex_unlock(&w->lock);
    if (idle)
        pthread_cond_signal(&w->work);
}

void writer_submit_low(struct engine *e, struct writer_task *task) {
    struct writer *w = &e->writer;
    pthread_mutex_lock(&w->lock);
    writer_append(&w->low_first, &w->low_last, task);
    pthread_mutex_unlock(&w->lock);
    pthread_cond_signal(&w->work);
}

/* A task that somebody waits for. */
struct waited_task {
    struct writer_task task;
    struct writer_task *inner;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ready;
    struct error *error;
};

static struct error *waited_task_run(struct writer_task *task, struct write_view *view) {
    struct waited_task *waited = (struct waited_task *)task;
    return waited->inner->run(waited->inner, view);
}

static void waited_task_done(struct writer_task *task, struct error *error) {
    struct waited_task *waited = (struct waited_task *)task;
    pthread_mutex_lock(&waited->lock);
    waited->ready = true;
    waited->error = error;
    pthread_cond_signal(&waited->changed);
    pthread_mutex_unlock(&waited->lock);
}

static struct error *writer_run_by(struct engine *e, struct writer_task *task,
                                   void (*submit)(struct engine *e, struct writer_task *task)) {
    struct waited_task waited = {.task = *task, .inner = task};
    waited.task.run = waited_task_run;
    waited.task.done = waited_task_done;
    pthread_mutex_init(&waited.lock, NULL);
    pthread_cond_init(&waited.changed, NULL);
    submit(e, &waited.task);
    pthread_mutex_lock(&waited.lock);
    while (!waited.ready)
        pthread_cond_wait(&waited.changed, &waited.lock);
    pthread_mutex_unlock(&waited.lock);
    pthread_cond_destroy(&waited.changed);
    pthread_mutex_destroy(&waited.lock);
    return waited.error;
}

struct error *writer_run(struct engine *e, struct writer_task *task) {
    return writer_run_by(e, task, writer_submit);
}

struct error *writer_run_low(struct engine *e, struct writer_task *task) {
    return writer_run_by(e, task, writer_submit_low);
}

/* --- A group ---------------------------------------------------------------------------------- */

struct group {
    struct writer_task *first, *last;
    unsigned count;
    int64_t began_ns;
};

static struct error *writer_refuse_full(struct engine *e, struct writer_task *task) {
    atomic_fetch_add(&e->refused, 1);
    return error_new(task->arena, ERR_SERVICE_UNAVAILABLE,
                     "The disk is full: %llu MB are free and %llu MB are kept in reserve. Writes "
                     "are refused until space is freed; nothing that was acknowledged is lost.",
                     (unsigned long long)(store_free_bytes(e->store) >> 20),
                     (unsigned long long)(store_reserve_bytes(e->store) >> 20));
}

/* Dropping a table is what gives space back, so it may use part of the reserve. */
static bool writer_has_space(struct engine *e, const struct writer_task *task) {
    uint64_t wanted = store_reserve_bytes(e->store);
    if (task->frees_space && wanted > WRITER_SPACE_FOR_DROPS)
        wanted = WRITER_SPACE_FOR_DROPS;
    return store_free_bytes(e->store) >= wanted;
}

static void writer_say_space(struct writer *w, bool full) {
    if (full != w->full)
        log_line(full ? LOG_ERROR : LOG_INFO,
                 full ? "the disk is full: writes are refused until space is freed"
                      : "there is space on the disk again: writes go on");
    w->full = full;
}

static struct error *writer_reopen(struct engine *e, struct arena *a) {
    lag_forget(e);
    gate_close(&e->readers);
    store_batch_destroy(e->writer.view.batch);
    e->writer.view.batch = NULL;
    struct error *error = store_reopen(e->store, a);
    if (!error) {
        e->writer.view.batch = store_batch_create(e->store);
        error = engine_load(e, a);
    }
    gate_open(&e->readers);
    if (error)
        return error;
    e->writer.broken = false;
    atomic_fetch_add(&e->reopened, 1);
    log_line(LOG_INFO, "the store was reopened: writes go on");
    return NULL;
}

/* What stands in the way of any write; NULL: nothing. */
static struct error *writer_check(struct engine *e, struct writer_task *task) {
    bool space = writer_has_space(e, task);
    writer_say_space(&e->writer, !space);
    if (!space)
        return writer_refuse_full(e, task);
    if (!e->writer.broken)
        return NULL;
    struct error *error = writer_reopen(e, task->arena);
    if (!error)
        return NULL;
    log_line(LOG_ERROR, "reopening the store: %.*s", SLICE_ARG(error->message));
    return error_new(task->arena, ERR_SERVICE_UNAVAILABLE,
                     "The store could not be reopened after a failed write: %.*s",
                     SLICE_ARG(error->message));
}

static bool group_takes(const struct engine *e, const struct group *g,
                        const struct writer_task *task) {
    if (g->count == 0)
        return true;
    size_t staged = store_batch_bytes(e->writer.view.batch);
    return g->count < LIMIT_GROUP_WRITES && !task->alone &&
           staged + task->bytes <= LIMIT_GROUP_BYTES &&
           clock_monotonic_ns() - g->began_ns < LIMIT_GROUP_MICROSECONDS * 1000LL;
}

/* Runs tasks from the front of the list until the group is full; returns the rest. */
static struct writer_task *group_run(struct engine *e, struct group *g, struct writer_task *tasks) {
    while (tasks && group_takes(e, g, tasks)) {
        struct writer_task *task = tasks;
        tasks = task->next;
        task->error = task->run(task, &e->writer.view);
        writer_append(&g->first, &g->last, task);
        g->count++;
        if (task->alone || task->bytes > LIMIT_GROUP_BYTES)
            break;
    }
    return tasks;
}

/* The first commit after a sync sets the time of the next one. */
static void writer_note_unsynced(struct engine *e) {
    if (e->sync != SYNC_INTERVAL || e->writer.unsynced)
        return;
    e->writer.unsynced = true;
    e->writer.next_sync_ns = clock_monotonic_ns() + WRITER_SYNC_MS * 1000000LL;
}

static bool group_commit(struct engine *e, struct arena *a) {
    struct write_view *v = &e->writer.view;
    write_view_seal(v);
    if (store_batch_count(v->batch) == 0)
        return true;
    struct error *error = store_commit(e->store, a, v->batch, e->sync == SYNC_COMMIT);
    if (!error) {
        writer_note_unsynced(e);
        return true;
    }
    log_line(LOG_ERROR, "committing a group: %.*s", SLICE_ARG(error->message));
    e->writer.broken = true;
    return false;
}

/* When the commit failed, an answer that a task found for itself does not hold either: it may rest
 * on what another task of the group had staged. */
static void group_answer(struct group *g, bool committed) {
    for (struct writer_task *task = g->first, *next; task; task = next) {
        next = task->next;
        if (!committed)
            task->error = error_new(task->arena, ERR_INTERNAL,
                                    "The write could not be made durable; it may or may not be "
                                    "there when the store has been reopened.");
        task->done(task, task->error);
    }
}

static void group_refuse(struct writer_task *task, struct error *error) {
    task->error = error;
    task->done(task, error);
}

/* One group from the front of the list; returns the rest. */
static struct writer_task *writer_group(struct engine *e, struct writer_task *tasks) {
    struct writer_task *rest = tasks->next;
    struct error *hindrance = writer_check(e, tasks);
    if (hindrance) {
        group_refuse(tasks, hindrance);
        return rest;
    }
    struct group g = {.began_ns = clock_monotonic_ns()};
    write_view_begin(&e->writer.view);
    rest = group_run(e, &g, tasks);
    bool committed = group_commit(e, e->writer.view.arena);
    write_view_end(&e->writer.view, committed);
    atomic_fetch_add(&e->groups, 1);
    atomic_fetch_add(&e->writes, g.count);
    group_answer(&g, committed);
    return rest;
}

/* --- The thread ------------------------------------------------------------------------------- */

static void writer_sync_now(struct engine *e) {
    struct error *error = store_sync(e->store, e->writer.view.arena);
    e->writer.unsynced = false;
    if (!error)
        return;
    log_line(LOG_ERROR, "syncing: %.*s", SLICE_ARG(error->message));
    e->writer.broken = true;
}

/* Waits for work, or until the interval's next sync is due. */
static void writer_wait(struct writer *w) {
    if (!w->unsynced) {
        pthread_cond_wait(&w->work, &w->lock);
        return;
    }
    struct timespec until = {w->next_sync_ns / 1000000000, w->next_sync_ns % 1000000000};
    pthread_cond_timedwait(&w->work, &w->lock, &until);
}

static bool writer_sync_due(const struct writer *w) {
    return w->unsynced && clock_monotonic_ns() >= w->next_sync_ns;
}

/* One of the jobs' tasks joins the others when none waits, or when it is its turn all the same: a
 * busy writer must not keep a job from ever ending. */
static void writer_admit_low(struct writer *w) {
    struct writer_task *task = w->low_first;
    if (!task || (w->first && clock_monotonic_ns() < w->next_low_ns))
        return;
    w->low_first = task->next;
    if (!w->low_first)
        w->low_last = NULL;
    writer_append(&w->first, &w->last, task);
    w->next_low_ns = clock_monotonic_ns() + WRITER_LOW_MS * 1000000LL;
}

/* The next tasks: all that wait, or none (stop, or a sync is due). */
static struct writer_task *writer_take(struct writer *w, bool *stop) {
    pthread_mutex_lock(&w->lock);
    while (!w->first && !w->low_first && !w->stopping && !writer_sync_due(w))
        writer_wait(w);
    writer_admit_low(w);
    struct writer_task *tasks = w->first;
    w->first = w->last = NULL;
    *stop = !tasks && w->stopping;
    pthread_mutex_unlock(&w->lock);
    return tasks;
}

static void *writer_main(void *argument) {
    struct engine *e = argument;
    struct writer *w = &e->writer;
    for (bool stop = false; !stop;) {
        struct writer_task *tasks = writer_take(w, &stop);
        while (tasks) {
            tasks = writer_group(e, tasks);
            if (writer_sync_due(w))
                writer_sync_now(e);
        }
        if (w->unsynced && (stop || writer_sync_due(w)))
            writer_sync_now(e);
    }
    return NULL;
}

struct error *writer_start(struct engine *e, struct arena *a) {
    struct writer *w = &e->writer;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->work, &attributes);
    pthread_condattr_destroy(&attributes);
    w->view = (struct write_view){.engine = e, .store = e->store};
    w->view.arena = arena_create();
    w->view.batch = store_batch_create(e->store);
    if (pthread_create(&w->thread, NULL, writer_main, e) != 0)
        return error_new(a, ERR_LOCAL, "the writer's thread could not be started");
    w->started = true;
    return NULL;
}

void writer_stop(struct engine *e) {
    struct writer *w = &e->writer;
    if (w->started) {
        pthread_mutex_lock(&w->lock);
        w->stopping = true;
        pthread_cond_signal(&w->work);
        pthread_mutex_unlock(&w->lock);
        pthread_join(w->thread, NULL);
    }
    store_batch_destroy(w->view.batch);
    arena_destroy(w->view.arena);
}
