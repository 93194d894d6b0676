/* Neighbours that two nodes have in common: two lists in one order, merged. */
#include "graph/graph_int.h"

enum { COMMON_PAGE = 500 };

struct side {
    struct graph_list list;
    struct graph_page page;
    size_t at;
    bool started;
};

/* The next id, false at the end. */
static struct error *side_next(struct graph *g, struct arena *a, struct side *s, struct slice *id,
                               bool *more) {
    while (s->at == s->page.count && (!s->started || s->list.cursor.len > 0)) {
        TRY(graph_list(g, a, &s->list, &s->page));
        s->list.cursor = s->page.cursor;
        s->at = 0;
        s->started = true;
    }
    *more = s->at < s->page.count;
    if (*more) {
        const struct graph_edge *e = &s->page.edges[s->at++];
        *id = s->list.direction == GRAPH_OUT ? e->dst : e->src;
    }
    return NULL;
}

/* Lists are in the order of written ids, in which `#` and `%` are escaped: the written forms differ
 * from the ids there.  Where they compare differently the escaped byte is `%`. */
static int written_compare(struct slice a, struct slice b) {
    size_t n = a.len < b.len ? a.len : b.len;
    for (size_t i = 0; i < n; i++) {
        if (a.ptr[i] == b.ptr[i])
            continue;
        bool escaped_a = a.ptr[i] == '#' || a.ptr[i] == '%';
        bool escaped_b = b.ptr[i] == '#' || b.ptr[i] == '%';
        if (escaped_a && escaped_b)
            return a.ptr[i] == '#' ? -1 : 1; /* %23 before %25 */
        unsigned char x = escaped_a ? '%' : (unsigned char)a.ptr[i];
        unsigned char y = escaped_b ? '%' : (unsigned char)b.ptr[i];
        return x < y ? -1 : 1;
    }
    return a.len == b.len ? 0 : a.len < b.len ? -1 : 1;
}

struct error *graph_common(struct graph *g, struct arena *a, struct slice type, struct slice one,
                           struct slice two, enum graph_direction direction, uint32_t limit,
                           struct slice **ids, size_t *count) {
    const struct edge_type *t;
    struct side left = {.list = {type, one, direction, COMMON_PAGE, false, false, SLICE("")}};
    struct side right = {.list = {type, two, direction, COMMON_PAGE, false, false, SLICE("")}};
    struct slice x, y;
    bool more_x, more_y;
    TRY(descriptor_edge(a, &g->d, type, &t));
    if (t->by_time && direction == GRAPH_IN)
        return graph_error(a, GRAPH_UNSUPPORTED, "%.*s is ordered by time: its lists do not merge",
                           SLICE_ARG(type));
    struct slice *found = arena_array(a, limit, sizeof *found);
    size_t used = 0;
    TRY(side_next(g, a, &left, &x, &more_x));
    TRY(side_next(g, a, &right, &y, &more_y));
    while (more_x && more_y && used < limit) {
        int order = written_compare(x, y);
        if (order == 0)
            found[used++] = x;
        if (order <= 0)
            TRY(side_next(g, a, &left, &x, &more_x));
        if (order >= 0)
            TRY(side_next(g, a, &right, &y, &more_y));
    }
    *ids = found;
    *count = used;
    return NULL;
}
