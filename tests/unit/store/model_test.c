/*
 * Random steps on each back end beside a sorted array that is plainly right.  Seeds are fixed.
 *
 * Keys are short and of four bytes only, so that they collide, are prefixes of each other, and
 * bounds often fall on them.
 */
#include <stdlib.h>

#include "store_fixture.h"

enum { MODEL_ROWS = 4096, MODEL_STEPS = 3000, MODEL_SEEDS = 4, MODEL_SNAPSHOTS = 3 };

struct row {
    struct slice key;
    struct slice value;
};

struct model {
    size_t count;
    struct row rows[MODEL_ROWS];
};

/* A store and its model, with a few pairs of snapshots. */
struct walk {
    struct fixture *f;
    uint64_t seed;
    struct model *now;
    struct store_snapshot *snapshots[MODEL_SNAPSHOTS];
    struct model *then[MODEL_SNAPSHOTS];
};

/* Where the key is, or would be. */
static size_t model_find(const struct model *m, struct slice key) {
    size_t i = 0;
    while (i < m->count && slice_compare(m->rows[i].key, key) < 0)
        i++;
    return i;
}

static bool model_has(const struct model *m, struct slice key) {
    size_t i = model_find(m, key);
    return i < m->count && slice_equal(m->rows[i].key, key);
}

static void model_delete(struct model *m, struct slice key) {
    size_t i = model_find(m, key);
    if (!model_has(m, key))
        return;
    m->count--;
    memmove(&m->rows[i], &m->rows[i + 1], (m->count - i) * sizeof m->rows[0]);
}

static void model_put(struct model *m, struct slice key, struct slice value) {
    model_delete(m, key);
    size_t i = model_find(m, key);
    assert_true(m->count < MODEL_ROWS);
    memmove(&m->rows[i + 1], &m->rows[i], (m->count - i) * sizeof m->rows[0]);
    m->rows[i] = (struct row){key, value};
    m->count++;
}

static uint64_t walk_random(struct walk *w, uint64_t below) {
    return fixture_random(&w->seed) % below;
}

static struct slice walk_key(struct walk *w) {
    static const char bytes[] = {0, 1, 'a', (char)0xff};
    size_t len = walk_random(w, 6);
    if (walk_random(w, 40) == 0)
        len = 500 + walk_random(w, 2600);
    char *key = arena_bytes(w->f->arena, len);
    for (size_t i = 0; i < len; i++)
        key[i] = bytes[len < 6 ? walk_random(w, 4) : (i * 7 + len) % 4];
    return (struct slice){key, len};
}

static struct slice walk_value(struct walk *w) {
    size_t len = walk_random(w, 20) == 0 ? walk_random(w, 20000) : walk_random(w, 40);
    return fixture_random_bytes(w->f, &w->seed, len);
}

/* --- Steps ------------------------------------------------------------------------------------ */

static void walk_commit(struct walk *w) {
    struct store_batch *b = store_batch_create(w->f->store);
    for (uint64_t n = walk_random(w, 12); n > 0; n--) {
        struct slice key = walk_key(w);
        if (walk_random(w, 3)) {
            struct slice value = walk_value(w);
            store_batch_put(b, key, value);
            model_put(w->now, key, value);
        } else {
            store_batch_delete(b, key);
            model_delete(w->now, key);
        }
    }
    assert_ok(store_commit(w->f->store, w->f->arena, b, walk_random(w, 20) == 0));
    store_batch_destroy(b);
}

static void walk_get(struct walk *w, const struct store_snapshot *snapshot, const struct model *m) {
    struct slice key = walk_key(w), value;
    bool found = false;
    assert_ok(store_get(w->f->store, snapshot, w->f->arena, key, &value, &found));
    assert_int_equal(found, model_has(m, key));
    if (found)
        assert_true(slice_equal(value, m->rows[model_find(m, key)].value));
}

