/*
 * Several paths as one tree, so that an item is walked once for all of them.
 *
 * The paths are sorted; then each node's paths are neighbours and its children come out sorted too.
 * Two paths that overlap, or that use one value both as a map and as a list, are neighbours in this
 * order as well, so finding that there are none is cheap; only when there are is every pair looked
 * at, to report the pair that comes first in the text.
 */
#include <stdlib.h>

#include "expr/expr_int.h"

struct path_entry {
    const struct path *path;
    int number;
};

enum path_relation { PATHS_APART, PATHS_OVERLAP, PATHS_CONFLICT };

static enum path_relation path_relate(const struct path *a, const struct path *b) {
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        const struct path_step *x = &a->steps[i], *y = &b->steps[i];
        if (x->kind != y->kind)
            return PATHS_CONFLICT;
        if (x->kind == PATH_NAME ? !slice_equal(x->name, y->name) : x->index != y->index)
            return PATHS_APART;
    }
    return PATHS_OVERLAP;
}

static int path_entry_compare(const void *a, const void *b) {
    const struct path_entry *x = a, *y = b;
    return path_compare(x->path, y->path);
}

static struct path_entry *path_entries_sorted(struct arena *a, const struct path *paths,
                                              size_t count) {
    struct path_entry *entries = arena_array(a, count, sizeof *entries);
    for (size_t i = 0; i < count; i++)
        entries[i] = (struct path_entry){&paths[i], (int)i};
    qsort(entries, count, sizeof *entries, path_entry_compare);
    return entries;
}

static struct error *path_relation_error(struct parser *p, const char *what, const struct path *one,
                                         const struct path *two) {
    return parser_error(p,
                        "Two document paths %s with each other; must remove or rewrite one of "
                        "these paths; path one: %.*s, path two: %.*s",
                        what, SLICE_ARG(path_print(p->arena, one)),
                        SLICE_ARG(path_print(p->arena, two)));
}

/* The first pair in this relation, by its second path. */
static struct error *path_find_relation(struct parser *p, const struct path *paths, size_t count,
                                        enum path_relation relation, const char *what) {
    for (size_t j = 1; j < count; j++)
        for (size_t i = 0; i < j; i++)
            if (path_relate(&paths[i], &paths[j]) == relation)
                return path_relation_error(p, what, &paths[i], &paths[j]);
    return NULL;
}

/* Builds the children of `node` from its paths, all of which have more than `depth` steps. */
static void path_tree_fill(struct arena *a, struct path_tree *node,
                           const struct path_entry *entries, size_t count, size_t depth) {
    struct path_tree *children = arena_array(a, count, sizeof *children);
    size_t used = 0;
    for (size_t from = 0, to; from < count; from = to) {
        const struct path_step *step = &entries[from].path->steps[depth];
        to = from + 1;
        while (to < count &&
               path_relate(&(struct path){step, 1},
                           &(struct path){&entries[to].path->steps[depth], 1}) == PATHS_OVERLAP)
            to++;
        struct path_tree *child = &children[used++];
        *child = (struct path_tree){.step = *step, .path = PATH_TREE_INNER};
        if (entries[from].path->count == depth + 1)
            child->path = entries[from].number;
        else
            path_tree_fill(a, child, entries + from, to - from, depth + 1);
    }
    node->children = children;
    node->count = used;
}

static const struct path_tree *path_tree_build(struct arena *a, const struct path_entry *entries,
                                               size_t count) {
    struct path_tree *root = arena_alloc(a, sizeof *root);
    root->path = PATH_TREE_INNER;
    path_tree_fill(a, root, entries, count, 0);
    return root;
}

struct error *path_tree_create(struct parser *p, const struct path *paths, size_t count,
                               const struct path_tree **out) {
    struct path_entry *entries = path_entries_sorted(p->arena, paths, count);
    bool clash = false;
    for (size_t i = 1; i < count; i++)
        clash |= path_relate(entries[i - 1].path, entries[i].path) != PATHS_APART;
    if (clash) {
        TRY(path_find_relation(p, paths, count, PATHS_OVERLAP, "overlap"));
        TRY(path_find_relation(p, paths, count, PATHS_CONFLICT, "conflict"));
    }
    *out = path_tree_build(p->arena, entries, count);
    return NULL;
}

const struct path_tree *path_tree_of(struct arena *a, const struct path *paths, size_t count) {
    return path_tree_build(a, path_entries_sorted(a, paths, count), count);
}

/* --- Selecting -------------------------------------------------------------------------------- */

static bool path_tree_select_value(struct arena *a, const struct path_tree *node,
                                   const struct value *v, struct value *out);

static struct item path_tree_select_map(struct arena *a, const struct path_tree *node,
                                        const struct item *map) {
    struct attribute *attributes = arena_array(a, node->count, sizeof *attributes);
    size_t count = 0;
    for (size_t i = 0; i < node->count; i++) {
        const struct path_tree *child = &node->children[i];
        const struct value *v = item_find(map, child->step.name);
        if (v && path_tree_select_value(a, child, v, &attributes[count].value))
            attributes[count++].name = child->step.name;
    }
    return (struct item){attributes, count};
}

static size_t path_tree_select_list(struct arena *a, const struct path_tree *node,
                                    const struct value *list, struct value *members) {
    size_t count = 0;
    for (size_t i = 0; i < node->count; i++) {
        const struct path_tree *child = &node->children[i];
        if (child->step.index < list->list.count &&
            path_tree_select_value(a, child, &list->list.members[child->step.index],
                                   &members[count]))
            count++;
    }
    return count;
}

/* False when nothing of the value is selected: then nothing stands in its place either. */
static bool path_tree_select_value(struct arena *a, const struct path_tree *node,
                                   const struct value *v, struct value *out) {
    if (node->path != PATH_TREE_INNER) {
        *out = *v;
        return true;
    }
    enum path_step_kind kind = node->children[0].step.kind;
    if (kind == PATH_NAME && v->type == VALUE_M) {
        struct item map = path_tree_select_map(a, node, &v->map);
        *out = (struct value){.type = VALUE_M, .map = map};
        return map.count > 0;
    }
    if (kind == PATH_INDEX && v->type == VALUE_L) {
        struct value *members = arena_array(a, node->count, sizeof *members);
        size_t count = path_tree_select_list(a, node, v, members);
        *out = (struct value){.type = VALUE_L};
        out->list.members = members;
        out->list.count = count;
        return count > 0;
    }
    return false;
}

struct item path_tree_select(struct arena *a, const struct path_tree *tree,
                             const struct item *item) {
    return path_tree_select_map(a, tree, item);
}
