/* The part of fsck that is about nodes: counters, folds, maps of shards. */
#include "graph/fold.h"
#include "graph/fsck_int.h"

/* --- What the scan meets ---------------------------------------------------------------------- */

static struct error *meet_counter(struct fsck *f, struct arena *a, const struct json *item,
                                  const struct counter *c, struct slice id) {
    if (item_has(item, c->count))
        tally_at(&f->tally, c, id)->counted = item_number(item, c->count, 0);
    if (!item_has(item, c->fold))
        return NULL;
    /* The edges of an open fold are in debt or counted: closing it is all. */
    if (f->repair)
        TRY(fold_finish(f->graph, a, c));
    fsck_report(f, "F6", c->pk, c->sk, "a fold is not finished", f->repair);
    return NULL;
}

static bool power_of_two(uint32_t n) {
    return (n & (n - 1)) == 0;
}

/* F5: a map that readers and writers can follow. */
static void check_map(struct fsck *f, struct arena *a, const struct edge_type *t,
                      const struct json *item, const struct counter *c) {
    struct shard_map map = shard_map_of(a, t, item);
    bool well = map.write <= map.read && map.read <= SHARD_MAX && power_of_two(map.read) &&
                power_of_two(map.write);
    if (map.generation && !well)
        fsck_report(f, "F5", c->pk, c->sk, "the map of shards makes no sense", false);
    if (map.moving)
        fsck_report(f, "F5", c->pk, c->sk,
                    "edges are being moved between shards: shard rebalance or shrink goes on",
                    false);
}

static struct error *meet_node(struct fsck *f, struct arena *a, const struct json *item,
                               const struct node_type *n, struct slice id) {
    f->result->nodes++;
    for (size_t i = 0; i < f->graph->d.edge_count; i++) {
        const struct edge_type *t = &f->graph->d.edges[i];
        struct counter c;
        if (t->from == n && t->counters != COUNTERS_NONE) {
            TRY(counter_make(f->graph, a, t, GRAPH_OUT, id, SHARD_NONE, &c));
            TRY(meet_counter(f, a, item, &c, id));
        }
        if (t->to != n)
            continue;
        TRY(counter_make(f->graph, a, t, GRAPH_IN, id, SHARD_NONE, &c));
        check_map(f, a, t, item, &c);
        if (t->counters != COUNTERS_NONE)
            TRY(meet_counter(f, a, item, &c, id));
    }
    if (item_has(item, SLICE("_del")))
        fsck_report(f, "F7", item_text(item, f->graph->d.pk), item_text(item, f->graph->d.sk),
                    "the node's deletion is not finished: node del goes on", false);
    return NULL;
}

static struct error *meet_shard(struct fsck *f, struct arena *a, const struct json *item,
                                bool *met) {
    struct slice pk = item_text(item, f->graph->d.pk), sk = item_text(item, f->graph->d.sk);
    *met = false;
    for (size_t i = 0; i < f->graph->d.edge_count; i++) {
        const struct edge_type *t = &f->graph->d.edges[i];
        struct key_binding dst[KEY_TEMPLATE_PARTS];
        struct counter c;
        int shard;
        struct slice wanted = arena_printf(a, "#C#%.*s", SLICE_ARG(t->name));
        if (!slice_equal(sk, wanted) || !shard_partition_parse(a, t, pk, dst, &shard) ||
            shard == SHARD_NONE)
            continue;
        *met = true;
        TRY(counter_make(f->graph, a, t, GRAPH_IN, dst[0].id, shard, &c));
        return meet_counter(f, a, item, &c, dst[0].id);
    }
    return NULL;
}

struct error *fsck_node(struct fsck *f, struct arena *a, const struct json *item) {
    struct slice pk = item_text(item, f->graph->d.pk), sk = item_text(item, f->graph->d.sk);
    bool met;
    for (size_t i = 0; i < f->graph->d.node_count; i++) {
        const struct node_type *n = &f->graph->d.nodes[i];
        struct key_binding id[KEY_TEMPLATE_PARTS], none[KEY_TEMPLATE_PARTS];
        if (key_template_match(a, &n->pk, pk, id) && key_template_match(a, &n->sk, sk, none))
            return meet_node(f, a, item, n, id[0].id);
    }
    TRY(meet_shard(f, a, item, &met));
    /* F9: marked as ours, with keys that nothing of ours has.  Other items are the user's. */
    bool marked = item_has(item, SLICE("_op")) && item_has(item, SLICE("et"));
    if (!met && marked)
        fsck_report(f, "F9", pk, sk, "the keys are those of no type", false);
    return NULL;
}

