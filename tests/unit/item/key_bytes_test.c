#include "item/key_bytes.h"

#include "random_item.h"
#include "unit.h"

static struct arena *arena;

static int key_setup(void **state) {
    (void)state;
    arena = arena_create();
    return 0;
}

static int key_teardown(void **state) {
    (void)state;
    arena_destroy(arena);
    return 0;
}

static struct value bytes(enum value_type type, struct slice s) {
    return (struct value){.type = type, .bytes = s};
}

static struct slice component(const struct value *v) {
    struct buf b = buf_in(arena, 10000);
    key_bytes_add(&b, v);
    assert_true(buf_ok(&b));
    return buf_slice(&b);
}

static void assert_bytes(struct slice actual, struct slice want) {
    assert_int_equal(actual.len, want.len);
    if (want.len)
        assert_memory_equal(actual.ptr, want.ptr, want.len);
}

/* On disk: a change here loses data. */
static void key_bytes_golden(void **state) {
    (void)state;
    struct value v = bytes(VALUE_S, SLICE("ab"));
    assert_bytes(component(&v), SLICE("Sab\x00\x01"));
    v = bytes(VALUE_S, SLICE(""));
    assert_bytes(component(&v), SLICE("S\x00\x01"));
    v = bytes(VALUE_B, SLICE("\x61\x00"));
    assert_bytes(component(&v), SLICE("B\x61\x00\xff\x00\x01"));
    v = bytes(VALUE_B, SLICE("\x00\x00\x01\x00\xff"));
    assert_bytes(component(&v), SLICE("B\x00\xff\x00\xff\x01\x00\xff\xff\x00\x01"));
    v = (struct value){.type = VALUE_N, .number = number_of_int(150)};
    assert_bytes(component(&v), SLICE("N\xc2\x03\x64\x00\x01"));
    v.number = number_of_int(-1);
    v.number.exponent = 126;
    assert_bytes(component(&v), SLICE("N\x00\xff\xeb\x00\x01"));
}

static enum value_type key_types[] = {VALUE_S, VALUE_N, VALUE_B};

static void key_bytes_keep_order(void **state) {
    (void)state;
    struct random_source r = {11};
    for (int i = 0; i < 20000; i++) {
        enum value_type type = key_types[random_below(&r, 3)];
        struct value x = random_scalar(&r, arena, type), y = random_scalar(&r, arena, type);
        int want = value_compare(&x, &y), got = slice_compare(component(&x), component(&y));
        assert_int_equal((got > 0) - (got < 0), (want > 0) - (want < 0));
        if (want)
            assert_false(slice_starts_with(component(&x), component(&y)));
    }
}

static void key_bytes_of_two_keep_order(void **state) {
    (void)state;
    struct random_source r = {12};
    for (int i = 0; i < 20000; i++) {
        enum value_type first = key_types[random_below(&r, 3)];
        enum value_type second = key_types[random_below(&r, 3)];
        struct value x[2], y[2];
        x[0] = random_scalar(&r, arena, first);
        y[0] = random_below(&r, 2) ? x[0] : random_scalar(&r, arena, first);
        x[1] = random_scalar(&r, arena, second);
        y[1] = random_scalar(&r, arena, second);
        struct buf bx = buf_in(arena, 1000), by = buf_in(arena, 1000);
        for (int c = 0; c < 2; c++) {
            key_bytes_add(&bx, &x[c]);
            key_bytes_add(&by, &y[c]);
        }
        int want = value_compare(&x[0], &y[0]);
        if (want == 0)
            want = value_compare(&x[1], &y[1]);
        int got = slice_compare(buf_slice(&bx), buf_slice(&by));
        assert_int_equal((got > 0) - (got < 0), (want > 0) - (want < 0));
    }
}

