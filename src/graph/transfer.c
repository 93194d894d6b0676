/* Loading and exporting edges. */
#include "graph/transfer.h"

#include "graph/edge.h"

/* --- Export ----------------------------------------------------------------------------------- */

static struct error *export_item(struct graph *g, struct arena *a, const struct edge_type *only,
                                 const struct json *item, graph_edge_sink sink, void *of) {
    struct edge_keys k;
    const struct edge_type *t = only ? only : edge_type_of_item(g, a, item);
    if (!t || item_has(item, SLICE("_x")) || !edge_keys_of_item(g, a, t, item, &k))
        return NULL;
    struct graph_edge edge = {t->name, k.src, k.dst, item_attributes(g, a, item)};
    return sink(of, a, &edge);
}

static struct error *export_page(struct graph *g, struct arena *a, const struct edge_type *only,
                                 const struct json **start, graph_edge_sink sink, void *of) {
    struct request r;
    const struct json *reply;
    request_begin(&r, g, a);
    if (*start) {
        json_write_name(&r.w, SLICE("ExclusiveStartKey"));
        json_write_tree(&r.w, *start);
    }
    TRY(graph_call(g, a, "Scan", request_end(&r), &reply));
    const struct json *items = json_member(reply, SLICE("Items"));
    for (const struct json *item = items ? items->first : NULL; item; item = item->next)
        TRY(export_item(g, a, only, item, sink, of));
    *start = json_member(reply, SLICE("LastEvaluatedKey"));
    return NULL;
}

/* Two arenas in turn: the next page's start is in the one before. */
struct error *graph_export(struct graph *g, struct arena *a, struct slice type,
                           graph_edge_sink sink, void *of) {
    const struct edge_type *only = NULL;
    const struct json *start = NULL;
    struct error *e;
    if (type.len > 0)
        TRY(descriptor_edge(a, &g->d, type, &only));
    struct arena *pages[] = {arena_create(), arena_create()};
    unsigned turn = 0;
    do {
        turn = !turn;
        arena_reset(pages[turn]);
        e = export_page(g, pages[turn], only, &start, sink, of);
    } while (!e && start);
    if (e)
        e = graph_error_keep(a, e);
    arena_destroy(pages[0]);
    arena_destroy(pages[1]);
    return e;
}

/* --- Load ------------------------------------------------------------------------------------- */

static struct error *load_rows(struct graph *g, struct transfer_reader *r, struct arena *row,
                               struct slice type, struct graph_load *out) {
    for (;;) {
        struct graph_edge edge;
        bool more, created;
        arena_reset(row);
        TRY(transfer_read(r, row, type, &edge, &more));
        if (!more)
            return NULL;
        TRY(graph_edge_put(g, row, &edge, GRAPH_IF_ABSENT, &created));
        out->rows++;
        out->created += created;
    }
}

static bool any_fold(const struct graph *g) {
    for (size_t i = 0; i < g->d.edge_count; i++)
        if (g->d.edges[i].counters == COUNTERS_FOLD)
            return true;
    return false;
}

struct error *graph_load(struct graph *g, struct arena *a, FILE *file, struct slice type,
                         struct graph_load *out) {
    struct transfer_reader r = {.file = file, .arena = a};
    struct graph_load result = {0};
    struct arena *row = arena_create();
    bool deferred = g->deferred;
    uint64_t folded;
    g->deferred = true; /* counted at the end, many edges at a time */
    struct error *e = load_rows(g, &r, row, type, &result);
    g->deferred = deferred;
    if (e)
        e = graph_error_keep(a, e);
    arena_destroy(row);
    /* What was put before a wrong row is counted, too. */
    struct error *counted = any_fold(g) ? graph_fold(g, a, &folded) : NULL;
    TRY(e);
    TRY(counted);
    *out = result;
    return NULL;
}
