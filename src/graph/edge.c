#include "graph/edge.h"

#include <inttypes.h>
#include <stdio.h>

static struct error *build(struct arena *a, const struct key_template *t, const char *variable,
                           struct slice id, size_t max, struct slice *out) {
    struct key_binding binding = {slice_of(variable), id};
    return key_template_build(a, t, &binding, 1, max, out);
}

struct error *node_keys(struct arena *a, const struct node_type *t, struct slice id,
                        struct slice *pk, struct slice *sk) {
    TRY(build(a, &t->pk, "id", id, EDGE_PARTITION_MAX, pk));
    return build(a, &t->sk, "id", id, EDGE_SORT_MAX, sk);
}

/* --- Keys of an edge -------------------------------------------------------------------------- */

struct error *edge_keys_make(struct graph *g, struct arena *a, const struct edge_type *t,
                             struct slice src, struct slice dst, struct edge_keys *out) {
    (void)g;
    struct edge_keys k = {.type = t, .src = src, .dst = dst};
    TRY(build(a, &t->pk, "src", src, EDGE_PARTITION_MAX, &k.pk));
    TRY(build(a, &t->sk, "dst", dst, EDGE_SORT_MAX, &k.sk));
    TRY(edge_keys_turn(a, &k, SHARD_NONE));
    *out = k;
    return NULL;
}

struct error *edge_keys_turn(struct arena *a, struct edge_keys *k, int shard) {
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%020" PRId64, k->created_us);
    struct key_binding bindings[] = {{SLICE("src"), k->src}, {SLICE("ts"), {digits, (size_t)len}}};
    TRY(shard_partition(a, k->type, k->dst, shard, &k->ipk));
    TRY(key_template_build(a, &k->type->isk, bindings, 2, EDGE_SORT_MAX, &k->isk));
    k->shard = shard;
    return NULL;
}

bool edge_keys_of_item(struct graph *g, struct arena *a, const struct edge_type *t,
                       const struct json *item, struct edge_keys *out) {
    struct key_binding src[KEY_TEMPLATE_PARTS], dst[KEY_TEMPLATE_PARTS];
    struct edge_keys k = {.type = t};
    k.pk = item_text(item, g->d.pk);
    k.sk = item_text(item, g->d.sk);
    if (!key_template_match(a, &t->pk, k.pk, src) || !key_template_match(a, &t->sk, k.sk, dst))
        return false;
    k.src = src[0].id;
    k.dst = dst[0].id;
    k.created_us = item_number(item, SLICE("ca"), 0);
    int shard = (int)item_number(item, SLICE("_s"), SHARD_NONE);
    if (shard < SHARD_NONE || edge_keys_turn(a, &k, shard))
        return false;
    *out = k;
    return true;
}

const struct edge_type *edge_type_of_item(struct graph *g, struct arena *a,
                                          const struct json *item) {
    struct edge_keys keys;
    for (size_t i = 0; i < g->d.edge_count; i++)
        if (edge_keys_of_item(g, a, &g->d.edges[i], item, &keys))
            return &g->d.edges[i];
    return NULL;
}

/* --- Counters --------------------------------------------------------------------------------- */

static void counter_at_node(struct arena *a, struct counter *c) {
    const char *direction = c->direction == GRAPH_OUT ? "out" : "in";
    c->count = c->direction == GRAPH_OUT ? c->type->out_count : c->type->in_count;
    c->version = arena_printf(a, "v:%.*s:%s", SLICE_ARG(c->type->name), direction);
    c->fold = arena_printf(a, "f:%.*s:%s", SLICE_ARG(c->type->name), direction);
}

struct error *counter_make(struct graph *g, struct arena *a, const struct edge_type *t,
                           enum graph_direction direction, struct slice id, int shard,
                           struct counter *out) {
    (void)g;
    struct counter c = {.type = t, .direction = direction, .shard = shard};
    if (direction == GRAPH_IN && shard != SHARD_NONE) {
        TRY(shard_partition(a, t, id, shard, &c.pk));
        c.sk = arena_printf(a, "#C#%.*s", SLICE_ARG(t->name));
        c.count = SLICE("in");
        c.version = SLICE("ver");
        c.fold = SLICE("fold");
    } else {
        TRY(node_keys(a, direction == GRAPH_OUT ? t->from : t->to, id, &c.pk, &c.sk));
        counter_at_node(a, &c);
    }
    *out = c;
    return NULL;
}
