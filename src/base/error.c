#include "base/error.h"

static const struct error_row {
    const char *type;
    int status;
    const char *member;
} error_rows[ERROR_KINDS] = {
#define X(name, type, status, member) [ERR_##name] = {type, status, member},
    ERROR_LIST(X)
#undef X
};

struct error *error_bare(struct arena *a, enum error_kind kind) {
    struct error *e = arena_alloc(a, sizeof *e);
    e->kind = kind;
    e->type = slice_of(error_rows[kind].type);
    return e;
}

struct error *error_new(struct arena *a, enum error_kind kind, const char *format, ...) {
    struct error *e = error_bare(a, kind);
    va_list args;
    va_start(args, format);
    e->message = arena_vprintf(a, format, args);
    va_end(args);
    return e;
}

int error_status(const struct error *e) {
    return error_rows[e->kind].status;
}

const char *error_text_member(const struct error *e) {
    return error_rows[e->kind].member;
}

struct slice error_short_type(const struct error *e) {
    const char *hash = e->type.len ? memchr(e->type.ptr, '#', e->type.len) : NULL;
    if (!hash)
        return e->type;
    return (struct slice){hash + 1, (size_t)(e->type.ptr + e->type.len - hash - 1)};
}
