/*
 * The descriptor: which keys a graph's nodes and edges have.
 *
 * Stored in the table as one item (partition key "#GRAPH", sort key the graph's name), so every
 * client builds the same keys:
 *
 *   {"graph": "social", "table": "app", "keys": ["PK", "SK"],
 *    "indexes": {"in": "GSI1", "queue": "GSIQ"}, "transactions": true, "v": 1,
 *    "nodes": {"user": {"pk": "ACTOR#{id}", "sk": "PROFILE"}},
 *    "edges": {
 *      "FOLLOW": {"variant": "single", "from": "user", "to": "user",
 *                 "pk": "ACTOR#{src}", "sk": "TARGET#{dst}",
 *                 "ipk": "TARGET#{dst}", "isk": "ACTOR#{src}"},
 *      "MEMBER": {"variant": "double", …, "rpk": "TEAM#{dst}", "rsk": "USER#{src}"}}}
 *
 * `single`: one item, turned round by the index "in".  `double`: two items.  Further members of an
 * edge type, with their defaults: "order" ("id", or "time": `isk` then begins with {ts}),
 * "counters"
 * ("auto", exact, fold, none), "nodes" ("implicit": a count makes the node's item; "required"; ),
 * "outCount" and "inCount" (attributes of the node's item: "c:<type>:out"), "maxShards" (64).
 * An index I has the key attributes IPK and ISK.
 */
#ifndef GRAPH_DESCRIPTOR_H
#define GRAPH_DESCRIPTOR_H

#include "model/key_template.h"
#include "json/json_writer.h"

enum edge_counters { COUNTERS_AUTO, COUNTERS_EXACT, COUNTERS_FOLD, COUNTERS_NONE };

struct node_type {
    struct slice name;
    struct key_template pk, sk;
};

struct edge_type {
    struct slice name;
    bool twofold;                 /* the double variant */
    const struct node_type *from; /* NULL only without counters */
    const struct node_type *to;
    struct key_template pk, sk;   /* of the edge's item */
    struct key_template ipk, isk; /* of its turned form: index keys, or the reverse item's */
    bool by_time;
    bool nodes_required;
    enum edge_counters counters; /* resolved: never auto */
    struct slice out_count, in_count;
    uint32_t max_shards;
};

struct descriptor {
    const struct json *json; /* whole, as stored */
    struct slice graph, table;
    struct slice pk, sk; /* the table's key attributes */
    struct slice index, ipk, isk;
    struct slice queue, qpk, qsk; /* of the fold debts; `queue` is empty without one */
    bool transactions;
    int64_t version;
    struct node_type *nodes;
    size_t node_count;
    struct edge_type *edges;
    size_t edge_count;
};

/* Reads and checks: templates can be taken apart, no two kinds of items meet.  EINVAL.  Borrows
 * from the tree. */
MUST_CHECK struct error *descriptor_read(struct arena *a, const struct json *json,
                                         struct descriptor *out);

/* `json` with defaults filled in and what was found out about the endpoint. */
const struct json *descriptor_complete(struct arena *a, const struct json *json, bool transactions,
                                       int64_t version);

/* ENOTFOUND, naming those there are. */
MUST_CHECK struct error *descriptor_edge(struct arena *a, const struct descriptor *d,
                                         struct slice name, const struct edge_type **out);
MUST_CHECK struct error *descriptor_node(struct arena *a, const struct descriptor *d,
                                         struct slice name, const struct node_type **out);

/* The edge type that counts at nodes' items by this attribute, or NULL. */
bool descriptor_uses_attribute(const struct descriptor *d, struct slice name);

/* Internal: descriptor_check.c */
MUST_CHECK struct error *descriptor_check(struct arena *a, const struct descriptor *d);

#endif
