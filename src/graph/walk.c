/*
 * Walks, level by level, within budgets: nodes met, edges looked at, time.
 *
 * A walk that a budget ends says so; it never looks complete when it is not.
 */
#include "base/clock.h"
#include "graph/edge.h"
#include "graph/id_set.h"

enum { WALK_DEPTH = 1, WALK_NODES = 10000, WALK_EDGES = 100000, WALK_MS = 10000, WALK_PAGE = 500 };

struct walk {
    struct graph *graph;
    struct arena *arena; /* of what is met */
    struct arena *page;  /* reset with each page */
    struct graph_walk_budget budget;
    int64_t deadline_ns;
    uint64_t edges;
    const char *truncated;
};

static struct walk walk_begin(struct graph *g, struct arena *a,
                              const struct graph_walk_budget *budget) {
    struct walk w = {.graph = g, .arena = a, .page = arena_create(), .budget = *budget};
    w.budget.depth = budget->depth ? budget->depth : WALK_DEPTH;
    w.budget.nodes = budget->nodes ? budget->nodes : WALK_NODES;
    w.budget.edges = budget->edges ? budget->edges : WALK_EDGES;
    w.budget.milliseconds = budget->milliseconds ? budget->milliseconds : WALK_MS;
    w.deadline_ns = clock_monotonic_ns() + (int64_t)w.budget.milliseconds * 1000000;
    return w;
}

static struct error *walk_end(struct walk *w, struct error *e) {
    struct error *kept = e ? graph_error_keep(w->arena, e) : NULL;
    arena_destroy(w->page);
    return kept;
}

static bool walk_spent(struct walk *w, const struct id_set *met) {
    if (w->truncated)
        return true;
    if (met->count >= w->budget.nodes)
        w->truncated = "max-nodes";
    else if (w->edges >= w->budget.edges)
        w->truncated = "max-edges";
    else if (clock_monotonic_ns() >= w->deadline_ns)
        w->truncated = "deadline";
    return w->truncated != NULL;
}

/* Meets a row's neighbours, page by page, as far as the budgets go. */
static struct error *walk_expand(struct walk *w, struct slice type, enum graph_direction direction,
                                 struct id_set *met, uint32_t row) {
    struct slice cursor = SLICE("");
    do {
        struct graph_page page;
        uint64_t left = w->budget.edges - w->edges;
        struct graph_list list = {.type = type,
                                  .id = met->rows[row].id,
                                  .direction = direction,
                                  .limit = left < WALK_PAGE ? (uint32_t)left : WALK_PAGE,
                                  .cursor = cursor};
        if (walk_spent(w, met))
            return NULL;
        TRY(graph_list(w->graph, w->page, &list, &page));
        for (size_t i = 0; i < page.count; i++) {
            const struct graph_edge *e = &page.edges[i];
            uint32_t at;
            if (met->count >= w->budget.nodes)
                break;
            id_set_add(met, direction == GRAPH_OUT ? e->dst : e->src, row, met->rows[row].depth + 1,
                       &at);
            w->edges++;
        }
        cursor = arena_copy(w->arena, page.cursor);
        arena_reset(w->page);
    } while (cursor.len > 0);
    return NULL;
}

/* Expands all rows from `from` to `to`. */
static struct error *walk_level(struct walk *w, struct slice type, enum graph_direction direction,
                                struct id_set *met, size_t from, size_t to) {
    for (size_t row = from; row < to && !walk_spent(w, met); row++)
        TRY(walk_expand(w, type, direction, met, (uint32_t)row));
    return NULL;
}

/* --- All within a depth ----------------------------------------------------------------------- */

static struct error *walk_all(struct walk *w, struct slice type, enum graph_direction direction,
                              struct id_set *met) {
    size_t from = 0;
    for (uint32_t depth = 0; depth < w->budget.depth && from < met->count; depth++) {
        size_t to = met->count;
        TRY(walk_level(w, type, direction, met, from, to));
        from = to;
    }
    return NULL;
}

