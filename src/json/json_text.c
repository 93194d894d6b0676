#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json/json_int.h"
#include "json/json_writer.h"

/* Numbers */

struct slice json_int_text(char out[JSON_INT_TEXT_MAX], int64_t n) {
    char *end = out + JSON_INT_TEXT_MAX;
    char *at = end;
    uint64_t left = n < 0 ? -(uint64_t)n : (uint64_t)n;
    do {
        *--at = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (n < 0)
        *--at = '-';
    return (struct slice){at, (size_t)(end - at)};
}

/* Whole and half numbers, which are nearly all that is written (capacity units). */
static struct slice json_half_text(char out[JSON_DOUBLE_TEXT_MAX], int64_t halves) {
    char whole[JSON_INT_TEXT_MAX];
    struct slice digits = json_int_text(whole, halves < 0 ? -(halves / 2) : halves / 2);
    int len = snprintf(out, JSON_DOUBLE_TEXT_MAX, "%s%.*s.%c", halves < 0 ? "-" : "",
                       SLICE_ARG(digits), halves % 2 ? '5' : '0');
    return (struct slice){out, (size_t)len};
}

/* Puts ".0" before the exponent, or at the end. */
static size_t json_add_fraction(char *text, size_t len) {
    size_t at = strcspn(text, "e");
    memmove(text + at + 2, text + at, len - at + 1);
    memcpy(text + at, ".0", 2);
    return len + 2;
}

struct slice json_double_text(char out[JSON_DOUBLE_TEXT_MAX], double d) {
    if (!isfinite(d))
        return SLICE("null");
    double halves = d * 2;
    if (fabs(halves) < 1e15 && halves == (double)(int64_t)halves)
        return json_half_text(out, (int64_t)halves);
    size_t len = 0;
    for (int digits = 15; digits <= 17; digits++) {
        len = (size_t)snprintf(out, JSON_DOUBLE_TEXT_MAX, "%.*g", digits, d);
        if (strtod(out, NULL) == d)
            break;
    }
    if (!strchr(out, '.'))
        len = json_add_fraction(out, len);
    return (struct slice){out, len};
}

/* Strings */

static void json_text_escape(struct buf *out, unsigned char c) {
    static const char letters[256] = {['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
                                      ['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't'};
    static const char hex[] = "0123456789ABCDEF";
    if (letters[c]) {
        const char escape[] = {'\\', letters[c]};
        buf_add(out, (struct slice){escape, sizeof escape});
    } else {
        const char escape[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
        buf_add(out, (struct slice){escape, sizeof escape});
    }
}

static void json_text_escaped(struct buf *out, struct slice s, const char *special) {
    const char *at = s.ptr;
    const char *end = s.ptr + s.len;
    buf_add_char(out, '"');
    for (;;) {
        buf_add(out, (struct slice){at, (size_t)(special - at)});
        if (special == end)
            break;
        json_text_escape(out, (unsigned char)*special);
        at = special + 1;
        special = json_skip_plain(at, end, false);
    }
    buf_add_char(out, '"');
}

void json_text_string(struct buf *out, bool comma, struct slice s, bool colon) {
    const char *special = s.len ? json_skip_plain(s.ptr, s.ptr + s.len, false) : s.ptr;
    if (s.len && special != s.ptr + s.len) {
        if (comma)
            buf_add_char(out, ',');
        json_text_escaped(out, s, special);
        if (colon)
            buf_add_char(out, ':');
        return;
    }
    char *to = json_extend(out, s.len + 2 + comma + colon);
    if (!to)
        return;
    if (comma)
        *to++ = ',';
    *to++ = '"';
    if (s.len)
        memcpy(to, s.ptr, s.len);
    to += s.len;
    *to++ = '"';
    if (colon)
        *to = ':';
}

/* Trees */

struct json_printer {
    struct buf *out;
    unsigned indent;
};

static void json_print_value(const struct json_printer *p, const struct json *v, size_t level);

static void json_print_line(const struct json_printer *p, size_t level) {
    if (p->indent == 0)
        return;
    buf_add_char(p->out, '\n');
    char *spaces = buf_extend(p->out, p->indent * level);
    if (spaces)
        memset(spaces, ' ', p->indent * level);
}

static void json_print_container(const struct json_printer *p, const struct json *v, size_t level) {
    bool object = v->kind == JSON_OBJECT;
    buf_add_char(p->out, object ? '{' : '[');
    for (const struct json *e = v->first; e; e = e->next) {
        if (e != v->first)
            buf_add_char(p->out, ',');
        json_print_line(p, level + 1);
        if (object) {
            json_text_string(p->out, false, e->name, true);
            if (p->indent > 0)
                buf_add_char(p->out, ' ');
        }
        json_print_value(p, e, level + 1);
    }
    if (v->first)
        json_print_line(p, level);
    buf_add_char(p->out, object ? '}' : ']');
}

static void json_print_value(const struct json_printer *p, const struct json *v, size_t level) {
    switch (v->kind) {
    case JSON_NULL:
        buf_add(p->out, SLICE("null"));
        break;
    case JSON_FALSE:
        buf_add(p->out, SLICE("false"));
        break;
    case JSON_TRUE:
        buf_add(p->out, SLICE("true"));
        break;
    case JSON_NUMBER:
        buf_add(p->out, v->text);
        break;
    case JSON_STRING:
        json_text_string(p->out, false, v->text, false);
        break;
    case JSON_ARRAY:
    case JSON_OBJECT:
        json_print_container(p, v, level);
        break;
    }
}

void json_print(struct buf *out, const struct json *value, unsigned indent) {
    struct json_printer p = {.out = out, .indent = indent};
    json_print_value(&p, value, 0);
}
