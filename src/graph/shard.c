/*
 * Spreading a hot target's in-list over shards, and gathering it again.
 *
 * expand moves nothing: first readers learn of the new shards, then writers do, so what is written
 * with an old map still is where readers look.  rebalance and shrink move edges, each with its
 * counters in one transaction; readers know by `mv` (list.c).  A shard that is given up is closed
 * first, so that a writer with an old map fails and looks again, and is left out of the read set
 * only when its counter, which is read strongly, is 0: an index that is late cannot prove that.
 *
 * Each step is conditional on the map's generation and may be done again: a move that was
 * interrupted goes on when it is asked for again.
 */
#include "graph/list_source.h"
#include "graph/reverse.h"

enum { MOVE_PAGE = 100 };

struct target {
    struct graph *graph;
    const struct edge_type *type;
    struct slice id;
    struct slice pk, sk; /* its node's item */
    struct shard_map map;
};

/* --- The map ---------------------------------------------------------------------------------- */

static struct error *target_read(struct target *t, struct arena *a) {
    const struct json *node;
    TRY(graph_get_item(t->graph, a, t->pk, t->sk, &node));
    if (item_has(node, SLICE("_del")))
        return graph_error(a, GRAPH_DELETING, "the node %.*s is being deleted", SLICE_ARG(t->id));
    t->map = shard_map_of(a, t->type, node);
    return NULL;
}

static struct error *target_open(struct graph *g, struct arena *a, struct slice type,
                                 struct slice id, struct target *out) {
    struct target t = {.graph = g, .id = id};
    TRY(descriptor_edge(a, &g->d, type, &t.type));
    if (!t.type->to)
        return graph_error(a, GRAPH_UNSUPPORTED,
                           "%.*s has no node type \"to\" that could hold a "
                           "map of shards",
                           SLICE_ARG(type));
    TRY(node_keys(a, t.type->to, id, &t.pk, &t.sk));
    TRY(target_read(&t, a));
    *out = t;
    return NULL;
}

static bool map_same(const struct shard_map *a, const struct shard_map *b) {
    return a->read == b->read && a->write == b->write && a->moving == b->moving;
}

/* Stores `next` as the following generation.  ECONFLICT when another changed the map. */
static struct error *target_change(struct target *t, struct arena *a, struct shard_map next) {
    struct request r;
    bool applied;
    next.generation = t->map.generation + 1;
    request_begin(&r, t->graph, a);
    request_key(&r, t->graph, t->pk, t->sk);
    request_text(&r, "UpdateExpression", "SET #sh = :map");
    request_text(&r, "ConditionExpression",
                 t->map.generation ? "#sh.#g = :g AND attribute_not_exists(#del)"
                                   : "attribute_not_exists(#sh) AND attribute_not_exists(#del)");
    request_name(&r, "#sh", shard_map_name(a, t->type));
    request_name(&r, "#del", SLICE("_del"));
    if (t->map.generation) {
        request_name(&r, "#g", SLICE("g"));
        request_n(&r, ":g", t->map.generation);
    }
    json_write_name(&r.values, SLICE(":map"));
    shard_map_write(&r.values, &next);
    r.any_values = true;
    TRY(graph_call_if(t->graph, a, "UpdateItem", request_end(&r), &applied));
    TRY(target_read(t, a));
    /* Our own change, when its reply was lost, looks refused. */
    if (applied || map_same(&t->map, &next))
        return NULL;
    return graph_error(a, GRAPH_CONFLICT, "another changes the shards of %.*s", SLICE_ARG(t->id));
}

/* --- Opening and closing shards --------------------------------------------------------------- */

static struct error *shard_gate(struct target *t, struct arena *a, uint32_t shard, bool closed) {
    struct counter c;
    struct request r;
    bool applied;
    TRY(counter_make(t->graph, a, t->type, GRAPH_IN, t->id, (int)shard, &c));
    request_begin(&r, t->graph, a);
    request_key(&r, t->graph, c.pk, c.sk);
    request_text(&r, "UpdateExpression", closed ? "SET #c = :one" : "REMOVE #c");
    request_name(&r, "#c", SLICE("_closed"));
    if (closed)
        request_n(&r, ":one", 1);
    else /* nothing to open is well; some endpoints would make an item of it */
        request_text(&r, "ConditionExpression", "attribute_exists(#c)");
    return graph_call_if(t->graph, a, "UpdateItem", request_end(&r), &applied);
}

static struct error *shard_counted(struct target *t, struct arena *a, uint32_t from, uint32_t to,
                                   int64_t *sum) {
    *sum = 0;
    for (uint32_t shard = from; shard < to; shard++) {
        struct counter c;
        const struct json *item;
        TRY(counter_make(t->graph, a, t->type, GRAPH_IN, t->id, (int)shard, &c));
        TRY(graph_get_item(t->graph, a, c.pk, c.sk, &item));
        *sum += item_number(item, c.count, 0);
    }
    return NULL;
}

/* --- Moving one edge -------------------------------------------------------------------------- */

