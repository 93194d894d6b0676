/*
 * What store.h promises, asked of every back end.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "store_fixture.h"

/* --- Get and put ------------------------------------------------------------------------------ */

static void get_finds_what_was_put(void **state) {
    struct fixture *f = *state;
    assert_false(fixture_has(f, SLICE("a")));
    fixture_put(f, SLICE("a"), SLICE("one"));
    assert_value(f, SLICE("a"), "one");
    fixture_put(f, SLICE("a"), SLICE("two"));
    assert_value(f, SLICE("a"), "two");
    fixture_put(f, SLICE("a"), SLICE(""));
    assert_value(f, SLICE("a"), "");
    assert_false(fixture_has(f, SLICE("aa")));
    assert_false(fixture_has(f, SLICE("")));
    fixture_delete(f, SLICE("a"));
    assert_false(fixture_has(f, SLICE("a")));
    fixture_delete(f, SLICE("never there"));
}

static void get_leaves_the_value_alone_when_it_finds_nothing(void **state) {
    struct fixture *f = *state;
    struct slice value = SLICE("untouched");
    bool found = true;
    assert_ok(store_get(f->store, NULL, f->arena, SLICE("none"), &value, &found));
    assert_false(found);
    assert_slice(value, "untouched");
}

static void keys_hold_any_bytes_and_any_number_of_them(void **state) {
    struct fixture *f = *state;
    static const size_t lens[] = {1, 2, 8, 511, 512, 513, 1024, 3072, 70000};
    uint64_t seed = 11;
    struct slice keys[ARRAY_LEN(lens)];
    for (size_t i = 0; i < ARRAY_LEN(lens); i++) {
        keys[i] = fixture_random_bytes(f, &seed, lens[i]);
        fixture_put(f, keys[i], fixture_number(f, i));
    }
    fixture_put(f, SLICE("\0"), SLICE("nul"));
    fixture_put(f, SLICE("\0\0"), SLICE("nul nul"));
    fixture_put(f, SLICE("\xff\xff"), SLICE("ff ff"));
    fixture_put(f, SLICE(""), SLICE("empty"));
    for (size_t i = 0; i < ARRAY_LEN(lens); i++) {
        struct slice value;
        bool found = false;
        assert_ok(store_get(f->store, NULL, f->arena, keys[i], &value, &found));
        assert_true(found);
        assert_true(slice_equal(value, fixture_number(f, i)));
    }
    assert_value(f, SLICE("\0"), "nul");
    assert_value(f, SLICE("\0\0"), "nul nul");
    assert_value(f, SLICE("\xff\xff"), "ff ff");
    assert_value(f, SLICE(""), "empty");
    assert_false(fixture_has(f, SLICE("\0\0\0")));
}

static void values_hold_up_to_half_a_megabyte(void **state) {
    struct fixture *f = *state;
    static const size_t lens[] = {0, 1, 4095, 65536, 400 * 1024, 500 * 1024};
    uint64_t seed = 12;
    for (size_t i = 0; i < ARRAY_LEN(lens); i++) {
        struct slice wanted = fixture_random_bytes(f, &seed, lens[i]), value;
        bool found = false;
        fixture_put(f, fixture_number(f, i), wanted);
        assert_ok(store_get(f->store, NULL, f->arena, fixture_number(f, i), &value, &found));
        assert_true(found);
        assert_true(slice_equal(value, wanted));
    }
}

/* --- Ranges ----------------------------------------------------------------------------------- */

/* What an iterator gives, as "a=1 b=2 ". */
static struct slice drain(struct fixture *f, struct store_iterator *it) {
    struct slice text = arena_printf(f->arena, "%s", "");
    struct slice key, value;
    bool found = false;
    for (;;) {
        assert_ok(store_iterator_next(it, f->arena, &key, &value, &found));
        if (!found)
            return text;
        text = arena_printf(f->arena, "%.*s%.*s=%.*s ", SLICE_ARG(text), SLICE_ARG(key),
                            SLICE_ARG(value));
    }
}

