/* Reading edges by their keys, and changing their attributes. */
#include "graph/batch.h"
#include "graph/edge.h"

static bool edge_alive(const struct json *item) {
    return item && !item_has(item, SLICE("_x"));
}

struct error *graph_edge_get(struct graph *g, struct arena *a, struct graph_edge *edge,
                             bool *found) {
    const struct edge_type *type;
    const struct json *item;
    struct edge_keys k;
    TRY(descriptor_edge(a, &g->d, edge->type, &type));
    TRY(edge_keys_make(g, a, type, edge->src, edge->dst, &k));
    TRY(graph_get_item(g, a, k.pk, k.sk, &item));
    *found = edge_alive(item);
    if (*found)
        edge->attributes = item_attributes(g, a, item);
    return NULL;
}

static struct error *edges_keys(struct graph *g, struct arena *a, const struct graph_edge *edges,
                                size_t count, struct batch_key *keys) {
    for (size_t i = 0; i < count; i++) {
        const struct edge_type *type;
        struct edge_keys k;
        TRY(descriptor_edge(a, &g->d, edges[i].type, &type));
        TRY(edge_keys_make(g, a, type, edges[i].src, edges[i].dst, &k));
        keys[i] = (struct batch_key){k.pk, k.sk};
    }
    return NULL;
}

struct error *graph_edge_get_many(struct graph *g, struct arena *a, struct graph_edge *edges,
                                  size_t count, bool *found) {
    struct batch_key *keys = arena_array(a, count, sizeof *keys);
    const struct json **items = arena_array(a, count, sizeof *items);
    TRY(edges_keys(g, a, edges, count, keys));
    TRY(graph_get_items(g, a, keys, count, items));
    for (size_t i = 0; i < count; i++) {
        found[i] = edge_alive(items[i]);
        if (found[i])
            edges[i].attributes = item_attributes(g, a, items[i]);
    }
    return NULL;
}

/* --- Attributes ------------------------------------------------------------------------------- */

static struct slice set_expression(struct arena *a, struct request *r,
                                   const struct json *attributes) {
    struct buf set = buf_in(a, LIMIT_EXPRESSION_BYTES);
    unsigned n = 0;
    for (const struct json *m = attributes->first; m; m = m->next, n++) {
        buf_printf(&set, "%s#s%u = :s%u", n ? ", " : "SET ", n, n);
        request_name(r, arena_printf(a, "#s%u", n).ptr, m->name);
        request_value(r, arena_printf(a, ":s%u", n).ptr, m);
    }
    return buf_slice(&set);
}

struct error *graph_edge_set(struct graph *g, struct arena *a, const struct graph_edge *edge) {
    const struct edge_type *type;
    struct edge_keys k;
    struct request r;
    bool applied;
    TRY(descriptor_edge(a, &g->d, edge->type, &type));
    TRY(attributes_check(g, a, edge->attributes));
    TRY(edge_keys_make(g, a, type, edge->src, edge->dst, &k));
    if (!edge->attributes || edge->attributes->count == 0)
        return graph_error(a, GRAPH_INVALID, "there is no attribute to set");
    request_begin(&r, g, a);
    request_key(&r, g, k.pk, k.sk);
    request_text(&r, "ConditionExpression", "attribute_exists(#pk) AND attribute_not_exists(#x)");
    request_name(&r, "#pk", g->d.pk);
    request_name(&r, "#x", SLICE("_x"));
    struct slice update = set_expression(a, &r, edge->attributes);
    json_member_string(&r.w, "UpdateExpression", update);
    TRY(graph_call_if(g, a, "UpdateItem", request_end(&r), &applied));
    if (applied)
        return NULL;
    return graph_error(a, GRAPH_NOT_FOUND, "there is no edge %.*s %.*s -> %.*s",
                       SLICE_ARG(edge->type), SLICE_ARG(edge->src), SLICE_ARG(edge->dst));
}
