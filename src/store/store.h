/*
 * Ordered bytes: the seam under the engine.
 *
 * A store is a sorted map from byte strings to byte strings with snapshots and atomic batches.  It
 * knows nothing of tables.  Keys compare as unsigned bytes.  Any number of threads may read; one
 * thread commits (the engine's writer).  Back ends implement store_backend.h: `store/rocks/` keeps
 * a folder or, for --memory, RocksDB's memory environment; `store/mem/` is small and for tests.
 *
 * Faults are ERR_INTERNAL with a text for the log, except as said below.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/error.h"

struct store;
struct store_snapshot;
struct store_iterator;
struct store_batch;

/* --- Life ------------------------------------------------------------------------------------- */

struct store_options {
    const char *path;          /* a folder, made when missing; NULL: in memory */
    size_t cache_bytes;        /* for blocks read; 0: the back end's default */
    size_t write_buffer_bytes; /* 0: the back end's default */
};

/* Opens and recovers.  ERR_LOCAL when the folder is locked by another process, not ours, or of a
 * newer format. */
MUST_CHECK struct error *store_open_rocks(struct arena *a, const struct store_options *options,
                                          struct store **out);
MUST_CHECK struct error *store_open_mem(struct arena *a, struct store **out);

/* Everything handed out (snapshots, iterators, batches) is closed before.  Takes NULL. */
void store_close(struct store *s);

/* Closes and opens the back end in place after a failed commit, so that writes go on.  The caller
 * has made sure that no snapshot, iterator or batch is open.  On failure the store stays closed for
 * writes and reads, and may be tried again. */
MUST_CHECK struct error *store_reopen(struct store *s, struct arena *a);

/* --- Reading ---------------------------------------------------------------------------------- */

/* The state of this moment; later commits are not seen through it. */
struct store_snapshot *store_snapshot(struct store *s);
void store_snapshot_release(struct store *s, struct store_snapshot *snapshot); /* takes NULL */

/* The value of a key, copied into the arena.  `snapshot` NULL: the newest state. */
MUST_CHECK struct error *store_get(struct store *s, const struct store_snapshot *snapshot,
                                   struct arena *a, struct slice key, struct slice *value,
                                   bool *found);

/* Keys from `lower` (included) to `upper` (excluded), downwards when `backward`.  Both bounds are
 * always given; `snapshot` NULL: the state of this moment. The bounds are copied. */
struct store_range {
    struct slice lower;
    struct slice upper;
    bool backward;
    bool large; /* a scan that should not fill the cache */
};

MUST_CHECK struct error *store_iterate(struct store *s, const struct store_snapshot *snapshot,
                                       struct arena *a, const struct store_range *range,
                                       struct store_iterator **out);

/* Moves to the next entry: `*found` false at the end.  Key and value live until the next call on
 * the iterator.  An iterator may move to another thread between calls. */
MUST_CHECK struct error *store_iterator_next(struct store_iterator *it, struct arena *a,
                                             struct slice *key, struct slice *value, bool *found);

void store_iterator_close(struct store_iterator *it); /* takes NULL */

/* For CLEANUP on a local variable. */
void store_iterator_release(struct store_iterator **it);

/* --- Writing ---------------------------------------------------------------------------------- */

struct store_batch *store_batch_create(struct store *s);
void store_batch_destroy(struct store_batch *b); /* takes NULL */
void store_batch_clear(struct store_batch *b);

/* Staging copies the bytes and cannot fail.  Later entries of a batch win over earlier ones. */
void store_batch_put(struct store_batch *b, struct slice key, struct slice value);
void store_batch_delete(struct store_batch *b, struct slice key);

size_t store_batch_count(const struct store_batch *b);
size_t store_batch_bytes(const struct store_batch *b);

/*
 * All or nothing.  `sync`: returns only when the batch survives a power loss.  Without it the batch
 * survives a killed process (it has reached the operating system).  On failure nothing of the
 * batch is promised either way until store_reopen has succeeded, after which none of a failed batch
 * is there or all of it.
 */
MUST_CHECK struct error *store_commit(struct store *s, struct arena *a, struct store_batch *b,
                                      bool sync);

/* Makes everything committed so far survive a power loss (--sync interval). */
MUST_CHECK struct error *store_sync(struct store *s, struct arena *a);

/* --- Large things ----------------------------------------------------------------------------- */

/* Removes every key from `lower` to `upper` (excluded) and gives the space back without reading
 * it.  Not atomic with batches and not seen by snapshots consistently: for ranges that nobody reads
 * any more. Repeatable after a kill. */
MUST_CHECK struct error *store_drop_range(struct store *s, struct arena *a, struct slice lower,
                                          struct slice upper);

/* A copy of the store in the new folder `path`, made of hard links where possible; can be opened as
 * a store.  ERR_LOCAL when it exists. The memory back end refuses with ERR_LOCAL. */
MUST_CHECK struct error *store_checkpoint(struct store *s, struct arena *a, const char *path);

/* Bulk load: `next` gives keys in strictly ascending order.  All or nothing, and durable when it
 * returns.  No key may exist already. */
struct store_source {
    struct error *(*next)(void *context, struct arena *a, struct slice *key, struct slice *value,
                          bool *found);
    void *context;
};
MUST_CHECK struct error *store_ingest(struct store *s, struct arena *a, struct store_source source);

/* Bytes on disk between the bounds, roughly. */
uint64_t store_range_bytes(struct store *s, struct slice lower, struct slice upper);

struct store_stats {
    uint64_t disk_bytes;   /* all files of the folder */
    uint64_t free_bytes;   /* of the file system; UINT64_MAX in memory */
    uint64_t memory_bytes; /* caches and write buffers */
    uint64_t
        reserve_bytes; /* free space below which the writer must refuse (≥ 2 buffers + 64 MB) */
};
void store_stats(struct store *s, struct store_stats *out);

/* Bytes free on the file system, one statvfs: asked before each group.  UINT64_MAX in memory. */
uint64_t store_free_bytes(struct store *s);
uint64_t store_reserve_bytes(struct store *s);

#endif
