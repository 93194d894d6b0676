/*
 * The form of a key component.  It is on disk: it cannot change.
 *
 *   tag         'S', 'N' or 'B'
 *   bytes       of a string or binary value as they are, of a number in the form of number_bytes.c;
 *               each 00 among them written as 00 FF
 *   end         00 01
 *
 * The end sorts before 00 FF and before every other byte, so a value sorts before its own
 * continuations, and what follows a component decides only between equal ones.
 *
 *   "ab"        53 61 62 00 01
 *   B 61 00     42 61 00 FF 00 01
 *   150         4E C2 03 64 00 01
 */
#include "item/key_bytes.h"

enum { KEY_S = 'S', KEY_N = 'N', KEY_B = 'B' };

static const struct slice key_zero = SLICE_INIT("\x00\xff");
static const struct slice key_end = SLICE_INIT("\x00\x01");

static void key_add_escaped(struct buf *out, struct slice bytes) {
    while (bytes.len) {
        const char *zero = memchr(bytes.ptr, 0, bytes.len);
        size_t plain = zero ? (size_t)(zero - bytes.ptr) : bytes.len;
        buf_add(out, (struct slice){bytes.ptr, plain});
        if (!zero)
            return;
        buf_add(out, key_zero);
        bytes.ptr += plain + 1;
        bytes.len -= plain + 1;
    }
}

void key_bytes_add_prefix(struct buf *out, const struct value *v) {
    buf_add_char(out, v->type == VALUE_S ? KEY_S : KEY_B);
    key_add_escaped(out, v->bytes);
}

static void key_add_number(struct buf *out, const struct number *n) {
    uint8_t bytes[NUMBER_BYTES_MAX];
    size_t len = number_encode(n, bytes);
    buf_add_char(out, KEY_N);
    key_add_escaped(out, (struct slice){(const char *)bytes, len});
}

void key_bytes_add(struct buf *out, const struct value *v) {
    if (v->type == VALUE_N)
        key_add_number(out, &v->number);
    else
        key_bytes_add_prefix(out, v);
    buf_add(out, key_end);
}

/* Finds the end and counts the escapes before it. */
static bool key_find_end(const struct reader *r, size_t *len, size_t *escapes) {
    *escapes = 0;
    const char *from = r->at;
    for (;;) {
        const char *zero = from == r->end ? NULL : memchr(from, 0, (size_t)(r->end - from));
        if (!zero || r->end - zero < 2)
            return false;
        if (zero[1] == key_end.ptr[1]) {
            *len = (size_t)(zero - r->at);
            return true;
        }
        if (zero[1] != key_zero.ptr[1])
            return false;
        ++*escapes;
        from = zero + 2;
    }
}

static struct slice key_unescape(struct arena *a, struct slice bytes, size_t escapes) {
    if (escapes == 0)
        return bytes;
    char *out = arena_bytes(a, bytes.len - escapes);
    size_t len = 0;
    for (size_t i = 0; i < bytes.len; i++) {
        out[len++] = bytes.ptr[i];
        i += bytes.ptr[i] == 0;
    }
    return (struct slice){out, len};
}

static bool key_value(uint8_t tag, struct slice bytes, struct value *out) {
    struct value v = {.type = tag == KEY_S ? VALUE_S : VALUE_B};
    if (tag == KEY_N) {
        v.type = VALUE_N;
        if (bytes.len == 0 || number_decode(bytes, &v.number) != bytes.len)
            return false;
    } else if (tag == KEY_S || tag == KEY_B) {
        v.bytes = bytes;
    } else {
        return false;
    }
    *out = v;
    return true;
}

bool key_bytes_read(struct reader *r, struct arena *a, struct value *out) {
    struct reader at = *r;
    uint8_t tag;
    size_t len, escapes;
    struct slice bytes;
    if (!reader_u8(&at, &tag) || !key_find_end(&at, &len, &escapes) ||
        !reader_bytes(&at, len, &bytes))
        return false;
    if (!key_value(tag, key_unescape(a, bytes, escapes), out))
        return false;
    at.at += key_end.len;
    *r = at;
    return true;
}

struct slice key_bytes_after_prefix(struct arena *a, struct slice prefix) {
    size_t len = prefix.len;
    while (len && (uint8_t)prefix.ptr[len - 1] == 0xff)
        len--;
    if (len == 0)
        return (struct slice){NULL, 0};
    char *out = arena_bytes(a, len);
    memcpy(out, prefix.ptr, len);
    out[len - 1]++;
    return (struct slice){out, len};
}
