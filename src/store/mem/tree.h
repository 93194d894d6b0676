/*
 * A balanced tree of keys and values that never changes: a change makes a new tree.
 *
 * The new tree shares all but the path to the change with the old one, so that a snapshot is a
 * reference to a root.  Trees are counted references; NULL is the empty tree.  Any number of
 * threads may read a tree, and take and release references to it.
 */
#ifndef STORE_MEM_TREE_H
#define STORE_MEM_TREE_H

#include "base/slice.h"

struct tree;

struct tree *tree_retain(struct tree *t);
void tree_release(struct tree *t);

/* The tree with the change made; gives up the reference to `t` that the caller passes in. */
struct tree *tree_put(struct tree *t, struct slice key, struct slice value);
struct tree *tree_delete(struct tree *t, struct slice key);

/* Slices live as long as the tree. */
struct tree_entry {
    struct slice key;
    struct slice value;
};

bool tree_find(const struct tree *t, struct slice key, struct tree_entry *out);

/* The first entry whose key is not below `key` (`after`: is above it). */
bool tree_find_above(const struct tree *t, struct slice key, bool after, struct tree_entry *out);

/* The last entry whose key is below `key`. */
bool tree_find_below(const struct tree *t, struct slice key, struct tree_entry *out);

#endif
