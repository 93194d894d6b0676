/*
 * An edge becomes one of another type ("invited" becomes "friend").
 *
 * First the new edge, then the end of the old one: a crash between leaves both, and the same call
 * again finishes.  The edge is never neither.
 */
#include "graph/graph_int.h"

struct error *graph_edge_retype(struct graph *g, struct arena *a, const struct graph_edge *edge,
                                struct slice type, bool *created) {
    struct graph_edge old = *edge, new = *edge;
    bool found, deleted;
    if (slice_equal(type, edge->type))
        return graph_error(a, GRAPH_INVALID, "the edge is of the type %.*s already",
                           SLICE_ARG(type));
    TRY(graph_edge_get(g, a, &old, &found));
    new.type = type;
    new.attributes = old.attributes;
    if (!found)
        return graph_error(a, GRAPH_NOT_FOUND, "there is no edge %.*s %.*s -> %.*s",
                           SLICE_ARG(edge->type), SLICE_ARG(edge->src), SLICE_ARG(edge->dst));
    TRY(graph_edge_put(g, a, &new, GRAPH_IF_ABSENT, created));
    return graph_edge_delete(g, a, &old, &deleted);
}
