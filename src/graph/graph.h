/*
 * Graphs as adjacency lists in a DynamoDB table: edges are items, listed both ways, counted,
 * guarded.
 *
 * The room is a client of the public API and of nothing else, so the same graph works on the engine
 * in this process, on a server of ours, on DynamoDB, on Alternator and on dynalite.  What the keys
 * look like is told by a descriptor in the table itself (descriptor.h); docs/graph.md explains it,
 * the layouts and the protocols.
 *
 * Promises, on any endpoint: an edge put twice is there once and counted once; a call whose reply
 * was lost may be repeated; at rest a count equals the edges, and after any crash graph_fold makes
 * it so without a scan; a list returns an edge that is there all the time exactly once.
 *
 * A handle is for one thread at a time; any number of handles may work on a graph.  What a call
 * returns lives in the arena it was given.  Ids are UTF-8, not empty.  Errors carry a code
 * (code.h).
 */
#ifndef GRAPH_GRAPH_H
#define GRAPH_GRAPH_H

#include <stdio.h>

#include "client/client.h"
#include "graph/code.h"

struct graph;

/* --- The graph -------------------------------------------------------------------------------- */

/*
 * Makes the graph that `description` (descriptor.h) tells: creates the table when there is none,
 * asks the endpoint what it can do, stores the descriptor.  EINVAL when the description or the
 * table do not suit, EEXIST when the table has a graph of that name.
 */
MUST_CHECK struct error *graph_init(struct client *c, struct arena *a,
                                    const struct json *description);

/* The client must outlive the graph.  ENOTFOUND when the table or the graph is not there. */
MUST_CHECK struct error *graph_open(struct client *c, struct arena *a, struct slice table,
                                    struct slice name, struct graph **out);
void graph_close(struct graph *g); /* takes NULL */

/* The descriptor as it is stored. */
const struct json *graph_description(const struct graph *g);

/* Adds an edge type ("edges" member of a description, with one member) or node types. */
MUST_CHECK struct error *graph_type_add(struct graph *g, struct arena *a,
                                        const struct json *description);

/* How long a call may retry what others or a throttle prevent; at first 10,000. */
void graph_set_patience(struct graph *g, unsigned milliseconds);

/* The longest wait between two tries; at first 500,000. */
void graph_set_wait(struct graph *g, unsigned microseconds);

/* Leaves counting by fold to graph_fold, for those who put many edges. */
void graph_set_deferred(struct graph *g, bool deferred);

/* What the calls since graph_cost_reset cost. */
struct graph_cost {
    uint64_t requests;
    uint64_t retries;
    double read_units, write_units; /* only after graph_set_explain */
};
void graph_set_explain(struct graph *g, bool explain);
struct graph_cost graph_cost(const struct graph *g);
void graph_cost_reset(struct graph *g);

/* --- Edges ------------------------------------------------------------------------------------ */

/* Attributes are an object of DynamoDB JSON ({"grade": {"S": "A"}}) or NULL.  EINVAL for names that
 * the graph uses: keys, counters, what begins with `_`. */
struct graph_edge {
    struct slice type, src, dst;
    const struct json *attributes;
};

enum graph_put_mode {
    GRAPH_IF_ABSENT, /* there already: well, `created` is false */
    GRAPH_STRICT,    /* there already: EEXIST */
    GRAPH_UPSERT,    /* there already: its attributes are replaced */
};

MUST_CHECK struct error *graph_edge_put(struct graph *g, struct arena *a,
                                        const struct graph_edge *edge, enum graph_put_mode mode,
                                        bool *created);

/* Sets the attributes given, leaves the others.  ENOTFOUND when there is no edge. */
MUST_CHECK struct error *graph_edge_set(struct graph *g, struct arena *a,
                                        const struct graph_edge *edge);

/* A strong read.  `edge` names it; its attributes are set when it is found. */
MUST_CHECK struct error *graph_edge_get(struct graph *g, struct arena *a, struct graph_edge *edge,
                                        bool *found);

/* The same for many, in the order given; `found` has `count` elements. */
MUST_CHECK struct error *graph_edge_get_many(struct graph *g, struct arena *a,
                                             struct graph_edge *edges, size_t count, bool *found);

/* Attributes are not looked at.  Deleting what is not there is well. */
MUST_CHECK struct error *graph_edge_delete(struct graph *g, struct arena *a,
                                           const struct graph_edge *edge, bool *deleted);

/* The edge becomes one of `type`, its attributes stay: first the new edge, then the old one's end,
 * so a crash between leaves both and the same call again finishes.  ENOTFOUND when there is no
 * edge. */
MUST_CHECK struct error *graph_edge_retype(struct graph *g, struct arena *a,
                                           const struct graph_edge *edge, struct slice type,
                                           bool *created);

/* --- Nodes ------------------------------------------------------------------------------------ */

MUST_CHECK struct error *graph_node_put(struct graph *g, struct arena *a, struct slice type,
                                        struct slice id, const struct json *attributes);

/* Attributes without counts and internals; found when the item is there, be it for counts alone. */
MUST_CHECK struct error *graph_node_get(struct graph *g, struct arena *a, struct slice type,
                                        struct slice id, const struct json **attributes,
                                        bool *found);

/* The node goes with all its edges, however many; puts to it fail from the beginning (ENODELETING).
 * Interrupted, it goes on when called again.  Deleting what is not there is well.  An index that is
 * late can hide an edge of a type that does not count. */
MUST_CHECK struct error *graph_node_delete(struct graph *g, struct arena *a, struct slice type,
                                           struct slice id, bool *deleted, uint64_t *edges);