static void walk_expect(struct walk *w, struct store_iterator *it, const struct row *row) {
    struct slice key, value;
    bool found = false;
    assert_ok(store_iterator_next(it, w->f->arena, &key, &value, &found));
    assert_int_equal(found, row != NULL);
    if (row) {
        assert_true(slice_equal(key, row->key));
        assert_true(slice_equal(value, row->value));
    }
}

static void walk_range(struct walk *w, const struct store_snapshot *snapshot, const struct model *m,
                       bool whole) {
    struct store_range range = {whole ? SLICE("") : walk_key(w),
                                whole ? SLICE("\xff\xff\xff\xff\xff\xff") : walk_key(w),
                                walk_random(w, 2), walk_random(w, 4) == 0};
    size_t from = model_find(m, range.lower), to = model_find(m, range.upper);
    struct store_iterator *it;
    assert_ok(store_iterate(w->f->store, snapshot, w->f->arena, &range, &it));
    for (; from < to; range.backward ? to-- : from++)
        walk_expect(w, it, &m->rows[range.backward ? to - 1 : from]);
    walk_expect(w, it, NULL);
    store_iterator_close(it);
}

static void walk_release(struct walk *w, size_t i) {
    store_snapshot_release(w->f->store, w->snapshots[i]);
    free(w->then[i]);
    w->snapshots[i] = NULL;
    w->then[i] = NULL;
}

static void walk_snapshot(struct walk *w) {
    size_t i = walk_random(w, MODEL_SNAPSHOTS);
    walk_release(w, i);
    w->snapshots[i] = store_snapshot(w->f->store);
    w->then[i] = malloc(sizeof *w->then[i]);
    memcpy(w->then[i], w->now, sizeof *w->now);
}

static void walk_look_back(struct walk *w) {
    size_t i = walk_random(w, MODEL_SNAPSHOTS);
    if (!w->snapshots[i])
        return;
    walk_get(w, w->snapshots[i], w->then[i]);
    walk_range(w, w->snapshots[i], w->then[i], walk_random(w, 3) == 0);
}

/* Snapshots need not see a drop consistently, and none may be open over a reopen. */
static void walk_drop_or_reopen(struct walk *w) {
    for (size_t i = 0; i < MODEL_SNAPSHOTS; i++)
        walk_release(w, i);
    if (walk_random(w, 2)) {
        assert_ok(store_reopen(w->f->store, w->f->arena));
        return;
    }
    struct slice lower = walk_key(w), upper = walk_key(w);
    assert_ok(store_drop_range(w->f->store, w->f->arena, lower, upper));
    size_t from = model_find(w->now, lower), to = model_find(w->now, upper);
    while (to > from)
        model_delete(w->now, w->now->rows[--to].key);
}

static void walk_step(struct walk *w) {
    uint64_t dice = walk_random(w, 200);
    if (dice < 90)
        walk_commit(w);
    else if (dice < 120)
        walk_get(w, NULL, w->now);
    else if (dice < 150)
        walk_range(w, NULL, w->now, false);
    else if (dice < 155)
        walk_snapshot(w);
    else if (dice < 199)
        walk_look_back(w);
    else
        walk_drop_or_reopen(w);
}

static void random_steps_agree_with_a_sorted_array(void **state) {
    struct fixture *f = *state;
    for (uint64_t seed = 1; seed <= MODEL_SEEDS; seed++) {
        struct walk w = {.f = f, .seed = seed, .now = calloc(1, sizeof *w.now)};
        assert_ok(
            store_drop_range(f->store, f->arena, SLICE(""), SLICE("\xff\xff\xff\xff\xff\xff")));
        for (int i = 0; i < MODEL_STEPS; i++)
            walk_step(&w);
        walk_range(&w, NULL, w.now, true);
        for (size_t i = 0; i < MODEL_SNAPSHOTS; i++)
            walk_release(&w, i);
        free(w.now);
    }
}

UNIT_TESTS(ON_EACH(random_steps_agree_with_a_sorted_array))
