#include "engine_fixture.h"
#include "unit.h"

#include <pthread.h>

#include "engine/engine_int.h"
#include "engine/keyspace.h"

static void a_table_is_created_listed_and_dropped(void **state) {
    (void)state;
    struct fixture f = fixture_open(0);
    struct table *t = fixture_create_table(&f, "b");
    table_release(f.engine, fixture_create_table(&f, "a"));
    size_t count;
    bool more;
    struct slice *names = engine_list_tables(f.engine, f.arena, SLICE(""), 1, &count, &more);
    assert_int_equal(count, 1);
    assert_true(more);
    assert_slice(names[0], "a");
    names = engine_list_tables(f.engine, f.arena, SLICE("a"), 5, &count, &more);
    assert_int_equal(count, 1);
    assert_false(more);
    assert_slice(names[0], "b");
    assert_ok(fixture_drop_table(&f, "b"));
    assert_null(engine_find_table(f.engine, SLICE("b")));
    assert_error(fixture_drop_table(&f, "b"), ERR_RESOURCE_NOT_FOUND,
                 "Requested resource not found: Table: b not found");
    assert_error(fixture_put(&f, t, "{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"b\"}}"),
                 ERR_RESOURCE_NOT_FOUND, "Requested resource not found");
    table_release(f.engine, t);
    fixture_close(&f);
}

static void spaces_are_never_used_again(void **state) {
    (void)state;
    struct fixture f = fixture_open(0);
    struct table *t = fixture_create_table(&f, "t");
    uint64_t first = t->schema->space;
    table_release(f.engine, t);
    assert_ok(fixture_drop_table(&f, "t"));
    t = fixture_create_table(&f, "t");
    assert_true(t->schema->space > first);
    table_release(f.engine, t);
    fixture_close(&f);
}

static uint64_t space_entries(struct fixture *f, uint64_t space) {
    struct store_range range = {.lower = keyspace_first(f->arena, space),
                                .upper = keyspace_end(f->arena, space)};
    CLEANUP(store_iterator_release) struct store_iterator *it = NULL;
    uint64_t count = 0;
    assert_ok(store_iterate(f->engine->store, NULL, f->arena, &range, &it));
    for (bool found = true; found; count += found) {
        struct slice key, value;
        assert_ok(store_iterator_next(it, f->arena, &key, &value, &found));
    }
    return count;
}

static void dropping_removes_items_entries_counts_names_and_the_job(void **state) {
    (void)state;
    struct fixture f = fixture_open(0);
    struct table *t = fixture_create_table(&f, "t");
    for (int i = 0; i < 300; i++) {
        char json[128];
        snprintf(json, sizeof json, "{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"%d\"}}", i);
        assert_ok(fixture_put(&f, t, json));
    }
    uint64_t space = t->schema->space, index = t->schema->indexes[0].space;
    assert_int_equal(space_entries(&f, space), 300);
    assert_int_equal(space_entries(&f, index), 300);
    assert_int_equal(space_entries(&f, SPACE_NAMES), 2);
    assert_ok(fixture_drop_table(&f, "t"));
    job_wait_idle(f.engine);
    assert_int_equal(space_entries(&f, space), 0);
    assert_int_equal(space_entries(&f, index), 0);
    assert_int_equal(space_entries(&f, t->schema->change_space), 0);
    assert_int_equal(space_entries(&f, SPACE_NAMES), 0);
    assert_int_equal(space_entries(&f, SPACE_COUNTS), 0);
    assert_int_equal(space_entries(&f, SPACE_JOBS), 0);
    table_release(f.engine, t);
    fixture_close(&f);
}

/* Threads put, each to its own partition, while tables come and go. */
struct putter {
    struct fixture *f;
    struct table *t;
    int number;
    pthread_t thread;
    int failed;
};

static void *putter_main(void *argument) {
    struct putter *p = argument;
    struct fixture own = {.arena = arena_create(), .engine = p->f->engine};
    for (int i = 0; i < 300; i++) {
        char json[128];
        snprintf(json, sizeof json,
                 "{\"PK\":{\"S\":\"p%d\"},\"SK\":{\"S\":\"%d\"},\"n%d\":{\"S\":\"\"}}", p->number,
                 i, i % 50);
        p->failed += fixture_put(&own, p->t, json) != NULL;
    }
    arena_destroy(own.arena);
    return NULL;
}

static void many_threads_write_and_nothing_is_lost(void **state) {
    (void)state;
    struct fixture f = fixture_open(0);
    struct table *t = fixture_create_table(&f, "t");
    struct putter putters[4];
    for (int i = 0; i < 4; i++) {
        putters[i] = (struct putter){.f = &f, .t = t, .number = i};
        pthread_create(&putters[i].thread, NULL, putter_main, &putters[i]);
    }
    for (int i = 0; i < 20; i++) {
        table_release(f.engine, fixture_create_table(&f, "other"));
        assert_ok(fixture_drop_table(&f, "other"));
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(putters[i].thread, NULL);
        assert_int_equal(putters[i].failed, 0);
    }
    assert_int_equal(table_counts(t).items, 4 * 300);
    assert_int_equal(fixture_faults(&f), 0);
    table_release(f.engine, t);
    fixture_close(&f);
}

