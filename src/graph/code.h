/*
 * What can go wrong with a graph, as a code that programs can look at.
 *
 * An error of this room is a `struct error` whose wire type is "stator.graph#<code>"; one that the
 * endpoint sent keeps its own type and is told by its kind.
 */
#ifndef GRAPH_CODE_H
#define GRAPH_CODE_H

#include "base/error.h"

/* X(name, code, HTTP status, meaning) */
#define GRAPH_CODES(X)                                                                             \
    X(INVALID, "EINVAL", 400, "a template, id, limit or attribute is not allowed")                 \
    X(NOT_FOUND, "ENOTFOUND", 404, "there is no such graph, type, node, edge or job")              \
    X(EXISTS, "EEXIST", 409, "it is there already")                                                \
    X(CONFLICT, "ECONFLICT", 409, "others kept changing it; gave up after retries")                \
    X(CONDITION, "ECONDITION", 412, "the condition is false")                                      \
    X(DELETING, "ENODELETING", 410, "the node is being deleted")                                   \
    X(THROTTLED, "ETHROTTLED", 429, "the endpoint throttles")                                      \
    X(TIMED_OUT, "ETIMEDOUT", 504, "no answer in time; the outcome is unknown")                    \
    X(CURSOR, "ECURSOR", 400, "the cursor is damaged or of another list")                          \
    X(UNSUPPORTED, "EUNSUPPORTED", 501, "the endpoint or the type cannot do this")                 \
    X(ENDPOINT, "EENDPOINT", 502, "the endpoint refused a request")

enum graph_code {
#define X(name, ...) GRAPH_##name,
    GRAPH_CODES(X)
#undef X
        GRAPH_CODE_COUNT
};

struct error *graph_error(struct arena *a, enum graph_code code, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* The same error in another arena: the one it was made in is about to go. */
struct error *graph_error_keep(struct arena *a, const struct error *e);

/* Of any error that came through this room. */
enum graph_code graph_error_code(const struct error *e);

const char *graph_code_name(enum graph_code code);
int graph_code_status(enum graph_code code);

#endif
