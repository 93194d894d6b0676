/*
 * Checking a graph against what it promises, and repairing what can be repaired safely.
 *
 * One scan looks at each item by itself and gathers how many live edges each counter should tell;
 * then counters that differ are looked at again, strongly and alone, so that what changed meanwhile
 * is no finding.  Every repair is conditional on what was seen: live writers are never overwritten.
 */
#include "graph/fsck_int.h"

#include "graph/fold.h"
#include "graph/reverse.h"

enum { FSCK_FINDINGS = 1000 };

void fsck_report(struct fsck *f, const char *code, struct slice pk, struct slice sk,
                 const char *what, bool repaired) {
    struct graph_fsck *r = f->result;
    r->found++;
    r->repaired += repaired;
    if (r->count == FSCK_FINDINGS)
        return;
    r->findings[r->count++] = (struct graph_finding){code, arena_copy(f->arena, pk),
                                                     arena_copy(f->arena, sk), what, repaired};
}

/* --- Edges ------------------------------------------------------------------------------------ */

/* F1: the index keys are those of the templates. */
static struct error *check_turned(struct fsck *f, struct arena *a, const struct edge_keys *k,
                                  const struct json *item) {
    struct graph *g = f->graph;
    struct request r;
    bool applied = false;
    if (k->type->twofold || (slice_equal(item_text(item, g->d.ipk), k->ipk) &&
                             slice_equal(item_text(item, g->d.isk), k->isk)))
        return NULL;
    if (f->repair) {
        request_begin(&r, g, a);
        request_key(&r, g, k->pk, k->sk);
        request_text(&r, "ConditionExpression",
                     "attribute_exists(#pk) AND attribute_not_exists(#x)");
        request_text(&r, "UpdateExpression", "SET #ipk = :ipk, #isk = :isk");
        request_name(&r, "#pk", g->d.pk);
        request_name(&r, "#x", SLICE("_x"));
        request_name(&r, "#ipk", g->d.ipk);
        request_name(&r, "#isk", g->d.isk);
        request_s(&r, ":ipk", k->ipk);
        request_s(&r, ":isk", k->isk);
        TRY(graph_call_if(g, a, "UpdateItem", request_end(&r), &applied));
    }
    fsck_report(f, "F1", k->pk, k->sk, "the index keys are not those of the templates", applied);
    return NULL;
}

/* F3: a double edge has its second item. */
static struct error *check_reverse(struct fsck *f, struct arena *a, const struct edge_keys *k,
                                   const struct json *item) {
    const struct json *reverse, *now;
    struct slice op = item_text(item, SLICE("_op"));
    if (!k->type->twofold || item_has(item, SLICE("_p")))
        return NULL;
    TRY(graph_get_item(f->graph, a, k->ipk, k->isk, &reverse));
    if (reverse && slice_equal(item_text(reverse, SLICE("_op")), op))
        return NULL;
    TRY(graph_get_item(f->graph, a, k->pk, k->sk, &now));
    if (!now || item_has(now, SLICE("_x")) || !slice_equal(item_text(now, SLICE("_op")), op))
        return NULL;
    if (f->repair)
        TRY(reverse_restore(f->graph, a, k, op, item_text(reverse, SLICE("_op"))));
    fsck_report(f, "F3", k->pk, k->sk, "the edge's second item is missing or another's", f->repair);
    return NULL;
}

/* F8: the nodes that a type requires. */
static struct error *check_ends(struct fsck *f, struct arena *a, const struct edge_keys *k) {
    const struct json *node;
    struct slice pk, sk;
    if (!k->type->nodes_required)
        return NULL;
    TRY(node_keys(a, k->type->from, k->src, &pk, &sk));
    TRY(graph_get_item(f->graph, a, pk, sk, &node));
    if (!item_has(node, SLICE("et")))
        fsck_report(f, "F8", k->pk, k->sk, "the source node is missing", false);
    TRY(node_keys(a, k->type->to, k->dst, &pk, &sk));
    TRY(graph_get_item(f->graph, a, pk, sk, &node));
    if (!item_has(node, SLICE("et")))
        fsck_report(f, "F8", k->pk, k->sk, "the target node is missing", false);
    return NULL;
}

static struct error *tally_edge(struct fsck *f, struct arena *a, const struct edge_keys *k) {
    struct counter c;
    if (k->type->counters == COUNTERS_NONE)
        return NULL;
    TRY(counter_make(f->graph, a, k->type, GRAPH_OUT, k->src, SHARD_NONE, &c));
    tally_at(&f->tally, &c, k->src)->edges++;
    TRY(counter_make(f->graph, a, k->type, GRAPH_IN, k->dst, k->shard, &c));
    tally_at(&f->tally, &c, k->dst)->edges++;
    return NULL;
}