static void key_bytes_read_is_the_inverse(void **state) {
    (void)state;
    struct random_source r = {13};
    for (int i = 0; i < 10000; i++) {
        struct value in[4], out;
        struct buf b = buf_in(arena, 1000);
        for (size_t c = 0; c < 4; c++) {
            in[c] = random_scalar(&r, arena, key_types[random_below(&r, 3)]);
            key_bytes_add(&b, &in[c]);
        }
        struct reader reader = reader_of(buf_slice(&b));
        for (size_t c = 0; c < 4; c++) {
            assert_true(key_bytes_read(&reader, arena, &out));
            assert_true(value_equal(&out, &in[c]));
        }
        assert_int_equal(reader_left(&reader), 0);
    }
}

static void key_bytes_read_refuses(void **state) {
    (void)state;
    static const struct slice bad[] = {
        SLICE_INIT(""),
        SLICE_INIT("S"),
        SLICE_INIT("Sab"),
        SLICE_INIT("Sab\x00"),               /* cut in the end */
        SLICE_INIT("Sab\x00\x02"),           /* neither end nor escape */
        SLICE_INIT("Sab\x00\xff"),           /* no end after the escape */
        SLICE_INIT("Xab\x00\x01"),           /* no such tag */
        SLICE_INIT("N\x00\x01"),             /* no number */
        SLICE_INIT("N\xc1\x02\x02\x00\x01"), /* more than a number */
        SLICE_INIT("N\xc1\x03\x00\x01"),     /* less than a number */
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct reader r = reader_of(bad[i]);
        struct value out = {.type = VALUE_L};
        assert_false(key_bytes_read(&r, arena, &out));
        assert_int_equal(reader_left(&r), bad[i].len);
        assert_int_equal(out.type, VALUE_L);
    }
}

static void a_prefix_starts_what_begins_with_it(void **state) {
    (void)state;
    struct random_source r = {14};
    for (int i = 0; i < 20000; i++) {
        enum value_type type = random_below(&r, 2) ? VALUE_S : VALUE_B;
        struct value v = random_scalar(&r, arena, type), start;
        start = random_below(&r, 2) ? random_scalar(&r, arena, type)
                                    : bytes(type, (struct slice){v.bytes.ptr, v.bytes.len / 2});
        struct buf prefix = buf_in(arena, 1000);
        key_bytes_add_prefix(&prefix, &start);
        struct slice from = buf_slice(&prefix), after = key_bytes_after_prefix(arena, from);
        bool want = slice_starts_with(v.bytes, start.bytes);
        assert_int_equal(slice_starts_with(component(&v), from), want);
        bool in_range =
            slice_compare(component(&v), from) >= 0 && slice_compare(component(&v), after) < 0;
        assert_int_equal(in_range, want);
    }
}

static void after_prefix_is_the_next_string(void **state) {
    (void)state;
    assert_bytes(key_bytes_after_prefix(arena, SLICE("Sab")), SLICE("Sac"));
    assert_bytes(key_bytes_after_prefix(arena, SLICE("S\x7f")), SLICE("S\x80"));
    assert_bytes(key_bytes_after_prefix(arena, SLICE("Sa\xff\xff")), SLICE("Sb"));
    assert_bytes(key_bytes_after_prefix(arena, SLICE("S\x00")), SLICE("S\x01"));
    assert_bytes(key_bytes_after_prefix(arena, SLICE("\xff\xff")), SLICE(""));
    assert_bytes(key_bytes_after_prefix(arena, SLICE("")), SLICE(""));
}

#define KEY_TEST(name) cmocka_unit_test_setup_teardown(name, key_setup, key_teardown)

UNIT_TESTS(KEY_TEST(key_bytes_golden), KEY_TEST(key_bytes_keep_order),
           KEY_TEST(key_bytes_of_two_keep_order), KEY_TEST(key_bytes_read_is_the_inverse),
           KEY_TEST(key_bytes_read_refuses), KEY_TEST(a_prefix_starts_what_begins_with_it),
           KEY_TEST(after_prefix_is_the_next_string))
