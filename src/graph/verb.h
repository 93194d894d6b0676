/*
 * What can be done with a graph, by name: words and options in, JSON out.
 *
 * The command line and the HTTP routes are made of these rows, so both know the same verbs, answer
 * the same JSON and fail with the same codes.
 */
#ifndef GRAPH_VERB_H
#define GRAPH_VERB_H

#include "graph/graph.h"
#include "json/json_writer.h"

struct graph_request {
    struct client *client;
    struct arena *arena;
    struct slice table;        /* the graph's */
    struct slice name;         /* the graph's; empty: the table's */
    const struct slice *words; /* after the verb's name */
    size_t word_count;
    const struct json *body; /* of verbs that take JSON, or NULL */
    uint32_t limit;
    struct graph_walk_budget budget; /* of walk and path */
    struct slice cursor;
    bool descending, attributes, strict, upsert, repair;
    struct slice format; /* of export; empty: ndjson */
    FILE *input;         /* of load */
    FILE *output;        /* of export */
    bool explain;        /* the answer gets a member "cost" */

    struct graph *graph; /* set for verbs that need one open */
};

struct graph_verb {
    const char *name;  /* "edge put" */
    const char *words; /* "TYPE SRC DST [KEY=VALUE | KEY:=JSON]…" */
    size_t words_min, words_max;
    bool makes_graph; /* `graph` is not open */
    const char *summary;
    /* Writes the members of the answer's object. */
    struct error *(*run)(struct graph_request *r, struct json_writer *out);
};

/* In the order of the help. */
const struct graph_verb *graph_verbs(size_t *count);

/* The verb that the first words name, and how many words that takes; NULL when there is none. */
const struct graph_verb *graph_verb_find(const struct slice *words, size_t count, size_t *used);

/* Opens the graph, runs the verb, closes it.  `*answer` is an object.  EINVAL for too few or too
 * many words. */
MUST_CHECK struct error *graph_verb_run(const struct graph_verb *verb, struct graph_request *r,
                                        const struct json **answer);

/* A description that comes with the program ("follow", "school", "team"), or NULL. */
const struct json *graph_preset(struct arena *a, struct slice name);

#endif
