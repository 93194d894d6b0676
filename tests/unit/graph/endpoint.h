/*
 * An endpoint for graph tests: the engine in memory behind a client that can misbehave.
 *
 * It speaks the client seam, so what is tested is the library as it is, down to the engine.  With a
 * yield function it hands over before each call and after it, which is where others may run.
 */
#ifndef TESTS_GRAPH_ENDPOINT_H
#define TESTS_GRAPH_ENDPOINT_H

#include "client/client_int.h"
#include "engine/engine.h"
#include "graph/graph.h"
#include "json/json_writer.h"

struct faulty_client {
    struct client client;
    struct client *inner;
    bool no_transactions; /* as Alternator and dynalite */
    unsigned lost_reply;  /* per mille of calls that are applied and not answered */
    unsigned throttled;   /* per mille of calls that are refused in passing */
    unsigned conflicts;   /* per mille of transactions that are cancelled in passing */
    unsigned page_cut;    /* at most so many rows a Query and Scan; 0: as asked */
    unsigned unprocessed; /* per mille of BatchGetItem calls that do one key and leave the rest */
    unsigned dies_in;     /* calls until it is dead; 0: never */
    bool dead;            /* every call fails for good: its actor has crashed */
    uint64_t calls;
    uint64_t random;         /* state */
    const char *mutant_from; /* text in conditions that is replaced, to see that tests see it */
    const char *mutant_to;
    uint64_t mutated;
    void (*yield)(void *of);
    void *yield_of;
};

struct endpoint {
    struct arena *arena;
    struct engine *engine;
    struct client *inner;
};

void endpoint_open(struct endpoint *e);
void endpoint_close(struct endpoint *e);

/* A client of it, without faults at first.  Closing it is not needed. */
void endpoint_client(struct endpoint *e, struct faulty_client *out);

uint64_t endpoint_random(uint64_t *state);

/* A tree from text with ' for ". */
const struct json *endpoint_json(struct arena *a, const char *text);

#endif