/* While items with and without x come, change and go. */
static void *x_writer_main(void *argument) {
    struct putter *p = argument;
    struct fixture own = {.arena = arena_create(), .engine = p->f->engine};
    for (int i = 0; i < 1500; i++) {
        char json[128];
        int len = snprintf(json, sizeof json, "{\"PK\":{\"S\":\"p%d\"},\"SK\":{\"S\":\"%d\"}",
                           p->number, i % 400);
        if (i % 5 != 4)
            snprintf(json + len, sizeof json - (size_t)len, ",\"x\":{\"S\":\"x%d\"}}", i % 3);
        else
            snprintf(json + len, sizeof json - (size_t)len, "}");
        p->failed +=
            (i % 7 == 6 ? fixture_delete(&own, p->t, "{\"PK\":{\"S\":\"p0\"},\"SK\":{\"S\":\"1\"}}")
                        : fixture_put(&own, p->t, json)) != NULL;
        arena_reset(own.arena);
    }
    arena_destroy(own.arena);
    return NULL;
}

static void a_new_index_is_filled_while_writes_go_on(void **state) {
    (void)state;
    struct fixture f = fixture_open(0);
    struct table *t = fixture_create_table(&f, "t");
    for (int i = 0; i < 1000; i++) {
        char json[128];
        snprintf(json, sizeof json,
                 "{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"%d\"},\"x\":{\"S\":\"x%d\"}}", i, i % 3);
        assert_ok(fixture_put(&f, t, json));
    }
    struct putter writers[2];
    for (int i = 0; i < 2; i++) {
        writers[i] = (struct putter){.f = &f, .t = t, .number = i};
        pthread_create(&writers[i].thread, NULL, x_writer_main, &writers[i]);
    }
    assert_ok(fixture_add_index(&f, "t"));
    for (int i = 0; i < 2; i++) {
        pthread_join(writers[i].thread, NULL);
        assert_int_equal(writers[i].failed, 0);
    }
    job_wait_idle(f.engine);
    struct table *revised = engine_find_table(f.engine, SLICE("t"));
    const struct index_schema *index = table_schema_find_index(revised->schema, SLICE("by-x"));
    assert_non_null(index);
    assert_true(index->status == STATUS_ACTIVE);
    assert_true(table_index_counts(revised, index).items > 1000);
    assert_int_equal(fixture_faults(&f), 0);
    table_release(f.engine, revised);
    table_release(f.engine, t);
    fixture_close(&f);
}

/* A write to an item whose entry is still to come takes no entry away. */
static void an_index_that_is_being_filled_is_counted_right(void **state) {
    (void)state;
    enum { ITEMS = 3000 };
    static const char *const forms[] = {
        "{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"%d\"},\"x\":{\"S\":\"x\"},\"n\":{\"N\":\"1\"}}",
        "{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"%d\"},\"x\":{\"S\":\"other\"}}",
        "{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"%d\"}}",
    };
    struct fixture f = fixture_open(0);
    struct table *t = fixture_create_table(&f, "t");
    char json[128];
    for (int i = 0; i < ITEMS; i++) {
        snprintf(json, sizeof json,
                 "{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"%d\"},\"x\":{\"S\":\"x\"}}", i);
        assert_ok(fixture_put(&f, t, json));
    }
    assert_ok(fixture_add_index(&f, "t"));
    for (int i = ITEMS; i-- > 0;) {
        snprintf(json, sizeof json, forms[i % 3], i);
        assert_ok(fixture_put(&f, t, json));
        snprintf(json, sizeof json, "{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"%d\"}}", i);
        if (i % 4 == 0)
            assert_ok(fixture_delete(&f, t, json));
    }
    job_wait_idle(f.engine);
    assert_int_equal(fixture_faults(&f), 0);
    table_release(f.engine, t);
    fixture_close(&f);
}

/* Who found the table goes on with the schema it found, however often that changes. */
static void an_older_version_is_good_while_it_is_held(void **state) {
    (void)state;
    struct fixture f = fixture_open(0);
    struct table *held = fixture_create_table(&f, "t");
    for (int i = 0; i < 3; i++) {
        assert_ok(fixture_add_index(&f, "t"));
        job_wait_idle(f.engine);
        assert_ok(fixture_remove_index(&f, "t", "by-x"));
        job_wait_idle(f.engine);
    }
    assert_int_equal(held->schema->index_count, 3);
    assert_ok(fixture_put(&f, held, "{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"b\"}}"));
    table_release(f.engine, held);
    assert_ok(fixture_add_index(&f, "t"));
    job_wait_idle(f.engine);
    struct table *current = engine_find_table(f.engine, SLICE("t"));
    assert_null(current->older); /* nobody held it at the last change */
    table_release(f.engine, current);
    fixture_close(&f);
}

static void a_removed_index_leaves_nothing(void **state) {
    (void)state;
    struct fixture f = fixture_open(0);
    struct table *t = fixture_create_table(&f, "t");
    uint64_t space = t->schema->indexes[0].space;
    assert_ok(fixture_put(&f, t, "{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"b\"}}"));
    assert_int_equal(space_entries(&f, space), 1);
    assert_ok(fixture_remove_index(&f, "t", "inverted"));
    assert_ok(fixture_put(&f, t, "{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"c\"}}"));
    job_wait_idle(f.engine);
    assert_int_equal(space_entries(&f, space), 0);
    assert_int_equal(table_counts(t).items, 2);
    assert_int_equal(fixture_faults(&f), 0);
    table_release(f.engine, t);
    fixture_close(&f);
}

UNIT_TESTS(cmocka_unit_test(a_new_index_is_filled_while_writes_go_on),
           cmocka_unit_test(an_index_that_is_being_filled_is_counted_right),
           cmocka_unit_test(an_older_version_is_good_while_it_is_held),
           cmocka_unit_test(a_removed_index_leaves_nothing),
           cmocka_unit_test(a_table_is_created_listed_and_dropped),
           cmocka_unit_test(spaces_are_never_used_again),
           cmocka_unit_test(dropping_removes_items_entries_counts_names_and_the_job),
           cmocka_unit_test(many_threads_write_and_nothing_is_lost))