static struct slice range_text(struct fixture *f, const struct store_snapshot *snapshot,
                               const char *lower, const char *upper, bool backward) {
    struct store_range range = {slice_of(lower), slice_of(upper), backward, false};
    CLEANUP(store_iterator_release) struct store_iterator *it = NULL;
    assert_ok(store_iterate(f->store, snapshot, f->arena, &range, &it));
    struct slice text = drain(f, it);
    assert_slice(drain(f, it), ""); /* the end stays the end */

    range.large = true;
    CLEANUP(store_iterator_release) struct store_iterator *large = NULL;
    assert_ok(store_iterate(f->store, snapshot, f->arena, &range, &large));
    assert_true(slice_equal(drain(f, large), text));
    return text;
}

static void put_letters(struct fixture *f) {
    fixture_put(f, SLICE("b"), SLICE("2"));
    fixture_put(f, SLICE("d"), SLICE("4"));
    fixture_put(f, SLICE("c"), SLICE("3"));
    fixture_put(f, SLICE("bb"), SLICE("22"));
    fixture_put(f, SLICE("a"), SLICE("1"));
}

static void ranges_take_the_lower_bound_and_not_the_upper(void **state) {
    struct fixture *f = *state;
    put_letters(f);
    assert_slice(range_text(f, NULL, "b", "d", false), "b=2 bb=22 c=3 ");
    assert_slice(range_text(f, NULL, "b", "d", true), "c=3 bb=22 b=2 ");
    assert_slice(range_text(f, NULL, "", "\xff", false), "a=1 b=2 bb=22 c=3 d=4 ");
    assert_slice(range_text(f, NULL, "", "\xff", true), "d=4 c=3 bb=22 b=2 a=1 ");
    assert_slice(range_text(f, NULL, "ab", "cc", false), "b=2 bb=22 c=3 ");
    assert_slice(range_text(f, NULL, "ab", "cc", true), "c=3 bb=22 b=2 ");
    assert_slice(range_text(f, NULL, "b", "b0", true), "b=2 ");
    assert_slice(range_text(f, NULL, "d", "e", true), "d=4 ");
}

static void empty_ranges_are_empty(void **state) {
    struct fixture *f = *state;
    assert_slice(range_text(f, NULL, "", "\xff", false), "");
    assert_slice(range_text(f, NULL, "", "\xff", true), "");
    put_letters(f);
    for (int backward = 0; backward < 2; backward++) {
        assert_slice(range_text(f, NULL, "b", "b", backward), "");
        assert_slice(range_text(f, NULL, "d", "b", backward), "");
        assert_slice(range_text(f, NULL, "bc", "bd", backward), "");
        assert_slice(range_text(f, NULL, "", "a", backward), "");
        assert_slice(range_text(f, NULL, "", "", backward), "");
        assert_slice(range_text(f, NULL, "d0", "\xff", backward), "");
    }
}

static void bytes_compare_as_unsigned_and_prefixes_come_first(void **state) {
    struct fixture *f = *state;
    static const struct slice sorted[] = {
        SLICE_INIT(""),       SLICE_INIT("\0"),   SLICE_INIT("\0\0"),
        SLICE_INIT("\0\xff"), SLICE_INIT("\x01"), SLICE_INIT("\x7f"),
        SLICE_INIT("\x80"),   SLICE_INIT("\xff"), SLICE_INIT("\xff\0")};
    for (size_t i = ARRAY_LEN(sorted); i-- > 0;)
        fixture_put(f, sorted[i], fixture_number(f, i));
    struct store_range range = {SLICE(""), SLICE("\xff\xff"), false, false};
    CLEANUP(store_iterator_release) struct store_iterator *it = NULL;
    assert_ok(store_iterate(f->store, NULL, f->arena, &range, &it));
    struct slice key, value;
    bool found = false;
    for (size_t i = 0; i < ARRAY_LEN(sorted); i++) {
        assert_ok(store_iterator_next(it, f->arena, &key, &value, &found));
        assert_true(found);
        assert_true(slice_equal(key, sorted[i]));
        assert_true(slice_equal(value, fixture_number(f, i)));
    }
    assert_ok(store_iterator_next(it, f->arena, &key, &value, &found));
    assert_false(found);
}

