/*
 * DynamoDB's numbers: exact decimals of up to 38 significant digits, 1E-130 to 9.99…E+125.
 *
 * A number is normalised: no leading or trailing zero digits, zero has no digits, no sign and
 * exponent 0.  So equal numbers are equal bytes.
 */
#ifndef ITEM_NUMBER_H
#define ITEM_NUMBER_H

#include "base/buf.h"
#include "base/error.h"
#include "base/limits.h"

struct number {
    int16_t exponent; /* value = 0.d1 d2 d3 … × 10^exponent */
    uint8_t count;    /* of digits */
    bool negative;
    uint8_t digits[LIMIT_NUMBER_DIGITS]; /* 0 to 9 each; those past `count` are zero */
};

/*
 * Reads a number as the wire writes it.  ERR_VALIDATION with AWS's texts: not a number ("The
 * parameter cannot be converted to a numeric value: …"), more than 38 digits, magnitude too large
 * or too small.
 */
MUST_CHECK struct error *number_parse(struct arena *a, struct slice text, struct number *out);

/* As AWS writes it: plain digits, never an exponent.  Returns the length, no NUL. */
enum { NUMBER_TEXT_MAX = 180 };
size_t number_format(const struct number *n, char out[NUMBER_TEXT_MAX]);

struct number number_of_int(int64_t n);

/* The number as an integer; false when it is none or does not fit. */
bool number_to_int(const struct number *n, int64_t *out);

int number_compare(const struct number *a, const struct number *b);

/* Exact sums; ERR_VALIDATION with AWS's text when the result leaves the range or 38 digits.
 * `out` may be one of the operands. */
MUST_CHECK struct error *number_add(struct arena *a, const struct number *x, const struct number *y,
                                    struct number *out);
MUST_CHECK struct error *number_subtract(struct arena *a, const struct number *x,
                                         const struct number *y, struct number *out);

/* Bytes that the number counts in an item's size (rule in number.c). */
size_t number_size(const struct number *n);

/* The order-preserving form (top of number_bytes.c): memcmp order is numeric order, no form is a
 * prefix of another.  Used in keys and in stored items. */
enum { NUMBER_BYTES_MAX = 24 };
size_t number_encode(const struct number *n, uint8_t out[NUMBER_BYTES_MAX]);

/* The number at the start of `bytes`; returns its length, 0 when malformed. */
size_t number_decode(struct slice bytes, struct number *out);

#endif
