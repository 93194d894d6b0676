/*
 * A buffer that grows, up to a ceiling given when it is made.
 *
 * Its bytes live in an arena, so it is never freed by itself.  A write past the ceiling is dropped
 * and remembered: writers need not check each call, the one who uses the bytes asks buf_ok once.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/arena.h"

struct buf {
    struct arena *arena;
    char *ptr;
    size_t len;
    size_t room;
    size_t ceiling;
    bool overflow;
};

static inline struct buf buf_in(struct arena *a, size_t ceiling) {
    return (struct buf){.arena = a, .ceiling = ceiling};
}

/* buf_extend when there is no room yet. */
char *buf_extend_slowly(struct buf *b, size_t more);

/* Space for `more` bytes at the end, which become part of the buffer; NULL past the ceiling. */
static inline char *buf_extend(struct buf *b, size_t more) {
    if (b->room - b->len < more || b->overflow)
        return buf_extend_slowly(b, more);
    char *at = b->ptr + b->len;
    b->len += more;
    return at;
}

static inline void buf_add_char(struct buf *b, char c) {
    char *at = buf_extend(b, 1);
    if (at)
        *at = c;
}

void buf_add(struct buf *b, struct slice s);
void buf_add_text(struct buf *b, const char *text);
void buf_printf(struct buf *b, const char *format, ...) PRINTF_LIKE(2, 3);

/* Integers in the house's binary forms: big-endian, so that they sort; LEB128 for lengths. */
void buf_add_u16(struct buf *b, uint16_t n);
void buf_add_u32(struct buf *b, uint32_t n);
void buf_add_u64(struct buf *b, uint64_t n);
void buf_add_varint(struct buf *b, uint64_t n);

static inline struct slice buf_slice(const struct buf *b) {
    return (struct slice){b->ptr, b->len};
}

static inline bool buf_ok(const struct buf *b) {
    return !b->overflow;
}

/* Empty again; keeps its memory. */
static inline void buf_clear(struct buf *b) {
    b->len = 0;
    b->overflow = false;
}

#endif