static void bounds_are_copied(void **state) {
    struct fixture *f = *state;
    put_letters(f);
    for (int backward = 0; backward < 2; backward++) {
        char lower[] = "b", upper[] = "d";
        struct store_range range = {slice_of(lower), slice_of(upper), backward, false};
        CLEANUP(store_iterator_release) struct store_iterator *it = NULL;
        assert_ok(store_iterate(f->store, NULL, f->arena, &range, &it));
        lower[0] = 'z';
        upper[0] = 'a';
        assert_slice(drain(f, it), backward ? "c=3 bb=22 b=2 " : "b=2 bb=22 c=3 ");
    }
}

/* --- Snapshots and iterators ------------------------------------------------------------------ */

static void a_snapshot_does_not_see_later_commits(void **state) {
    struct fixture *f = *state;
    put_letters(f);
    struct store_snapshot *snapshot = store_snapshot(f->store);
    fixture_put(f, SLICE("c"), SLICE("new"));
    fixture_put(f, SLICE("cc"), SLICE("new"));
    fixture_delete(f, SLICE("b"));
    assert_slice(range_text(f, snapshot, "b", "d", false), "b=2 bb=22 c=3 ");
    assert_slice(range_text(f, snapshot, "b", "d", true), "c=3 bb=22 b=2 ");
    assert_slice(range_text(f, NULL, "b", "d", false), "bb=22 c=new cc=new ");

    struct slice value;
    bool found = false;
    assert_ok(store_get(f->store, snapshot, f->arena, SLICE("b"), &value, &found));
    assert_true(found);
    assert_slice(value, "2");
    assert_ok(store_get(f->store, snapshot, f->arena, SLICE("cc"), &value, &found));
    assert_false(found);
    assert_false(fixture_has(f, SLICE("b")));
    store_snapshot_release(f->store, snapshot);
    store_snapshot_release(f->store, NULL);
}

static void snapshots_of_several_moments_stand_side_by_side(void **state) {
    struct fixture *f = *state;
    struct store_snapshot *snapshots[10];
    for (uint64_t i = 0; i < 10; i++) {
        fixture_put(f, SLICE("k"), fixture_number(f, i));
        snapshots[i] = store_snapshot(f->store);
    }
    for (uint64_t i = 0; i < 10; i++) {
        struct slice value;
        bool found = false;
        assert_ok(store_get(f->store, snapshots[i], f->arena, SLICE("k"), &value, &found));
        assert_true(found);
        assert_true(slice_equal(value, fixture_number(f, i)));
        store_snapshot_release(f->store, snapshots[i]);
    }
}

static void an_iterator_does_not_see_later_commits(void **state) {
    struct fixture *f = *state;
    put_letters(f);
    struct store_range range = {SLICE("a"), SLICE("z"), false, false};
    CLEANUP(store_iterator_release) struct store_iterator *fresh = NULL;
    CLEANUP(store_iterator_release) struct store_iterator *begun = NULL;
    assert_ok(store_iterate(f->store, NULL, f->arena, &range, &fresh));
    assert_ok(store_iterate(f->store, NULL, f->arena, &range, &begun));
    struct slice key, value;
    bool found = false;
    assert_ok(store_iterator_next(begun, f->arena, &key, &value, &found));
    assert_slice(key, "a");
    fixture_put(f, SLICE("aa"), SLICE("new"));
    fixture_delete(f, SLICE("b"));
    fixture_put(f, SLICE("d"), SLICE("new"));
    assert_slice(key, "a"); /* until the next call on the iterator */
    assert_slice(drain(f, begun), "b=2 bb=22 c=3 d=4 ");
    assert_slice(drain(f, fresh), "a=1 b=2 bb=22 c=3 d=4 ");
}

struct hand_over {
    struct fixture *fixture;
    struct store_iterator *iterator;
    size_t rows;
};

static void *count_the_rest(void *argument) {
    struct hand_over *h = argument;
    struct arena *a = arena_create();
    struct slice key, value;
    bool found = true;
    while (!store_iterator_next(h->iterator, a, &key, &value, &found) && found)
        h->rows++;
    arena_destroy(a);
    return NULL;
}

