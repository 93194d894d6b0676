#include "item/number.h"

#include "random_item.h"
#include "unit.h"

static struct arena *arena;

static int bytes_setup(void **state) {
    (void)state;
    arena = arena_create();
    return 0;
}

static int bytes_teardown(void **state) {
    (void)state;
    arena_destroy(arena);
    return 0;
}

static struct slice encode(struct number n) {
    uint8_t out[NUMBER_BYTES_MAX];
    size_t len = number_encode(&n, out);
    assert_in_range(len, 2, NUMBER_BYTES_MAX);
    return arena_copy(arena, (struct slice){(const char *)out, len});
}

/* On disk: a change here loses data. */
static void number_encode_golden(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *hex;
    } rows[] = {
        {"0", "8001"},         {"1", "C102"},      {"42", "C154"},      {"-1", "3EFD"},
        {"0.01", "C002"},      {"0.1", "C014"},    {"150", "C20364"},   {"-150", "3DFC9B"},
        {"100.5", "C2030164"}, {"99", "C1C6"},     {"9901", "C2C702"},  {"1E125", "FF14"},
        {"-1E125", "00EB"},    {"1E-130", "8002"}, {"-1E-130", "7FFD"},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct number n;
        assert_ok(number_parse(arena, slice_of(rows[i].text), &n));
        struct slice bytes = encode(n);
        char hex[2 * NUMBER_BYTES_MAX + 1] = "";
        for (size_t b = 0; b < bytes.len; b++)
            snprintf(hex + 2 * b, 3, "%02X", (unsigned char)bytes.ptr[b]);
        assert_string_equal(hex, rows[i].hex);
    }
}

static void number_decode_is_the_inverse(void **state) {
    (void)state;
    struct random_source r = {1};
    for (int i = 0; i < 20000; i++) {
        struct number n = random_number(&r), back;
        struct slice bytes = encode(n);
        assert_int_equal(number_decode(bytes, &back), bytes.len);
        assert_memory_equal(&back, &n, sizeof n);
        assert_null(memchr(bytes.ptr + 1, 0, bytes.len - 1));
    }
}

static void number_encode_keeps_order(void **state) {
    (void)state;
    struct random_source r = {2};
    for (int i = 0; i < 20000; i++) {
        struct number x = random_number(&r), y = random_number(&r);
        struct slice bx = encode(x), by = encode(y);
        int want = number_compare(&x, &y), got = slice_compare(bx, by);
        assert_int_equal((got > 0) - (got < 0), (want > 0) - (want < 0));
        if (want)
            assert_false(slice_starts_with(bx, by));
    }
}

static void number_decode_refuses(void **state) {
    (void)state;
    static const char *const rows[] = {
        "",             /* nothing */
        "\xC1",         /* no digit */
        "\xC1\x03",     /* promised digit missing */
        "\xC1\x01\x02", /* leading zero */
        "\xC1\x03\x01", /* digit missing after a zero */
        "\xC1\xC9",     /* a digit of 100 */
        "\x7F\xFE",     /* minus zero */
        "\x3E\xFC\xFF", /* last digit zero, inverted */
    };
    struct number n = {.exponent = 77};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        assert_int_equal(number_decode(slice_of(rows[i]), &n), 0);
    assert_int_equal(number_decode((struct slice){"\xC1\x03\x00", 3}, &n), 0);
    assert_int_equal(number_decode((struct slice){"\xC1\x00", 2}, &n), 0);
    char long_one[21] = "\xC1"; /* 40 digits */
    memset(long_one + 1, 0x17, 19);
    long_one[20] = 0x16;
    assert_int_equal(number_decode((struct slice){long_one, 21}, &n), 0);
    assert_int_equal(n.exponent, 77);
}

static void number_decode_leaves_what_follows(void **state) {
    (void)state;
    struct number n, one = number_of_int(1);
    assert_int_equal(number_decode(SLICE("\xC1\x02\xC1\x02"), &n), 2);
    assert_memory_equal(&n, &one, sizeof n);
}

#define BYTES_TEST(name) cmocka_unit_test_setup_teardown(name, bytes_setup, bytes_teardown)

UNIT_TESTS(BYTES_TEST(number_encode_golden), BYTES_TEST(number_decode_is_the_inverse),
           BYTES_TEST(number_encode_keeps_order), BYTES_TEST(number_decode_refuses),
           BYTES_TEST(number_decode_leaves_what_follows))
