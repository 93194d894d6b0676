#include "engine_fixture.h"
#include "unit.h"

#include <pthread.h>
#include <stdatomic.h>

#include "item/item_json.h"
#include "item/stored.h"

enum { PAIRS = 3000 };

struct reads {
    struct primary_key keys[2];
    struct item_read_one reads[2];
};

static void reads_of(struct fixture *f, struct table *t, struct reads *out) {
    static const char *const keys[2] = {"{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"1\"}}",
                                        "{\"PK\":{\"S\":\"b\"},\"SK\":{\"S\":\"1\"}}"};
    for (int i = 0; i < 2; i++) {
        struct item key = fixture_item(f, keys[i]);
        assert_ok(primary_key_from_key(f->arena, t->schema, &key, &out->keys[i]));
        out->reads[i] = (struct item_read_one){.table = t, .key = &out->keys[i]};
    }
}

static void several_items_are_read_together(void **state) {
    (void)state;
    struct fixture f = fixture_open(0);
    struct table *t = fixture_create_table(&f, "t");
    struct reads r;
    struct item item;
    assert_ok(
        fixture_put(&f, t, "{\"PK\":{\"S\":\"b\"},\"SK\":{\"S\":\"1\"},\"x\":{\"N\":\"7\"}}"));
    reads_of(&f, t, &r);
    assert_ok(item_read_many(f.engine, f.arena, r.reads, 2));
    assert_false(r.reads[0].found);
    assert_true(r.reads[1].found);
    assert_true(stored_decode(f.arena, r.reads[1].stored, t->names, &item));
    assert_int_equal(item.count, 3);
    assert_ok(item_read_many(f.engine, f.arena, r.reads, 0));
    table_release(f.engine, t);
    fixture_close(&f);
}

static void a_table_that_is_gone_is_told(void **state) {
    (void)state;
    struct fixture f = fixture_open(0);
    struct table *t = fixture_create_table(&f, "t");
    struct reads r;
    reads_of(&f, t, &r);
    assert_ok(fixture_drop_table(&f, "t"));
    assert_error(item_read_many(f.engine, f.arena, r.reads, 2), ERR_RESOURCE_NOT_FOUND,
                 "Requested resource not found");
    table_release(f.engine, t);
    fixture_close(&f);
}

/* Two items that one task always writes together. */
struct pair_task {
    struct writer_task task;
    struct item_write writes[2];
};

static struct error *pair_run(struct writer_task *task, struct write_view *view) {
    struct pair_task *pair = (struct pair_task *)task;
    for (int i = 0; i < 2; i++)
        TRY(item_write_decide(view, task->arena, &pair->writes[i]));
    for (int i = 0; i < 2; i++)
        item_write_stage(view, task->arena, &pair->writes[i]);
    return NULL;
}

static void write_pair(struct fixture *f, struct arena *a, struct table *t, unsigned n) {
    struct pair_task pair = {.task = {.arena = a, .run = pair_run}};
    struct item items[2];
    for (int i = 0; i < 2; i++) {
        const struct json *json;
        struct slice text = arena_printf(
            a, "{\"PK\":{\"S\":\"%c\"},\"SK\":{\"S\":\"1\"},\"n\":{\"N\":\"%u\"}}", 'a' + i, n);
        assert_ok(json_parse(a, text, &json));
        assert_ok(item_from_json(a, json, &items[i]));
        pair.writes[i] = (struct item_write){.kind = WRITE_PUT, .table = t, .item = &items[i]};
        assert_ok(primary_key_from_item(a, t->schema, &items[i], &pair.writes[i].key));
    }
    assert_ok(writer_run(f->engine, &pair.task));
}

struct writing {
    struct fixture *f;
    struct table *t;
    atomic_bool done;
};

static void *write_pairs(void *context) {
    struct writing *w = context;
    struct arena *a = arena_create();
    for (unsigned n = 1; n <= PAIRS; n++, arena_reset(a))
        write_pair(w->f, a, w->t, n);
    arena_destroy(a);
    atomic_store(&w->done, true);
    return NULL;
}

/* Whoever reads both sees the same number in both, while they change. */
static void items_are_read_as_of_one_moment(void **state) {
    (void)state;
    struct fixture f = fixture_open(0);
    struct writing w = {.f = &f, .t = fixture_create_table(&f, "t")};
    struct arena *a = arena_create();
    struct reads r;
    pthread_t thread;
    unsigned read = 0;
    reads_of(&f, w.t, &r);
    write_pair(&f, a, w.t, 0);
    assert_int_equal(pthread_create(&thread, NULL, write_pairs, &w), 0);
    do {
        struct item items[2];
        assert_ok(item_read_many(f.engine, a, r.reads, 2));
        for (int i = 0; i < 2; i++)
            assert_true(stored_decode(a, r.reads[i].stored, w.t->names, &items[i]));
        assert_true(
            value_equal(item_find(&items[0], SLICE("n")), item_find(&items[1], SLICE("n"))));
        arena_reset(a);
        read++;
    } while (!atomic_load(&w.done));
    pthread_join(thread, NULL);
    assert_true(read > 1);
    arena_destroy(a);
    table_release(f.engine, w.t);
    fixture_close(&f);
}

UNIT_TESTS(cmocka_unit_test(several_items_are_read_together),
           cmocka_unit_test(a_table_that_is_gone_is_told),
           cmocka_unit_test(items_are_read_as_of_one_moment))