/* F6: a debt that a sweep would settle.  Repaired, the edge is looked at as it is then. */
static struct error *check_debt(struct fsck *f, struct arena *a, const struct edge_keys *k,
                                const struct json **item) {
    if (!edge_in_debt(*item) && !item_has(*item, f->graph->d.qpk))
        return NULL;
    if (f->repair)
        TRY(fold_edge(f->graph, a, k));
    fsck_report(f, "F6", k->pk, k->sk, "the edge is not counted yet", f->repair);
    return graph_get_item(f->graph, a, k->pk, k->sk, item);
}

static struct error *check_edge(struct fsck *f, struct arena *a, struct edge_keys *k,
                                const struct json *item) {
    TRY(check_debt(f, a, k, &item));
    if (!item || item_has(item, SLICE("_x")) || !edge_keys_of_item(f->graph, a, k->type, item, k))
        return NULL;
    f->result->edges++;
    TRY(check_turned(f, a, k, item));
    TRY(check_reverse(f, a, k, item));
    TRY(check_ends(f, a, k));
    return tally_edge(f, a, k);
}

/* F3: a second item without its edge. */
static struct error *check_second(struct fsck *f, struct arena *a, const struct edge_keys *k,
                                  const struct json *item) {
    const struct json *edge;
    struct slice op = item_text(item, SLICE("_op"));
    TRY(graph_get_item(f->graph, a, k->pk, k->sk, &edge));
    bool right = edge && slice_equal(item_text(edge, SLICE("_op")), op) &&
                 item_number(edge, SLICE("_s"), SHARD_NONE) == k->shard;
    if (right || edge_in_debt(edge))
        return NULL;
    if (f->repair)
        TRY(reverse_remove(f->graph, a, k, op));
    fsck_report(f, "F3", k->ipk, k->isk, "a second item without its edge", f->repair);
    return NULL;
}

/* --- Items ------------------------------------------------------------------------------------ */

static struct error *check_item(struct fsck *f, struct arena *a, const struct json *item) {
    struct graph *g = f->graph;
    struct edge_keys k;
    f->result->items++;
    for (size_t i = 0; i < g->d.edge_count; i++) {
        const struct edge_type *t = &g->d.edges[i];
        if (edge_keys_of_item(g, a, t, item, &k))
            return check_edge(f, a, &k, item);
        if (reverse_keys_of_item(g, a, t, item, &k))
            return check_second(f, a, &k, item);
    }
    return fsck_node(f, a, item);
}

static struct error *fsck_page(struct fsck *f, struct arena *a, struct slice *last_pk,
                               struct slice *last_sk, struct arena *keep) {
    struct request r;
    const struct json *reply;
    request_begin(&r, f->graph, a);
    json_member_bool(&r.w, "ConsistentRead", true);
    if (last_pk->len > 0) {
        json_write_name(&r.w, SLICE("ExclusiveStartKey"));
        json_write_object_begin(&r.w);
        write_s(&r.w, f->graph->d.pk, *last_pk);
        write_s(&r.w, f->graph->d.sk, *last_sk);
        json_write_object_end(&r.w);
    }
    TRY(graph_call(f->graph, a, "Scan", request_end(&r), &reply));
    const struct json *items = json_member(reply, SLICE("Items"));
    for (const struct json *item = items ? items->first : NULL; item; item = item->next)
        TRY(check_item(f, a, item));
    const struct json *last = json_member(reply, SLICE("LastEvaluatedKey"));
    *last_pk = arena_copy(keep, item_text(last, f->graph->d.pk));
    *last_sk = arena_copy(keep, item_text(last, f->graph->d.sk));
    return NULL;
}

static struct error *fsck_scan(struct fsck *f) {
    struct slice pk = SLICE(""), sk = SLICE("");
    struct arena *page = arena_create();
    struct error *e;
    do {
        arena_reset(page);
        e = fsck_page(f, page, &pk, &sk, f->arena);
    } while (!e && pk.len > 0);
    if (e)
        e = graph_error_keep(f->arena, e);
    arena_destroy(page);
    return e;
}

struct error *graph_fsck(struct graph *g, struct arena *a, bool repair, struct graph_fsck *out) {
    struct graph_fsck result = {.findings = arena_array(a, FSCK_FINDINGS, sizeof *result.findings)};
    struct fsck f = {g, a, repair, &result, tally_create(a)};
    TRY(fsck_scan(&f));
    TRY(fsck_counters(&f));
    *out = result;
    return NULL;
}
