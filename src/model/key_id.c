#include "model/key_id.h"

/* Bytes of the well-formed UTF-8 character at `at`, 0 when there is none (RFC 3629: no surrogates,
 * no overlong forms, nothing above U+10FFFF). */
static size_t utf8_length(const unsigned char *at, size_t left) {
    unsigned char first = at[0];
    size_t len = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (len == 0 || len > left || first > 0xF4)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    bool wrong = (first == 0xE0 && at[1] < 0xA0) || (first == 0xED && at[1] > 0x9F) ||
                 (first == 0xF0 && at[1] < 0x90) || (first == 0xF4 && at[1] > 0x8F);
    return wrong ? 0 : len;
}

struct error *key_id_check(struct arena *a, struct slice id) {
    if (id.len == 0)
        return error_new(a, ERR_VALIDATION, "an id must not be empty");
    for (size_t i = 0, len; i < id.len; i += len) {
        len = utf8_length((const unsigned char *)id.ptr + i, id.len - i);
        if (len == 0)
            return error_new(a, ERR_VALIDATION, "an id must be UTF-8: byte %zu is not", i + 1);
    }
    return NULL;
}

void key_id_escape(struct buf *out, struct slice id) {
    for (size_t i = 0; i < id.len; i++) {
        if (id.ptr[i] == '%')
            buf_add_text(out, "%25");
        else if (id.ptr[i] == '#')
            buf_add_text(out, "%23");
        else
            buf_add_char(out, id.ptr[i]);
    }
}

/* The character that the escape at `at` stands for, or NUL. */
static char escape_char(const char *at, size_t left) {
    if (left < 3 || at[1] != '2')
        return '\0';
    return at[2] == '5' ? '%' : at[2] == '3' ? '#' : '\0';
}

bool key_id_unescape(struct arena *a, struct slice written, struct slice *id) {
    if (written.len == 0 || memchr(written.ptr, '#', written.len))
        return false;
    if (!memchr(written.ptr, '%', written.len)) {
        *id = written;
        return true;
    }
    char *out = arena_bytes(a, written.len);
    size_t len = 0;
    for (size_t i = 0; i < written.len; i++) {
        char c = written.ptr[i];
        if (c == '%') {
            c = escape_char(written.ptr + i, written.len - i);
            if (c == '\0')
                return false;
            i += 2;
        }
        out[len++] = c;
    }
    *id = (struct slice){out, len};
    return true;
}
