/*
 * Clients that put and delete edges until the server is gone: `graph_churn ENDPOINT TABLE SEED`.
 *
 * Each of 8 threads has sources of its own and shares the targets, so counters are fought over and
 * every pair's history is one thread's.  Before a call it prints "? put|del src dst", after its
 * answer the same with "!".  What was printed with "!" must be true after any crash.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph/graph.h"

enum { THREADS = 8, SOURCES = 3, TARGETS = 6, PATIENCE_MS = 300 };

struct churner {
    pthread_t thread;
    const char *endpoint, *table;
    int number;
    uint64_t seed;
};

static void say(const char *mark, bool put, const struct graph_edge *e) {
    char line[128];
    int len = snprintf(line, sizeof line, "%s %s %.*s %.*s\n", mark, put ? "put" : "del",
                       SLICE_ARG(e->src), SLICE_ARG(e->dst));
    fwrite(line, 1, (size_t)len, stdout);
}

static struct error *churn_once(struct graph *g, struct arena *a, struct churner *c) {
    uint64_t random = c->seed = c->seed * 6364136223846793005u + 1442695040888963407u;
    struct graph_edge e = {SLICE("FOLLOW"),
                           arena_printf(a, "s%d-%d", c->number, (int)(random >> 33) % SOURCES),
                           arena_printf(a, "t%d", (int)(random >> 43) % TARGETS), NULL};
    bool put = random >> 60 < 9, answer;
    say("?", put, &e);
    TRY(put ? graph_edge_put(g, a, &e, GRAPH_IF_ABSENT, &answer)
            : graph_edge_delete(g, a, &e, &answer));
    say("!", put, &e);
    return NULL;
}

static struct error *churn(struct churner *c, struct arena *a, struct client **client,
                           struct graph **g) {
    const struct client_remote_options options = {.endpoint = slice_of(c->endpoint), .attempts = 1};
    struct slice table = slice_of(c->table);
    struct arena *once = arena_create();
    struct error *e = client_remote(a, &options, client);
    if (!e)
        e = graph_open(*client, a, table, table, g);
    if (!e)
        graph_set_patience(*g, PATIENCE_MS);
    while (!e) {
        arena_reset(once);
        e = churn_once(*g, once, c);
    }
    arena_destroy(once);
    return e;
}

static void *churner_run(void *of) {
    struct churner *c = of;
    struct arena *a = arena_create();
    struct client *client = NULL;
    struct graph *g = NULL;
    struct error *end = churn(c, a, &client, &g); /* the server's */
    (void)end;
    graph_close(g);
    client_close(client);
    arena_destroy(a);
    return NULL;
}

int main(int argc, char **argv) {
    struct churner churners[THREADS];
    if (argc != 4)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < THREADS; i++) {
        churners[i] = (struct churner){.endpoint = argv[1],
                                       .table = argv[2],
                                       .number = i,
                                       .seed = strtoull(argv[3], NULL, 10) * 100 + (uint64_t)i};
        if (pthread_create(&churners[i].thread, NULL, churner_run, &churners[i]) != 0)
            return 1;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(churners[i].thread, NULL);
    return 0;
}
