#include "item/number.h"

#include "unit.h"

static struct arena *arena;

static int number_setup(void **state) {
    (void)state;
    arena = arena_create();
    return 0;
}

static int number_teardown(void **state) {
    (void)state;
    arena_destroy(arena);
    return 0;
}

static struct number parse(const char *text) {
    struct number n = {0};
    assert_ok(number_parse(arena, slice_of(text), &n));
    return n;
}

static void assert_format(const struct number *n, const char *text) {
    char out[NUMBER_TEXT_MAX];
    assert_slice(((struct slice){out, number_format(n, out)}), text);
}

static void number_parse_normalises(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"0", "0"},
        {"-0", "0"},
        {"0.000", "0"},
        {"0e1000", "0"},
        {"-0E-99999999999999999999", "0"},
        {"7", "7"},
        {"+3", "3"},
        {"00042", "42"},
        {"1.0", "1"},
        {"3.1400", "3.14"},
        {"100", "100"},
        {"1E2", "100"},
        {"1e+5", "100000"},
        {"1.5E2", "150"},
        {"1.5e-2", "0.015"},
        {".123", "0.123"},
        {"5.", "5"},
        {"-.5", "-0.5"},
        {"-17.4E3", "-17400"},
        {"0001.23", "1.23"},
        {"0.0000001", "0.0000001"},
        {"1234567890123456789012345678901234567800000",
         "1234567890123456789012345678901234567800000"},
        {"12345678901234567890123456789012345678", "12345678901234567890123456789012345678"},
        {"314159265358979323846.26433832795028841", "314159265358979323846.26433832795028841"},
        {"-0.00000000000000000000000000000000000001", "-0.00000000000000000000000000000000000001"},
        {"1000000e-6", "1"},
        {"0.000001e6", "1"},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct number n = parse(rows[i][0]);
        assert_format(&n, rows[i][1]);
        for (int d = n.count; d < LIMIT_NUMBER_DIGITS; d++)
            assert_int_equal(n.digits[d], 0);
        assert_true(n.count == 0 || (n.digits[0] && n.digits[n.count - 1]));
    }
}

static void number_parse_takes_the_whole_range(void **state) {
    (void)state;
    struct number n = parse("-9.9999999999999999999999999999999999999E+125");
    assert_format(&n, "-99999999999999999999999999999999999999"
                      "0000000000000000000000000000000000000000000000000000000000000000000000"
                      "000000000000000000");
    n = parse("-1E-130");
    assert_format(&n, "-0.00000000000000000000000000000000000000000000000000000000000000000"
                      "00000000000000000000000000000000000000000000000000000000000000001");
    n = parse("-1.2345678901234567890123456789012345678E-130");
    char out[NUMBER_TEXT_MAX];
    assert_true(number_format(&n, out) < NUMBER_TEXT_MAX);
}

static void number_parse_refuses_what_is_no_number(void **state) {
    (void)state;
    static const char *const texts[] = {"b",    " 5",   "5 ",    "NaN",   "Infinity", "-Infinity",
                                        "-NaN", "dog",  "-dog",  ".",     "-",        "+",
                                        "e5",   "1e",   "1e+",   "1e5.0", "--1",      "+-1",
                                        "1,5",  "0x10", "1_000", "1e5e5", ".e1",      "1.2.3"};
    struct number n = {.exponent = 77};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        char want[100];
        snprintf(want, sizeof want, "The parameter cannot be converted to a numeric value: %s",
                 texts[i]);
        assert_error(number_parse(arena, slice_of(texts[i]), &n), ERR_VALIDATION, want);
    }
    assert_error(number_parse(arena, SLICE(""), &n), ERR_VALIDATION,
                 "The parameter cannot be converted to a numeric value");
    assert_int_equal(n.exponent, 77);
}

#define OVERFLOW                                                                                   \
    "Number overflow. Attempting to store a number with magnitude larger than supported range"
#define UNDERFLOW                                                                                  \
    "Number underflow. Attempting to store a number with magnitude smaller than supported range"
#define DIGITS "Attempting to store more than 38 significant digits in a Number"

