/*
 * Dropping ranges on RocksDB: what the contract suite cannot see from outside.
 */
#include <rocksdb/c.h>
#include <unistd.h>

#include "store_fixture.h"

enum { PERF_COUNTS = 2 }; /* rocksdb's perf level "enable count" */

struct numbers {
    uint64_t next;
    uint64_t end;
    size_t value_len;
    uint64_t seed;
};

static struct error *numbers_next(void *context, struct arena *a, struct slice *key,
                                  struct slice *value, bool *found) {
    struct numbers *n = context;
    struct fixture scratch = {.arena = a};
    *found = n->next < n->end;
    *key = fixture_number(&scratch, n->next++);
    *value = fixture_random_bytes(&scratch, &n->seed, n->value_len);
    return NULL;
}

/* One file on the lowest level that holds exactly these rows. */
static void load(struct fixture *f, uint64_t first, uint64_t end, size_t value_len) {
    struct numbers numbers = {first, end, value_len, first};
    assert_ok(store_ingest(f->store, f->arena, (struct store_source){numbers_next, &numbers}));
}

static void drop(struct fixture *f, uint64_t from, uint64_t to) {
    assert_ok(store_drop_range(f->store, f->arena, fixture_number(f, from), fixture_number(f, to)));
}

static void a_file_that_ends_on_the_upper_bound_keeps_that_row(void **state) {
    struct fixture *f = *state;
    static const uint64_t uppers[] = {0x1287, 0x2200, 0x3001, 0x42ff};
    for (size_t i = 0; i < ARRAY_LEN(uppers); i++) {
        uint64_t upper = uppers[i], lower = upper - 2000;
        load(f, lower, upper + 1, 100);
        drop(f, lower, upper);
        assert_int_equal(fixture_count(f, fixture_number(f, lower), fixture_number(f, upper)), 0);
        assert_true(fixture_has(f, fixture_number(f, upper)));
    }
}

static void a_file_that_begins_below_the_lower_bound_keeps_those_rows(void **state) {
    struct fixture *f = *state;
    load(f, 1000, 4000, 100);
    drop(f, 1001, 4000);
    assert_true(fixture_has(f, fixture_number(f, 1000)));
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 1);
}

/* The deletions of the newer file go with it, and must not uncover the older one. */
static void nothing_older_shows_again(void **state) {
    struct fixture *f = *state;
    load(f, 0, 9000, 100);
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t i = 2000; i < 5000; i++) {
            fixture_put(f, fixture_number(f, i), SLICE("newer"));
            fixture_delete(f, fixture_number(f, i));
        }
        assert_ok(store_reopen(f->store, f->arena));
    }
    drop(f, 1000, 6000);
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 4000);
    assert_ok(store_reopen(f->store, f->arena));
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 4000);
}

/* Unlinking whole files needs no reading, so it cannot be held up as a compaction can. */
static void whole_files_go_even_under_a_snapshot(void **state) {
    struct fixture *f = *state;
    struct store_stats stats;
    fixture_put(f, SLICE("\xf0"), SLICE("so that the snapshot has a number"));
    load(f, 0, 10000, 1500);
    load(f, 20000, 30000, 1500);
    struct store_snapshot *snapshot = store_snapshot(f->store);
    store_stats(f->store, &stats);
    uint64_t before = stats.disk_bytes;
    drop(f, 0, 15000);
    for (int i = 0; i < 500 && stats.disk_bytes > before - 14 * 1000 * 1000; i++) {
        usleep(10 * 1000);
        store_stats(f->store, &stats);
    }
    assert_true(stats.disk_bytes <= before - 14 * 1000 * 1000);
    store_snapshot_release(f->store, snapshot);
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 10001);
}

static uint64_t skipped_over(struct fixture *f, struct slice lower, struct slice upper) {
    rocksdb_set_perf_level(PERF_COUNTS);
    rocksdb_perfcontext_t *perf = rocksdb_perfcontext_create();
    rocksdb_perfcontext_reset(perf);
    fixture_count(f, lower, upper);
    uint64_t skipped = rocksdb_perfcontext_metric(perf, rocksdb_internal_delete_skipped_count) +
                       rocksdb_perfcontext_metric(perf, rocksdb_internal_key_skipped_count);
    rocksdb_perfcontext_destroy(perf);
    return skipped;
}

static void later_iterators_skip_over_nothing(void **state) {
    struct fixture *f = *state;
    fixture_fill(f, 0, 20000, 100);
    drop(f, 1000, 19000);
    assert_int_equal(skipped_over(f, fixture_number(f, 900), fixture_number(f, 20000)), 100 + 1000);
}

/* A flush and a compaction each time would wear out whoever makes and drops small tables. */
static void a_few_rows_are_dropped_without_a_flush(void **state) {
    struct fixture *f = *state;
    struct slice all[] = {SLICE(""), SLICE("\xff")};
    fixture_put(f, SLICE("\xf0"), SLICE("would be in a file after a flush"));
    for (uint64_t i = 0; i < 50; i++) {
        fixture_fill(f, i * 1000, 100, 100);
        drop(f, i * 1000, i * 1000 + 500);
        drop(f, i * 1000 + 500, i * 1000 + 900); /* nothing there at all */
    }
    assert_int_equal(fixture_count(f, all[0], all[1]), 1);
    assert_int_equal(store_range_bytes(f->store, all[0], all[1]), 0); /* no file yet */
}

static void a_few_large_rows_give_their_space_back(void **state) {
    struct fixture *f = *state;
    fixture_fill(f, 0, 30, 300 * 1000);
    assert_ok(store_reopen(f->store, f->arena));
    assert_true(store_range_bytes(f->store, SLICE(""), SLICE("\xff")) > 8 * 1000 * 1000);
    drop(f, 0, 30);
    assert_true(store_range_bytes(f->store, SLICE(""), SLICE("\xff")) < 1000 * 1000);
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 0);
}

static void few_rows_between_many_deleted_ones_are_dropped_too(void **state) {
    struct fixture *f = *state;
    struct store_batch *b = store_batch_create(f->store);
    fixture_fill(f, 0, 120000, 1);
    for (uint64_t i = 0; i < 120000; i++)
        if (i % 60000)
            store_batch_delete(b, fixture_number(f, i));
    assert_ok(store_commit(f->store, f->arena, b, false));
    store_batch_destroy(b);
    drop(f, 0, 119999);
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 0);
}

UNIT_TESTS(ON_FOLDER(a_file_that_ends_on_the_upper_bound_keeps_that_row),
           ON_FOLDER(a_file_that_begins_below_the_lower_bound_keeps_those_rows),
           ON_FOLDER(nothing_older_shows_again), ON_FOLDER(whole_files_go_even_under_a_snapshot),
           ON_FOLDER(later_iterators_skip_over_nothing),
           ON_FOLDER(a_few_rows_are_dropped_without_a_flush),
           ON_FOLDER(a_few_large_rows_give_their_space_back),
           ON_FOLDER(few_rows_between_many_deleted_ones_are_dropped_too))
