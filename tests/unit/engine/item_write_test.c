#include "engine_fixture.h"
#include "unit.h"

#include <stdlib.h>

#include <time.h>

#include "engine/table_int.h"

#define KEY(pk, sk) "\"PK\":{\"S\":\"" pk "\"},\"SK\":{\"S\":\"" sk "\"}"

static void an_item_moves_through_its_indexes(void **state) {
    (void)state;
    struct fixture f = fixture_open(0);
    struct table *t = fixture_create_table(&f, "t");
    assert_ok(fixture_put(&f, t, "{" KEY("alice", "bob") ",\"g\":{\"N\":\"1\"}}"));
    assert_ok(fixture_put(&f, t, "{" KEY("alice", "carol") ",\"l\":{\"S\":\"z\"}}"));
    assert_ok(fixture_put(&f, t, "{" KEY("dan", "bob") ",\"g\":{\"N\":\"1.0\"}}"));
    assert_slice(fixture_query(&f, t, NULL, "PK = :p", "{\":p\":{\"S\":\"alice\"}}", false, 0),
                 "alice/bob alice/carol");
    assert_slice(fixture_query(&f, t, "inverted", "SK = :p", "{\":p\":{\"S\":\"bob\"}}", true, 1),
                 "dan/bob alice/bob");
    assert_int_equal(
        fixture_query(&f, t, "sparse", "g = :g", "{\":g\":{\"N\":\"1\"}}", false, 1).len,
        strlen("dan/bob alice/bob"));
    assert_slice(fixture_query(&f, t, "local", "PK = :p AND l > :l",
                               "{\":p\":{\"S\":\"alice\"},\":l\":{\"S\":\"a\"}}", false, 0),
                 "alice/carol");
    assert_int_equal(table_counts(t).items, 3);
    assert_int_equal(table_index_counts(t, &t->schema->indexes[1]).items, 2);
    assert_ok(fixture_put(&f, t, "{" KEY("alice", "bob") ",\"g\":{\"N\":\"2\"}}"));
    assert_slice(fixture_query(&f, t, "sparse", "g = :g", "{\":g\":{\"N\":\"1\"}}", false, 0),
                 "dan/bob");
    assert_ok(fixture_delete(&f, t, "{" KEY("dan", "bob") "}"));
    assert_slice(fixture_query(&f, t, "sparse", "g = :g", "{\":g\":{\"N\":\"1\"}}", false, 0), "");
    assert_int_equal(fixture_faults(&f), 0);
    table_release(f.engine, t);
    fixture_close(&f);
}