static const struct json *moved_edge(struct target *t, struct arena *a,
                                     const struct edge_keys *from, const struct edge_keys *to,
                                     struct slice op) {
    struct graph *g = t->graph;
    struct request r;
    bool single = !t->type->twofold, own = to->shard == SHARD_NONE;
    request_begin(&r, g, a);
    request_key(&r, g, from->pk, from->sk);
    request_text(&r, "ConditionExpression",
                 from->shard == SHARD_NONE
                     ? "#op = :op AND attribute_not_exists(#f) AND attribute_not_exists(#x) AND "
                       "attribute_not_exists(#s)"
                     : "#op = :op AND attribute_not_exists(#f) AND attribute_not_exists(#x) AND "
                       "#s = :from");
    struct slice update = arena_printf(a, "%s%s%s", single || !own ? "SET " : "",
                                       single ? (own ? "#ipk = :ipk" : "#ipk = :ipk, ") : "",
                                       own ? " REMOVE #s" : "#s = :to");
    json_member_string(&r.w, "UpdateExpression", update);
    request_name(&r, "#op", SLICE("_op"));
    request_name(&r, "#f", SLICE("_f"));
    request_name(&r, "#x", SLICE("_x"));
    request_name(&r, "#s", SLICE("_s"));
    request_s(&r, ":op", op);
    if (from->shard != SHARD_NONE)
        request_n(&r, ":from", from->shard);
    if (!own)
        request_n(&r, ":to", to->shard);
    if (single) {
        request_name(&r, "#ipk", g->d.ipk);
        request_s(&r, ":ipk", to->ipk);
    }
    return request_end(&r);
}

static struct error *moved_count(struct target *t, struct arena *a, struct transaction *tx,
                                 int shard, int by) {
    struct counter c;
    struct request r;
    TRY(counter_make(t->graph, a, t->type, GRAPH_IN, t->id, shard, &c));
    request_begin(&r, t->graph, a);
    request_key(&r, t->graph, c.pk, c.sk);
    request_text(&r, "UpdateExpression", "ADD #c :by");
    request_name(&r, "#c", c.count);
    request_n(&r, ":by", by);
    transaction_add(tx, "Update", request_end(&r));
    return NULL;
}

static struct error *move_edge(struct target *t, struct arena *a, const struct edge_keys *k,
                               bool *moved) {
    struct graph *g = t->graph;
    const struct json *item;
    struct edge_keys from, to;
    struct request r;
    struct transaction tx = {.token = graph_fresh_id(a)};
    *moved = false;
    TRY(graph_get_item(g, a, k->pk, k->sk, &item));
    if (!item || !edge_keys_of_item(g, a, t->type, item, &from))
        return NULL;
    to = from;
    TRY(edge_keys_turn(a, &to, shard_of(&t->map, from.src)));
    if (to.shard == from.shard)
        return NULL;
    struct slice op = item_text(item, SLICE("_op"));
    transaction_add(&tx, "Update", moved_edge(t, a, &from, &to, op));
    if (t->type->twofold) {
        request_begin(&r, g, a);
        request_key(&r, g, from.ipk, from.isk);
        transaction_add(&tx, "Delete", request_end(&r));
        request_begin(&r, g, a);
        reverse_write(g, a, &r.w, &to, op, false);
        transaction_add(&tx, "Put", request_end(&r));
    }
    TRY(moved_count(t, a, &tx, from.shard, -1));
    TRY(moved_count(t, a, &tx, to.shard, 1));
    return graph_transact(g, a, &tx, moved);
}

/* --- Moving a partition ----------------------------------------------------------------------- */

static struct error *move_rows(struct target *t, struct arena *a, const struct list_source *s,
                               uint64_t *moved) {
    for (size_t i = s->at; i < s->count; i++) {
        struct edge_keys k;
        bool done;
        TRY(edge_keys_make(t->graph, a, t->type, s->rows[i].other, t->id, &k));
        TRY(move_edge(t, a, &k, &done));
        *moved += done;
    }
    return NULL;
}

static struct error *move_partition(struct target *t, struct arena *a, int shard, uint64_t *moved) {
    struct graph_list list = {.type = t->type->name, .id = t->id, .direction = GRAPH_IN};
    struct list_query q = list_query_of(t->graph, t->type, &list);
    struct list_source s = {.partition = SLICE("")};
    struct arena *page = arena_create();
    struct error *e = shard_partition(a, t->type, t->id, shard, &s.partition);
    while (!e && !s.done) {
        struct slice after = arena_copy(a, s.after);
        arena_reset(page);
        s = (struct list_source){.partition = s.partition, .after = after};
        e = list_source_fill(t->graph, page, &q, &s, MOVE_PAGE);
        if (!e)
            e = move_rows(t, page, &s, moved);
    }
    if (e)
        e = graph_error_keep(a, e);
    arena_destroy(page);
    return e;
}

/* Sources before destinations: from below when edges go up, from above when they come down. */
static struct error *move_pass(struct target *t, struct arena *a, uint64_t *moved) {
    int top = (int)t->map.read - 1;
    for (int i = SHARD_NONE; i <= top; i++) {
        int shard = t->map.moving == 'd' ? top + SHARD_NONE - i : i;
        TRY(move_partition(t, a, shard, moved));
    }
    return NULL;
}