static void an_iterator_may_move_to_another_thread(void **state) {
    struct fixture *f = *state;
    fixture_fill(f, 0, 1000, 10);
    struct hand_over h = {.fixture = f};
    struct store_range range = {SLICE(""), SLICE("\xff"), false, false};
    assert_ok(store_iterate(f->store, NULL, f->arena, &range, &h.iterator));
    struct slice key, value;
    bool found = false;
    for (int i = 0; i < 10; i++)
        assert_ok(store_iterator_next(h.iterator, f->arena, &key, &value, &found));
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, count_the_rest, &h), 0);
    fixture_fill(f, 500, 1000, 10); /* commits go on meanwhile */
    pthread_join(thread, NULL);
    store_iterator_close(h.iterator);
    assert_int_equal(h.rows, 990);
}

/* --- Many threads ----------------------------------------------------------------------------- */

struct readers {
    struct store *store;
    atomic_bool stop;
    atomic_size_t torn;
    atomic_size_t reads;
};

static bool reads_equal(struct readers *r, const struct store_snapshot *snapshot, struct arena *a) {
    struct slice one, two;
    bool found[2] = {false, false};
    if (store_get(r->store, snapshot, a, SLICE("one"), &one, &found[0]) ||
        store_get(r->store, snapshot, a, SLICE("two"), &two, &found[1]))
        return false;
    return found[0] == found[1] && (!found[0] || slice_equal(one, two));
}

static void *read_pairs(void *argument) {
    struct readers *r = argument;
    struct arena *a = arena_create();
    while (!atomic_load(&r->stop)) {
        struct store_snapshot *snapshot = store_snapshot(r->store);
        if (!reads_equal(r, snapshot, a))
            atomic_fetch_add(&r->torn, 1);
        store_snapshot_release(r->store, snapshot);
        atomic_fetch_add(&r->reads, 1);
        arena_reset(a);
    }
    arena_destroy(a);
    return NULL;
}

static void readers_see_a_batch_whole_or_not_at_all(void **state) {
    struct fixture *f = *state;
    struct readers r = {.store = f->store};
    pthread_t threads[3];
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_pairs, &r), 0);
    struct store_batch *b = store_batch_create(f->store);
    for (uint64_t n = 0; n < 2000 || atomic_load(&r.reads) < 100; n++) {
        store_batch_clear(b);
        store_batch_put(b, SLICE("one"), fixture_number(f, n));
        store_batch_put(b, SLICE("two"), fixture_number(f, n));
        assert_ok(store_commit(f->store, f->arena, b, false));
    }
    store_batch_destroy(b);
    atomic_store(&r.stop, true);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&r.torn), 0);
}

/* --- Batches ---------------------------------------------------------------------------------- */

static void later_entries_of_a_batch_win(void **state) {
    struct fixture *f = *state;
    struct store_batch *b = store_batch_create(f->store);
    store_batch_put(b, SLICE("a"), SLICE("1"));
    store_batch_delete(b, SLICE("a"));
    store_batch_put(b, SLICE("a"), SLICE("3"));
    store_batch_put(b, SLICE("b"), SLICE("1"));
    store_batch_delete(b, SLICE("b"));
    store_batch_delete(b, SLICE("c"));
    store_batch_put(b, SLICE("c"), SLICE("2"));
    store_batch_put(b, SLICE("c"), SLICE("3"));
    assert_int_equal(store_batch_count(b), 8);
    assert_ok(store_commit(f->store, f->arena, b, true));
    assert_slice(range_text(f, NULL, "", "z", false), "a=3 c=3 ");
    store_batch_destroy(b);
}

static void a_batch_copies_what_is_staged(void **state) {
    struct fixture *f = *state;
    char key[] = "key", value[] = "value";
    struct store_batch *b = store_batch_create(f->store);
    store_batch_put(b, slice_of(key), slice_of(value));
    memset(key, 'x', 3);
    memset(value, 'x', 5);
    assert_ok(store_commit(f->store, f->arena, b, false));
    assert_value(f, SLICE("key"), "value");
    store_batch_destroy(b);
}