static void number_parse_refuses_what_is_out_of_range(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"1E126", OVERFLOW},
        {"-1E+126", OVERFLOW},
        {"11e125", OVERFLOW},
        {"1.0e100000000", OVERFLOW},
        {"1e99999999999999999999999999", OVERFLOW},
        {"1E-131", UNDERFLOW},
        {"0.9e-130", UNDERFLOW},
        {"1e-99999999999999999999999999", UNDERFLOW},
        {"123456789012345678901234567890123456789", DIGITS},
        {"3.14159265358979323846264338327950288419", DIGITS},
        {"314159265358979323846264338327950288419e30", DIGITS},
        {"100000000000000000000000000000000000000.1", DIGITS},
    };
    struct number n;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        assert_error(number_parse(arena, slice_of(rows[i][0]), &n), ERR_VALIDATION, rows[i][1]);
}

static void number_of_int_and_back(void **state) {
    (void)state;
    static const struct {
        int64_t n;
        const char *text;
    } rows[] = {{0, "0"},
                {7, "7"},
                {-40, "-40"},
                {100500, "100500"},
                {INT64_MAX, "9223372036854775807"},
                {INT64_MIN, "-9223372036854775808"}};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct number n = number_of_int(rows[i].n);
        struct number parsed = parse(rows[i].text);
        int64_t back = 1;
        assert_memory_equal(&n, &parsed, sizeof n);
        assert_true(number_to_int(&n, &back));
        assert_true(back == rows[i].n);
    }
}

static void number_to_int_refuses(void **state) {
    (void)state;
    static const char *const texts[] = {
        "1.5", "9223372036854775808", "-9223372036854775809", "1E19", "1E125", "1E-130"};
    int64_t out;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct number n = parse(texts[i]);
        assert_false(number_to_int(&n, &out));
    }
}

static void number_compare_orders(void **state) {
    (void)state;
    static const char *const ascending[] = {"-9E125",
                                            "-9007199254740993",
                                            "-9007199254740992",
                                            "-10",
                                            "-1.5",
                                            "-1",
                                            "-0.015",
                                            "-1E-130",
                                            "0",
                                            "1E-130",
                                            "0.0149",
                                            "0.015",
                                            "0.15",
                                            "1",
                                            "1.0000000000000000000000001",
                                            "1.5",
                                            "9",
                                            "10",
                                            "100.5",
                                            "9007199254740992",
                                            "9007199254740993",
                                            "9E125"};
    for (size_t i = 0; i < ARRAY_LEN(ascending); i++) {
        for (size_t j = 0; j < ARRAY_LEN(ascending); j++) {
            struct number x = parse(ascending[i]), y = parse(ascending[j]);
            int order = number_compare(&x, &y);
            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
        }
    }
}

/* Bytes that AWS counts for the value alone, measured (eu-west-2). */
static void number_size_as_measured(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t size;
    } rows[] = {
        {"1", 2},
        {"12", 2},
        {"123", 3},
        {"1234", 3},
        {"12345", 4},
        {"123456", 4},
        {"1234567", 5},
        {"12345678", 5},
        {"123456789", 6},
        {"1234567891", 6},
        {"12345678912", 7},
        {"123456789123", 7},
        {"1234567890123456789", 11},
        {"12345678901234567890123456789012345678", 20},
        {"0042", 2},
        {"100", 2},
        {"1010", 3},
        {"0.0000001", 2},
        {"0", 1},
        {"1E125", 2},
        {"1E-100", 2},
        {"1.5", 3},
        {"1.2", 3},
        {"1.200", 3},
        {"1.234", 4},
        {"3.14159", 5},
        {"100.5", 4},
        {"0.15", 2},
        {"15", 2},
        {"-42", 3},
        {"-12345", 5},
        {"-1E125", 3},
        {"-0.15", 3},
        {"-0", 1},
        /* Not measured: the rule's. */
        {"120", 3},
        {"0.012", 3},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct number n = parse(rows[i].text);
        assert_int_equal(number_size(&n), rows[i].size);
    }
}

#define NUMBER_TEST(name) cmocka_unit_test_setup_teardown(name, number_setup, number_teardown)

UNIT_TESTS(NUMBER_TEST(number_parse_normalises), NUMBER_TEST(number_parse_takes_the_whole_range),
           NUMBER_TEST(number_parse_refuses_what_is_no_number),
           NUMBER_TEST(number_parse_refuses_what_is_out_of_range),
           NUMBER_TEST(number_of_int_and_back), NUMBER_TEST(number_to_int_refuses),
           NUMBER_TEST(number_compare_orders), NUMBER_TEST(number_size_as_measured))
