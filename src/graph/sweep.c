/* The debts that puts and deletes left, found by the queue's index or, without one, by a scan. */
#include "graph/fold.h"
#include "graph/reverse.h"

/* The queue's index tells keys alone, and late: what is owed now is read again. */
static struct error *sweep_reverse(struct graph *g, struct arena *a, const struct json *item,
                                   uint64_t *folded) {
    const struct json *now;
    struct edge_keys k;
    for (size_t i = 0; i < g->d.edge_count; i++) {
        if (!reverse_keys_of_item(g, a, &g->d.edges[i], item, &k))
            continue;
        TRY(graph_get_item(g, a, k.ipk, k.isk, &now));
        ++*folded;
        return now ? reverse_confirm(g, a, &k, item_text(now, SLICE("_op"))) : NULL;
    }
    return NULL;
}

static struct error *sweep_item(struct graph *g, struct arena *a, const struct json *item,
                                uint64_t *folded) {
    struct edge_keys k;
    const struct edge_type *t = edge_type_of_item(g, a, item);
    if (!t || !edge_keys_of_item(g, a, t, item, &k))
        return sweep_reverse(g, a, item, folded);
    ++*folded;
    return fold_edge(g, a, &k);
}

static struct error *sweep_reply(struct graph *g, struct arena *a, const struct json *reply,
                                 uint64_t *folded, const struct json **last) {
    const struct json *items = json_member(reply, SLICE("Items"));
    for (const struct json *item = items ? items->first : NULL; item; item = item->next)
        TRY(sweep_item(g, a, item, folded));
    *last = json_member(reply, SLICE("LastEvaluatedKey"));
    return NULL;
}

static void sweep_start(struct request *r, const struct json *last) {
    if (!last)
        return;
    json_write_name(&r->w, SLICE("ExclusiveStartKey"));
    json_write_tree(&r->w, last);
}

static struct error *sweep_bucket(struct graph *g, struct arena *a, unsigned bucket,
                                  uint64_t *folded) {
    const struct json *last = NULL, *reply;
    do {
        struct request r;
        request_begin(&r, g, a);
        json_member_string(&r.w, "IndexName", g->d.queue);
        request_text(&r, "KeyConditionExpression", "#p = :p");
        request_name(&r, "#p", g->d.qpk);
        request_s(&r, ":p", fold_bucket(g, a, bucket));
        sweep_start(&r, last);
        TRY(graph_call(g, a, "Query", request_end(&r), &reply));
        TRY(sweep_reply(g, a, reply, folded, &last));
    } while (last);
    return NULL;
}

static struct error *sweep_scan(struct graph *g, struct arena *a, uint64_t *folded) {
    const struct json *last = NULL, *reply;
    do {
        struct request r;
        request_begin(&r, g, a);
        request_text(&r, "FilterExpression", "attribute_exists(#q)");
        request_text(&r, "ProjectionExpression", "#pk, #sk, #q");
        request_name(&r, "#q", g->d.qpk);
        request_name(&r, "#pk", g->d.pk);
        request_name(&r, "#sk", g->d.sk);
        json_member_bool(&r.w, "ConsistentRead", true);
        sweep_start(&r, last);
        TRY(graph_call(g, a, "Scan", request_end(&r), &reply));
        TRY(sweep_reply(g, a, reply, folded, &last));
    } while (last);
    return NULL;
}

struct error *graph_fold(struct graph *g, struct arena *a, uint64_t *folded) {
    *folded = 0;
    if (g->d.queue.len == 0)
        return sweep_scan(g, a, folded);
    for (unsigned bucket = 0; bucket < FOLD_BUCKETS; bucket++)
        TRY(sweep_bucket(g, a, bucket, folded));
    return NULL;
}