/* --- Counters that differ --------------------------------------------------------------------- */

static struct error *live_edges(struct fsck *f, struct arena *a, const struct tally_row *row,
                                int64_t *out);

/* Adds what is missing, if the counter still tells what was seen. */
static struct error *repair_counter(struct fsck *f, struct arena *a, const struct counter *c,
                                    int64_t seen, int64_t delta, bool *applied) {
    struct request r;
    request_begin(&r, f->graph, a);
    request_key(&r, f->graph, c->pk, c->sk);
    request_text(&r, "UpdateExpression", "ADD #c :delta");
    request_text(&r, "ConditionExpression",
                 seen ? "#c = :seen AND attribute_not_exists(#f)"
                      : "(attribute_not_exists(#c) OR #c = :seen) AND attribute_not_exists(#f)");
    request_name(&r, "#c", c->count);
    request_name(&r, "#f", c->fold);
    request_n(&r, ":delta", delta);
    request_n(&r, ":seen", seen);
    return graph_call_if(f->graph, a, "UpdateItem", request_end(&r), applied);
}

/* Looked at alone: the counter, the edges, the counter again. */
static struct error *check_counter(struct fsck *f, struct arena *a, const struct tally_row *row) {
    const struct json *item;
    struct counter c;
    int64_t edges, before;
    bool applied = false;
    TRY(counter_make(f->graph, a, row->type, row->direction, row->id, row->shard, &c));
    TRY(graph_get_item(f->graph, a, c.pk, c.sk, &item));
    before = item_number(item, c.count, 0);
    TRY(live_edges(f, a, row, &edges));
    TRY(graph_get_item(f->graph, a, c.pk, c.sk, &item));
    if (item_number(item, c.count, 0) != before || before == edges || item_has(item, c.fold))
        return NULL;
    if (f->repair)
        TRY(repair_counter(f, a, &c, before, edges - before, &applied));
    fsck_report(f, "F4", c.pk, c.sk,
                row->direction == GRAPH_OUT ? "the counter of leaving edges is wrong"
                                            : "the counter of coming edges is wrong",
                applied);
    return NULL;
}

struct error *fsck_counters(struct fsck *f) {
    struct arena *alone = arena_create();
    struct error *e = NULL;
    for (size_t i = 0; i < f->tally.room && !e; i++) {
        const struct tally_row *row = &f->tally.rows[i];
        if (!row->key.ptr || row->edges == row->counted)
            continue;
        arena_reset(alone);
        e = check_counter(f, alone, row);
    }
    if (e)
        e = graph_error_keep(f->arena, e);
    arena_destroy(alone);
    return e;
}

/* The edges that the counter should tell: counted ones only, so debts are not findings twice. */
static bool edge_counts(const struct json *item, enum graph_direction direction) {
    struct slice letter = direction == GRAPH_OUT ? SLICE("o") : SLICE("i");
    if (!item || item_set_has(item, SLICE("_f"), letter))
        return false;
    return !item_has(item, SLICE("_x")) || !item_set_has(item, SLICE("_g"), letter);
}

static struct error *live_page(struct fsck *f, struct arena *a, const struct tally_row *row,
                               struct graph_list *list, int64_t *out) {
    struct graph_page page;
    TRY(graph_list(f->graph, a, list, &page));
    for (size_t i = 0; i < page.count; i++) {
        struct edge_keys k;
        const struct json *item;
        TRY(edge_keys_make(f->graph, a, row->type, page.edges[i].src, page.edges[i].dst, &k));
        TRY(graph_get_item(f->graph, a, k.pk, k.sk, &item));
        if (item && !edge_keys_of_item(f->graph, a, row->type, item, &k))
            continue;
        *out += edge_counts(item, row->direction) &&
                (row->direction == GRAPH_OUT || k.shard == row->shard);
    }
    list->cursor = page.cursor;
    return NULL;
}

static struct error *live_edges(struct fsck *f, struct arena *a, const struct tally_row *row,
                                int64_t *out) {
    struct graph_list list = {
        .type = row->type->name, .id = row->id, .direction = row->direction, .limit = 500};
    *out = 0;
    do
        TRY(live_page(f, a, row, &list, out));
    while (list.cursor.len > 0);
    return NULL;
}
