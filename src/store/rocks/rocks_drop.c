/*
 * Dropping a range.
 *
 * A few small rows are deleted one by one: creating and deleting small tables all day must not
 * flush and compact each time, and what they took comes back with the next compaction.  More than
 * that goes in three steps, whose order matters:
 *
 *  1. Files that lie wholly within the range are unlinked, which gives nearly all of the space back
 *     without reading it.  A file may take a deletion with it and let an older value of the key
 *     show again in a file that only reaches into the range, so this alone is not enough;
 *  2. one range tombstone over all of it, synced.  Before step 1 it could be unlinked itself;
 *  3. the rest of the range is compacted: the tombstone and what it covers go away, and no later
 *     iterator has to step over them.  It also takes along what only the write buffer held.
 *
 * After a kill at any point the whole is done again by the caller.  A snapshot that is still open
 * keeps what step 3 would remove until a later compaction.
 */
#include "store/rocks/rocks_int.h"

enum {
    ROCKS_DROP_FEW = 1000, /* rows that are deleted one by one */
    ROCKS_DROP_FEW_BYTES = 4 * 1024 * 1024,
    ROCKS_DROP_SKIPS = 100000, /* tombstones looked through in search of them */
    ROCKS_DROP_COMPACTIONS = 3,
    ROCKS_DROP_REST_BYTES = 256 * 1024, /* sizes are rough */
    ROCKS_FORCE_OPTIMIZED = 3,          /* BottommostLevelCompaction::kForceOptimized */
};

/* Stages deletions of the rows up to where the iterator ends; false when they are too many. */
static bool rocks_drop_stage_rows(rocksdb_iterator_t *it, rocksdb_writebatch_t *batch) {
    size_t bytes = 0;
    for (int count = 0; rocksdb_iter_valid(it); rocksdb_iter_next(it)) {
        struct slice key, value;
        key.ptr = rocksdb_iter_key(it, &key.len);
        value.ptr = rocksdb_iter_value(it, &value.len);
        bytes += key.len + value.len;
        if (++count > ROCKS_DROP_FEW || bytes > ROCKS_DROP_FEW_BYTES)
            return false;
        rocksdb_writebatch_delete(batch, key.ptr, key.len);
    }
    CLEANUP(rocks_text_release) char *fault = NULL; /* too many tombstones between the rows, too */
    rocksdb_iter_get_error(it, &fault);
    return fault == NULL;
}

static bool rocks_drop_stage(struct rocks *r, rocksdb_writebatch_t *batch, struct slice lower,
                             struct slice upper) {
    rocksdb_readoptions_t *read = rocksdb_readoptions_create();
    rocksdb_readoptions_set_iterate_upper_bound(read, upper.ptr, upper.len);
    rocksdb_readoptions_set_max_skippable_internal_keys(read, ROCKS_DROP_SKIPS);
    rocksdb_readoptions_set_fill_cache(read, 0);
    rocksdb_iterator_t *it = rocksdb_create_iterator(r->db, read);
    rocksdb_iter_seek(it, lower.ptr, lower.len);
    bool few = rocks_drop_stage_rows(it, batch);
    rocksdb_iter_destroy(it);
    rocksdb_readoptions_destroy(read);
    return few;
}

/* Few rows are left of a drop that a kill cut short, but all of their files. */
static bool rocks_drop_is_small(struct rocks *r, struct slice lower, struct slice upper) {
    return store_range_bytes(&r->store, lower, upper) < ROCKS_DROP_FEW_BYTES;
}

static struct error *rocks_drop_write(struct rocks *r, struct arena *a,
                                      rocksdb_writebatch_t *batch) {
    CLEANUP(rocks_text_release) char *fault = NULL;
    rocksdb_write(r->db, r->write_sync, batch, &fault);
    return rocks_write_fault(r, a, "drop a range", fault);
}

/* RocksDB takes the end of this as included, and there may be a key right there that is not ours to
 * remove: the end given is below `upper`.  After a last byte of 00 that is exact.  Else what lies
 * between is left to the tombstone. */
static struct slice rocks_drop_last(struct arena *a, struct slice upper) {
    char *last = arena_bytes(a, upper.len + 1);
    memcpy(last, upper.ptr, upper.len);
    if (last[upper.len - 1] == 0)
        return (struct slice){last, upper.len - 1};
    last[upper.len - 1] = (char)((unsigned char)last[upper.len - 1] - 1);
    last[upper.len] = (char)0xff;
    return (struct slice){last, upper.len + 1};
}

static struct error *rocks_drop_files(struct rocks *r, struct arena *a, struct slice lower,
                                      struct slice upper) {
    struct slice last = rocks_drop_last(a, upper);
    if (slice_compare(lower, last) > 0)
        return NULL;
    CLEANUP(rocks_text_release) char *fault = NULL;
    rocksdb_delete_file_in_range(r->db, lower.ptr, lower.len, last.ptr, last.len, &fault);
    return rocks_fault(a, "drop the files of a range", fault);
}

void rocks_compact(struct rocks *r, struct slice lower, struct slice upper) {
    rocksdb_compactoptions_t *options = rocksdb_compactoptions_create();
    rocksdb_compactoptions_set_exclusive_manual_compaction(options, 0);
    rocksdb_compactoptions_set_bottommost_level_compaction(options, ROCKS_FORCE_OPTIMIZED);
    rocksdb_compact_range_opt(r->db, options, lower.ptr, lower.len, upper.ptr, upper.len);
    rocksdb_compactoptions_destroy(options);
}

/* More than once when another compaction was under way: it may put rows on a lower level than the
 * one that this one found to be the lowest.  Rows that a snapshot needs stay, so not for ever. */
static void rocks_drop_compact(struct rocks *r, struct slice lower, struct slice upper) {
    for (int i = 0; i < ROCKS_DROP_COMPACTIONS; i++) {
        rocks_compact(r, lower, upper);
        if (store_range_bytes(&r->store, lower, upper) < ROCKS_DROP_REST_BYTES)
            return;
    }
}

static void rocks_writebatch_release(rocksdb_writebatch_t **batch) {
    rocksdb_writebatch_destroy(*batch);
}

struct error *rocks_drop_range(struct store *s, struct arena *a, struct slice lower,
                               struct slice upper) {
    struct rocks *r = rocks_of(s);
    TRY(rocks_check_writable(r, a));
    CLEANUP(rocks_writebatch_release) rocksdb_writebatch_t *batch = rocksdb_writebatch_create();
    if (rocks_drop_is_small(r, lower, upper) && rocks_drop_stage(r, batch, lower, upper))
        return rocks_drop_write(r, a, batch);

    TRY(rocks_drop_files(r, a, lower, upper));
    rocksdb_writebatch_clear(batch);
    rocksdb_writebatch_delete_range(batch, lower.ptr, lower.len, upper.ptr, upper.len);
    TRY(rocks_drop_write(r, a, batch));
    rocks_drop_compact(r, lower, upper);
    return NULL;
}
