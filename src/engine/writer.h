/*
 * The writer: one thread that runs all writes in order, in groups, with one sync a group.
 *
 * A task's `run` is called on the writer's thread with the group's view: it reads (earlier writes
 * of the group are seen), decides, and stages.  It decides everything before it stages the first
 * change and staging cannot fail, so a task that answers an error has changed nothing.  After the
 * group is committed (or has failed) `done` is called, on the writer's thread, with what to tell
 * the client; the task may be freed then.  The task's arena is the writer's from submit to done.
 */
#ifndef ENGINE_WRITER_H
#define ENGINE_WRITER_H

#include "engine/engine.h"

struct write_view;

struct writer_task {
    struct writer_task *next; /* the writer's */
    struct arena *arena;
    struct error *(*run)(struct writer_task *task, struct write_view *view);
    void (*done)(struct writer_task *task, struct error *error);
    size_t bytes;        /* roughly what it will stage; a task above LIMIT_GROUP_BYTES runs alone */
    bool alone;          /* changes the catalogue: runs in a group of its own */
    bool frees_space;    /* drops a table: may run when the disk is full */
    struct error *error; /* the writer's */
};

/* From any thread. */
void writer_submit(struct engine *e, struct writer_task *task);

/* Jobs' chunks: one is taken when no other task waits, or when ten milliseconds have passed. */
void writer_submit_low(struct engine *e, struct writer_task *task);

/* Submits and waits; `done` is not called. */
MUST_CHECK struct error *writer_run(struct engine *e, struct writer_task *task);
MUST_CHECK struct error *writer_run_low(struct engine *e, struct writer_task *task);

#endif
