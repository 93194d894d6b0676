#include "graph/code.h"

static const struct {
    const char *name;
    struct slice type;
    int status;
} code_rows[] = {
#define X(name, code, status, meaning) {code, SLICE_INIT("stator.graph#" code), status},
    GRAPH_CODES(X)
#undef X
};

const char *graph_code_name(enum graph_code code) {
    return code_rows[code].name;
}

int graph_code_status(enum graph_code code) {
    return code_rows[code].status;
}

struct error *graph_error(struct arena *a, enum graph_code code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    struct slice text = arena_vprintf(a, format, args);
    va_end(args);
    struct error *e = error_new(a, ERR_REMOTE, "%.*s", SLICE_ARG(text));
    e->type = code_rows[code].type;
    return e;
}

struct error *graph_error_keep(struct arena *a, const struct error *e) {
    struct error *kept = error_new(a, e->kind, "%.*s", SLICE_ARG(e->message));
    kept->type = arena_copy(a, e->type);
    kept->details = arena_copy(a, e->details);
    return kept;
}

enum graph_code graph_error_code(const struct error *e) {
    for (size_t i = 0; i < GRAPH_CODE_COUNT; i++)
        if (slice_equal(e->type, code_rows[i].type))
            return (enum graph_code)i;
    switch (e->kind) {
    case ERR_VALIDATION:
    case ERR_SERIALIZATION:
        return GRAPH_INVALID;
    case ERR_LOCAL:
        return GRAPH_TIMED_OUT;
    case ERR_CONDITIONAL_CHECK_FAILED:
        return GRAPH_CONDITION;
    case ERR_RESOURCE_NOT_FOUND:
        return GRAPH_NOT_FOUND;
    default:
        return GRAPH_ENDPOINT;
    }
}
