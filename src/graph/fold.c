#include "graph/fold.h"

/* What a fold does with one edge. */
struct fold_entry {
    struct slice pk, sk, op;
    int sign;
};

static const char *direction_letter(enum graph_direction d) {
    return d == GRAPH_OUT ? "o" : "i";
}

struct slice fold_bucket(const struct graph *g, struct arena *a, unsigned bucket) {
    return arena_printf(a, "Q#%.*s#%u", SLICE_ARG(g->d.graph), bucket);
}

unsigned fold_bucket_of(struct slice op) {
    return op.len > 0 ? (unsigned char)op.ptr[op.len - 1] % FOLD_BUCKETS : 0;
}

/* --- Finishing -------------------------------------------------------------------------------- */

/* Begins an update or delete of an entry's edge; `condition` may speak of #op = :op. */
static void entry_request(struct request *r, struct graph *g, struct arena *a,
                          const struct fold_entry *e, const char *condition) {
    request_begin(r, g, a);
    request_key(r, g, e->pk, e->sk);
    request_text(r, "ConditionExpression", condition);
    request_name(r, "#op", SLICE("_op"));
    request_s(r, ":op", e->op);
}

static void request_set(struct request *r, const char *placeholder, const char *member) {
    struct json_writer *w = &r->values;
    json_write_name(w, slice_of(placeholder));
    json_write_object_begin(w);
    json_write_name(w, SLICE("SS"));
    json_write_array_begin(w);
    json_write_string(w, slice_of(member));
    json_write_array_end(w);
    json_write_object_end(w);
    r->any_values = true;
}

/* The direction is counted.  The last of the two also takes the edge off the queue. */
static struct error *finish_added(struct graph *g, struct arena *a, const struct counter *c,
                                  const struct fold_entry *e) {
    const char *letter = direction_letter(c->direction);
    bool applied;
    struct request r;
    entry_request(&r, g, a, e,
                  "#op = :op AND contains(#f, :d) AND size(#f) = :one AND attribute_not_exists(#x)"
                  " AND attribute_not_exists(#p)");
    request_text(&r, "UpdateExpression", "DELETE #f :set REMOVE #qpk, #qsk");
    request_name(&r, "#f", SLICE("_f"));
    request_name(&r, "#x", SLICE("_x"));
    request_name(&r, "#p", SLICE("_p"));
    request_name(&r, "#qpk", g->d.qpk);
    request_name(&r, "#qsk", g->d.qsk);
    request_s(&r, ":d", slice_of(letter));
    request_n(&r, ":one", 1);
    request_set(&r, ":set", letter);
    TRY(graph_call_if(g, a, "UpdateItem", request_end(&r), &applied));
    if (applied)
        return NULL;
    entry_request(&r, g, a, e, "#op = :op AND contains(#f, :d)");
    request_text(&r, "UpdateExpression", "DELETE #f :set");
    request_name(&r, "#f", SLICE("_f"));
    request_s(&r, ":d", slice_of(letter));
    request_set(&r, ":set", letter);
    return graph_call_if(g, a, "UpdateItem", request_end(&r), &applied);
}

/* The direction is subtracted.  The last of the two deletes the edge. */
static struct error *finish_removed(struct graph *g, struct arena *a, const struct counter *c,
                                    const struct fold_entry *e) {
    bool applied;
    struct request r;
    entry_request(&r, g, a, e, "#op = :op AND attribute_exists(#x)");
    request_text(&r, "UpdateExpression", "ADD #g :set");
    request_name(&r, "#g", SLICE("_g"));
    request_name(&r, "#x", SLICE("_x"));
    request_set(&r, ":set", direction_letter(c->direction));
    TRY(graph_call_if(g, a, "UpdateItem", request_end(&r), &applied));
    entry_request(&r, g, a, e,
                  "#op = :op AND attribute_exists(#x) AND size(#g) = :two AND "
                  "attribute_not_exists(#p)");
    request_name(&r, "#g", SLICE("_g"));
    request_name(&r, "#x", SLICE("_x"));
    request_name(&r, "#p", SLICE("_p"));
    request_n(&r, ":two", 2);
    return graph_call_if(g, a, "DeleteItem", request_end(&r), &applied);
}

static struct fold_entry entry_read(const struct json *element) {
    const struct json *map = json_member(element, SLICE("M"));
    return (struct fold_entry){item_text(map, SLICE("p")), item_text(map, SLICE("s")),
                               item_text(map, SLICE("o")), (int)item_number(map, SLICE("d"), 0)};
}

static struct error *finish_close(struct graph *g, struct arena *a, const struct counter *c,
                                  int64_t version) {
    bool applied;
    struct request r;
    request_begin(&r, g, a);
    request_key(&r, g, c->pk, c->sk);
    request_text(&r, "ConditionExpression", version ? "#v = :v" : "attribute_not_exists(#v)");
    request_text(&r, "UpdateExpression", "REMOVE #f SET #v = :next");
    request_name(&r, "#v", c->version);
    request_name(&r, "#f", c->fold);
    if (version)
        request_n(&r, ":v", version);
    request_n(&r, ":next", version + 1);
    return graph_call_if(g, a, "UpdateItem", request_end(&r), &applied);
}