/* --- Lists and counts ------------------------------------------------------------------------- */

enum graph_direction { GRAPH_OUT, GRAPH_IN };

struct graph_list {
    struct slice type;
    struct slice id;
    enum graph_direction direction;
    uint32_t limit; /* 0: 100 */
    bool descending;
    bool attributes;     /* else ids alone */
    struct slice cursor; /* where the last page ended, or empty */
};

struct graph_page {
    struct graph_edge *edges;
    size_t count;
    struct slice cursor; /* of the next page, or empty at the end */
    bool eventual;       /* an edge put just now may be missing */
};

/* By the other end's id, bytewise in its written form; by time for types so ordered. */
MUST_CHECK struct error *graph_list(struct graph *g, struct arena *a, const struct graph_list *list,
                                    struct graph_page *out);

/* EUNSUPPORTED for types that do not count. */
MUST_CHECK struct error *graph_count(struct graph *g, struct arena *a, struct slice type,
                                     struct slice id, enum graph_direction direction, int64_t *out);

/* Counts what puts and deletes have left to be counted; `folded` says how many edges. */
MUST_CHECK struct error *graph_fold(struct graph *g, struct arena *a, uint64_t *folded);

/* --- Walks ------------------------------------------------------------------------------------ */

/* Zeros are defaults: 1 step, 10,000 nodes, 100,000 edges, 10,000 ms. */
struct graph_walk_budget {
    uint32_t depth;
    uint64_t nodes, edges;
    unsigned milliseconds;
};

struct graph_walk_node {
    struct slice id;
    uint32_t depth;
};

struct graph_walk {
    struct graph_walk_node *nodes; /* without the start, the nearest first, each once */
    size_t count;
    uint64_t edges_examined;
    const char *truncated; /* "max-nodes", "max-edges", "deadline", or NULL: that is all */
};

/* All that can be reached in at most `depth` steps of one type. */
MUST_CHECK struct error *graph_walk(struct graph *g, struct arena *a, struct slice type,
                                    struct slice id, enum graph_direction direction,
                                    const struct graph_walk_budget *budget, struct graph_walk *out);

struct graph_path {
    struct slice *ids; /* from the first to the last */
    size_t count;      /* 0: none was found */
    uint64_t edges_examined;
    const char *truncated; /* as of a walk, when none was found: there may be one */
};

/* A shortest path along edges of one type, of at most `depth` edges. */
MUST_CHECK struct error *graph_path(struct graph *g, struct arena *a, struct slice type,
                                    struct slice from, struct slice to,
                                    const struct graph_walk_budget *budget, struct graph_path *out);

/* The first `limit` neighbours that two nodes have in common. */
MUST_CHECK struct error *graph_common(struct graph *g, struct arena *a, struct slice type,
                                      struct slice one, struct slice two,
                                      enum graph_direction direction, uint32_t limit,
                                      struct slice **ids, size_t *count);

/* --- Shards of hot targets -------------------------------------------------------------------- */

struct graph_shards {
    int64_t generation; /* 0: never had any */
    uint32_t read, write;
    const char *moving; /* "up", "down" or NULL */
};
MUST_CHECK struct error *graph_shard_status(struct graph *g, struct arena *a, struct slice type,
                                            struct slice id, struct graph_shards *out);

/* Later edges to the target are spread over `to` shards, a power of two.  Nothing moves. */
MUST_CHECK struct error *graph_shard_expand(struct graph *g, struct arena *a, struct slice type,
                                            struct slice id, uint32_t to);

/* Moves edges to the shards that they would be put in now.  Interrupted, it goes on when called
 * again.  EUNSUPPORTED without exact counters. */
MUST_CHECK struct error *graph_shard_rebalance(struct graph *g, struct arena *a, struct slice type,
                                               struct slice id, uint64_t *moved);

/* Gathers the edges in `to` shards, 0 for none.  As graph_shard_rebalance. */
MUST_CHECK struct error *graph_shard_shrink(struct graph *g, struct arena *a, struct slice type,
                                            struct slice id, uint32_t to, uint64_t *moved);

/* --- Checking --------------------------------------------------------------------------------- */

struct graph_finding {
    const char *code; /* "F4"; docs/graph.md lists them */
    struct slice pk, sk;
    const char *what;
    bool repaired;
};

struct graph_fsck {
    uint64_t items, edges, nodes;
    uint64_t found, repaired;
    struct graph_finding *findings; /* the first 1,000 */
    size_t count;
};

/* Scans the table and checks all that this layer promises; with `repair`, puts right what can be
 * put right without overwriting live writers.  Memory grows with the number of counters. */
MUST_CHECK struct error *graph_fsck(struct graph *g, struct arena *a, bool repair,
                                    struct graph_fsck *out);

/* --- Files ------------------------------------------------------------------------------------ */

/* Gets each edge, in an arena that is reset afterwards; its error ends the export. */
typedef struct error *(*graph_edge_sink)(void *of, struct arena *a, const struct graph_edge *edge);

/* All edges of a type, or of all types when it is empty, by a scan of the table. */
MUST_CHECK struct error *graph_export(struct graph *g, struct arena *a, struct slice type,
                                      graph_edge_sink sink, void *of);

struct graph_load {
    uint64_t rows;
    uint64_t created; /* the others were there */
};

/* Puts the edges of a file (transfer.h tells the forms); `type` is for rows that name none.
 * Interrupted, load the file again: edges that are there are not put twice. */
MUST_CHECK struct error *graph_load(struct graph *g, struct arena *a, FILE *file, struct slice type,
                                    struct graph_load *out);

#endif