static void key_conditions_become_ranges(void **state) {
    (void)state;
    static const struct {
        const char *condition, *values, *rows;
    } rows[] = {
        {"PK = :p", "{\":p\":{\"S\":\"p\"}}", "p/a p/ab p/b p/c"},
        {"PK = :p AND SK = :s", "{\":p\":{\"S\":\"p\"},\":s\":{\"S\":\"a\"}}", "p/a"},
        {"PK = :p AND SK < :s", "{\":p\":{\"S\":\"p\"},\":s\":{\"S\":\"b\"}}", "p/a p/ab"},
        {"PK = :p AND SK <= :s", "{\":p\":{\"S\":\"p\"},\":s\":{\"S\":\"b\"}}", "p/a p/ab p/b"},
        {"PK = :p AND SK > :s", "{\":p\":{\"S\":\"p\"},\":s\":{\"S\":\"a\"}}", "p/ab p/b p/c"},
        {"PK = :p AND SK >= :s", "{\":p\":{\"S\":\"p\"},\":s\":{\"S\":\"ab\"}}", "p/ab p/b p/c"},
        {"PK = :p AND SK BETWEEN :s AND :t",
         "{\":p\":{\"S\":\"p\"},\":s\":{\"S\":\"aa\"},\":t\":{\"S\":\"b\"}}", "p/ab p/b"},
        {"PK = :p AND begins_with(SK, :s)", "{\":p\":{\"S\":\"p\"},\":s\":{\"S\":\"a\"}}",
         "p/a p/ab"},
        {"PK = :p AND SK > :s", "{\":p\":{\"S\":\"p\"},\":s\":{\"S\":\"c\"}}", ""},
        {"PK = :p", "{\":p\":{\"N\":\"1\"}}",
         "One or more parameter values were invalid: Condition parameter type does not match "
         "schema type"},
        {"SK = :p", "{\":p\":{\"S\":\"p\"}}", "Query condition missed key schema element: PK"},
        {"PK > :p", "{\":p\":{\"S\":\"p\"}}", "Query key condition not supported"},
        {"PK = :p AND x = :p", "{\":p\":{\"S\":\"p\"}}",
         "Query condition missed key schema element: SK"},
    };
    struct fixture f = fixture_open(0);
    struct table *t = fixture_create_table(&f, "t");
    assert_ok(fixture_put(&f, t, "{" KEY("p", "a") "}"));
    assert_ok(fixture_put(&f, t, "{" KEY("p", "ab") "}"));
    assert_ok(fixture_put(&f, t, "{" KEY("p", "b") "}"));
    assert_ok(fixture_put(&f, t, "{" KEY("p", "c") "}"));
    assert_ok(fixture_put(&f, t, "{" KEY("q", "a") "}"));
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        for (uint32_t limit = 0; limit < 3; limit++)
            assert_slice(
                fixture_query(&f, t, NULL, rows[i].condition, rows[i].values, false, limit),
                rows[i].rows);
    assert_slice(fixture_query(&f, t, NULL, "PK = :p", "{\":p\":{\"S\":\"p\"}}", true, 2),
                 "p/c p/b p/ab p/a");
    assert_int_equal(fixture_query(&f, t, NULL, NULL, NULL, false, 2).len,
                     strlen("p/a p/ab p/b p/c q/a"));
    table_release(f.engine, t);
    fixture_close(&f);
}

static void a_condition_sees_the_old_item(void **state) {
    (void)state;
    struct fixture f = fixture_open(0);
    struct table *t = fixture_create_table(&f, "t");
    struct item item = fixture_item(&f, "{" KEY("a", "b") "}");
    struct expr_scope *scope;
    struct item_write w = {.kind = WRITE_PUT, .table = t, .item = &item};
    assert_ok(expr_scope_create(f.arena, NULL, NULL, &scope));
    assert_ok(condition_parse(f.arena, scope, SLICE("attribute_not_exists(PK)"),
                              "ConditionExpression", &w.condition));
    assert_ok(primary_key_from_item(f.arena, t->schema, &item, &w.key));
    assert_ok(fixture_write(&f, &w));
    assert_true(w.condition_held);
    assert_ok(fixture_write(&f, &w));
    assert_false(w.condition_held);
    assert_true(w.existed);
    assert_true(item_equal(&w.old_item, &item));
    assert_true(w.capacity.table == 1);
    table_release(f.engine, t);
    fixture_close(&f);
}

/* One random write of a small key space, index keys coming and going. */
static void random_write(struct fixture *f, struct table *t, unsigned *seed) {
    char json[256];
    int pk = rand_r(seed) % 5, sk = rand_r(seed) % 5;
    int len = snprintf(json, sizeof json, "{\"PK\":{\"S\":\"p%d\"},\"SK\":{\"S\":\"s%d\"}", pk, sk);
    if (rand_r(seed) % 3 == 0) {
        snprintf(json + len, sizeof json - (size_t)len, "}");
        assert_ok(fixture_delete(f, t, json));
        return;
    }
    if (rand_r(seed) % 2)
        len += snprintf(json + len, sizeof json - (size_t)len, ",\"g\":{\"N\":\"%d\"}",
                        rand_r(seed) % 3);
    if (rand_r(seed) % 2)
        len += snprintf(json + len, sizeof json - (size_t)len, ",\"l\":{\"S\":\"l%d\"}",
                        rand_r(seed) % 3);
    if (rand_r(seed) % 2)
        len += snprintf(json + len, sizeof json - (size_t)len, ",\"x%d\":{\"S\":\"v\"}",
                        rand_r(seed) % 40);
    snprintf(json + len, sizeof json - (size_t)len, "}");
    assert_ok(fixture_put(f, t, json));
}

