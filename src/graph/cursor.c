#include "graph/cursor.h"

#include <stdio.h>
#include <zlib.h>

enum { CURSOR_VERSION = 1, CURSOR_HEAD = 6, CURSOR_TAIL = 4, CURSOR_MAX = 4096 };

static const char cursor_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static uint32_t crc(struct slice s) {
    return (uint32_t)crc32(0, (const unsigned char *)s.ptr, (unsigned)s.len);
}

uint32_t cursor_binding(const struct graph *g, const struct graph_list *list) {
    /* Ids hold any byte but lengths tell where they end. */
    char text[128];
    int len = snprintf(text, sizeof text, "%zu %zu %d", g->d.graph.len, list->type.len,
                       (int)list->direction);
    uLong hash = crc32(0, (const unsigned char *)text, (unsigned)len);
    const struct slice parts[] = {g->d.graph, list->type, list->id};
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        hash = crc32(hash, (const unsigned char *)parts[i].ptr, (unsigned)parts[i].len);
    return (uint32_t)hash;
}

static struct slice base64url_write(struct arena *a, struct slice bytes) {
    struct buf out = buf_in(a, 2 * CURSOR_MAX);
    uint32_t bits = 0;
    unsigned held = 0;
    for (size_t i = 0; i < bytes.len; i++) {
        bits = bits << 8 | (unsigned char)bytes.ptr[i];
        for (held += 8; held >= 6; held -= 6)
            buf_add_char(&out, cursor_digits[bits >> (held - 6) & 63]);
    }
    if (held > 0)
        buf_add_char(&out, cursor_digits[bits << (6 - held) & 63]);
    return buf_slice(&out);
}

static bool base64url_read(struct arena *a, struct slice text, struct slice *bytes) {
    char *out = arena_bytes(a, text.len + 1);
    size_t len = 0;
    uint32_t bits = 0;
    unsigned held = 0;
    for (size_t i = 0; i < text.len; i++) {
        const char *digit = text.ptr[i] ? strchr(cursor_digits, text.ptr[i]) : NULL;
        if (!digit)
            return false;
        bits = bits << 6 | (uint32_t)(digit - cursor_digits);
        held += 6;
        if (held < 8)
            continue;
        held -= 8;
        out[len++] = (char)(bits >> held & 255);
    }
    *bytes = (struct slice){out, len};
    return true;
}

struct slice cursor_write(struct arena *a, uint32_t binding, bool descending, struct slice key) {
    struct buf bytes = buf_in(a, CURSOR_MAX);
    buf_add_char(&bytes, CURSOR_VERSION);
    buf_add_char(&bytes, descending);
    buf_add_u32(&bytes, binding);
    buf_add(&bytes, key);
    buf_add_u32(&bytes, crc(buf_slice(&bytes)));
    return base64url_write(a, buf_slice(&bytes));
}

static uint32_t read_u32(const char *at) {
    const unsigned char *b = (const unsigned char *)at;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

struct error *cursor_read(struct arena *a, struct slice text, uint32_t binding, bool descending,
                          struct slice *key) {
    struct slice bytes;
    bool whole = text.len <= CURSOR_MAX && base64url_read(a, text, &bytes) &&
                 bytes.len > CURSOR_HEAD + CURSOR_TAIL &&
                 crc((struct slice){bytes.ptr, bytes.len - CURSOR_TAIL}) ==
                     read_u32(bytes.ptr + bytes.len - CURSOR_TAIL);
    if (!whole || bytes.ptr[0] != CURSOR_VERSION)
        return graph_error(a, GRAPH_CURSOR, "the cursor is damaged");
    if (read_u32(bytes.ptr + 2) != binding || bytes.ptr[1] != (char)descending)
        return graph_error(a, GRAPH_CURSOR, "the cursor is of another list");
    *key = (struct slice){bytes.ptr + CURSOR_HEAD, bytes.len - CURSOR_HEAD - CURSOR_TAIL};
    return NULL;
}
