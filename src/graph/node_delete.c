/*
 * Deleting a node with its edges, however many.
 *
 * `_del` at its item and `_closed` at its shards stop puts, which look at both with the counters
 * they move.  Then edges are deleted, each with the other end's counter, until the lists are empty
 * and the node's own counters, read strongly, are 0; then the item goes, if that is still so.  A
 * crash leaves nothing to undo: asked for again, it goes on with the lists as they are.
 *
 * The closed shards of a target stay: a writer that slept through all of this with the old map must
 * still fail.  They open again when a node of that id gets shards.
 */
#include "graph/fold.h"

enum { DELETE_PAGE = 100 };

struct deletion {
    struct graph *graph;
    const struct node_type *type;
    struct slice id, pk, sk;
    uint64_t edges;
};

/* --- The fence -------------------------------------------------------------------------------- */

static struct error *fence_node(struct deletion *d, struct arena *a, bool *found) {
    const struct json *node;
    struct request r;
    bool applied;
    TRY(graph_get_item(d->graph, a, d->pk, d->sk, &node));
    *found = node != NULL;
    if (!node || item_has(node, SLICE("_del")))
        return NULL;
    request_begin(&r, d->graph, a);
    request_key(&r, d->graph, d->pk, d->sk);
    request_text(&r, "ConditionExpression", "attribute_exists(#pk)");
    request_text(&r, "UpdateExpression", "SET #del = if_not_exists(#del, :job)");
    request_name(&r, "#pk", d->graph->d.pk);
    request_name(&r, "#del", SLICE("_del"));
    request_s(&r, ":job", graph_fresh_id(a));
    return graph_call_if(d->graph, a, "UpdateItem", request_end(&r), &applied);
}

static struct error *fence_shard(struct deletion *d, struct arena *a, const struct edge_type *t,
                                 int shard) {
    struct counter c;
    struct request r;
    const struct json *reply;
    TRY(counter_make(d->graph, a, t, GRAPH_IN, d->id, shard, &c));
    request_begin(&r, d->graph, a);
    request_key(&r, d->graph, c.pk, c.sk);
    request_text(&r, "UpdateExpression", "SET #c = :one");
    request_name(&r, "#c", SLICE("_closed"));
    request_n(&r, ":one", 1);
    return graph_call(d->graph, a, "UpdateItem", request_end(&r), &reply);
}

/* After the node's own fence no map changes any more. */
static struct error *fence_shards(struct deletion *d, struct arena *a) {
    const struct json *node;
    TRY(graph_get_item(d->graph, a, d->pk, d->sk, &node));
    for (size_t i = 0; i < d->graph->d.edge_count; i++) {
        const struct edge_type *t = &d->graph->d.edges[i];
        struct shard_map map = shard_map_of(a, t, node);
        for (uint32_t shard = 0; t->to == d->type && shard < map.read; shard++)
            TRY(fence_shard(d, a, t, (int)shard));
    }
    return NULL;
}

/* --- The edges -------------------------------------------------------------------------------- */

/* One page, from the list's beginning: what was there is gone. */
static struct error *delete_page(struct deletion *d, struct arena *a, const struct edge_type *t,
                                 enum graph_direction direction, uint64_t *deleted) {
    struct graph_list list = {
        .type = t->name, .id = d->id, .direction = direction, .limit = DELETE_PAGE};
    struct graph_page page;
    TRY(graph_list(d->graph, a, &list, &page));
    for (size_t i = 0; i < page.count; i++) {
        bool done;
        TRY(graph_edge_delete(d->graph, a, &page.edges[i], &done));
        *deleted += done;
    }
    return NULL;
}

static struct error *delete_list(struct deletion *d, struct arena *a, const struct edge_type *t,
                                 enum graph_direction direction) {
    struct arena *page = arena_create();
    struct error *e;
    uint64_t deleted;
    do {
        deleted = 0;
        arena_reset(page);
        e = delete_page(d, page, t, direction, &deleted);
        d->edges += deleted;
    } while (!e && deleted > 0);
    if (e)
        e = graph_error_keep(a, e);
    arena_destroy(page);
    return e;
}

static struct error *delete_edges(struct deletion *d, struct arena *a) {
    for (size_t i = 0; i < d->graph->d.edge_count; i++) {
        const struct edge_type *t = &d->graph->d.edges[i];
        if (t->from == d->type)
            TRY(delete_list(d, a, t, GRAPH_OUT));
        if (t->to == d->type)
            TRY(delete_list(d, a, t, GRAPH_IN));
    }
    return NULL;
}

/* --- The end ---------------------------------------------------------------------------------- */

/* Counters in shards; those at the node's item are in the condition of its deletion. */
static struct error *shards_empty(struct deletion *d, struct arena *a, bool *empty) {
    const struct json *node;
    *empty = true;
    TRY(graph_get_item(d->graph, a, d->pk, d->sk, &node));
    for (size_t i = 0; i < d->graph->d.edge_count; i++) {
        const struct edge_type *t = &d->graph->d.edges[i];
        struct shard_map map = shard_map_of(a, t, node);
        for (uint32_t shard = 0; t->to == d->type && shard < map.read; shard++) {
            struct counter c;
            const struct json *item;
            TRY(counter_make(d->graph, a, t, GRAPH_IN, d->id, (int)shard, &c));
            TRY(graph_get_item(d->graph, a, c.pk, c.sk, &item));
            *empty &= item_number(item, c.count, 0) == 0;
        }
    }
    return NULL;
}

