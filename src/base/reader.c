#include "base/reader.h"

static bool reader_big_endian(struct reader *r, unsigned bytes, uint64_t *out) {
    if (reader_left(r) < bytes)
        return false;
    uint64_t n = 0;
    for (unsigned i = 0; i < bytes; i++)
        n = n << 8 | (uint8_t)r->at[i];
    r->at += bytes;
    *out = n;
    return true;
}

bool reader_u16(struct reader *r, uint16_t *out) {
    uint64_t n;
    if (!reader_big_endian(r, 2, &n))
        return false;
    *out = (uint16_t)n;
    return true;
}

bool reader_u32(struct reader *r, uint32_t *out) {
    uint64_t n;
    if (!reader_big_endian(r, 4, &n))
        return false;
    *out = (uint32_t)n;
    return true;
}

bool reader_u64(struct reader *r, uint64_t *out) {
    return reader_big_endian(r, 8, out);
}

bool reader_varint(struct reader *r, uint64_t *out) {
    uint64_t n = 0;
    const char *at = r->at;
    for (unsigned shift = 0; shift < 64 && at < r->end; shift += 7) {
        uint8_t byte = (uint8_t)*at++;
        if (shift == 63 && byte > 1)
            return false;
        n |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80)
            continue;
        if (byte == 0 && shift > 0)
            return false;
        r->at = at;
        *out = n;
        return true;
    }
    return false;
}
