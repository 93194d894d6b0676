/*
 * Document paths: a.b[3].#c
 */
#include "expr/expr_int.h"

#define PATH_INDEX_TOO_LARGE UINT32_MAX

/* The digits as a number; AWS's indexes are Java ints. */
static uint32_t path_index_of(struct slice digits) {
    uint64_t n;
    if (digits.len > 10 || !slice_to_u64(digits, &n) || n > INT32_MAX)
        return PATH_INDEX_TOO_LARGE;
    return (uint32_t)n;
}

static struct error *path_parse_name(struct parser *p, struct path_step *out) {
    if (p->token.kind != TOKEN_NAME && p->token.kind != TOKEN_ALIAS)
        return parser_syntax_error(p);
    *out = (struct path_step){.kind = PATH_NAME, .name = p->token.text};
    parser_next(p);
    return NULL;
}

static struct error *path_parse_index(struct parser *p, struct path_step *out) {
    if (p->token.kind != TOKEN_INDEX)
        return parser_syntax_error(p);
    *out = (struct path_step){
        .kind = PATH_INDEX, .name = p->token.text, .index = path_index_of(p->token.text)};
    parser_next(p);
    return parser_expect(p, TOKEN_CLOSE_INDEX);
}

/* Room for one step more at the end. */
static struct path_step *path_grow(struct arena *a, struct path_step *steps, size_t count) {
    if (count & (count - 1))
        return steps; /* room is always a power of two */
    struct path_step *more = arena_array(a, count * 2, sizeof *more);
    memcpy(more, steps, count * sizeof *steps);
    return more;
}

struct error *path_parse(struct parser *p, struct path *out) {
    struct path_step *steps = arena_alloc(p->arena, sizeof *steps);
    TRY(path_parse_name(p, steps));
    size_t count = 1;
    while (p->token.kind == TOKEN_DOT || p->token.kind == TOKEN_OPEN_INDEX) {
        steps = path_grow(p->arena, steps, count);
        bool name = p->token.kind == TOKEN_DOT;
        parser_next(p);
        TRY(name ? path_parse_name(p, &steps[count]) : path_parse_index(p, &steps[count]));
        count++;
    }
    *out = (struct path){steps, count};
    return NULL;
}

static bool path_step_alias(const struct path_step *step) {
    return step->kind == PATH_NAME && step->name.ptr[0] == '#';
}

struct error *path_check(struct parser *p, const struct path *path) {
    for (size_t i = 0; i < path->count; i++) {
        const struct path_step *step = &path->steps[i];
        if (step->kind == PATH_INDEX && step->index == PATH_INDEX_TOO_LARGE)
            return parser_error(p, "List index is not within the allowable range; index: [%.*s]",
                                SLICE_ARG(step->name));
        if (step->kind == PATH_NAME && !path_step_alias(step) && reserved_word(step->name))
            return parser_error(p, "Attribute name is a reserved keyword; reserved keyword: %.*s",
                                SLICE_ARG(step->name));
    }
    return NULL;
}

struct error *path_resolve(struct parser *p, struct path *path) {
    struct path_step *steps = arena_array(p->arena, path->count, sizeof *steps);
    memcpy(steps, path->steps, path->count * sizeof *steps);
    for (size_t i = 0; i < path->count; i++) {
        if (path_step_alias(&steps[i]) &&
            !scope_find_name(p->scope, path->steps[i].name, &steps[i].name))
            return parser_error(p,
                                "An expression attribute name used in the document path is not "
                                "defined; attribute name: %.*s",
                                SLICE_ARG(path->steps[i].name));
    }
    if (path->count > LIMIT_VALUE_DEPTH)
        return parser_error(p, "The document path has too many nesting levels; nesting levels: %zu",
                            path->count);
    path->steps = steps;
    return NULL;
}

static int path_step_compare(const struct path_step *a, const struct path_step *b) {
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->kind == PATH_NAME)
        return slice_compare(a->name, b->name);
    return a->index < b->index ? -1 : a->index > b->index;
}

int path_compare(const struct path *a, const struct path *b) {
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        int order = path_step_compare(&a->steps[i], &b->steps[i]);
        if (order)
            return order;
    }
    return a->count < b->count ? -1 : a->count > b->count;
}

struct slice path_print(struct arena *a, const struct path *path) {
    struct buf out = buf_in(a, LIMIT_BODY_BYTES);
    buf_add_char(&out, '[');
    for (size_t i = 0; i < path->count; i++) {
        if (i)
            buf_add(&out, SLICE(", "));
        if (path->steps[i].kind == PATH_INDEX)
            buf_printf(&out, "[%u]", path->steps[i].index);
        else
            buf_add(&out, path->steps[i].name);
    }
    buf_add_char(&out, ']');
    return buf_slice(&out);
}

static const struct value *path_step_find(const struct path_step *step, const struct value *in) {
    if (step->kind == PATH_NAME)
        return in->type == VALUE_M ? item_find(&in->map, step->name) : NULL;
    if (in->type != VALUE_L || step->index >= in->list.count)
        return NULL;
    return &in->list.members[step->index];
}

const struct value *path_find(const struct path *path, const struct item *item) {
    const struct value *v = item_find(item, path->steps[0].name);
    for (size_t i = 1; v && i < path->count; i++)
        v = path_step_find(&path->steps[i], v);
    return v;
}
