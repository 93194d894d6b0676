/* Counters as actions of transactions. */
#include "graph/write_int.h"

static void deny_if(struct buf *condition, const char *clause) {
    if (condition->len > 0)
        buf_add_text(condition, " AND ");
    buf_add_text(condition, clause);
}

/* What an edge that comes asks of a counter's item. */
static void counter_condition(struct request *r, struct arena *a, struct buf *condition,
                              const struct counter *c) {
    bool node = c->direction == GRAPH_OUT || c->shard == SHARD_NONE;
    request_name(r, "#del", node ? SLICE("_del") : SLICE("_closed"));
    deny_if(condition, "attribute_not_exists(#del)");
    if (c->direction == GRAPH_IN && node) {
        request_name(r, "#sh", shard_map_name(a, c->type));
        request_name(r, "#w", SLICE("w"));
        request_n(r, ":zero", 0);
        deny_if(condition, "(attribute_not_exists(#sh) OR #sh.#w = :zero)");
    }
    if (c->type->nodes_required && node) {
        request_name(r, "#et", SLICE("et"));
        deny_if(condition, "attribute_exists(#et)");
    }
}

static const struct json *counter_action(struct graph *g, struct arena *a, const struct counter *c,
                                         const struct counter *second, int by) {
    struct request r;
    struct buf condition = buf_in(a, 512);
    request_begin(&r, g, a);
    request_key(&r, g, c->pk, c->sk);
    request_text(&r, "UpdateExpression", second ? "ADD #c :by, #d :by" : "ADD #c :by");
    request_name(&r, "#c", c->count);
    if (second)
        request_name(&r, "#d", second->count);
    request_n(&r, ":by", by);
    /* The names of a loop's one item: the in-counter asks for all that the out-counter does. */
    if (by > 0) {
        counter_condition(&r, a, &condition, second ? second : c);
        struct slice text = buf_slice(&condition);
        json_member_string(&r.w, "ConditionExpression", text);
    }
    return request_end(&r);
}

/* A target whose shards hold its counters must be looked at by itself. */
static const struct json *node_check(struct graph *g, struct arena *a, const struct edge_keys *k,
                                     struct slice pk, struct slice sk) {
    struct request r;
    (void)k;
    request_begin(&r, g, a);
    request_key(&r, g, pk, sk);
    request_text(&r, "ConditionExpression", "attribute_exists(#et)");
    request_name(&r, "#et", SLICE("et"));
    return request_end(&r);
}

struct error *counters_add(struct graph *g, struct arena *a, struct transaction *t,
                           const struct edge_keys *k, int by) {
    struct counter out, in;
    TRY(counter_make(g, a, k->type, GRAPH_OUT, k->src, SHARD_NONE, &out));
    TRY(counter_make(g, a, k->type, GRAPH_IN, k->dst, k->shard, &in));
    bool loop = counter_same_item(&out, &in);
    transaction_add(t, "Update", counter_action(g, a, &out, loop ? &in : NULL, by));
    if (!loop)
        transaction_add(t, "Update", counter_action(g, a, &in, NULL, by));
    if (by > 0 && k->type->nodes_required && k->shard != SHARD_NONE) {
        struct slice pk, sk;
        TRY(node_keys(a, k->type->to, k->dst, &pk, &sk));
        if (!slice_equal(pk, out.pk) || !slice_equal(sk, out.sk))
            transaction_add(t, "ConditionCheck", node_check(g, a, k, pk, sk));
    }
    return NULL;
}

static struct error *node_allows(struct arena *a, const struct edge_type *t, const char *end,
                                 struct slice id, const struct json *node) {
    if (item_has(node, SLICE("_del")))
        return graph_error(a, GRAPH_DELETING, "the %s node %.*s is being deleted", end,
                           SLICE_ARG(id));
    if (t->nodes_required && !item_has(node, SLICE("et")))
        return graph_error(a, GRAPH_NOT_FOUND, "there is no node %.*s, which %.*s requires",
                           SLICE_ARG(id), SLICE_ARG(t->name));
    return NULL;
}

struct error *nodes_allow(struct graph *g, struct arena *a, const struct edge_keys *k,
                          struct shard_map *map) {
    const struct json *node;
    struct slice pk, sk;
    *map = (struct shard_map){0};
    if (k->type->from) {
        TRY(node_keys(a, k->type->from, k->src, &pk, &sk));
        TRY(graph_get_item(g, a, pk, sk, &node));
        TRY(node_allows(a, k->type, "source", k->src, node));
    }
    if (k->type->to) {
        TRY(node_keys(a, k->type->to, k->dst, &pk, &sk));
        TRY(graph_get_item(g, a, pk, sk, &node));
        TRY(node_allows(a, k->type, "target", k->dst, node));
        *map = shard_map_of(a, k->type, node);
    }
    return NULL;
}
