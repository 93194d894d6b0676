/*
 * Putting an edge: guarded by its own existence, counted in the same step or by a fold.
 */
#include "base/clock.h"
#include "graph/fold.h"
#include "graph/reverse.h"
#include "graph/write_int.h"

/* --- The item --------------------------------------------------------------------------------- */

static void write_debt(struct graph *g, struct arena *a, struct json_writer *w,
                       const struct edge_write *e) {
    json_write_name(w, SLICE("_f"));
    json_write_object_begin(w);
    json_write_name(w, SLICE("SS"));
    json_write_array_begin(w);
    json_write_string(w, SLICE("i"));
    json_write_string(w, SLICE("o"));
    json_write_array_end(w);
    json_write_object_end(w);
    write_s(w, g->d.qpk, fold_bucket(g, a, fold_bucket_of(e->op)));
    write_s(w, g->d.qsk, e->op);
    if (e->keys.type->twofold)
        write_s(w, SLICE("_p"), SLICE("add"));
}

void edge_item_write(struct graph *g, struct arena *a, struct json_writer *w,
                     const struct edge_write *e, bool debt) {
    const struct edge_keys *k = &e->keys;
    json_write_name(w, SLICE("Item"));
    json_write_object_begin(w);
    for (const struct json *m = e->attributes ? e->attributes->first : NULL; m; m = m->next) {
        json_write_name(w, m->name);
        json_write_tree(w, m);
    }
    write_s(w, g->d.pk, k->pk);
    write_s(w, g->d.sk, k->sk);
    if (!k->type->twofold) {
        write_s(w, g->d.ipk, k->ipk);
        write_s(w, g->d.isk, k->isk);
    }
    if (k->shard != SHARD_NONE)
        write_n(w, SLICE("_s"), k->shard);
    write_s(w, SLICE("et"), k->type->name);
    write_n(w, SLICE("ca"), k->created_us);
    write_s(w, SLICE("_op"), e->op);
    if (debt)
        write_debt(g, a, w, e);
    json_write_object_end(w);
}

static const struct json *put_request(struct graph *g, struct arena *a, const struct edge_write *e,
                                      bool debt) {
    struct request r;
    request_begin(&r, g, a);
    edge_item_write(g, a, &r.w, e, debt);
    request_text(&r, "ConditionExpression", "attribute_not_exists(#pk)");
    request_name(&r, "#pk", g->d.pk);
    return request_end(&r);
}

static const struct json *reverse_request(struct graph *g, struct arena *a,
                                          const struct edge_write *e) {
    struct request r;
    request_begin(&r, g, a);
    reverse_write(g, a, &r.w, &e->keys, e->op, false);
    return request_end(&r);
}

/* --- The ways to put -------------------------------------------------------------------------- */

/* One transaction: the edge, its second item, its counters. */
static struct error *put_at_once(struct graph *g, struct arena *a, const struct edge_write *e,
                                 bool *applied) {
    struct transaction t = {.token = graph_fresh_id(a)};
    transaction_add(&t, "Put", put_request(g, a, e, false));
    if (e->keys.type->twofold)
        transaction_add(&t, "Put", reverse_request(g, a, e));
    if (e->keys.type->counters == COUNTERS_EXACT)
        TRY(counters_add(g, a, &t, &e->keys, 1));
    return graph_transact(g, a, &t, applied);
}

/* One item; the rest is a debt. */
static struct error *put_alone(struct graph *g, struct arena *a, const struct edge_write *e,
                               bool *applied) {
    bool debt = e->keys.type->counters == COUNTERS_FOLD;
    return graph_call_if(g, a, "PutItem", put_request(g, a, e, debt), applied);
}

/* Takes back an edge that met a node's deletion. */
static struct error *put_undo(struct graph *g, struct arena *a, const struct edge_write *e) {
    const struct json *item;
    bool applied;
    TRY(graph_get_item(g, a, e->keys.pk, e->keys.sk, &item));
    if (!item || !slice_equal(item_text(item, SLICE("_op")), e->op))
        return NULL;
    TRY(edge_mark(g, a, &e->keys, item, graph_fresh_id(a), &applied));
    return fold_edge(g, a, &e->keys);
}

/* A deletion that began after the nodes were looked at is seen here, or sees the edge. */
static struct error *put_count(struct graph *g, struct arena *a, const struct edge_write *e) {
    struct shard_map map;
    if (e->keys.type->counters != COUNTERS_FOLD || g->deferred)
        return NULL;
    TRY(fold_edge(g, a, &e->keys));
    struct error *stopped = nodes_allow(g, a, &e->keys, &map);
    if (!stopped)
        return NULL;
    TRY(put_undo(g, a, e));
    return stopped;
}

/* --- An edge that is there -------------------------------------------------------------------- */

static bool attribute_dropped(struct graph *g, const struct json *m,
                              const struct json *attributes) {
    return !descriptor_uses_attribute(&g->d, m->name) && !json_member(attributes, m->name);
}