static struct error *finish_read(struct graph *g, struct arena *a, const struct counter *c,
                                 const struct json *item) {
    const struct json *list = json_member(json_member(item, c->fold), SLICE("L"));
    if (!list)
        return NULL;
    for (const struct json *element = list->first; element; element = element->next) {
        struct fold_entry e = entry_read(element);
        TRY(e.sign > 0 ? finish_added(g, a, c, &e) : finish_removed(g, a, c, &e));
    }
    return finish_close(g, a, c, item_number(item, c->version, 0));
}

struct error *fold_finish(struct graph *g, struct arena *a, const struct counter *c) {
    const struct json *item;
    TRY(graph_get_item(g, a, c->pk, c->sk, &item));
    return finish_read(g, a, c, item);
}

/* --- Folding ---------------------------------------------------------------------------------- */

/* Whether an edge is counted by this counter; the sign is 0 when it is counted already. */
static struct error *entry_decide(struct graph *g, struct arena *a, const struct counter *c,
                                  const struct edge_keys *k, struct fold_entry *e) {
    const struct json *item;
    struct edge_keys now;
    struct counter own;
    struct slice letter = slice_of(direction_letter(c->direction));
    e->sign = 0;
    TRY(graph_get_item(g, a, k->pk, k->sk, &item));
    if (!item || !edge_keys_of_item(g, a, c->type, item, &now))
        return NULL;
    TRY(counter_make(g, a, c->type, c->direction, c->direction == GRAPH_OUT ? now.src : now.dst,
                     now.shard, &own));
    if (!counter_same_item(c, &own))
        return NULL;
    *e = (struct fold_entry){k->pk, k->sk, item_text(item, SLICE("_op")), 0};
    if (item_set_has(item, SLICE("_f"), letter))
        e->sign = 1;
    else if (item_has(item, SLICE("_x")) && !item_set_has(item, SLICE("_g"), letter))
        e->sign = -1;
    return NULL;
}

static void entries_write(struct request *r, const struct fold_entry *entries, size_t count) {
    struct json_writer *w = &r->values;
    json_write_name(w, SLICE(":fold"));
    json_write_object_begin(w);
    json_write_name(w, SLICE("L"));
    json_write_array_begin(w);
    for (size_t i = 0; i < count; i++) {
        json_write_object_begin(w);
        json_write_name(w, SLICE("M"));
        json_write_object_begin(w);
        write_s(w, SLICE("p"), entries[i].pk);
        write_s(w, SLICE("s"), entries[i].sk);
        write_s(w, SLICE("o"), entries[i].op);
        write_n(w, SLICE("d"), entries[i].sign);
        json_write_object_end(w);
        json_write_object_end(w);
    }
    json_write_array_end(w);
    json_write_object_end(w);
    r->any_values = true;
}

static struct error *fold_open(struct graph *g, struct arena *a, const struct counter *c,
                               int64_t version, const struct fold_entry *entries, size_t count,
                               bool *applied) {
    struct request r;
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += entries[i].sign;
    request_begin(&r, g, a);
    request_key(&r, g, c->pk, c->sk);
    request_text(&r, "ConditionExpression",
                 version ? "#v = :v AND attribute_not_exists(#f)"
                         : "attribute_not_exists(#v) AND attribute_not_exists(#f)");
    request_text(&r, "UpdateExpression", "SET #f = :fold, #v = :next ADD #c :sum");
    request_name(&r, "#v", c->version);
    request_name(&r, "#f", c->fold);
    request_name(&r, "#c", c->count);
    if (version)
        request_n(&r, ":v", version);
    request_n(&r, ":next", version + 1);
    request_n(&r, ":sum", sum);
    entries_write(&r, entries, count);
    return graph_call_if(g, a, "UpdateItem", request_end(&r), applied);
}

struct error *fold_counter(struct graph *g, struct arena *a, const struct counter *c,
                           const struct edge_keys *edges, size_t count) {
    const struct json *item;
    struct fold_entry entries[FOLD_ENTRIES];
    size_t used = 0;
    bool applied;
    TRY(fold_finish(g, a, c));
    TRY(graph_get_item(g, a, c->pk, c->sk, &item));
    if (item_has(item, c->fold))
        return NULL;
    for (size_t i = 0; i < count && used < FOLD_ENTRIES; i++) {
        TRY(entry_decide(g, a, c, &edges[i], &entries[used]));
        used += entries[used].sign != 0;
    }
    if (used == 0)
        return NULL;
    TRY(fold_open(g, a, c, item_number(item, c->version, 0), entries, used, &applied));
    /* A lost reply makes a write that was done look refused: what is there is finished anyway. */
    return fold_finish(g, a, c);
}
