#include "graph/reverse.h"

#include "graph/fold.h"

void reverse_write(struct graph *g, struct arena *a, struct json_writer *w,
                   const struct edge_keys *k, struct slice op, bool queued) {
    json_write_name(w, SLICE("Item"));
    json_write_object_begin(w);
    write_s(w, g->d.pk, k->ipk);
    write_s(w, g->d.sk, k->isk);
    write_s(w, SLICE("et"), k->type->name);
    write_s(w, SLICE("_op"), op);
    if (queued) {
        write_s(w, g->d.qpk, fold_bucket(g, a, fold_bucket_of(op)));
        write_s(w, g->d.qsk, op);
    }
    json_write_object_end(w);
}

bool reverse_keys_of_item(struct graph *g, struct arena *a, const struct edge_type *t,
                          const struct json *item, struct edge_keys *out) {
    struct key_binding dst[KEY_TEMPLATE_PARTS], src[KEY_TEMPLATE_PARTS];
    struct slice partition = item_text(item, g->d.pk);
    int shard;
    if (!t->twofold || !shard_partition_parse(a, t, partition, dst, &shard) ||
        !key_template_match(a, &t->isk, item_text(item, g->d.sk), src))
        return false;
    struct slice from = src[key_template_variables(&t->isk) - 1].id;
    if (edge_keys_make(g, a, t, from, dst[0].id, out))
        return false;
    out->ipk = partition;
    out->isk = item_text(item, g->d.sk);
    out->shard = shard;
    return true;
}

/* Puts it where there is none, or one with the id `seen`. */
static struct error *reverse_put(struct graph *g, struct arena *a, const struct edge_keys *k,
                                 struct slice op, struct slice seen, bool *applied) {
    struct request r;
    request_begin(&r, g, a);
    reverse_write(g, a, &r.w, k, op, true);
    request_text(&r, "ConditionExpression", "attribute_not_exists(#pk) OR #op = :seen");
    request_name(&r, "#pk", g->d.pk);
    request_name(&r, "#op", SLICE("_op"));
    request_s(&r, ":seen", seen);
    return graph_call_if(g, a, "PutItem", request_end(&r), applied);
}

struct error *reverse_remove(struct graph *g, struct arena *a, const struct edge_keys *k,
                             struct slice op) {
    bool applied;
    struct request r;
    request_begin(&r, g, a);
    request_key(&r, g, k->ipk, k->isk);
    request_text(&r, "ConditionExpression", "#op = :op");
    request_name(&r, "#op", SLICE("_op"));
    request_s(&r, ":op", op);
    return graph_call_if(g, a, "DeleteItem", request_end(&r), &applied);
}

/* Takes `_p` off the edge if it is still this edge's, this step's. */
static struct error *step_done(struct graph *g, struct arena *a, const struct edge_keys *k,
                               struct slice op, const char *step) {
    bool applied;
    struct request r;
    request_begin(&r, g, a);
    request_key(&r, g, k->pk, k->sk);
    request_text(&r, "ConditionExpression", "#op = :op AND #p = :step");
    request_text(&r, "UpdateExpression", "REMOVE #p");
    request_name(&r, "#op", SLICE("_op"));
    request_name(&r, "#p", SLICE("_p"));
    request_s(&r, ":op", op);
    request_s(&r, ":step", slice_of(step));
    return graph_call_if(g, a, "UpdateItem", request_end(&r), &applied);
}

/* An edge subtracted in both directions before its second item went. */
static struct error *delete_counted(struct graph *g, struct arena *a, const struct edge_keys *k,
                                    struct slice op) {
    bool applied;
    struct request r;
    request_begin(&r, g, a);
    request_key(&r, g, k->pk, k->sk);
    request_text(&r, "ConditionExpression",
                 "#op = :op AND attribute_exists(#x) AND attribute_not_exists(#p) AND "
                 "size(#g) = :two");
    request_name(&r, "#op", SLICE("_op"));
    request_name(&r, "#x", SLICE("_x"));
    request_name(&r, "#p", SLICE("_p"));
    request_name(&r, "#g", SLICE("_g"));
    request_s(&r, ":op", op);
    request_n(&r, ":two", 2);
    return graph_call_if(g, a, "DeleteItem", request_end(&r), &applied);
}

static bool still_wanted(const struct json *item, struct slice op) {
    return item && slice_equal(item_text(item, SLICE("_op")), op) && !item_has(item, SLICE("_x"));
}

static struct error *settle_added(struct graph *g, struct arena *a, const struct edge_keys *k,
                                  struct slice op) {
    const struct json *item, *reverse;
    bool applied;
    TRY(reverse_put(g, a, k, op, op, &applied));
    TRY(graph_get_item(g, a, k->pk, k->sk, &item));
    if (!applied && still_wanted(item, op)) {
        /* Left by one that died after its edge was gone. */
        TRY(graph_get_item(g, a, k->ipk, k->isk, &reverse));
        TRY(reverse_put(g, a, k, op, item_text(reverse, SLICE("_op")), &applied));
    }
    TRY(step_done(g, a, k, op, "add"));
    return reverse_confirm(g, a, k, op);
}

struct error *reverse_confirm(struct graph *g, struct arena *a, const struct edge_keys *k,
                              struct slice op) {
    const struct json *item;
    bool applied;
    struct request r;
    TRY(graph_get_item(g, a, k->pk, k->sk, &item));
    if (!still_wanted(item, op))
        return reverse_remove(g, a, k, op);
    request_begin(&r, g, a);
    request_key(&r, g, k->ipk, k->isk);
    request_text(&r, "ConditionExpression", "#op = :op");
    request_text(&r, "UpdateExpression", "REMOVE #qpk, #qsk");
    request_name(&r, "#op", SLICE("_op"));
    request_name(&r, "#qpk", g->d.qpk);
    request_name(&r, "#qsk", g->d.qsk);
    request_s(&r, ":op", op);
    return graph_call_if(g, a, "UpdateItem", request_end(&r), &applied);
}

struct error *reverse_settle(struct graph *g, struct arena *a, const struct edge_keys *k,
                             const struct json *item) {
    struct edge_keys now;
    struct slice op = item_text(item, SLICE("_op"));
    if (!edge_keys_of_item(g, a, k->type, item, &now))
        return NULL;
    if (slice_is(item_text(item, SLICE("_p")), "add"))
        return settle_added(g, a, &now, op);
    TRY(reverse_remove(g, a, &now, op));
    TRY(step_done(g, a, &now, op, "del"));
    return delete_counted(g, a, &now, op);
}

struct error *reverse_restore(struct graph *g, struct arena *a, const struct edge_keys *k,
                              struct slice op, struct slice seen) {
    bool applied;
    TRY(reverse_put(g, a, k, op, seen, &applied));
    return reverse_confirm(g, a, k, op);
}
