#include "http/chunked.h"

enum {
    SIZE_DIGITS = 15, /* no overflow; the body's limit is far below */
    PASSED_OVER_BYTES = 16 * 1024,
};

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool chunked_size(struct chunked *c, char byte) {
    int digit = hex_digit(byte);
    if (digit >= 0) {
        c->left = c->left * 16 + (unsigned)digit;
        return ++c->digits <= SIZE_DIGITS;
    }
    c->state = byte == '\r' ? CHUNKED_SIZE_LF : CHUNKED_EXTENSION;
    return c->digits > 0 && (byte == '\r' || byte == ';' || byte == ' ' || byte == '\t');
}

/* A byte of an extension or a trailer: up to CR. */
static bool chunked_pass_over(struct chunked *c, char byte, enum chunked_state after) {
    if (byte == '\r')
        c->state = after;
    return byte != '\n' && ++c->passed_over <= PASSED_OVER_BYTES;
}

static bool chunked_need(struct chunked *c, char byte, char needed, enum chunked_state after) {
    c->state = after;
    return byte == needed;
}

/* One byte of framing; false when it is wrong. */
static bool chunked_byte(struct chunked *c, char byte) {
    switch (c->state) {
    case CHUNKED_SIZE:
        return chunked_size(c, byte);
    case CHUNKED_EXTENSION:
        return chunked_pass_over(c, byte, CHUNKED_SIZE_LF);
    case CHUNKED_SIZE_LF:
        c->digits = 0;
        return chunked_need(c, byte, '\n', c->left > 0 ? CHUNKED_DATA : CHUNKED_TRAILER_START);
    case CHUNKED_DATA_CR:
        return chunked_need(c, byte, '\r', CHUNKED_DATA_LF);
    case CHUNKED_DATA_LF:
        return chunked_need(c, byte, '\n', CHUNKED_SIZE);
    case CHUNKED_TRAILER_START:
        c->state = byte == '\r' ? CHUNKED_END_LF : CHUNKED_TRAILER;
        return byte != '\n';
    case CHUNKED_TRAILER:
        return chunked_pass_over(c, byte, CHUNKED_TRAILER_LF);
    case CHUNKED_TRAILER_LF:
        return chunked_need(c, byte, '\n', CHUNKED_TRAILER_START);
    case CHUNKED_DATA:
    case CHUNKED_END_LF:
        break;
    }
    return false;
}

static void chunked_take(struct chunked *c, struct slice *in, struct slice *data) {
    size_t len = in->len < c->left ? in->len : (size_t)c->left;
    *data = (struct slice){in->ptr, len};
    *in = (struct slice){in->ptr + len, in->len - len};
    c->left -= len;
    if (c->left == 0)
        c->state = CHUNKED_DATA_CR;
}

enum chunked_step chunked_next(struct chunked *c, struct slice *in, struct slice *data) {
    while (in->len > 0) {
        if (c->state == CHUNKED_DATA) {
            chunked_take(c, in, data);
            return CHUNKED_STEP_DATA;
        }
        char byte = *in->ptr;
        *in = (struct slice){in->ptr + 1, in->len - 1};
        if (c->state == CHUNKED_END_LF)
            return byte == '\n' ? CHUNKED_STEP_END : CHUNKED_STEP_BAD;
        if (!chunked_byte(c, byte))
            return CHUNKED_STEP_BAD;
    }
    return CHUNKED_STEP_MORE;
}
