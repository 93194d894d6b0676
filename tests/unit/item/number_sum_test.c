#include "item/number.h"

#include "random_item.h"
#include "unit.h"

static struct arena *arena;

static int sum_setup(void **state) {
    (void)state;
    arena = arena_create();
    return 0;
}

static int sum_teardown(void **state) {
    (void)state;
    arena_destroy(arena);
    return 0;
}

static struct number parse(const char *text) {
    struct number n = {0};
    assert_ok(number_parse(arena, slice_of(text), &n));
    return n;
}

static void number_add_is_exact(void **state) {
    (void)state;
    static const char *const rows[][3] = {
        {"0", "0", "0"},
        {"0", "-5", "-5"},
        {"5", "0", "5"},
        {"1", "1", "2"},
        {"999", "1", "1000"},
        {"0.1", "0.2", "0.3"},
        {"5", "-5", "0"},
        {"5", "-7", "-2"},
        {"-5", "7", "2"},
        {"-1.5", "-1.5", "-3"},
        {"1", "10000000000000000000000", "10000000000000000000001"},
        {"10000000000000000000000", "-1", "9999999999999999999999"},
        {"9007199254740993", "1", "9007199254740994"},
        {"1E38", "-1", "99999999999999999999999999999999999999"},
        {"10000000000000000000000000000000000000", "-9999999999999999999999999999999999999.9",
         "0.1"},
        {"1E125", "1E125", "2E125"},
        {"9E125", "-8E125", "1E125"},
        {"99999999999999999999999999999999999999", "1", "1E38"},
        {"1.00000000000000000000000000000000001", "-1", "0.00000000000000000000000000000000001"},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct number x = parse(rows[i][0]), y = parse(rows[i][1]), want = parse(rows[i][2]), sum;
        assert_ok(number_add(arena, &x, &y, &sum));
        assert_memory_equal(&sum, &want, sizeof sum);
        assert_ok(number_add(arena, &y, &x, &sum));
        assert_memory_equal(&sum, &want, sizeof sum);
    }
}

static void number_add_writes_over_an_operand(void **state) {
    (void)state;
    struct number n = parse("2.5"), zero = parse("0"), five = parse("5"), minus_five = parse("-5");
    assert_ok(number_add(arena, &n, &n, &n));
    assert_memory_equal(&n, &five, sizeof n);
    assert_ok(number_subtract(arena, &zero, &n, &n));
    assert_memory_equal(&n, &minus_five, sizeof n);
    assert_ok(number_subtract(arena, &n, &n, &n));
    assert_memory_equal(&n, &zero, sizeof n);
}

#define OVERFLOW                                                                                   \
    "Number overflow. Attempting to store a number with magnitude larger than supported range"
#define UNDERFLOW                                                                                  \
    "Number underflow. Attempting to store a number with magnitude smaller than supported range"

static void number_add_refuses(void **state) {
    (void)state;
    static const char *const rows[][3] = {
        {"9E125", "9E125", OVERFLOW},
        {"-9E125", "-9E125", OVERFLOW},
        {"1E50", "1", OVERFLOW},
        {"1E50", "-1", OVERFLOW},
        {"1E125", "1E-130", OVERFLOW},
        {"1E125", "-1E-130", OVERFLOW},
        {"99999999999999999999999999999999999999", "0.1", OVERFLOW},
        {"100000000000000000000000000000000000000", "-0.1", OVERFLOW},
        {"1E39", "-1", OVERFLOW},
        {"1E40", "-1", OVERFLOW},
        {"1.5E-130", "-1.4E-130", UNDERFLOW},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct number x = parse(rows[i][0]), y = parse(rows[i][1]), sum = {.exponent = 77};
        assert_error(number_add(arena, &x, &y, &sum), ERR_VALIDATION, rows[i][2]);
        assert_int_equal(sum.exponent, 77);
        assert_error(number_add(arena, &y, &x, &sum), ERR_VALIDATION, rows[i][2]);
        y.negative = !y.negative;
        assert_error(number_subtract(arena, &x, &y, &sum), ERR_VALIDATION, rows[i][2]);
    }
}

/* 18 digits and 8 places of fraction: any sum fits, and fits a long. */
static struct number scaled(int64_t n) {
    struct number out = number_of_int(n);
    if (out.count)
        out.exponent = (int16_t)(out.exponent - 8);
    return out;
}

static void number_add_agrees_with_integers(void **state) {
    (void)state;
    struct random_source r = {42};
    for (int i = 0; i < 20000; i++) {
        int64_t x = (int64_t)random_next(&r) >> (2 + random_below(&r, 61));
        int64_t y = (int64_t)random_next(&r) >> (2 + random_below(&r, 61));
        struct number nx = scaled(x), ny = scaled(y), sum, difference;
        struct number want_sum = scaled(x + y), want_difference = scaled(x - y);
        assert_ok(number_add(arena, &nx, &ny, &sum));
        assert_ok(number_subtract(arena, &nx, &ny, &difference));
        assert_memory_equal(&sum, &want_sum, sizeof sum);
        assert_memory_equal(&difference, &want_difference, sizeof difference);
    }
}

/* x + y - y is x for any numbers whose sum can be held. */
static void number_subtract_undoes_add(void **state) {
    (void)state;
    struct random_source r = {43};
    int held = 0;
    for (int i = 0; i < 20000; i++) {
        struct number x = random_number(&r), y = random_number(&r), sum, back;
        if (number_add(arena, &x, &y, &sum))
            continue;
        held++;
        assert_ok(number_subtract(arena, &sum, &y, &back));
        assert_memory_equal(&back, &x, sizeof x);
    }
    assert_true(held > 5000);
}

#define SUM_TEST(name) cmocka_unit_test_setup_teardown(name, sum_setup, sum_teardown)

UNIT_TESTS(SUM_TEST(number_add_is_exact), SUM_TEST(number_add_writes_over_an_operand),
           SUM_TEST(number_add_refuses), SUM_TEST(number_add_agrees_with_integers),
           SUM_TEST(number_subtract_undoes_add))