static void a_batch_may_be_cleared_and_used_again(void **state) {
    struct fixture *f = *state;
    struct store_batch *b = store_batch_create(f->store);
    size_t empty = store_batch_bytes(b);
    assert_int_equal(store_batch_count(b), 0);
    assert_ok(store_commit(f->store, f->arena, b, false));
    assert_ok(store_commit(f->store, f->arena, b, true));
    store_batch_put(b, SLICE("dropped"), SLICE("value"));
    assert_true(store_batch_bytes(b) >= empty + 12);
    store_batch_clear(b);
    assert_int_equal(store_batch_count(b), 0);
    assert_int_equal(store_batch_bytes(b), empty);
    store_batch_put(b, SLICE("kept"), SLICE("value"));
    assert_ok(store_commit(f->store, f->arena, b, false));
    assert_ok(store_commit(f->store, f->arena, b, false)); /* again: the same outcome */
    store_batch_destroy(b);
    store_batch_destroy(NULL);
    assert_slice(range_text(f, NULL, "", "z", false), "kept=value ");
}

static void a_batch_may_be_large(void **state) {
    struct fixture *f = *state;
    struct store_batch *b = store_batch_create(f->store);
    uint64_t seed = 13;
    for (uint64_t i = 0; i < 20000; i++)
        store_batch_put(b, fixture_number(f, i), fixture_random_bytes(f, &seed, 300));
    assert_int_equal(store_batch_count(b), 20000);
    assert_true(store_batch_bytes(b) >= 20000 * 308);
    assert_ok(store_commit(f->store, f->arena, b, true));
    store_batch_destroy(b);
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 20000);
}

static void commits_may_be_synced_later(void **state) {
    struct fixture *f = *state;
    assert_ok(store_sync(f->store, f->arena));
    fixture_put(f, SLICE("a"), SLICE("1"));
    assert_ok(store_sync(f->store, f->arena));
    assert_value(f, SLICE("a"), "1");
}

/* --- Large things ----------------------------------------------------------------------------- */

static void drop_range_takes_the_lower_bound_and_not_the_upper(void **state) {
    struct fixture *f = *state;
    put_letters(f);
    assert_ok(store_drop_range(f->store, f->arena, SLICE("b"), SLICE("c")));
    assert_slice(range_text(f, NULL, "", "z", false), "a=1 c=3 d=4 ");
    assert_ok(store_drop_range(f->store, f->arena, SLICE("b"), SLICE("c"))); /* repeatable */
    assert_ok(store_drop_range(f->store, f->arena, SLICE("d"), SLICE("a"))); /* empty */
    assert_ok(store_drop_range(f->store, f->arena, SLICE("d"), SLICE("d")));
    assert_slice(range_text(f, NULL, "", "z", false), "a=1 c=3 d=4 ");
    fixture_put(f, SLICE("b"), SLICE("back"));
    assert_value(f, SLICE("b"), "back");
    assert_ok(store_drop_range(f->store, f->arena, SLICE(""), SLICE("\xff")));
    assert_slice(range_text(f, NULL, "", "z", false), "");
}

/* Enough for several files, and edges on keys that files begin and end with. */
static void drop_range_of_many_rows_keeps_its_neighbours(void **state) {
    struct fixture *f = *state;
    fixture_fill(f, 0, 12000, 400);
    fixture_fill(f, 4000, 4000, 400);
    assert_ok(store_reopen(f->store, f->arena));
    static const uint64_t edges[][2] = {{3000, 6000}, {6000, 6256}, {7000, 9999}, {0, 1500}};
    uint64_t left = 12000;
    for (size_t i = 0; i < ARRAY_LEN(edges); i++) {
        uint64_t from = edges[i][0], to = edges[i][1];
        assert_ok(
            store_drop_range(f->store, f->arena, fixture_number(f, from), fixture_number(f, to)));
        left -= to - from;
        assert_int_equal(fixture_count(f, fixture_number(f, from), fixture_number(f, to)), 0);
        assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), left);
        assert_true(fixture_has(f, fixture_number(f, to)));
        assert_false(fixture_has(f, fixture_number(f, to - 1)));
        assert_false(fixture_has(f, fixture_number(f, from)));
        if (from)
            assert_int_equal(fixture_has(f, fixture_number(f, from - 1)), from != 6000);
    }
    assert_ok(store_reopen(f->store, f->arena));
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), left);
}