static struct error *move_supported(struct arena *a, const struct edge_type *t) {
    if (t->counters == COUNTERS_EXACT)
        return NULL;
    return graph_error(a, GRAPH_UNSUPPORTED,
                       "moving edges of %.*s between shards needs exact counters and "
                       "transactions; expand works without",
                       SLICE_ARG(t->name));
}

/* --- The three verbs -------------------------------------------------------------------------- */

static struct graph_shards shards_of(const struct target *t) {
    return (struct graph_shards){t->map.generation, t->map.read, t->map.write,
                                 t->map.moving == 'u'   ? "up"
                                 : t->map.moving == 'd' ? "down"
                                                        : NULL};
}

struct error *graph_shard_status(struct graph *g, struct arena *a, struct slice type,
                                 struct slice id, struct graph_shards *out) {
    struct target t;
    TRY(target_open(g, a, type, id, &t));
    *out = shards_of(&t);
    return NULL;
}

static struct error *shards_check(struct arena *a, const struct edge_type *t, uint32_t to) {
    if (to > t->max_shards || (to & (to - 1)))
        return graph_error(a, GRAPH_INVALID,
                           "the number of shards must be a power of two, at most "
                           "%u",
                           t->max_shards);
    return NULL;
}

struct error *graph_shard_expand(struct graph *g, struct arena *a, struct slice type,
                                 struct slice id, uint32_t to) {
    struct target t;
    TRY(target_open(g, a, type, id, &t));
    TRY(shards_check(a, t.type, to));
    if (t.map.moving)
        return graph_error(a, GRAPH_CONFLICT, "edges of %.*s are being moved", SLICE_ARG(id));
    if (to <= t.map.write)
        return t.map.write == to ? NULL
                                 : graph_error(a, GRAPH_INVALID, "%.*s has %u shards already",
                                               SLICE_ARG(id), t.map.write);
    struct shard_map next = t.map;
    uint32_t had = t.map.write;
    next.read = to > next.read ? to : next.read;
    TRY(target_change(&t, a, next));
    for (uint32_t shard = had; shard < to; shard++)
        TRY(shard_gate(&t, a, shard, false));
    next = t.map;
    next.write = to;
    return target_change(&t, a, next);
}

struct error *graph_shard_rebalance(struct graph *g, struct arena *a, struct slice type,
                                    struct slice id, uint64_t *moved) {
    struct target t;
    uint64_t pass;
    *moved = 0;
    TRY(target_open(g, a, type, id, &t));
    TRY(move_supported(a, t.type));
    if (t.map.moving == 'd')
        return graph_error(a, GRAPH_CONFLICT, "a shrink of %.*s is not finished", SLICE_ARG(id));
    struct shard_map next = t.map;
    next.moving = 'u';
    if (!t.map.moving)
        TRY(target_change(&t, a, next));
    do {
        pass = 0;
        TRY(move_pass(&t, a, &pass));
        *moved += pass;
    } while (pass > 0);
    next = t.map;
    next.moving = '\0';
    return target_change(&t, a, next);
}

/* Until the counters of the closed shards prove that they are empty. */
static struct error *shrink_drain(struct target *t, struct arena *a, uint64_t *moved) {
    struct patience patience = patience_begin(t->graph);
    int64_t left;
    for (;;) {
        uint64_t pass = 0;
        TRY(move_pass(t, a, &pass));
        *moved += pass;
        TRY(shard_counted(t, a, t->map.write, t->map.read, &left));
        if (left == 0)
            return NULL;
        if (pass > 0)
            patience = patience_begin(t->graph);
        if (!patience_wait(t->graph, &patience))
            return graph_error(a, GRAPH_CONFLICT,
                               "%lld edges are counted in closed shards of %.*s but not listed: "
                               "ask again, or fsck",
                               (long long)left, SLICE_ARG(t->id));
    }
}

struct error *graph_shard_shrink(struct graph *g, struct arena *a, struct slice type,
                                 struct slice id, uint32_t to, uint64_t *moved) {
    struct target t;
    *moved = 0;
    TRY(target_open(g, a, type, id, &t));
    TRY(move_supported(a, t.type));
    TRY(shards_check(a, t.type, to));
    bool goes_on = t.map.moving == 'd' && t.map.write == to;
    if (t.map.moving && !goes_on)
        return graph_error(a, GRAPH_CONFLICT, "edges of %.*s are being moved", SLICE_ARG(id));
    if (to >= t.map.write && !goes_on)
        return t.map.read == to ? NULL
                                : graph_error(a, GRAPH_INVALID, "%.*s has %u shards already",
                                              SLICE_ARG(id), t.map.write);
    struct shard_map next = t.map;
    next.write = to;
    next.moving = 'd';
    if (!goes_on)
        TRY(target_change(&t, a, next));
    for (uint32_t shard = to; shard < t.map.read; shard++)
        TRY(shard_gate(&t, a, shard, true));
    TRY(shrink_drain(&t, a, moved));
    next = t.map;
    next.read = to;
    next.moving = '\0';
    return target_change(&t, a, next);
}
