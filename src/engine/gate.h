/*
 * The gate that readers pass: it can be shut, and then waits until nobody is inside.
 *
 * The writer shuts it to reopen the store after a failed commit.  Unlike a lock it may be left on
 * another thread than it was entered on, as a long page does.
 */
#ifndef ENGINE_GATE_H
#define ENGINE_GATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct gate {
    atomic_int inside;
    atomic_bool shut;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

void gate_init(struct gate *g);
void gate_finish(struct gate *g);

void gate_enter(struct gate *g); /* waits while it is shut */
void gate_leave(struct gate *g);

void gate_close(struct gate *g); /* returns when nobody is inside */
void gate_open(struct gate *g);

#endif
