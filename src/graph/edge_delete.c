/*
 * Deleting an edge: at once with its counters, or marked and left to a fold.
 *
 * The counter that is subtracted from is the one of the shard that the edge is in, so the edge is
 * read first and deleted only if it is still the one that was read.
 */
#include "graph/fold.h"
#include "graph/write_int.h"

/* "is the edge of `item`", in a way that edges made by others than us have too. */
static const char *same_edge(struct request *r, const struct json *item) {
    struct slice op = item_text(item, SLICE("_op"));
    request_name(r, "#op", SLICE("_op"));
    if (op.len == 0)
        return "attribute_not_exists(#op)";
    request_s(r, ":op", op);
    return "#op = :op";
}

/* An index key of a single edge, which a move between shards changes. */
static const char *same_place(struct graph *g, struct request *r, const struct edge_keys *k,
                              const struct json *item) {
    if (k->type->twofold || !item_has(item, g->d.ipk))
        return "";
    request_name(r, "#ipk", g->d.ipk);
    request_s(r, ":ipk", item_text(item, g->d.ipk));
    return " AND #ipk = :ipk";
}

static void delete_condition(struct graph *g, struct arena *a, struct request *r,
                             const struct edge_keys *k, const struct json *item) {
    const char *edge = same_edge(r, item), *place = same_place(g, r, k, item);
    request_name(r, "#pk", g->d.pk);
    request_name(r, "#f", SLICE("_f"));
    request_name(r, "#x", SLICE("_x"));
    struct slice text = arena_printf(a,
                                     "attribute_exists(#pk) AND attribute_not_exists(#f) AND "
                                     "attribute_not_exists(#x) AND %s%s",
                                     edge, place);
    json_member_string(&r->w, "ConditionExpression", text);
}

static const struct json *delete_request(struct graph *g, struct arena *a,
                                         const struct edge_keys *k, const struct json *item) {
    struct request r;
    request_begin(&r, g, a);
    request_key(&r, g, k->pk, k->sk);
    delete_condition(g, a, &r, k, item);
    return request_end(&r);
}

static struct error *delete_at_once(struct graph *g, struct arena *a, const struct edge_keys *k,
                                    const struct json *item, bool *applied) {
    struct transaction t = {.token = graph_fresh_id(a)};
    transaction_add(&t, "Delete", delete_request(g, a, k, item));
    if (k->type->twofold) {
        struct request r;
        request_begin(&r, g, a);
        request_key(&r, g, k->ipk, k->isk);
        transaction_add(&t, "Delete", request_end(&r));
    }
    if (k->type->counters == COUNTERS_EXACT)
        TRY(counters_add(g, a, &t, k, -1));
    return graph_transact(g, a, &t, applied);
}

struct error *edge_mark(struct graph *g, struct arena *a, const struct edge_keys *k,
                        const struct json *item, struct slice id, bool *applied) {
    struct request r;
    struct slice op = item_text(item, SLICE("_op"));
    struct slice queued = op.len ? op : id;
    request_begin(&r, g, a);
    request_key(&r, g, k->pk, k->sk);
    const char *edge = same_edge(&r, item);
    struct slice condition =
        arena_printf(a, "attribute_exists(#pk) AND attribute_not_exists(#x) AND %s", edge);
    struct slice update = arena_printf(
        a, "SET #x = :x, #qpk = :qpk, #qsk = :qsk%s%s%s", op.len ? "" : ", #op = :x",
        k->type->twofold ? ", #p = :del" : "", k->type->twofold ? "" : " REMOVE #ipk, #isk");
    json_member_string(&r.w, "ConditionExpression", condition);
    json_member_string(&r.w, "UpdateExpression", update);
    request_name(&r, "#pk", g->d.pk);
    request_name(&r, "#x", SLICE("_x"));
    request_name(&r, "#qpk", g->d.qpk);
    request_name(&r, "#qsk", g->d.qsk);
    request_s(&r, ":x", id);
    request_s(&r, ":qpk", fold_bucket(g, a, fold_bucket_of(queued)));
    request_s(&r, ":qsk", queued);
    if (k->type->twofold) {
        request_name(&r, "#p", SLICE("_p"));
        request_s(&r, ":del", SLICE("del"));
    } else {
        request_name(&r, "#ipk", g->d.ipk);
        request_name(&r, "#isk", g->d.isk);
    }
    return graph_call_if(g, a, "UpdateItem", request_end(&r), applied);
}

/* --- The whole -------------------------------------------------------------------------------- */

enum delete_state { DELETE_AGAIN, DELETE_DONE, DELETE_ABSENT };

static bool deleted_at_once(const struct edge_type *t, const struct json *item) {
    return !item_has(item, SLICE("_f")) &&
           (t->counters == COUNTERS_EXACT || (t->twofold && t->counters == COUNTERS_NONE));
}

static struct error *delete_by_mark(struct graph *g, struct arena *a, const struct edge_keys *k,
                                    const struct json *item, struct slice id, bool *applied) {
    TRY(edge_mark(g, a, k, item, id, applied));
    return *applied && !g->deferred ? fold_edge(g, a, k) : NULL;
}

static struct error *delete_try(struct graph *g, struct arena *a, struct edge_keys *k,
                                struct slice id, enum delete_state *state) {
    const struct json *item;
    bool applied;
    TRY(graph_get_item(g, a, k->pk, k->sk, &item));
    *state = DELETE_ABSENT;
    if (!item || !edge_keys_of_item(g, a, k->type, item, k))
        return NULL;
    if (item_has(item, SLICE("_x"))) {
        /* Ours, when the reply to our own mark was lost. */
        if (slice_equal(item_text(item, SLICE("_x")), id))
            *state = DELETE_DONE;
        return g->deferred ? NULL : fold_edge(g, a, k);
    }
    if (deleted_at_once(k->type, item))
        TRY(delete_at_once(g, a, k, item, &applied));
    else if (k->type->counters == COUNTERS_NONE)
        TRY(graph_call_if(g, a, "DeleteItem", delete_request(g, a, k, item), &applied));
    else
        TRY(delete_by_mark(g, a, k, item, id, &applied));
    *state = applied ? DELETE_DONE : DELETE_AGAIN;
    return NULL;
}

struct error *graph_edge_delete(struct graph *g, struct arena *a, const struct graph_edge *edge,
                                bool *deleted) {
    const struct edge_type *type;
    struct edge_keys k;
    struct slice id = graph_fresh_id(a);
    struct patience patience = patience_begin(g);
    enum delete_state state;
    TRY(descriptor_edge(a, &g->d, edge->type, &type));
    TRY(edge_keys_make(g, a, type, edge->src, edge->dst, &k));
    for (;;) {
        TRY(delete_try(g, a, &k, id, &state));
        if (state != DELETE_AGAIN)
            break;
        if (!patience_wait(g, &patience))
            return graph_error(a, GRAPH_CONFLICT, "others keep changing the edge");
    }
    *deleted = state == DELETE_DONE;
    return NULL;
}
