/*
 * The text of a number, as the wire writes it:
 *
 *   [+-] digits [. digits] [e [+-] digits]      with a digit before or after the point
 *
 * AWS: a leading plus, leading zeros, ".5", "5.", "1e+5" and "0e1000" are numbers; spaces, "NaN"
 * and "Infinity" are not.  (Scylla, test_number.py, run on AWS)
 */
#include "base/reader.h"
#include "item/number.h"
#include "item/number_int.h"

/* Far above what a text in memory can make up for with digits, far below an overflow. */
static const int64_t exponent_cap = INT64_C(1) << 60;

struct number_scan {
    struct reader in;
    struct number n;
    int64_t exponent;
    size_t significant; /* digits since the first that is not zero */
    bool excess;        /* one past LIMIT_NUMBER_DIGITS is not zero */
};

static bool number_take(struct reader *r, char lower, char upper) {
    if (r->at == r->end || (*r->at != lower && *r->at != upper))
        return false;
    r->at++;
    return true;
}

static bool number_take_digit(struct reader *r, uint8_t *digit) {
    if (r->at == r->end || *r->at < '0' || *r->at > '9')
        return false;
    *digit = (uint8_t)(*r->at++ - '0');
    return true;
}

/* True when negative. */
static bool number_take_sign(struct reader *r) {
    return number_take(r, '-', '-') || (number_take(r, '+', '+') && false);
}

static void number_scan_significant(struct number_scan *s, uint8_t digit) {
    if (s->significant < LIMIT_NUMBER_DIGITS)
        s->n.digits[s->significant] = digit;
    else
        s->excess |= digit != 0;
    s->significant++;
    if (digit && s->significant <= LIMIT_NUMBER_DIGITS)
        s->n.count = (uint8_t)s->significant;
}

/* Whether there was a digit. */
static bool number_scan_digits(struct number_scan *s, bool fraction) {
    const char *start = s->in.at;
    uint8_t digit;
    while (number_take_digit(&s->in, &digit)) {
        if (digit == 0 && s->significant == 0) {
            s->exponent -= fraction;
            continue;
        }
        s->exponent += !fraction;
        number_scan_significant(s, digit);
    }
    return s->in.at > start;
}

static bool number_scan_exponent(struct number_scan *s) {
    bool negative = number_take_sign(&s->in);
    const char *start = s->in.at;
    int64_t exponent = 0;
    uint8_t digit;
    while (number_take_digit(&s->in, &digit)) {
        if (exponent < exponent_cap / 10)
            exponent = exponent * 10 + digit;
    }
    s->exponent += negative ? -exponent : exponent;
    return s->in.at > start;
}

static bool number_scan(struct number_scan *s) {
    s->n.negative = number_take_sign(&s->in);
    bool any = number_scan_digits(s, false);
    if (number_take(&s->in, '.', '.'))
        any |= number_scan_digits(s, true);
    if (!any)
        return false;
    if (number_take(&s->in, 'e', 'E') && !number_scan_exponent(s))
        return false;
    return reader_left(&s->in) == 0;
}

static struct error *number_not_numeric(struct arena *a, struct slice text) {
    if (text.len == 0)
        return error_new(a, ERR_VALIDATION, "The parameter cannot be converted to a numeric value");
    return error_new(a, ERR_VALIDATION,
                     "The parameter cannot be converted to a numeric value: %.*s", SLICE_ARG(text));
}

struct error *number_parse(struct arena *a, struct slice text, struct number *out) {
    struct number_scan s = {.in = reader_of(text)};
    if (!number_scan(&s))
        return number_not_numeric(a, text);
    if (s.significant == 0) {
        *out = (struct number){0};
        return NULL;
    }
    TRY(number_check_exponent(a, s.exponent));
    if (s.excess)
        return error_new(a, ERR_VALIDATION,
                         "Attempting to store more than 38 significant digits in a Number");
    s.n.exponent = (int16_t)s.exponent;
    *out = s.n;
    return NULL;
}