static void random_writes_leave_indexes_equal_to_the_table(void **state) {
    (void)state;
    struct fixture f = fixture_open(0);
    struct table *t = fixture_create_table(&f, "t");
    unsigned seed = 1;
    for (int i = 0; i < 2000; i++) {
        random_write(&f, t, &seed);
        if (i % 100 == 0)
            assert_int_equal(fixture_faults(&f), 0);
    }
    assert_int_equal(fixture_faults(&f), 0);
    table_release(f.engine, t);
    fixture_close(&f);
}

/* A collection forged to be nearly full: it may shrink but not grow. */
static void a_collection_is_limited(void **state) {
    (void)state;
    struct fixture f = fixture_open(0);
    struct table *t = fixture_create_table(&f, "t");
    assert_ok(fixture_put(&f, t, "{" KEY("a", "b") ",\"x\":{\"S\":\"some\"}}"));
    assert_ok(
        fixture_forge_collection(&f, t, "{" KEY("a", "b") "}", LIMIT_ITEM_COLLECTION_BYTES - 5));
    assert_error(fixture_put(&f, t, "{" KEY("a", "c") "}"), ERR_ITEM_COLLECTION_SIZE,
                 "Collection size exceeded.");
    assert_ok(fixture_put(&f, t, "{" KEY("other", "c") "}"));
    assert_ok(fixture_put(&f, t, "{" KEY("a", "b") ",\"x\":{\"S\":\"so\"}}"));
    assert_ok(fixture_delete(&f, t, "{" KEY("a", "b") "}"));
    assert_int_equal(table_counts(t).items, 1);
    table_release(f.engine, t);
    fixture_close(&f);
}

static void the_checker_sees_what_is_wrong(void **state) {
    (void)state;
    struct fixture f = fixture_open(0);
    struct table *t = fixture_create_table(&f, "t");
    assert_ok(fixture_put(&f, t, "{" KEY("a", "b") ",\"g\":{\"N\":\"1\"}}"));
    t->state->counts.items++;
    assert_int_equal(fixture_faults(&f), 1);
    t->state->counts.items--;
    assert_int_equal(fixture_faults(&f), 0);
    table_release(f.engine, t);
    fixture_close(&f);
}

static void a_late_index_answers_as_of_some_time_ago(void **state) {
    (void)state;
    struct fixture f = fixture_open(400);
    struct table *t = fixture_create_table(&f, "t");
    assert_ok(fixture_put(&f, t, "{" KEY("a", "b") "}"));
    assert_slice(fixture_query(&f, t, "inverted", "SK = :p", "{\":p\":{\"S\":\"b\"}}", false, 0),
                 "");
    assert_slice(fixture_query(&f, t, NULL, "PK = :p", "{\":p\":{\"S\":\"a\"}}", false, 0), "a/b");
    struct timespec wait = {1, 0};
    nanosleep(&wait, NULL);
    assert_slice(fixture_query(&f, t, "inverted", "SK = :p", "{\":p\":{\"S\":\"b\"}}", false, 0),
                 "a/b");
    table_release(f.engine, t);
    fixture_close(&f);
}

UNIT_TESTS(cmocka_unit_test(an_item_moves_through_its_indexes),
           cmocka_unit_test(key_conditions_become_ranges),
           cmocka_unit_test(a_condition_sees_the_old_item),
           cmocka_unit_test(random_writes_leave_indexes_equal_to_the_table),
           cmocka_unit_test(a_collection_is_limited),
           cmocka_unit_test(the_checker_sees_what_is_wrong),
           cmocka_unit_test(a_late_index_answers_as_of_some_time_ago))
