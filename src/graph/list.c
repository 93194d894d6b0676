/*
 * A page of a list: the target's map, its partitions merged, and the map again if edges move.
 *
 * An edge that is there all the time is returned exactly once.  While edges are being moved between
 * shards the partitions are read one after another, sources before destinations, and a page during
 * which the map changed is read again.
 */
#include "graph/cursor.h"
#include "graph/list_source.h"

enum { LIST_LIMIT = 100, LIST_LIMIT_MAX = 10000 };

struct merge {
    const struct list_query *query;
    struct shard_map map;
    struct list_source *sources;
    size_t count;
    size_t first_rows; /* of each source at once */
};

/* --- The target's map ------------------------------------------------------------------------- */

static struct error *list_map(struct graph *g, struct arena *a, const struct edge_type *t,
                              const struct graph_list *list, struct shard_map *map) {
    const struct json *node;
    struct slice pk, sk;
    *map = (struct shard_map){0};
    if (list->direction == GRAPH_OUT || !t->to)
        return NULL;
    TRY(node_keys(a, t->to, list->id, &pk, &sk));
    TRY(graph_get_item(g, a, pk, sk, &node));
    *map = shard_map_of(a, t, node);
    return NULL;
}

/* --- The partitions --------------------------------------------------------------------------- */

static uint32_t root(uint32_t n) {
    uint32_t r = 0;
    while ((r + 1) * (r + 1) <= n)
        r++;
    return r;
}

/* The target's own partition first: edges move up from there, and down to it. */
static struct error *merge_open(struct graph *g, struct arena *a, const struct list_query *q,
                                const struct graph_list *list, uint32_t limit, struct slice after,
                                struct merge *m) {
    struct edge_keys k;
    m->query = q;
    m->count = 1 + (list->direction == GRAPH_IN ? m->map.read : 0);
    m->sources = arena_array(a, m->count, sizeof *m->sources);
    uint32_t share = limit / (uint32_t)m->count;
    /* Enough for most shards' share of a page; the few that run dry are read on. */
    m->first_rows = m->count == 1 || m->map.moving ? limit + 1 : share + 2 * root(share) + 2;
    if (list->direction == GRAPH_OUT) {
        struct key_binding binding = {SLICE("src"), list->id};
        TRY(key_template_build(a, &q->type->pk, &binding, 1, EDGE_PARTITION_MAX, &k.pk));
        m->sources[0] = (struct list_source){.partition = k.pk, .after = after};
    }
    for (size_t i = 0; i < m->count && list->direction == GRAPH_IN; i++) {
        m->sources[i].after = after;
        TRY(shard_partition(a, q->type, list->id, (int)i + SHARD_NONE, &m->sources[i].partition));
    }
    for (size_t i = 0; i < m->count; i++) {
        size_t at = m->map.moving == 'd' ? m->count - 1 - i : i;
        TRY(list_source_fill(g, a, q, &m->sources[at], m->first_rows));
    }
    return NULL;
}

/* The next row of all, NULL at the end. */
static struct error *merge_next(struct graph *g, struct arena *a, struct merge *m,
                                const struct list_row **out) {
    struct list_source *best = NULL;
    for (size_t i = 0; i < m->count; i++) {
        struct list_source *s = &m->sources[i];
        if (s->at == s->count && !s->done)
            TRY(list_source_fill(g, a, m->query, s, m->first_rows));
        if (s->at == s->count)
            continue;
        int order = best ? slice_compare(s->rows[s->at].key, best->rows[best->at].key) : -1;
        if (m->query->descending ? order > 0 || !best : order < 0)
            best = s;
    }
    *out = best ? &best->rows[best->at++] : NULL;
    return NULL;
}

/* --- Rows to edges ---------------------------------------------------------------------------- */

static struct error *merge_rows(struct graph *g, struct arena *a, struct merge *m,
                                const struct graph_list *list, uint32_t limit,
                                struct graph_page *page, struct slice *last) {
    const struct list_row *row;
    bool out = list->direction == GRAPH_OUT;
    page->edges = arena_array(a, limit, sizeof *page->edges);
    page->count = 0;
    for (;;) {
        TRY(merge_next(g, a, m, &row));
        if (row && slice_equal(row->key, *last))
            continue;
        if (!row)
            *last = SLICE("");
        if (!row || page->count == limit)
            return NULL;
        *last = row->key;
        struct graph_edge *edge = &page->edges[page->count++];
        *edge = (struct graph_edge){list->type, out ? list->id : row->other,
                                    out ? row->other : list->id, NULL};
        if (out && list->attributes)
            edge->attributes = item_attributes(g, a, row->item);
    }
}

/* What comes in has its attributes at the edge's own item.  An edge that has gone meanwhile is left
 * out. */
static struct error *page_attributes(struct graph *g, struct arena *a, struct graph_page *page) {
    bool *there = arena_array(a, page->count, sizeof *there);
    size_t kept = 0;
    TRY(graph_edge_get_many(g, a, page->edges, page->count, there));
    for (size_t i = 0; i < page->count; i++)
        if (there[i])
            page->edges[kept++] = page->edges[i];
    page->count = kept;
    return NULL;
}

static struct error *merge_page(struct graph *g, struct arena *a, struct merge *m,
                                const struct graph_list *list, uint32_t limit,
                                struct graph_page *page, struct slice *last) {
    TRY(merge_rows(g, a, m, list, limit, page, last));
    bool elsewhere = list->attributes && list->direction == GRAPH_IN;
    return elsewhere ? page_attributes(g, a, page) : NULL;
}

/* --- The whole -------------------------------------------------------------------------------- */

static struct error *list_try(struct graph *g, struct arena *a, const struct list_query *q,
                              const struct graph_list *list, struct slice after,
                              struct graph_page *page, struct slice *last, bool *steady) {
    struct merge m = {0};
    struct shard_map now;
    uint32_t limit = list->limit ? list->limit : LIST_LIMIT;
    TRY(list_map(g, a, q->type, list, &m.map));
    TRY(merge_open(g, a, q, list, limit, after, &m));
    *last = SLICE("");
    TRY(merge_page(g, a, &m, list, limit, page, last));
    TRY(list_map(g, a, q->type, list, &now));
    *steady = now.generation == m.map.generation;
    return NULL;
}

struct error *graph_list(struct graph *g, struct arena *a, const struct graph_list *list,
                         struct graph_page *out) {
    const struct edge_type *t;
    struct slice after = SLICE(""), last;
    struct patience patience = patience_begin(g);
    uint32_t binding = cursor_binding(g, list);
    struct graph_page page = {0};
    bool steady;
    TRY(descriptor_edge(a, &g->d, list->type, &t));
    if (list->limit > LIST_LIMIT_MAX)
        return graph_error(a, GRAPH_INVALID, "a page has at most %d rows", LIST_LIMIT_MAX);
    if (list->cursor.len > 0)
        TRY(cursor_read(a, list->cursor, binding, list->descending, &after));
    struct list_query q = list_query_of(g, t, list);
    for (;;) {
        TRY(list_try(g, a, &q, list, after, &page, &last, &steady));
        if (steady)
            break;
        if (!patience_wait(g, &patience))
            return graph_error(a, GRAPH_CONFLICT, "the target's shards keep changing");
    }
    page.eventual = q.indexed;
    page.cursor = last.len ? cursor_write(a, binding, list->descending, last) : SLICE("");
    *out = page;
    return NULL;
}
