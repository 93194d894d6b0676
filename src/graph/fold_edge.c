/* One edge out of debt: its second item, both its directions, its place in the queue. */
#include "graph/fold.h"
#include "graph/reverse.h"

/* An edge that was counted by two at the same time may have kept its place in the queue. */
static struct error *queue_leave(struct graph *g, struct arena *a, const struct edge_keys *k) {
    bool applied;
    struct request r;
    request_begin(&r, g, a);
    request_key(&r, g, k->pk, k->sk);
    request_text(&r, "ConditionExpression",
                 "attribute_exists(#qpk) AND attribute_not_exists(#f) AND attribute_not_exists(#x) "
                 "AND attribute_not_exists(#p)");
    request_text(&r, "UpdateExpression", "REMOVE #qpk, #qsk");
    request_name(&r, "#f", SLICE("_f"));
    request_name(&r, "#x", SLICE("_x"));
    request_name(&r, "#p", SLICE("_p"));
    request_name(&r, "#qpk", g->d.qpk);
    request_name(&r, "#qsk", g->d.qsk);
    return graph_call_if(g, a, "UpdateItem", request_end(&r), &applied);
}

static struct error *fold_once(struct graph *g, struct arena *a, const struct edge_keys *k,
                               const struct json *item) {
    struct edge_keys now;
    struct counter out, in;
    if (item_has(item, SLICE("_p")))
        TRY(reverse_settle(g, a, k, item));
    if (!edge_keys_of_item(g, a, k->type, item, &now))
        return NULL;
    TRY(counter_make(g, a, k->type, GRAPH_OUT, now.src, SHARD_NONE, &out));
    TRY(counter_make(g, a, k->type, GRAPH_IN, now.dst, now.shard, &in));
    TRY(fold_counter(g, a, &out, &now, 1));
    return fold_counter(g, a, &in, &now, 1);
}

struct error *fold_edge(struct graph *g, struct arena *a, const struct edge_keys *k) {
    struct patience patience = patience_begin(g);
    for (;;) {
        const struct json *item;
        TRY(graph_get_item(g, a, k->pk, k->sk, &item));
        if (!item)
            return NULL;
        if (!edge_in_debt(item))
            return item_has(item, g->d.qpk) ? queue_leave(g, a, k) : NULL;
        TRY(fold_once(g, a, k, item));
        TRY(graph_get_item(g, a, k->pk, k->sk, &item));
        if (!item || !edge_in_debt(item))
            return NULL;
        /* A deleted edge that was not counted yet needs a second round at once. */
        if (!item_has(item, SLICE("_x")) && !patience_wait(g, &patience))
            return graph_error(a, GRAPH_CONFLICT, "others keep counting the same node");
        if (item_has(item, SLICE("_x")) && ++patience.attempt > 2 && !patience_wait(g, &patience))
            return graph_error(a, GRAPH_CONFLICT, "others keep counting the same node");
    }
}