struct error *graph_walk(struct graph *g, struct arena *a, struct slice type, struct slice id,
                         enum graph_direction direction, const struct graph_walk_budget *budget,
                         struct graph_walk *out) {
    const struct edge_type *t;
    uint32_t row;
    TRY(descriptor_edge(a, &g->d, type, &t));
    if (t->from != t->to && budget->depth > 1)
        return graph_error(a, GRAPH_INVALID, "%.*s leads to nodes of another type: one step only",
                           SLICE_ARG(type));
    struct walk w = walk_begin(g, a, budget);
    struct id_set met = id_set_create(a);
    id_set_add(&met, id, ID_SET_NONE, 0, &row);
    TRY(walk_end(&w, walk_all(&w, type, direction, &met)));
    struct graph_walk result = {.nodes = arena_array(a, met.count, sizeof *result.nodes),
                                .edges_examined = w.edges,
                                .truncated = w.truncated};
    for (size_t i = 1; i < met.count; i++)
        result.nodes[result.count++] = (struct graph_walk_node){met.rows[i].id, met.rows[i].depth};
    *out = result;
    return NULL;
}

/* --- A shortest path -------------------------------------------------------------------------- */

/* Two searches that meet: leaving `from`, coming to `to`. */
struct search {
    struct id_set met;
    size_t frontier; /* the first row of the newest level */
    enum graph_direction direction;
};

/* A row of the newest level that the other side has met with the least depth there. */
static bool searches_meet(const struct search *s, size_t first, const struct search *other,
                          uint32_t *mine, uint32_t *theirs) {
    uint32_t best = UINT32_MAX;
    for (size_t row = first; row < s->met.count; row++) {
        uint32_t at;
        if (!id_set_find(&other->met, s->met.rows[row].id, &at))
            continue;
        uint32_t length = s->met.rows[row].depth + other->met.rows[at].depth;
        if (length >= best)
            continue;
        best = length;
        *mine = (uint32_t)row;
        *theirs = at;
    }
    return best != UINT32_MAX;
}

/* From the start to the meeting, then on to the end. */
static void path_write(struct arena *a, const struct search *s, uint32_t mine,
                       const struct search *other, uint32_t theirs, struct graph_path *out) {
    const struct search *front = s->direction == GRAPH_OUT ? s : other;
    const struct search *back = s->direction == GRAPH_OUT ? other : s;
    uint32_t at = front == s ? mine : theirs, then = front == s ? theirs : mine;
    size_t lead = front->met.rows[at].depth + 1;
    out->count = lead + back->met.rows[then].depth;
    out->ids = arena_array(a, out->count, sizeof *out->ids);
    for (size_t i = lead; i-- > 0; at = front->met.rows[at].from)
        out->ids[i] = front->met.rows[at].id;
    for (size_t i = lead; i < out->count; i++) {
        then = back->met.rows[then].from;
        out->ids[i] = back->met.rows[then].id;
    }
}

static struct error *path_search(struct walk *w, struct slice type, struct search *a,
                                 struct search *b, struct graph_path *out) {
    uint32_t mine, theirs;
    if (searches_meet(a, 0, b, &mine, &theirs)) {
        path_write(w->arena, a, mine, b, theirs, out);
        return NULL;
    }
    for (uint32_t steps = 0; steps < w->budget.depth; steps++) {
        /* The side with fewer nodes to expand. */
        bool first = a->met.count - a->frontier <= b->met.count - b->frontier;
        struct search *s = first ? a : b, *other = first ? b : a;
        size_t to = s->met.count;
        TRY(walk_level(w, type, s->direction, &s->met, s->frontier, to));
        s->frontier = to;
        if (searches_meet(s, to, other, &mine, &theirs)) {
            path_write(w->arena, s, mine, other, theirs, out);
            return NULL;
        }
        if (w->truncated || s->met.count == to)
            return NULL;
    }
    return NULL;
}

struct error *graph_path(struct graph *g, struct arena *a, struct slice type, struct slice from,
                         struct slice to, const struct graph_walk_budget *budget,
                         struct graph_path *out) {
    const struct edge_type *t;
    struct graph_path result = {0};
    uint32_t row;
    TRY(descriptor_edge(a, &g->d, type, &t));
    if (t->from != t->to)
        return graph_error(a, GRAPH_INVALID, "%.*s leads to nodes of another type: no path",
                           SLICE_ARG(type));
    struct walk w = walk_begin(g, a, budget);
    struct search front = {id_set_create(a), 0, GRAPH_OUT}, back = {id_set_create(a), 0, GRAPH_IN};
    id_set_add(&front.met, from, ID_SET_NONE, 0, &row);
    id_set_add(&back.met, to, ID_SET_NONE, 0, &row);
    TRY(walk_end(&w, path_search(&w, type, &front, &back, &result)));
    result.edges_examined = w.edges;
    /* A path that was found is one; the budget only matters where none was. */
    result.truncated = result.count ? NULL : w.truncated;
    *out = result;
    return NULL;
}
