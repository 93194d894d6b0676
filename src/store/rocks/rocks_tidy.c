/*
 * Deletions in an iterator's way.
 *
 * RocksDB keeps a deleted key as a tombstone until a compaction, and an iterator steps over each
 * one: 0.4 µs, so 100,000 of them are 40 ms.  Its own bound (max_skippable_internal_keys) ends the
 * iterator with an error that forgets where it was; a query of a queue whose head was deleted would
 * then fail until some compaction.  So an iterator always gives the whole answer, and the
 * tombstones are bounded from the other side:
 *
 *  - a table file dense with them is compacted as soon as it is written (rocks_options.c);
 *  - those in the write buffer, which is their bound, go into such a file when an iterator has
 *    stepped over many.  Only the first readers pay;
 *  - a small range is then compacted to the bottom, since RocksDB leaves dense files alone that
 *    have nothing below them, as in a small store.
 *
 * A flush and a compaction may wait, and those who iterate may not (event loops), so a thread is
 * made for it: one at a time, and not again at once, since tombstones that a snapshot still needs
 * stay.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "base/limits.h"
#include "store/rocks/rocks_int.h"

enum tidy_state { TIDY_IDLE, TIDY_RUNNING, TIDY_DONE /* and not joined yet */ };

enum { ROCKS_TIDY_BYTES = 32 * 1024 * 1024, ROCKS_TIDY_PAUSE_SECONDS = 5 };

struct rocks_tidy {
    struct rocks *rocks;
    struct slice lower;
    struct slice upper;
    char bounds[];
};

uint64_t rocks_tidy_skipped(void) {
    rocksdb_perfcontext_t *perf =
        rocksdb_perfcontext_create(); /* a view of the thread's counters */
    uint64_t skipped = rocksdb_perfcontext_metric(perf, rocksdb_internal_delete_skipped_count);
    rocksdb_perfcontext_destroy(perf);
    return skipped;
}

static struct rocks_tidy *rocks_tidy_create(struct rocks *r, struct slice lower,
                                            struct slice upper) {
    struct rocks_tidy *t = store_memory(sizeof *t + lower.len + upper.len);
    t->rocks = r;
    t->lower = (struct slice){t->bounds, lower.len};
    t->upper = (struct slice){t->bounds + lower.len, upper.len};
    if (lower.len)
        memcpy(t->bounds, lower.ptr, lower.len);
    if (upper.len)
        memcpy(t->bounds + lower.len, upper.ptr, upper.len);
    return t;
}

/* Nothing is lost when the flush fails: a commit will meet the same fault.  After a commit that
 * failed it would write to the same log (see rocks_check_writable). */
static bool rocks_tidy_flush(struct rocks *r) {
    if (atomic_load(&r->failed))
        return false;
    rocksdb_flushoptions_t *options = rocksdb_flushoptions_create(); /* waits */
    CLEANUP(rocks_text_release) char *fault = NULL;
    rocksdb_flush(r->db, options, &fault);
    rocksdb_flushoptions_destroy(options);
    return fault == NULL;
}

static void *rocks_tidy_run(void *argument) {
    struct rocks_tidy *t = argument;
    struct rocks *r = t->rocks;
    if (rocks_tidy_flush(r) &&
        store_range_bytes(&r->store, t->lower, t->upper) < ROCKS_TIDY_BYTES) {
        /* With nothing below it a file is only moved down; the second one rewrites it there. */
        rocks_compact(r, t->lower, t->upper);
        rocks_compact(r, t->lower, t->upper);
    }
    free(t);
    atomic_store(&r->tidy_again_ns,
                 clock_monotonic_ns() + ROCKS_TIDY_PAUSE_SECONDS * INT64_C(1000000000));
    atomic_store(&r->tidy_state, TIDY_DONE);
    return NULL;
}

void rocks_tidy_after(struct rocks *r, uint64_t skipped, struct slice lower, struct slice upper) {
    if (skipped < LIMIT_SKIPPED_TOMBSTONES)
        return;
    int state = atomic_load(&r->tidy_state);
    if (state == TIDY_RUNNING || clock_monotonic_ns() < atomic_load(&r->tidy_again_ns) ||
        !atomic_compare_exchange_strong(&r->tidy_state, &state, TIDY_RUNNING))
        return;
    if (state == TIDY_DONE)
        pthread_join(r->tidy_thread, NULL);
    struct rocks_tidy *t = rocks_tidy_create(r, lower, upper);
    if (pthread_create(&r->tidy_thread, NULL, rocks_tidy_run, t) != 0) {
        free(t);
        atomic_store(&r->tidy_state, TIDY_IDLE); /* the next reader tries again */
    }
}

void rocks_tidy_stop(struct rocks *r) {
    if (atomic_load(&r->tidy_state) == TIDY_IDLE)
        return;
    rocksdb_disable_manual_compaction(r->db); /* a running one ends early */
    pthread_join(r->tidy_thread, NULL);
    atomic_store(&r->tidy_state, TIDY_IDLE);
}