/* " AND (attribute_not_exists(#c0) OR #c0 = :zero) AND attribute_not_exists(#f0)" */
static struct error *require_zero(struct deletion *d, struct arena *a, struct request *r,
                                  struct buf *condition, const struct edge_type *t,
                                  enum graph_direction direction) {
    struct counter c;
    size_t n = condition->len; /* a number that no other counter has */
    TRY(counter_make(d->graph, a, t, direction, d->id, SHARD_NONE, &c));
    buf_printf(
        condition,
        " AND (attribute_not_exists(#c%zu) OR #c%zu = :zero) AND attribute_not_exists(#f%zu)", n, n,
        n);
    request_name(r, arena_printf(a, "#c%zu", n).ptr, c.count);
    request_name(r, arena_printf(a, "#f%zu", n).ptr, c.fold);
    return NULL;
}

static struct error *delete_node(struct deletion *d, struct arena *a, bool *deleted) {
    struct buf condition = buf_in(a, LIMIT_EXPRESSION_BYTES);
    struct request r;
    bool any = false;
    request_begin(&r, d->graph, a);
    request_key(&r, d->graph, d->pk, d->sk);
    request_name(&r, "#del", SLICE("_del"));
    buf_add_text(&condition, "attribute_exists(#del)");
    for (size_t i = 0; i < d->graph->d.edge_count; i++) {
        const struct edge_type *t = &d->graph->d.edges[i];
        if (t->from == d->type)
            TRY(require_zero(d, a, &r, &condition, t, GRAPH_OUT));
        if (t->to == d->type)
            TRY(require_zero(d, a, &r, &condition, t, GRAPH_IN));
        any |= t->from == d->type || t->to == d->type;
    }
    if (any)
        request_n(&r, ":zero", 0);
    struct slice text = buf_slice(&condition);
    json_member_string(&r.w, "ConditionExpression", text);
    return graph_call_if(d->graph, a, "DeleteItem", request_end(&r), deleted);
}

/* Edges that are marked are in no list; a fold may stand at the node that a crash left open. */
static struct error *settle_type(struct deletion *d, struct arena *a, const struct edge_type *t) {
    const struct json *node;
    struct counter c;
    uint64_t folded;
    TRY(graph_fold(d->graph, a, &folded));
    TRY(graph_get_item(d->graph, a, d->pk, d->sk, &node));
    if (t->from == d->type) {
        TRY(counter_make(d->graph, a, t, GRAPH_OUT, d->id, SHARD_NONE, &c));
        TRY(fold_finish(d->graph, a, &c));
    }
    int shards = t->to == d->type ? (int)shard_map_of(a, t, node).read : SHARD_NONE;
    for (int shard = SHARD_NONE; shard < shards; shard++) {
        TRY(counter_make(d->graph, a, t, GRAPH_IN, d->id, shard, &c));
        TRY(fold_finish(d->graph, a, &c));
    }
    return NULL;
}

static struct error *settle_debts(struct deletion *d, struct arena *a) {
    for (size_t i = 0; i < d->graph->d.edge_count; i++)
        if (d->graph->d.edges[i].counters == COUNTERS_FOLD)
            TRY(settle_type(d, a, &d->graph->d.edges[i]));
    return NULL;
}

static struct error *delete_round(struct deletion *d, struct arena *a, bool *deleted) {
    bool empty;
    *deleted = false;
    TRY(delete_edges(d, a));
    TRY(settle_debts(d, a));
    TRY(shards_empty(d, a, &empty));
    return empty ? delete_node(d, a, deleted) : NULL;
}

struct error *graph_node_delete(struct graph *g, struct arena *a, struct slice type,
                                struct slice id, bool *deleted, uint64_t *edges) {
    struct deletion d = {.graph = g, .id = id};
    struct patience patience = patience_begin(g);
    uint64_t before = 0;
    *edges = 0;
    *deleted = false;
    TRY(descriptor_node(a, &g->d, type, &d.type));
    TRY(node_keys(a, d.type, id, &d.pk, &d.sk));
    for (bool found = true; !*deleted;) {
        TRY(fence_node(&d, a, &found));
        if (!found)
            break;
        TRY(fence_shards(&d, a));
        TRY(delete_round(&d, a, deleted));
        *edges = d.edges;
        if (d.edges > before)
            patience = patience_begin(g);
        before = d.edges;
        if (!*deleted && !patience_wait(g, &patience))
            return graph_error(a, GRAPH_CONFLICT,
                               "counters of %.*s are not 0 though no edge is listed: ask again, "
                               "or fsck",
                               SLICE_ARG(id));
    }
    return NULL;
}
