/*
 * The graph room's own: the handle, calls with patience, requests, items.
 *
 * Attributes of an edge's item beside its keys and the user's: `et` its type, `ca` when it was made
 * (µs), `_op` the id of the put that made it (the identity of this edge between its put and its
 * delete), `_s` the shard of its target (absent: none).  While its counting is under way (fold.h):
 * `_f`, `_x`, `_g`, `_p` and the keys of the queue's index.
 */
#ifndef GRAPH_GRAPH_INT_H
#define GRAPH_GRAPH_INT_H

#include "base/limits.h"
#include "graph/descriptor.h"
#include "graph/graph.h"

struct graph {
    struct client *client;
    struct arena *arena; /* of the descriptor */
    struct descriptor d;
    unsigned patience_ms;
    unsigned wait_us; /* the longest between two tries */
    bool deferred;
    bool explain;
    struct graph_cost cost;
};

/* --- Calls (call.c) --------------------------------------------------------------------------- */

/* How often and how long something is tried again. */
struct patience {
    int64_t deadline_ns;
    unsigned attempt;
};
struct patience patience_begin(const struct graph *g);

/* Waits a little, longer each time; false when the time is over. */
bool patience_wait(struct graph *g, struct patience *p);

/* One operation; throttling, conflicts and lost replies are tried again until the handle's patience
 * ends. */
MUST_CHECK struct error *graph_call(struct graph *g, struct arena *a, const char *operation,
                                    const struct json *input, const struct json **out);

/* The same for a conditional write; a false condition is an answer. */
MUST_CHECK struct error *graph_call_if(struct graph *g, struct arena *a, const char *operation,
                                       const struct json *input, bool *applied);

enum { TRANSACTION_ACTIONS = 8 };

struct transaction {
    struct slice token;
    const char *kinds[TRANSACTION_ACTIONS]; /* "Put", "Update", … */
    const struct json *actions[TRANSACTION_ACTIONS];
    bool failed[TRANSACTION_ACTIONS]; /* whose condition was false, when it was not applied */
    size_t count;
};
void transaction_add(struct transaction *t, const char *kind, const struct json *action);
MUST_CHECK struct error *graph_transact(struct graph *g, struct arena *a, struct transaction *t,
                                        bool *applied);

/* A fresh id for a put, a delete, a token. */
struct slice graph_fresh_id(struct arena *a);

/* --- Requests (request.c) --------------------------------------------------------------------- */

/* One request, or one action of a transaction, under way: members in any order, then what its
 * expressions' placeholders stand for. */
struct request {
    struct json_writer w;
    struct json_writer names, values;
    bool any_names, any_values;
};

void request_begin(struct request *r, const struct graph *g, struct arena *a);
void request_key(struct request *r, const struct graph *g, struct slice pk, struct slice sk);
void request_text(struct request *r, const char *member, const char *text);
void request_name(struct request *r, const char *placeholder, struct slice name);
void request_s(struct request *r, const char *placeholder, struct slice text);
void request_n(struct request *r, const char *placeholder, int64_t n);
void request_value(struct request *r, const char *placeholder, const struct json *value);
const struct json *request_end(struct request *r);

/* A member {"S": text} or {"N": "n"} of an item under way. */
void write_s(struct json_writer *w, struct slice name, struct slice text);
void write_n(struct json_writer *w, struct slice name, int64_t n);

/* --- Items (item_fields.c) -------------------------------------------------------------------- */

/* Of an item in DynamoDB JSON; `item` may be NULL. */
bool item_has(const struct json *item, struct slice name);
struct slice item_text(const struct json *item, struct slice name); /* empty when there is none */
int64_t item_number(const struct json *item, struct slice name, int64_t absent);
bool item_set_has(const struct json *item, struct slice name, struct slice member);

/* The item's attributes that are the user's, as an object of DynamoDB JSON. */
const struct json *item_attributes(const struct graph *g, struct arena *a, const struct json *item);

/* A strong read; `*item` is NULL when there is none. */
MUST_CHECK struct error *graph_get_item(struct graph *g, struct arena *a, struct slice pk,
                                        struct slice sk, const struct json **item);

/* EINVAL when an attribute is one of the graph's own. */
MUST_CHECK struct error *attributes_check(const struct graph *g, struct arena *a,
                                          const struct json *attributes);

#endif
