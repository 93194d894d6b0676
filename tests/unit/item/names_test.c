#include "item/names.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/limits.h"
#include "unit.h"

static struct slice numbered(char *out, size_t size, uint32_t i) {
    return (struct slice){out, (size_t)snprintf(out, size, "attribute%u", i)};
}

static void names_get_numbers_in_order(void **state) {
    (void)state;
    struct names *n = names_create();
    bool added;
    assert_int_equal(names_count(n), 0);
    assert_int_equal(names_find(n, SLICE("PK")), 0);
    char name[] = "PK";
    assert_int_equal(names_add(n, slice_of(name), &added), 1);
    assert_true(added);
    name[0] = 'X'; /* it was copied */
    assert_int_equal(names_add(n, SLICE("SK"), &added), 2);
    assert_true(added);
    assert_int_equal(names_add(n, SLICE("PK"), &added), 1);
    assert_false(added);
    assert_int_equal(names_add(n, SLICE(""), &added), 3);
    assert_int_equal(names_find(n, SLICE("")), 3);
    assert_int_equal(names_find(n, SLICE("PK")), 1);
    assert_int_equal(names_find(n, SLICE("P")), 0);
    assert_int_equal(names_count(n), 3);
    struct slice out = SLICE_INIT("untouched");
    assert_false(names_get(n, 0, &out));
    assert_false(names_get(n, 4, &out));
    assert_false(names_get(n, UINT32_MAX, &out));
    assert_slice(out, "untouched");
    assert_true(names_get(n, 2, &out));
    assert_slice(out, "SK");
    names_destroy(n);
    names_destroy(NULL);
}

static void names_end_at_the_limit(void **state) {
    (void)state;
    struct names *n = names_create();
    char text[32];
    bool added;
    for (uint32_t i = 1; i <= LIMIT_NAME_IDS; i++) {
        assert_int_equal(names_add(n, numbered(text, sizeof text, i), &added), i);
        assert_true(added);
    }
    assert_int_equal(names_add(n, SLICE("one more"), &added), 0);
    assert_false(added);
    assert_int_equal(names_find(n, SLICE("one more")), 0);
    assert_int_equal(names_count(n), LIMIT_NAME_IDS);
    for (uint32_t i = 1; i <= LIMIT_NAME_IDS; i++) {
        struct slice out;
        assert_int_equal(names_find(n, numbered(text, sizeof text, i)), i);
        assert_int_equal(names_add(n, numbered(text, sizeof text, i), &added), i);
        assert_true(names_get(n, i, &out));
        assert_slice(out, text);
    }
    names_destroy(n);
}

static void long_names_get_no_number(void **state) {
    (void)state;
    struct names *n = names_create();
    char text[NAMES_TEXT_MAX + 1];
    memset(text, 'a', sizeof text);
    bool added = true;
    assert_int_equal(names_add(n, (struct slice){text, sizeof text}, &added), 0);
    assert_false(added);
    assert_int_equal(names_add(n, (struct slice){text, sizeof text - 1}, &added), 1);
    names_destroy(n);
}

/* There may be thousands of tables. */
static void three_names_are_cheap(void **state) {
    (void)state;
    size_t before = mallinfo2().uordblks;
    struct names *n = names_create();
    bool added;
    names_add(n, SLICE("PK"), &added);
    names_add(n, SLICE("SK"), &added);
    names_add(n, SLICE("GSI1PK"), &added);
    assert_true(mallinfo2().uordblks - before < 1024);
    names_destroy(n);
}

struct shared {
    struct names *names;
    _Atomic bool done;
    _Atomic uint32_t wrong;
};

static void *read_names(void *context) {
    struct shared *s = context;
    char text[32];
    bool last = false;
    for (bool more = true; more; more = !last) {
        last = atomic_load(&s->done);
        uint32_t count = names_count(s->names);
        for (uint32_t i = 1; i <= count; i++) {
            struct slice out;
            uint32_t found = names_find(s->names, numbered(text, sizeof text, i));
            if (found != i || !names_get(s->names, i, &out) || !slice_is(out, text))
                atomic_fetch_add(&s->wrong, 1);
        }
        uint32_t newest = names_find(s->names, numbered(text, sizeof text, count + 1));
        if (newest != 0 && newest != count + 1)
            atomic_fetch_add(&s->wrong, 1);
    }
    return NULL;
}

static void readers_need_no_lock(void **state) {
    (void)state;
    struct shared s = {.names = names_create()};
    pthread_t readers[3];
    for (size_t i = 0; i < ARRAY_LEN(readers); i++)
        assert_int_equal(pthread_create(&readers[i], NULL, read_names, &s), 0);
    for (uint32_t i = 1; i <= LIMIT_NAME_IDS; i++) {
        char text[32];
        bool added;
        names_add(s.names, numbered(text, sizeof text, i), &added);
        if (i % 64 == 0)
            sched_yield();
    }
    atomic_store(&s.done, true);
    for (size_t i = 0; i < ARRAY_LEN(readers); i++)
        pthread_join(readers[i], NULL);
    assert_int_equal(atomic_load(&s.wrong), 0);
    assert_int_equal(names_count(s.names), LIMIT_NAME_IDS);
    names_destroy(s.names);
}

UNIT_TESTS(cmocka_unit_test(names_get_numbers_in_order), cmocka_unit_test(names_end_at_the_limit),
           cmocka_unit_test(long_names_get_no_number), cmocka_unit_test(three_names_are_cheap),
           cmocka_unit_test(readers_need_no_lock))
