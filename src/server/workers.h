/*
 * A few threads for work that would hold up an event loop: long pages, large batches.
 */
#ifndef SERVER_WORKERS_H
#define SERVER_WORKERS_H

#include "base/error.h"

struct workers;

/* Embedded in what it is about; `run` is called once, on a worker. */
struct worker_task {
    struct worker_task *next;
    void (*run)(struct worker_task *task);
};

MUST_CHECK struct error *workers_create(struct arena *a, unsigned threads, struct workers **out);

/* Finishes what was submitted.  Takes NULL. */
void workers_destroy(struct workers *w);

/* From any thread. */
void workers_submit(struct workers *w, struct worker_task *task);

#endif
