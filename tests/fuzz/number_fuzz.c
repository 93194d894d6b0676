/*
 * Aims at number_parse, number_format, number_encode, number_decode, number_compare, number_size,
 * number_add, number_subtract, number_to_int.
 *
 * The input is two texts with a space between them.
 */
#include <stdlib.h>

#include "item/number.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool truth) {
    if (!truth)
        abort();
}

static bool same(const struct number *x, const struct number *y) {
    return memcmp(x, y, sizeof *x) == 0;
}

static void check_normalised(const struct number *n) {
    expect(n->count <= LIMIT_NUMBER_DIGITS);
    expect(n->count ? n->digits[0] && n->digits[n->count - 1] : n->exponent == 0 && !n->negative);
    for (size_t i = 0; i < LIMIT_NUMBER_DIGITS; i++)
        expect(n->digits[i] <= (i < n->count ? 9 : 0));
}

static void check_forms(struct arena *a, const struct number *n) {
    struct number back;
    char text[NUMBER_TEXT_MAX];
    size_t len = number_format(n, text);
    expect(len <= sizeof text);
    expect(!number_parse(a, (struct slice){text, len}, &back) && same(&back, n));

    uint8_t bytes[NUMBER_BYTES_MAX];
    len = number_encode(n, bytes);
    expect(len <= sizeof bytes);
    expect(number_decode((struct slice){(const char *)bytes, len}, &back) == len && same(&back, n));

    int64_t i;
    if (number_to_int(n, &i)) {
        back = number_of_int(i);
        expect(same(&back, n));
    }
    expect(number_size(n) <= 22);
}

static void check_decode(struct slice bytes) {
    struct number n;
    uint8_t again[NUMBER_BYTES_MAX];
    size_t len = number_decode(bytes, &n);
    if (len == 0)
        return;
    check_normalised(&n);
    expect(number_encode(&n, again) == len && memcmp(again, bytes.ptr, len) == 0);
}

static void check_order(const struct number *x, const struct number *y) {
    uint8_t bx[NUMBER_BYTES_MAX], by[NUMBER_BYTES_MAX];
    struct slice sx = {(const char *)bx, number_encode(x, bx)};
    struct slice sy = {(const char *)by, number_encode(y, by)};
    int got = slice_compare(sx, sy), want = number_compare(x, y);
    expect((got < 0) == (want < 0) && (got > 0) == (want > 0));
    expect((number_compare(y, x) < 0) == (want > 0));
}

static void check_sums(struct arena *a, const struct number *x, const struct number *y) {
    struct number sum, reversed, back;
    struct error *fault = number_add(a, x, y, &sum);
    expect(!fault == !number_add(a, y, x, &reversed));
    if (fault)
        return;
    check_normalised(&sum);
    expect(same(&sum, &reversed));
    expect(!number_subtract(a, &sum, y, &back) && same(&back, x));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena *a = arena_create();
    struct slice text = {(const char *)data, size};
    const char *space = size ? memchr(data, ' ', size) : NULL;
    struct slice first = {text.ptr, space ? (size_t)(space - text.ptr) : size};
    struct slice second = {first.ptr + first.len, size - first.len};
    if (space)
        second = (struct slice){space + 1, second.len - 1};
    struct number x, y;
    check_decode(text);
    if (!number_parse(a, first, &x)) {
        check_normalised(&x);
        check_forms(a, &x);
        if (!number_parse(a, second, &y)) {
            check_order(&x, &y);
            check_sums(a, &x, &y);
        }
    }
    arena_destroy(a);
    return 0;
}
