#include "base/buf.h"

#include <stdio.h>

enum { BUF_FIRST = 256 };

static bool buf_reserve(struct buf *b, size_t more) {
    if (b->overflow || more > b->ceiling - b->len) {
        b->overflow = true;
        return false;
    }
    if (b->room - b->len >= more)
        return true;
    size_t room = b->room ? b->room * 2 : BUF_FIRST;
    if (room < b->len + more)
        room = b->len + more;
    if (room > b->ceiling)
        room = b->ceiling;
    b->ptr = arena_grow(b->arena, b->ptr, b->room, room);
    b->room = room;
    return true;
}

char *buf_extend_slowly(struct buf *b, size_t more) {
    if (!buf_reserve(b, more))
        return NULL;
    char *at = b->ptr + b->len;
    b->len += more;
    return at;
}

void buf_add(struct buf *b, struct slice s) {
    if (s.len == 0)
        return;
    char *at = buf_extend(b, s.len);
    if (at)
        memcpy(at, s.ptr, s.len);
}

void buf_add_text(struct buf *b, const char *text) {
    buf_add(b, slice_of(text));
}

void buf_printf(struct buf *b, const char *format, ...) {
    va_list args;
    va_start(args, format);
    struct slice s = arena_vprintf(b->arena, format, args);
    va_end(args);
    buf_add(b, s);
}

static void buf_add_big_endian(struct buf *b, uint64_t n, unsigned bytes) {
    char *at = buf_extend(b, bytes);
    for (unsigned i = 0; at && i < bytes; i++)
        at[i] = (char)(n >> (8 * (bytes - 1 - i)));
}

void buf_add_u16(struct buf *b, uint16_t n) {
    buf_add_big_endian(b, n, 2);
}

void buf_add_u32(struct buf *b, uint32_t n) {
    buf_add_big_endian(b, n, 4);
}

void buf_add_u64(struct buf *b, uint64_t n) {
    buf_add_big_endian(b, n, 8);
}

void buf_add_varint(struct buf *b, uint64_t n) {
    while (n >= 0x80) {
        buf_add_char(b, (char)(n | 0x80));
        n >>= 7;
    }
    buf_add_char(b, (char)n);
}
