/* Nodes: an item with the user's attributes and the counts of its edges. */
#include "graph/edge.h"

static struct slice node_expression(struct arena *a, struct request *r,
                                    const struct json *attributes) {
    struct buf set = buf_in(a, LIMIT_EXPRESSION_BYTES);
    unsigned n = 0;
    buf_add_text(&set, "SET #et = :et");
    for (const struct json *m = attributes ? attributes->first : NULL; m; m = m->next, n++) {
        buf_printf(&set, ", #s%u = :s%u", n, n);
        request_name(r, arena_printf(a, "#s%u", n).ptr, m->name);
        request_value(r, arena_printf(a, ":s%u", n).ptr, m);
    }
    return buf_slice(&set);
}

struct error *graph_node_put(struct graph *g, struct arena *a, struct slice type, struct slice id,
                             const struct json *attributes) {
    const struct node_type *t;
    struct slice pk, sk;
    struct request r;
    bool applied;
    TRY(descriptor_node(a, &g->d, type, &t));
    TRY(attributes_check(g, a, attributes));
    TRY(node_keys(a, t, id, &pk, &sk));
    request_begin(&r, g, a);
    request_key(&r, g, pk, sk);
    request_text(&r, "ConditionExpression", "attribute_not_exists(#del)");
    request_name(&r, "#del", SLICE("_del"));
    request_name(&r, "#et", SLICE("et"));
    request_s(&r, ":et", t->name);
    struct slice update = node_expression(a, &r, attributes);
    json_member_string(&r.w, "UpdateExpression", update);
    TRY(graph_call_if(g, a, "UpdateItem", request_end(&r), &applied));
    if (applied)
        return NULL;
    return graph_error(a, GRAPH_DELETING, "the node %.*s is being deleted", SLICE_ARG(id));
}

struct error *graph_node_get(struct graph *g, struct arena *a, struct slice type, struct slice id,
                             const struct json **attributes, bool *found) {
    const struct node_type *t;
    struct slice pk, sk;
    const struct json *item;
    TRY(descriptor_node(a, &g->d, type, &t));
    TRY(node_keys(a, t, id, &pk, &sk));
    TRY(graph_get_item(g, a, pk, sk, &item));
    *found = item != NULL;
    if (item && item_has(item, SLICE("_del")))
        return graph_error(a, GRAPH_DELETING, "the node %.*s is being deleted", SLICE_ARG(id));
    if (item)
        *attributes = item_attributes(g, a, item);
    return NULL;
}
