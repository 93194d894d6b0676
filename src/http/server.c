/*
 * All loops together.
 */
#include <sched.h>
#include <stdlib.h>

#include "base/limits.h"
#include "http/http_int.h"

enum { MAX_LOOPS = 64 };

static unsigned core_count(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int count = CPU_COUNT(&set);
    return count < 1 ? 1 : count > MAX_LOOPS ? MAX_LOOPS : (unsigned)count;
}

static struct error *loops_init(struct http_server *s, struct arena *a) {
    unsigned wanted = s->options.loops ? s->options.loops : core_count();
    s->loops = calloc(wanted, sizeof *s->loops);
    if (!s->loops)
        abort();
    for (unsigned i = 0; i < wanted; i++) {
        TRY(loop_init(&s->loops[i], a, s, i));
        s->loop_count++;
    }
    return NULL;
}

static struct error *server_open(struct http_server *s, struct arena *a) {
    TRY(loops_init(s, a));
    return listen_all(s, a);
}

struct error *http_server_create(struct arena *a, const struct http_options *options,
                                 struct http_server **out) {
    struct http_server *s = malloc(sizeof *s);
    if (!s)
        abort();
    *s = (struct http_server){.options = *options, .budget = {.limit = options->budget_bytes}};
    struct error *error = server_open(s, a);
    if (error)
        http_server_destroy(s);
    else
        *out = s;
    return error;
}

uint16_t http_server_port(const struct http_server *s) {
    return s->port;
}

static void join_loops(struct http_server *s, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        http_post(&s->loops[i], &s->loops[i].stop);
    for (unsigned i = 0; i < count; i++)
        pthread_join(s->loops[i].thread, NULL);
}

struct error *http_server_start(struct http_server *s, struct arena *a) {
    for (unsigned i = 0; i < s->loop_count; i++) {
        struct error *error = loop_start(&s->loops[i], a);
        if (error) {
            join_loops(s, i);
            return error;
        }
    }
    s->running = true;
    return NULL;
}

void http_server_stop(struct http_server *s, unsigned grace_ms) {
    if (!s->running)
        return;
    s->grace_ms = grace_ms;
    join_loops(s, s->loop_count);
    s->running = false;
}

void http_server_destroy(struct http_server *s) {
    if (!s)
        return;
    for (unsigned i = 0; i < s->loop_count; i++)
        loop_finish(&s->loops[i]);
    free(s->loops);
    free(s);
}
