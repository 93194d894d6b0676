#include "server/workers.h"

#include <pthread.h>
#include <stdlib.h>

struct workers {
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct worker_task *first, *last;
    bool stopping;
    unsigned count;
    pthread_t threads[];
};

/* The next task; NULL: stop. */
static struct worker_task *workers_take(struct workers *w) {
    pthread_mutex_lock(&w->lock);
    while (!w->first && !w->stopping)
        pthread_cond_wait(&w->work, &w->lock);
    struct worker_task *task = w->first;
    if (task) {
        w->first = task->next;
        if (!w->first)
            w->last = NULL;
    }
    pthread_mutex_unlock(&w->lock);
    return task;
}

static void *workers_main(void *argument) {
    struct workers *w = argument;
    for (struct worker_task *task; (task = workers_take(w));)
        task->run(task);
    return NULL;
}

struct error *workers_create(struct arena *a, unsigned threads, struct workers **out) {
    struct workers *w = calloc(1, sizeof *w + threads * sizeof w->threads[0]);
    if (!w)
        abort();
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->work, NULL);
    while (w->count < threads) {
        if (pthread_create(&w->threads[w->count], NULL, workers_main, w) != 0) {
            workers_destroy(w);
            return error_new(a, ERR_LOCAL, "a worker thread could not be started");
        }
        w->count++;
    }
    *out = w;
    return NULL;
}

void workers_destroy(struct workers *w) {
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->stopping = true;
    pthread_cond_broadcast(&w->work);
    pthread_mutex_unlock(&w->lock);
    for (unsigned i = 0; i < w->count; i++)
        pthread_join(w->threads[i], NULL);
    pthread_cond_destroy(&w->work);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

void workers_submit(struct workers *w, struct worker_task *task) {
    task->next = NULL;
    pthread_mutex_lock(&w->lock);
    if (w->last)
        w->last->next = task;
    else
        w->first = task;
    w->last = task;
    pthread_cond_signal(&w->work);
    pthread_mutex_unlock(&w->lock);
}
