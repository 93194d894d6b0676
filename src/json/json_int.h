/*
 * For the files of this room: strings looked at eight bytes in one step, and pieces of text.
 *
 * A byte is special when a string's scan has to stop there: a quote, a backslash or a control
 * character; for the reader, which checks UTF-8, also what is not ASCII.
 */
#ifndef JSON_JSON_INT_H
#define JSON_JSON_INT_H

#include <endian.h>

#include "base/buf.h"
#include "json/json.h"

#define JSON_EVERY_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))
#define JSON_HIGH_BITS JSON_EVERY_BYTE(0x80)

/* The special bytes have their high bit set in the result.  Above the lowest such byte borrows may
 * set more, so only the lowest is sure, and only the lowest is asked for. */
static inline uint64_t json_special_bits(uint64_t eight, bool ascii) {
    uint64_t control = eight - JSON_EVERY_BYTE(0x20);
    uint64_t quote = (eight ^ JSON_EVERY_BYTE('"')) - JSON_EVERY_BYTE(1);
    uint64_t backslash = (eight ^ JSON_EVERY_BYTE('\\')) - JSON_EVERY_BYTE(1);
    uint64_t special = control | quote | backslash;
    return (ascii ? special | eight : special & ~eight) & JSON_HIGH_BITS;
}

static inline bool json_is_special(unsigned char c, bool ascii) {
    return c < 0x20 || c == '"' || c == '\\' || (ascii && c >= 0x80);
}

static inline uint64_t json_special_at(const char *at, bool ascii) {
    uint64_t eight;
    memcpy(&eight, at, sizeof eight);
    return json_special_bits(le64toh(eight), ascii);
}

/* The first special byte from `at` on, or `end`; `ascii` when other bytes are special too. */
static inline const char *json_skip_plain(const char *at, const char *end, bool ascii) {
    if (end - at < 8) {
        while (at < end && !json_is_special((unsigned char)*at, ascii))
            at++;
        return at;
    }
    for (; end - at > 8; at += 8) {
        uint64_t special = json_special_at(at, ascii);
        if (special)
            return at + __builtin_ctzll(special) / 8;
    }
    /* The last eight, of which the first may have been seen, and were plain, before. */
    uint64_t special = json_special_at(end - 8, ascii);
    return special ? end - 8 + __builtin_ctzll(special) / 8 : end;
}

/* The length of the UTF-8 sequence (RFC 3629) of two bytes or more at `at`; 0 when malformed. */
size_t json_utf8_length(const char *at, const char *end);

/* buf_extend without a call when there is room already. */
static inline char *json_extend(struct buf *out, size_t more) {
    if (UNLIKELY(out->overflow || out->room - out->len < more))
        return buf_extend(out, more);
    char *at = out->ptr + out->len;
    out->len += more;
    return at;
}

/* Pieces of text (json_text.c). */
enum { JSON_INT_TEXT_MAX = 20, JSON_DOUBLE_TEXT_MAX = 32 };
struct slice json_int_text(char out[JSON_INT_TEXT_MAX], int64_t n);
struct slice json_double_text(char out[JSON_DOUBLE_TEXT_MAX], double d);

/* The string with its quotes; a comma before it and a colon after it when asked for. */
void json_text_string(struct buf *out, bool comma, struct slice s, bool colon);

#endif