/* Files that nothing needs any more are unlinked by another thread. */
static bool disk_falls_to(struct fixture *f, uint64_t bytes) {
    struct store_stats stats = {.disk_bytes = UINT64_MAX};
    for (int i = 0; i < 500 && stats.disk_bytes > bytes; i++) {
        usleep(10 * 1000);
        store_stats(f->store, &stats);
    }
    return stats.disk_bytes <= bytes;
}

static void drop_range_gives_the_space_back(void **state) {
    struct fixture *f = *state;
    fixture_fill(f, 0, 1000, 4000);
    fixture_fill(f, 1000, 5000, 4000);
    assert_ok(store_reopen(f->store, f->arena));
    struct slice lower = fixture_number(f, 1000), upper = fixture_number(f, 6000);
    struct store_stats before, after;
    store_stats(f->store, &before);
    assert_true(store_range_bytes(f->store, lower, upper) > 15 * 1000 * 1000);
    assert_ok(store_drop_range(f->store, f->arena, lower, upper));
    store_stats(f->store, &after);
    assert_true(store_range_bytes(f->store, lower, upper) < 1000 * 1000);
    if (fixture_on_folder(f))
        assert_true(disk_falls_to(f, before.disk_bytes - 15 * 1000 * 1000));
    else
        assert_true(after.memory_bytes + 15 * 1000 * 1000 < before.memory_bytes);
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 1000);
}

struct rows {
    uint64_t next;
    uint64_t end;
    uint64_t bad; /* the row before which it fails, or gives a key again */
    bool repeats;
};

static struct error *rows_next(void *context, struct arena *a, struct slice *key,
                               struct slice *value, bool *found) {
    struct rows *r = context;
    struct fixture scratch = {.arena = a};
    if (r->next == r->bad && !r->repeats)
        return error_new(a, ERR_VALIDATION, "row %d is bad", (int)r->bad);
    *found = r->next < r->end;
    if (!*found)
        return NULL;
    *key = fixture_number(&scratch, r->next - (r->next == r->bad));
    *value = arena_printf(a, "row %d", (int)r->next);
    r->next++;
    return NULL;
}

static struct error *ingest_rows(struct fixture *f, struct rows rows) {
    return store_ingest(f->store, f->arena, (struct store_source){rows_next, &rows});
}

static void ingest_takes_all_rows(void **state) {
    struct fixture *f = *state;
    put_letters(f);
    struct store_snapshot *before = store_snapshot(f->store);
    assert_ok(ingest_rows(f, (struct rows){.next = 1, .end = 5000, .bad = UINT64_MAX}));
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 4999 + 5);
    assert_value(f, fixture_number(f, 1), "row 1");
    assert_value(f, fixture_number(f, 4999), "row 4999");
    assert_value(f, SLICE("d"), "4");
    assert_slice(range_text(f, before, "", "\xff", false), "a=1 b=2 bb=22 c=3 d=4 ");
    store_snapshot_release(f->store, before);
    fixture_delete(f, fixture_number(f, 7));
    assert_ok(ingest_rows(f, (struct rows){.next = 7, .end = 8, .bad = UINT64_MAX}));
    assert_ok(store_reopen(f->store, f->arena));
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 4999 + 5);
    assert_value(f, fixture_number(f, 7), "row 7");
}

static void ingest_of_nothing_is_nothing(void **state) {
    struct fixture *f = *state;
    assert_ok(ingest_rows(f, (struct rows){.bad = UINT64_MAX}));
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 0);
}

static void ingest_is_all_or_nothing(void **state) {
    struct fixture *f = *state;
    assert_error(ingest_rows(f, (struct rows){.end = 3000, .bad = 2900}), ERR_VALIDATION,
                 "row 2900 is bad");
    assert_error(ingest_rows(f, (struct rows){.end = 3000, .bad = 0}), ERR_VALIDATION,
                 "row 0 is bad");
    assert_error(ingest_rows(f, (struct rows){.end = 3000, .bad = 2900, .repeats = true}),
                 ERR_INTERNAL, "a bulk load gave its keys out of order");
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 0);
    assert_ok(ingest_rows(f, (struct rows){.end = 10, .bad = UINT64_MAX}));
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 10);
}

