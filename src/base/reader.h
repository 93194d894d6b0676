/*
 * A reader over binary bytes that only moves forward.
 *
 * Every step checks what is left and moves only when it succeeds; false means the bytes end too
 * early or are malformed.  The forms are those that buf.h writes.
 */
#ifndef BASE_READER_H
#define BASE_READER_H

#include "base/slice.h"

struct reader {
    const char *at;
    const char *end;
};

static inline struct reader reader_of(struct slice s) {
    return (struct reader){s.ptr, s.ptr + s.len};
}

static inline size_t reader_left(const struct reader *r) {
    return (size_t)(r->end - r->at);
}

static inline bool reader_bytes(struct reader *r, size_t len, struct slice *out) {
    if (reader_left(r) < len)
        return false;
    *out = (struct slice){r->at, len};
    r->at += len;
    return true;
}

static inline bool reader_u8(struct reader *r, uint8_t *out) {
    if (r->at == r->end)
        return false;
    *out = (uint8_t)*r->at++;
    return true;
}

bool reader_u16(struct reader *r, uint16_t *out);
bool reader_u32(struct reader *r, uint32_t *out);
bool reader_u64(struct reader *r, uint64_t *out);

/* LEB128 of at most 64 bits; a form longer than needed is refused, so that equal is equal. */
bool reader_varint(struct reader *r, uint64_t *out);

/* A varint length, then that many bytes. */
static inline bool reader_sized(struct reader *r, struct slice *out) {
    struct reader start = *r;
    uint64_t len;
    if (reader_varint(r, &len) && len <= reader_left(r) && reader_bytes(r, (size_t)len, out))
        return true;
    *r = start;
    return false;
}

#endif
