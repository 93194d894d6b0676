/*
 * The seam under store.h: what a back end implements.
 *
 * A back end fills one `struct store_ops` and embeds `struct store`, `struct store_iterator` and
 * `struct store_batch` as the first member of its own.  A snapshot is whatever it likes.  store.c
 * has the thin wrappers; it has checked what is said below under "may rely on", so a back end does
 * not check again.  Callers use the wrappers, never this table.
 *
 * For every callback: keys and values may hold any bytes and any number of them; outputs are not
 * touched on failure; an error is made in the arena `a`; after a reopen that failed, everything
 * that can return an error returns one, and the rest do nothing.
 */
#ifndef STORE_STORE_BACKEND_H
#define STORE_STORE_BACKEND_H

#include "store/store.h"

struct store_ops {
    /* --- Life --------------------------------------------------------------------------------- */

    /* Frees the store and all it holds.  May rely on: nothing handed out is open, no other thread
     * is inside.  Never NULL. */
    void (*close)(struct store *s);

    /* Recovers in place from a failed commit; what was acknowledged is there afterwards.  May rely
     * on the same as `close`.  May be called again after it failed.  NULL: a commit cannot fail,
     * so there is nothing to do. */
    struct error *(*reopen)(struct store *s, struct arena *a);

    /* --- Reading: from any thread, at the same time as one commit ----------------------------- */

    /* The state of this moment, to be given back by `snapshot_release` (never called with NULL).
     * Never NULL. */
    struct store_snapshot *(*snapshot)(struct store *s);
    void (*snapshot_release)(struct store *s, struct store_snapshot *snapshot);

    /* Copies the value into `a`; `*value` is touched only when found.  `snapshot` may be NULL: the
     * newest state.  Never NULL. */
    struct error *(*get)(struct store *s, const struct store_snapshot *snapshot, struct arena *a,
                         struct slice key, struct slice *value, bool *found);

    /* An iterator before the first entry of the range.  Must copy the bounds and must not read
     * outside of them, nor pay for what lies there.  `snapshot` as above; it stays open as long as
     * the iterator.  May rely on lower <= upper.  Never NULL. */
    struct error *(*iterate)(struct store *s, const struct store_snapshot *snapshot,
                             struct arena *a, const struct store_range *range,
                             struct store_iterator **out);

    /* One entry further; key and value stay valid until the next call.  Past the end it says "not
     * found" each time, after a failure it fails each time.  May rely on one thread at a time, not
     * on always the same.  Never NULL. */
    struct error *(*iterator_next)(struct store_iterator *it, struct arena *a, struct slice *key,
                                   struct slice *value, bool *found);
    void (*iterator_close)(struct store_iterator *it);

    /* --- Writing: from one thread --------------------------------------------------------------
     */

    /* An empty batch; never NULL, none of these.  `put` and `delete` copy the bytes. */
    struct store_batch *(*batch_create)(struct store *s);
    void (*batch_destroy)(struct store_batch *b);
    void (*batch_clear)(struct store_batch *b);
    void (*batch_put)(struct store_batch *b, struct slice key, struct slice value);
    void (*batch_delete)(struct store_batch *b, struct slice key);
    size_t (*batch_count)(const struct store_batch *b);
    size_t (*batch_bytes)(const struct store_batch *b); /* about what the commit will write */

    /* All of the batch or none, in its order; readers of other threads see all or none too.  The
     * batch stays as it is.  With `sync` it must be on the disk, without it with the operating
     * system.  May rely on a batch that is not empty.  Never NULL. */
    struct error *(*commit)(struct store *s, struct arena *a, struct store_batch *b, bool sync);

    /* Every commit so far must be on the disk.  May be called by another thread than the one that
     * commits.  NULL: there is no disk. */
    struct error *(*sync)(struct store *s, struct arena *a);

    /* --- Large things: from any thread, at the same time as a commit ---------------------------
     */

    /* Removes the range and gives its space back; see store.h for what it need not promise.  May
     * rely on lower < upper and on nobody writing into the range meanwhile.  Never NULL. */
    struct error *(*drop_range)(struct store *s, struct arena *a, struct slice lower,
                                struct slice upper);

    /* A copy in a new folder that can be opened.  NULL: refused by the wrapper. */
    struct error *(*checkpoint)(struct store *s, struct arena *a, const char *path);

    /* Takes all that `source` gives, at once and durably, or nothing.  May rely on ascending keys
     * (the wrapper fails in `next` otherwise); key and value live until the next call of `next`.
     * Never NULL. */
    struct error *(*ingest)(struct store *s, struct arena *a, struct store_source source);

    /* --- Sizes ---------------------------------------------------------------------------------
     */

    /* May rely on lower <= upper.  Never NULL. */
    uint64_t (*range_bytes)(struct store *s, struct slice lower, struct slice upper);
    void (*stats)(struct store *s, struct store_stats *out);

    /* Cheap: called before every group of writes.  NULL: there is no disk to fill. */
    uint64_t (*free_bytes)(struct store *s);
    uint64_t (*reserve_bytes)(struct store *s);
};

struct store {
    const struct store_ops *ops;
};

struct store_iterator {
    const struct store_ops *ops;
};

struct store_batch {
    const struct store_ops *ops;
};

/* Zeroed memory for a handle, freed with free().  Ends the process when there is none. */
void *store_memory(size_t bytes);

#endif
