#include "engine/lag.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "engine/engine_int.h"

enum { LAG_STEP_MIN_MS = 10 };

struct lag_snapshot {
    struct store_snapshot *snapshot;
    int64_t taken_ns;
    unsigned holds; /* under the lock */
};

static void lag_drop(struct engine *e, struct lag_snapshot *s) {
    if (--s->holds > 0)
        return;
    store_snapshot_release(e->store, s->snapshot);
    free(s);
}

/* Lets go of what no read will want any more: all but the newest that is old enough. */
static void lag_trim(struct engine *e, int64_t now_ns) {
    struct lag *l = &e->lag;
    int64_t horizon = now_ns - (int64_t)l->lag_ms * 1000000;
    while (l->count == LAG_RING || (l->count > 1 && l->ring[1]->taken_ns <= horizon)) {
        lag_drop(e, l->ring[0]);
        l->count--;
        memmove(l->ring, l->ring + 1, l->count * sizeof l->ring[0]);
    }
}

static void lag_take(struct engine *e) {
    struct lag *l = &e->lag;
    struct lag_snapshot *s = malloc(sizeof *s);
    if (!s)
        abort();
    gate_enter(&e->readers);
    pthread_mutex_lock(&l->lock);
    *s = (struct lag_snapshot){store_snapshot(e->store), clock_monotonic_ns(), 1};
    lag_trim(e, s->taken_ns);
    l->ring[l->count++] = s;
    pthread_mutex_unlock(&l->lock);
    gate_leave(&e->readers);
}

static bool lag_sleep(struct lag *l) {
    unsigned step = l->lag_ms / 100 > LAG_STEP_MIN_MS ? l->lag_ms / 100 : LAG_STEP_MIN_MS;
    int64_t until = clock_monotonic_ns() + (int64_t)step * 1000000;
    struct timespec at = {until / 1000000000, until % 1000000000};
    pthread_mutex_lock(&l->lock);
    while (!l->stopping && pthread_cond_timedwait(&l->stop, &l->lock, &at) != ETIMEDOUT)
        ;
    bool go_on = !l->stopping;
    pthread_mutex_unlock(&l->lock);
    return go_on;
}

static void *lag_main(void *argument) {
    struct engine *e = argument;
    do
        lag_take(e);
    while (lag_sleep(&e->lag));
    return NULL;
}

struct error *lag_start(struct engine *e, struct arena *a, unsigned lag_ms) {
    struct lag *l = &e->lag;
    l->lag_ms = lag_ms;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->stop, &attributes);
    pthread_condattr_destroy(&attributes);
    if (lag_ms == 0)
        return NULL;
    if (pthread_create(&l->thread, NULL, lag_main, e) != 0)
        return error_new(a, ERR_LOCAL, "the thread for --gsi-lag could not be started");
    l->started = true;
    return NULL;
}

void lag_forget(struct engine *e) {
    struct lag *l = &e->lag;
    if (l->lag_ms == 0)
        return;
    pthread_mutex_lock(&l->lock);
    for (unsigned i = 0; i < l->count; i++)
        lag_drop(e, l->ring[i]);
    l->count = 0;
    pthread_mutex_unlock(&l->lock);
}

void lag_stop(struct engine *e) {
    struct lag *l = &e->lag;
    if (l->started) {
        pthread_mutex_lock(&l->lock);
        l->stopping = true;
        pthread_cond_signal(&l->stop);
        pthread_mutex_unlock(&l->lock);
        pthread_join(l->thread, NULL);
    }
    lag_forget(e);
}

/* Before the first snapshot is old enough the oldest there is answers. */
struct lag_snapshot *lag_acquire(struct engine *e) {
    struct lag *l = &e->lag;
    if (l->lag_ms == 0)
        return NULL;
    struct lag_snapshot *chosen = NULL;
    pthread_mutex_lock(&l->lock);
    lag_trim(e, clock_monotonic_ns());
    if (l->count) {
        chosen = l->ring[0];
        chosen->holds++;
    }
    pthread_mutex_unlock(&l->lock);
    return chosen;
}

const struct store_snapshot *lag_store_snapshot(const struct lag_snapshot *s) {
    return s ? s->snapshot : NULL;
}

void lag_release(struct engine *e, struct lag_snapshot *s) {
    if (!s)
        return;
    pthread_mutex_lock(&e->lag.lock);
    lag_drop(e, s);
    pthread_mutex_unlock(&e->lag.lock);
}
