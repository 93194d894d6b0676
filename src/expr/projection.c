/*
 * projection = path ("," path)*
 */
#include "expr/expr_int.h"

struct projected {
    struct path path;
    struct projected *next;
};

static struct error *projection_parse_paths(struct parser *p, struct projected **out,
                                            size_t *count) {
    do {
        struct projected *item = arena_alloc(p->arena, sizeof *item);
        TRY(path_parse(p, &item->path));
        *out = item;
        out = &item->next;
        ++*count;
    } while (parser_take(p, TOKEN_COMMA));
    return parser_expect(p, TOKEN_END);
}

struct error *projection_parse(struct arena *a, struct expr_scope *scope, struct slice text,
                               struct projection *out) {
    struct parser p;
    struct projected *list = NULL;
    const struct path_tree *tree;
    size_t count = 0;
    TRY(parser_start(&p, a, scope, text, "ProjectionExpression"));
    TRY(projection_parse_paths(&p, &list, &count));
    struct path *paths = arena_array(a, count, sizeof *paths);
    for (size_t i = 0; i < count; i++, list = list->next)
        paths[i] = list->path;
    for (size_t i = 0; i < count; i++)
        TRY(path_check(&p, &paths[i]));
    for (size_t i = 0; i < count; i++)
        TRY(path_resolve(&p, &paths[i]));
    TRY(path_tree_create(&p, paths, count, &tree));
    *out = (struct projection){paths, count, tree};
    return NULL;
}

struct projection projection_of_attributes(struct arena *a, const struct slice *names,
                                           size_t count) {
    struct path *paths = arena_array(a, count, sizeof *paths);
    for (size_t i = 0; i < count; i++) {
        struct path_step *step = arena_alloc(a, sizeof *step);
        *step = (struct path_step){.kind = PATH_NAME, .name = names[i]};
        paths[i] = (struct path){step, 1};
    }
    return (struct projection){paths, count, path_tree_of(a, paths, count)};
}

struct item projection_apply(struct arena *a, const struct projection *p, const struct item *item) {
    return path_tree_select(a, p->tree, item);
}
