/*
 * Dekker's pattern: a reader counts itself in, then looks whether the gate is shut; the one who
 * shuts it marks it shut, then looks at the count.  One of them always sees the other.
 */
#include "engine/gate.h"

void gate_init(struct gate *g) {
    atomic_init(&g->inside, 0);
    atomic_init(&g->shut, false);
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->changed, NULL);
}

void gate_finish(struct gate *g) {
    pthread_mutex_destroy(&g->lock);
    pthread_cond_destroy(&g->changed);
}

static void gate_wait_open(struct gate *g) {
    pthread_mutex_lock(&g->lock);
    while (atomic_load(&g->shut))
        pthread_cond_wait(&g->changed, &g->lock);
    pthread_mutex_unlock(&g->lock);
}

void gate_leave(struct gate *g) {
    if (atomic_fetch_sub(&g->inside, 1) > 1 || !atomic_load(&g->shut))
        return;
    pthread_mutex_lock(&g->lock);
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

void gate_enter(struct gate *g) {
    for (;;) {
        atomic_fetch_add(&g->inside, 1);
        if (!atomic_load(&g->shut))
            return;
        gate_leave(g);
        gate_wait_open(g);
    }
}

void gate_close(struct gate *g) {
    atomic_store(&g->shut, true);
    pthread_mutex_lock(&g->lock);
    while (atomic_load(&g->inside) > 0)
        pthread_cond_wait(&g->changed, &g->lock);
    pthread_mutex_unlock(&g->lock);
}

void gate_open(struct gate *g) {
    pthread_mutex_lock(&g->lock);
    atomic_store(&g->shut, false);
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}