static void sizes_are_told(void **state) {
    struct fixture *f = *state;
    struct store_stats stats;
    fixture_fill(f, 0, 2000, 1000);
    assert_ok(store_reopen(f->store, f->arena));
    store_stats(f->store, &stats);
    uint64_t all = store_range_bytes(f->store, SLICE(""), SLICE("\xff"));
    uint64_t half = store_range_bytes(f->store, SLICE(""), fixture_number(f, 1000));
    assert_in_range(all, 1900000, 2300000);
    assert_in_range(half, 800000, 1200000);
    assert_int_equal(store_range_bytes(f->store, SLICE("x"), SLICE("a")), 0);
    assert_int_equal(store_range_bytes(f->store, SLICE("x"), SLICE("x")), 0);
    assert_true(stats.free_bytes == store_free_bytes(f->store) || fixture_on_folder(f));
    assert_int_equal(stats.reserve_bytes, store_reserve_bytes(f->store));
    if (fixture_on_folder(f)) {
        assert_in_range(stats.disk_bytes, 1900000, 6000000);
        assert_true(stats.free_bytes != UINT64_MAX && stats.free_bytes > 0);
        assert_true(stats.reserve_bytes >= 2 * 1024 * 1024 + 64 * 1024 * 1024);
    } else {
        assert_true(stats.free_bytes == UINT64_MAX);
        assert_true(stats.memory_bytes >= 2000 * 1000);
    }
}

static void reopen_keeps_everything(void **state) {
    struct fixture *f = *state;
    put_letters(f);
    for (int i = 0; i < 3; i++) {
        assert_ok(store_reopen(f->store, f->arena));
        assert_slice(range_text(f, NULL, "b", "d", false), "b=2 bb=22 c=3 ");
        fixture_put(f, SLICE("zz"), SLICE("later"));
        assert_value(f, SLICE("zz"), "later");
    }
}

static void a_store_in_memory_has_no_checkpoint(void **state) {
    struct fixture *f = *state;
    if (!fixture_on_folder(f))
        assert_error(store_checkpoint(f->store, f->arena, fixture_path(f, "copy")), ERR_LOCAL,
                     "a store in memory cannot be copied to a folder");
}

UNIT_TESTS(ON_EACH(get_finds_what_was_put),
           ON_EACH(get_leaves_the_value_alone_when_it_finds_nothing),
           ON_EACH(keys_hold_any_bytes_and_any_number_of_them),
           ON_EACH(values_hold_up_to_half_a_megabyte),
           ON_EACH(ranges_take_the_lower_bound_and_not_the_upper), ON_EACH(empty_ranges_are_empty),
           ON_EACH(bytes_compare_as_unsigned_and_prefixes_come_first), ON_EACH(bounds_are_copied),
           ON_EACH(a_snapshot_does_not_see_later_commits),
           ON_EACH(snapshots_of_several_moments_stand_side_by_side),
           ON_EACH(an_iterator_does_not_see_later_commits),
           ON_EACH(an_iterator_may_move_to_another_thread),
           ON_EACH(readers_see_a_batch_whole_or_not_at_all), ON_EACH(later_entries_of_a_batch_win),
           ON_EACH(a_batch_copies_what_is_staged), ON_EACH(a_batch_may_be_cleared_and_used_again),
           ON_EACH(a_batch_may_be_large), ON_EACH(commits_may_be_synced_later),
           ON_EACH(drop_range_takes_the_lower_bound_and_not_the_upper),
           ON_EACH(drop_range_of_many_rows_keeps_its_neighbours),
           ON_EACH(drop_range_gives_the_space_back), ON_EACH(ingest_takes_all_rows),
           ON_EACH(ingest_of_nothing_is_nothing), ON_EACH(ingest_is_all_or_nothing),
           ON_EACH(sizes_are_told), ON_EACH(reopen_keeps_everything),
           ON_EACH(a_store_in_memory_has_no_checkpoint))
