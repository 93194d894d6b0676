/*
 * Deletions in an iterator's way: the answer is whole, and only the first reader pays.
 */
#include <rocksdb/c.h>
#include <unistd.h>

#include "base/limits.h"
#include "store_fixture.h"

enum { DELETED = 3 * LIMIT_SKIPPED_TOMBSTONES };

/* A store whose write buffer holds all of it. */
static void open_with_room(struct fixture *f) {
    store_close(f->store);
    f->store = NULL;
    assert_ok(fixture_open_buffered(f, f->path, 16 * 1024 * 1024, &f->store));
}

static void delete_rows(struct fixture *f, uint64_t first, uint64_t count) {
    struct store_batch *b = store_batch_create(f->store);
    for (uint64_t i = 0; i < count; i++)
        store_batch_delete(b, fixture_number(f, first + i));
    assert_ok(store_commit(f->store, f->arena, b, false));
    store_batch_destroy(b);
}

static uint64_t skipped_for_one_row(struct fixture *f) {
    rocksdb_perfcontext_t *perf = rocksdb_perfcontext_create();
    rocksdb_perfcontext_reset(perf);
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 1);
    uint64_t skipped = rocksdb_perfcontext_metric(perf, rocksdb_internal_delete_skipped_count);
    rocksdb_perfcontext_destroy(perf);
    return skipped;
}

static uint64_t skipped_after_a_while(struct fixture *f) {
    uint64_t skipped = skipped_for_one_row(f);
    for (int i = 0; i < 100 && skipped > 0; i++) {
        usleep(50 * 1000);
        skipped = skipped_for_one_row(f);
    }
    return skipped;
}

static void deletions_in_the_write_buffer_are_in_the_way_once(void **state) {
    struct fixture *f = *state;
    open_with_room(f);
    fixture_fill(f, 0, DELETED + 1, 10);
    delete_rows(f, 0, DELETED);
    assert_int_equal(skipped_for_one_row(f), DELETED);
    assert_int_equal(skipped_after_a_while(f), 0);
    fixture_open_again(f);
    assert_int_equal(skipped_for_one_row(f), 0);
}

/* Over rows that are in files already. */
static void deletions_of_older_rows_are_in_the_way_once(void **state) {
    struct fixture *f = *state;
    open_with_room(f);
    fixture_fill(f, 0, DELETED + 1, 100);
    assert_ok(store_reopen(f->store, f->arena));
    delete_rows(f, 0, DELETED);
    assert_true(skipped_for_one_row(f) >= DELETED);
    assert_int_equal(skipped_after_a_while(f), 0);
}

static void a_file_dense_with_deletions_is_compacted_unasked(void **state) {
    struct fixture *f = *state;
    open_with_room(f);
    fixture_fill(f, 0, DELETED + 1, 100);
    assert_ok(store_reopen(f->store, f->arena));
    delete_rows(f, 0, DELETED);
    assert_ok(store_reopen(f->store, f->arena)); /* flushes; nobody iterates */
    uint64_t bytes = UINT64_MAX;
    for (int i = 0; i < 100 && bytes > 100 * 1000; i++) {
        usleep(50 * 1000);
        bytes = store_range_bytes(f->store, SLICE(""), SLICE("\xff"));
    }
    assert_true(bytes <= 100 * 1000);
    assert_int_equal(skipped_for_one_row(f), 0);
}

static void few_deletions_cause_no_flush(void **state) {
    struct fixture *f = *state;
    open_with_room(f);
    fixture_fill(f, 0, 1001, 10);
    delete_rows(f, 0, 1000);
    for (int i = 0; i < 100; i++)
        assert_int_equal(skipped_for_one_row(f), 1000);
    assert_int_equal(store_range_bytes(f->store, SLICE(""), SLICE("\xff")), 0); /* no file */
}

UNIT_TESTS(ON_FOLDER(deletions_in_the_write_buffer_are_in_the_way_once),
           ON_FOLDER(deletions_of_older_rows_are_in_the_way_once),
           ON_FOLDER(a_file_dense_with_deletions_is_compacted_unasked),
           ON_FOLDER(few_deletions_cause_no_flush))