/* "SET #s0 = :s0, … REMOVE #r0, …" that leaves the edge with exactly these attributes. */
static struct slice replace_expression(struct graph *g, struct arena *a, struct request *r,
                                       const struct json *old, const struct json *attributes) {
    struct buf set = buf_in(a, LIMIT_EXPRESSION_BYTES), drop = buf_in(a, LIMIT_EXPRESSION_BYTES);
    unsigned n = 0;
    for (const struct json *m = attributes ? attributes->first : NULL; m; m = m->next, n++) {
        struct slice name = arena_printf(a, "#s%u", n), value = arena_printf(a, ":s%u", n);
        buf_printf(&set, "%s#s%u = :s%u", set.len ? ", " : "SET ", n, n);
        request_name(r, name.ptr, m->name);
        request_value(r, value.ptr, m);
    }
    for (const struct json *m = old ? old->first : NULL; m; m = m->next) {
        if (!attribute_dropped(g, m, attributes))
            continue;
        buf_printf(&drop, "%s#r%u", drop.len ? ", " : " REMOVE ", n);
        request_name(r, arena_printf(a, "#r%u", n++).ptr, m->name);
    }
    return arena_printf(a, "%.*s%.*s", (int)set.len, set.len ? set.ptr : "", (int)drop.len,
                        drop.len ? drop.ptr : "");
}

static struct error *put_over(struct graph *g, struct arena *a, const struct edge_write *e,
                              const struct json *old, bool *applied) {
    struct request r;
    request_begin(&r, g, a);
    request_key(&r, g, e->keys.pk, e->keys.sk);
    struct slice expression = replace_expression(g, a, &r, old, e->attributes);
    *applied = true;
    if (expression.len == 0)
        return NULL;
    json_member_string(&r.w, "UpdateExpression", expression);
    request_text(&r, "ConditionExpression", "attribute_exists(#pk) AND attribute_not_exists(#x)");
    request_name(&r, "#pk", g->d.pk);
    request_name(&r, "#x", SLICE("_x"));
    return graph_call_if(g, a, "UpdateItem", request_end(&r), applied);
}

/* --- The whole -------------------------------------------------------------------------------- */

enum put_state { PUT_AGAIN, PUT_CREATED, PUT_THERE };

/* A put was refused: by the edge that is there, or by its nodes. */
static struct error *put_look(struct graph *g, struct arena *a, struct edge_write *e,
                              enum graph_put_mode mode, enum put_state *state) {
    const struct json *item;
    struct shard_map map;
    bool applied = true;
    TRY(graph_get_item(g, a, e->keys.pk, e->keys.sk, &item));
    *state = PUT_AGAIN;
    if (!item) {
        TRY(nodes_allow(g, a, &e->keys, &map));
        return edge_keys_turn(a, &e->keys, shard_of(&map, e->keys.src));
    }
    if (slice_equal(item_text(item, SLICE("_op")), e->op)) {
        /* Our own attempt, whose reply was lost. */
        *state = PUT_CREATED;
        return NULL;
    }
    if (item_has(item, SLICE("_x")))
        return fold_edge(g, a, &e->keys);
    if (mode == GRAPH_STRICT)
        return graph_error(a, GRAPH_EXISTS, "the edge %.*s %.*s -> %.*s is there already",
                           SLICE_ARG(e->keys.type->name), SLICE_ARG(e->keys.src),
                           SLICE_ARG(e->keys.dst));
    if (mode == GRAPH_UPSERT)
        TRY(put_over(g, a, e, item, &applied));
    *state = applied ? PUT_THERE : PUT_AGAIN;
    return NULL;
}

static struct error *put_try(struct graph *g, struct arena *a, struct edge_write *e,
                             enum graph_put_mode mode, enum put_state *state) {
    bool applied;
    bool at_once = e->keys.type->counters == COUNTERS_EXACT ||
                   (e->keys.type->twofold && e->keys.type->counters == COUNTERS_NONE);
    TRY(at_once ? put_at_once(g, a, e, &applied) : put_alone(g, a, e, &applied));
    *state = PUT_CREATED;
    return applied ? NULL : put_look(g, a, e, mode, state);
}

/* Exact types learn of nodes and shards by their transaction's refusal, others look first. */
static struct error *put_begin(struct graph *g, struct arena *a, struct edge_write *e) {
    struct shard_map map = {0};
    if (e->keys.type->counters == COUNTERS_EXACT)
        return NULL;
    TRY(nodes_allow(g, a, &e->keys, &map));
    return edge_keys_turn(a, &e->keys, shard_of(&map, e->keys.src));
}

struct error *graph_edge_put(struct graph *g, struct arena *a, const struct graph_edge *edge,
                             enum graph_put_mode mode, bool *created) {
    const struct edge_type *type;
    struct edge_write e = {.attributes = edge->attributes, .op = graph_fresh_id(a)};
    struct patience patience = patience_begin(g);
    enum put_state state = PUT_AGAIN;
    TRY(descriptor_edge(a, &g->d, edge->type, &type));
    TRY(attributes_check(g, a, edge->attributes));
    TRY(edge_keys_make(g, a, type, edge->src, edge->dst, &e.keys));
    e.keys.created_us = clock_wall_ms() * 1000;
    TRY(edge_keys_turn(a, &e.keys, SHARD_NONE));
    TRY(put_begin(g, a, &e));
    for (;;) {
        TRY(put_try(g, a, &e, mode, &state));
        if (state != PUT_AGAIN)
            break;
        if (!patience_wait(g, &patience))
            return graph_error(a, GRAPH_CONFLICT, "others keep changing the edge or its nodes");
    }
    *created = state == PUT_CREATED;
    return *created ? put_count(g, a, &e) : NULL;
}
