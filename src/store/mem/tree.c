/*
 * A persistent AVL tree.  A node and an entry are immutable once they are shared; a change copies
 * the nodes from the root down to it.  Entries are apart from nodes, so that copying a path does
 * not copy values.  The height is at most 1.44 log2 of the count, which bounds the recursion.
 */
#include "store/mem/tree.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "store/store_backend.h"

struct entry {
    atomic_size_t references;
    size_t key_len;
    size_t value_len;
    char bytes[]; /* the key, then the value */
};

struct tree {
    atomic_size_t references;
    int height;
    struct tree *left;
    struct tree *right;
    struct entry *entry;
};

static struct entry *entry_create(struct slice key, struct slice value) {
    struct entry *e = store_memory(sizeof *e + key.len + value.len);
    atomic_init(&e->references, 1);
    e->key_len = key.len;
    e->value_len = value.len;
    if (key.len)
        memcpy(e->bytes, key.ptr, key.len);
    if (value.len)
        memcpy(e->bytes + key.len, value.ptr, value.len);
    return e;
}

static struct entry *entry_retain(struct entry *e) {
    atomic_fetch_add_explicit(&e->references, 1, memory_order_relaxed);
    return e;
}

static void entry_release(struct entry *e) {
    if (atomic_fetch_sub_explicit(&e->references, 1, memory_order_acq_rel) == 1)
        free(e);
}

static struct slice entry_key(const struct entry *e) {
    return (struct slice){e->bytes, e->key_len};
}

static struct tree_entry entry_slices(const struct entry *e) {
    return (struct tree_entry){entry_key(e), {e->bytes + e->key_len, e->value_len}};
}

struct tree *tree_retain(struct tree *t) {
    if (t)
        atomic_fetch_add_explicit(&t->references, 1, memory_order_relaxed);
    return t;
}

void tree_release(struct tree *t) {
    if (!t || atomic_fetch_sub_explicit(&t->references, 1, memory_order_acq_rel) != 1)
        return;
    tree_release(t->left);
    tree_release(t->right);
    entry_release(t->entry);
    free(t);
}

static int tree_height(const struct tree *t) {
    return t ? t->height : 0;
}

/* A node of what it is given; it takes over the three references. */
static struct tree *tree_node(struct tree *left, struct entry *entry, struct tree *right) {
    struct tree *t = store_memory(sizeof *t);
    int l = tree_height(left), r = tree_height(right);
    atomic_init(&t->references, 1);
    t->height = (l > r ? l : r) + 1;
    t->left = left;
    t->right = right;
    t->entry = entry;
    return t;
}

/* References to the three parts of a node, in exchange for the one to the node. */
static struct tree tree_open(struct tree *t) {
    struct tree parts = {.left = tree_retain(t->left),
                         .right = tree_retain(t->right),
                         .entry = entry_retain(t->entry)};
    tree_release(t);
    return parts;
}

static struct tree *tree_lean_left(struct tree *left, struct entry *entry, struct tree *right) {
    struct tree l = tree_open(left);
    if (tree_height(l.left) >= tree_height(l.right))
        return tree_node(l.left, l.entry, tree_node(l.right, entry, right));
    struct tree m = tree_open(l.right);
    return tree_node(tree_node(l.left, l.entry, m.left), m.entry, tree_node(m.right, entry, right));
}

static struct tree *tree_lean_right(struct tree *left, struct entry *entry, struct tree *right) {
    struct tree r = tree_open(right);
    if (tree_height(r.right) >= tree_height(r.left))
        return tree_node(tree_node(left, entry, r.left), r.entry, r.right);
    struct tree m = tree_open(r.left);
    return tree_node(tree_node(left, entry, m.left), m.entry, tree_node(m.right, r.entry, r.right));
}

/* The same for sides whose heights differ by up to two. */
static struct tree *tree_balance(struct tree *left, struct entry *entry, struct tree *right) {
    int lean = tree_height(left) - tree_height(right);
    if (lean > 1)
        return tree_lean_left(left, entry, right);
    if (lean < -1)
        return tree_lean_right(left, entry, right);
    return tree_node(left, entry, right);
}

static struct tree *tree_insert(struct tree *t, struct entry *entry) {
    if (!t)
        return tree_node(NULL, entry, NULL);
    int order = slice_compare(entry_key(entry), entry_key(t->entry));
    struct tree parts = tree_open(t);
    if (order < 0)
        return tree_balance(tree_insert(parts.left, entry), parts.entry, parts.right);
    if (order > 0)
        return tree_balance(parts.left, parts.entry, tree_insert(parts.right, entry));
    entry_release(parts.entry);
    return tree_node(parts.left, entry, parts.right);
}

struct tree *tree_put(struct tree *t, struct slice key, struct slice value) {
    return tree_insert(t, entry_create(key, value));
}

/* Takes the first entry out of a tree that has one. */
static struct tree *tree_take_first(struct tree *t, struct entry **first) {
    struct tree parts = tree_open(t);
    if (parts.left)
        return tree_balance(tree_take_first(parts.left, first), parts.entry, parts.right);
    *first = parts.entry;
    return parts.right;
}

/* May rely on the key being there. */
static struct tree *tree_remove(struct tree *t, struct slice key) {
    int order = slice_compare(key, entry_key(t->entry));
    struct tree parts = tree_open(t);
    if (order < 0)
        return tree_balance(tree_remove(parts.left, key), parts.entry, parts.right);
    if (order > 0)
        return tree_balance(parts.left, parts.entry, tree_remove(parts.right, key));
    entry_release(parts.entry);
    if (!parts.left || !parts.right)
        return parts.left ? parts.left : parts.right;
    struct entry *next = NULL;
    struct tree *right = tree_take_first(parts.right, &next);
    return tree_balance(parts.left, next, right);
}

struct tree *tree_delete(struct tree *t, struct slice key) {
    struct tree_entry ignored;
    return tree_find(t, key, &ignored) ? tree_remove(t, key) : t;
}

bool tree_find(const struct tree *t, struct slice key, struct tree_entry *out) {
    return tree_find_above(t, key, false, out) && slice_equal(out->key, key);
}

bool tree_find_above(const struct tree *t, struct slice key, bool after, struct tree_entry *out) {
    const struct entry *best = NULL;
    while (t) {
        int order = slice_compare(entry_key(t->entry), key);
        bool fits = after ? order > 0 : order >= 0;
        if (fits)
            best = t->entry;
        t = fits ? t->left : t->right;
    }
    if (best)
        *out = entry_slices(best);
    return best != NULL;
}

bool tree_find_below(const struct tree *t, struct slice key, struct tree_entry *out) {
    const struct entry *best = NULL;
    while (t) {
        bool fits = slice_compare(entry_key(t->entry), key) < 0;
        if (fits)
            best = t->entry;
        t = fits ? t->right : t->left;
    }
    if (best)
        *out = entry_slices(best);
    return best != NULL;
}
