/*
 * The order-preserving form of a number.  It is on disk: it cannot change.
 *
 *   head        1 byte
 *   digits      1 to 20 bytes, one for each digit of base 100, aligned at the decimal point
 *
 * A positive number d1 d2 … × 100^p, d1 not zero, p from -64 to 63:
 *
 *   head        80 + p + 64                          80 … FF
 *   digit d     2d + 1, the last one 2d              never 00; the last digit is not zero
 *
 * The odd bit says that more digits follow.  So a number that has fewer digits sorts before its
 * continuations, no form is a prefix of another, and there is no length and no end mark.
 *
 *   zero        80 01                                below every positive number: those have d1 > 0
 *   negative    the form of its magnitude, every byte inverted
 *
 *   1       C1 02          42      C1 54         -1      3E FD
 *   0.01    C0 02          150     C2 03 64      -150    3D FC 9B
 */
#include "item/number.h"
#include "item/number_int.h"

enum { NUMBER_HEAD = 0x80, NUMBER_ZERO = 0x01, NUMBER_DIGIT_MAX = 2 * 99 + 1 };

/* Makes the decimal exponent of base 100's lowest digit zero: 1 … 256. */
enum { NUMBER_BIAS = 1 - NUMBER_EXPONENT_MIN };

static uint8_t number_digit(const struct number *n, int i) {
    return i >= 0 && i < LIMIT_NUMBER_DIGITS ? n->digits[i] : 0;
}

size_t number_encode(const struct number *n, uint8_t out[NUMBER_BYTES_MAX]) {
    if (n->count == 0) {
        out[0] = NUMBER_HEAD;
        out[1] = NUMBER_ZERO;
        return 2;
    }
    int biased = n->exponent + NUMBER_BIAS;
    uint8_t invert = n->negative ? 0xff : 0;
    size_t len = 0;
    out[len++] = (uint8_t)(NUMBER_HEAD + (biased + 1) / 2 - 1) ^ invert;
    /* An odd exponent leaves the first decimal digit alone in its digit of base 100. */
    for (int i = biased % 2 ? -1 : 0; i < n->count; i += 2) {
        int digit = number_digit(n, i) * 10 + number_digit(n, i + 1);
        bool more = i + 2 < n->count;
        out[len++] = (uint8_t)(2 * digit + more) ^ invert;
    }
    return len;
}

/* The next decimal digit; false when it is one too many. */
static bool number_put(struct number *n, uint8_t digit) {
    if (n->count == LIMIT_NUMBER_DIGITS)
        return digit == 0;
    n->digits[n->count++] = digit;
    return true;
}

static bool number_put_pair(struct number *n, uint8_t pair) {
    bool first = n->count == 0;
    if (first && pair == 0)
        return false;
    return ((first && pair < 10) || number_put(n, pair / 10)) && number_put(n, pair % 10);
}

static void number_trim(struct number *n) {
    while (n->count && n->digits[n->count - 1] == 0)
        n->count--;
}

size_t number_decode(struct slice bytes, struct number *out) {
    if (bytes.len < 2)
        return 0;
    const uint8_t *at = (const uint8_t *)bytes.ptr;
    if (at[0] == NUMBER_HEAD && at[1] == NUMBER_ZERO) {
        *out = (struct number){0};
        return 2;
    }
    struct number n = {.negative = at[0] < NUMBER_HEAD};
    uint8_t invert = n.negative ? 0xff : 0;
    int biased = 2 * ((at[0] ^ invert) - NUMBER_HEAD + 1);
    size_t len = 1;
    uint8_t byte;
    do {
        if (len == bytes.len)
            return 0;
        byte = at[len++] ^ invert;
        if (len == 2 && byte < 20)
            biased--;
        if (byte > NUMBER_DIGIT_MAX || !number_put_pair(&n, byte / 2))
            return 0;
    } while (byte % 2);
    if (byte == 0)
        return 0;
    number_trim(&n);
    n.exponent = (int16_t)(biased - NUMBER_BIAS);
    *out = n;
    return len;
}
