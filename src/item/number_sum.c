/*
 * Exact sums.  Both operands are laid into a window of decimal digits, the highest first, with one
 * place in front for the carry:
 *
 *   place      0   1 … SUM_SPAN
 *   power  high  high-1 …               high = the larger exponent
 *
 * When the operands span more than SUM_SPAN powers of ten, their lowest digits stand at different
 * powers and so the result's lowest digit is one that cannot be dropped; its highest is at most one
 * power below the operands' highest.  (A larger cancellation needs exponents that differ by at most
 * one, which is at most 39 powers.)  So it has more than 38 digits whatever they are.
 */
#include "item/number.h"
#include "item/number_int.h"

enum { SUM_SPAN = LIMIT_NUMBER_DIGITS + 2, SUM_PLACES = SUM_SPAN + 1 };

struct sum_window {
    int high;
    uint8_t places[SUM_PLACES];
};

static int sum_low(const struct number *n) {
    return n->exponent - n->count;
}

/* Digits of `n` that are added to the window's. */
static void sum_window_add(struct sum_window *w, const struct number *n) {
    int place = w->high - n->exponent + n->count; /* of the last digit */
    uint8_t carry = 0;
    for (int i = n->count - 1; i >= 0 || carry; i--, place--) {
        uint8_t sum = (uint8_t)(w->places[place] + (i >= 0 ? n->digits[i] : 0) + carry);
        carry = sum >= 10;
        w->places[place] = (uint8_t)(sum - 10 * carry);
    }
}

/* Digits of `n`, which is not larger than the window, that are taken from it. */
static void sum_window_subtract(struct sum_window *w, const struct number *n) {
    int place = w->high - n->exponent + n->count;
    uint8_t borrow = 0;
    for (int i = n->count - 1; i >= 0 || borrow; i--, place--) {
        int left = w->places[place] - (i >= 0 ? n->digits[i] : 0) - borrow;
        borrow = left < 0;
        w->places[place] = (uint8_t)(left + 10 * borrow);
    }
}

static struct error *sum_window_read(struct arena *a, const struct sum_window *w, bool negative,
                                     struct number *out) {
    int first = 0;
    while (first < SUM_PLACES && w->places[first] == 0)
        first++;
    if (first == SUM_PLACES) {
        *out = (struct number){0};
        return NULL;
    }
    int end = SUM_PLACES;
    while (w->places[end - 1] == 0)
        end--;
    int exponent = w->high + 1 - first;
    TRY(number_check_exponent(a, exponent));
    if (end - first > LIMIT_NUMBER_DIGITS)
        return number_overflow(a);
    struct number sum = {
        .exponent = (int16_t)exponent, .count = (uint8_t)(end - first), .negative = negative};
    memcpy(sum.digits, w->places + first, sum.count);
    *out = sum;
    return NULL;
}

static struct number sum_magnitude(const struct number *n) {
    struct number magnitude = *n;
    magnitude.negative = false;
    return magnitude;
}

/* AWS: a sum that needs more than 38 digits is refused in the words of an overflow, not rounded.
 * (Scylla, test_number.py, run on AWS) */
struct error *number_add(struct arena *a, const struct number *x, const struct number *y,
                         struct number *out) {
    if (x->count == 0 || y->count == 0) {
        *out = x->count == 0 ? *y : *x;
        return NULL;
    }
    struct number left = sum_magnitude(x), right = sum_magnitude(y);
    bool x_first = number_compare(&left, &right) >= 0;
    const struct number *larger = x_first ? x : y;
    const struct number *smaller = x_first ? y : x;
    int low = sum_low(x) < sum_low(y) ? sum_low(x) : sum_low(y);
    if (larger->exponent - low > SUM_SPAN)
        return number_overflow(a);

    struct sum_window w = {.high = larger->exponent};
    sum_window_add(&w, larger);
    if (x->negative == y->negative)
        sum_window_add(&w, smaller);
    else
        sum_window_subtract(&w, smaller);
    return sum_window_read(a, &w, larger->negative, out);
}

struct error *number_subtract(struct arena *a, const struct number *x, const struct number *y,
                              struct number *out) {
    struct number negated = *y;
    negated.negative = y->count != 0 && !y->negative;
    return number_add(a, x, &negated, out);
}
