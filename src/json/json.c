/*
 * The reader goes over the text once and keeps the open containers on a stack of its own, so depth
 * costs no recursion.  Nodes come in blocks that grow with the tree; a string is borrowed unless it
 * holds an escape.
 */
#include "json/json_int.h"

#include <stdalign.h>

#include "base/limits.h"

enum { JSON_BLOCK_FIRST_MAX = 64, JSON_BLOCK_MAX = 1024 };

struct json_frame {
    struct json *container;
    struct json *last; /* of its elements so far */
};

struct json_reader {
    const char *at;
    const char *end;
    struct arena *arena;
    struct json *free; /* the rest of the newest block of nodes */
    struct json *free_end;
    size_t block;   /* nodes in the next block */
    size_t nodes;   /* that may still be made */
    unsigned depth; /* open containers */
    struct json *root;
    struct slice name; /* of the member whose value comes next */
    struct json_frame open[LIMIT_JSON_DEPTH];
};

/* Nodes */

static bool json_more_nodes(struct json_reader *r) {
    size_t count = r->block < r->nodes ? r->block : r->nodes;
    if (count == 0)
        return false;
    char *bytes = arena_bytes(r->arena, count * sizeof(struct json) + alignof(struct json) - 1);
    uintptr_t past = (uintptr_t)bytes % alignof(struct json);
    if (past)
        bytes += alignof(struct json) - past;
    r->free = (struct json *)(void *)bytes;
    r->free_end = r->free + count;
    r->nodes -= count;
    if (r->block < JSON_BLOCK_MAX)
        r->block *= 2;
    return true;
}

/* A new element of the innermost container, or the root; NULL when there are too many. */
static inline struct json *json_add_node(struct json_reader *r, enum json_kind kind,
                                         struct slice text) {
    if (r->free == r->free_end && !json_more_nodes(r))
        return NULL;
    struct json *node = r->free++;
    *node = (struct json){.kind = kind, .name = r->name, .text = text};
    if (r->depth == 0) {
        r->root = node;
        return node;
    }
    struct json_frame *frame = &r->open[r->depth - 1];
    if (frame->last)
        frame->last->next = node;
    else
        frame->container->first = node;
    frame->last = node;
    frame->container->count++;
    return node;
}

/* Strings */

static inline bool json_is_continuation(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

size_t json_utf8_length(const char *at, const char *end) {
    unsigned char lead = (unsigned char)at[0];
    if (end - at < 2 || lead < 0xc2 || lead > 0xf4 || !json_is_continuation(at[1]))
        return 0;
    if (lead < 0xe0)
        return 2;
    unsigned char second = (unsigned char)at[1];
    if (end - at < 3 || !json_is_continuation(at[2]))
        return 0;
    if (lead < 0xf0) {
        bool overlong = lead == 0xe0 && second < 0xa0;
        bool surrogate = lead == 0xed && second > 0x9f;
        return overlong || surrogate ? 0 : 3;
    }
    bool overlong = lead == 0xf0 && second < 0x90;
    bool too_large = lead == 0xf4 && second > 0x8f;
    return overlong || too_large || end - at < 4 || !json_is_continuation(at[3]) ? 0 : 4;
}

/* Moves to the closing quote; what follows a backslash is looked at when it is decoded. */
static bool json_find_quote(struct json_reader *r, bool *escapes) {
    const char *at = r->at;
    bool well = false;
    for (;;) {
        at = json_skip_plain(at, r->end, true);
        if (at == r->end)
            break;
        if (*at == '"') {
            well = true;
            break;
        }
        size_t len = 0;
        if (*at == '\\') {
            *escapes = true;
            len = r->end - at >= 2 ? 2 : 0;
        } else if ((unsigned char)*at >= 0x80) {
            len = json_utf8_length(at, r->end);
        }
        if (len == 0)
            break;
        at += len;
    }
    r->at = at;
    return well;
}

static bool json_read_hex4(const char **at, const char *end, unsigned *out) {
    if (end - *at < 4)
        return false;
    unsigned n = 0;
    for (int i = 0; i < 4; i++) {
        unsigned char c = (unsigned char)(*at)[i];
        unsigned digit;
        if (c >= '0' && c <= '9')
            digit = c - '0';
        else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            digit = (c | 0x20) - 'a' + 10U;
        else
            return false;
        n = n << 4 | digit;
    }
    *at += 4;
    *out = n;
    return true;
}

/* The code point of a \u escape, `*at` being past its u; a high surrogate takes the next escape. */
static bool json_read_code_point(const char **at, const char *end, unsigned *out) {
    unsigned high;
    if (!json_read_hex4(at, end, &high) || (high >= 0xdc00 && high <= 0xdfff))
        return false;
    if (high < 0xd800 || high > 0xdbff) {
        *out = high;
        return true;
    }
    if (end - *at < 6 || (*at)[0] != '\\' || (*at)[1] != 'u')
        return false;
    *at += 2;
    unsigned low;
    if (!json_read_hex4(at, end, &low) || low < 0xdc00 || low > 0xdfff)
        return false;
    *out = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
    return true;
}

static char *json_put_utf8(char *to, unsigned point) {
    if (point < 0x80) {
        *to++ = (char)point;
        return to;
    }
    if (point < 0x800) {
        *to++ = (char)(0xc0 | point >> 6);
    } else {
        if (point < 0x10000) {
            *to++ = (char)(0xe0 | point >> 12);
        } else {
            *to++ = (char)(0xf0 | point >> 18);
            *to++ = (char)(0x80 | (point >> 12 & 0x3f));
        }
        *to++ = (char)(0x80 | (point >> 6 & 0x3f));
    }
    *to++ = (char)(0x80 | (point & 0x3f));
    return to;
}

/* Decodes the escape at `*at`, which is a backslash; NULL when there is no such escape. */
static char *json_put_escape(char *to, const char **at, const char *end) {
    static const char plain[256] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
    unsigned char kind = (unsigned char)(*at)[1];
    const char *next = *at + 2;
    if (plain[kind]) {
        *to++ = plain[kind];
    } else {
        unsigned point;
        if (kind != 'u' || !json_read_code_point(&next, end, &point))
            return NULL;
        to = json_put_utf8(to, point);
    }
    *at = next;
    return to;
}

/* The text from `from` up to the closing quote, without its escapes.  No escape is shorter than
 * what it stands for.  A bad one leaves `r->at` on it. */
static bool json_decode_string(struct json_reader *r, const char *from, struct slice *out) {
    const char *end = r->at;
    char *text = arena_bytes(r->arena, (size_t)(end - from));
    char *to = text;
    while (from < end) {
        const char *escape = memchr(from, '\\', (size_t)(end - from));
        size_t run = (size_t)((escape ? escape : end) - from);
        memcpy(to, from, run);
        to += run;
        from += run;
        if (!escape)
            break;
        to = json_put_escape(to, &from, end);
        if (!to) {
            r->at = escape;
            return false;
        }
    }
    *out = (struct slice){text, (size_t)(to - text)};
    return true;
}

/* A string, the opening quote of which has been taken. */
static inline bool json_read_string(struct json_reader *r, struct slice *out) {
    const char *from = r->at;
    bool escapes = false;
    if (!json_find_quote(r, &escapes))
        return false;
    if (UNLIKELY(escapes)) {
        if (!json_decode_string(r, from, out))
            return false;
    } else {
        *out = (struct slice){from, (size_t)(r->at - from)};
    }
    r->at++;
    return true;
}

/* Numbers and words */

static bool json_skip_digits(struct json_reader *r) {
    const char *from = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
        r->at++;
    return r->at > from;
}

static inline bool json_take(struct json_reader *r, char c) {
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static bool json_read_number(struct json_reader *r, struct slice *out) {
    const char *from = r->at;
    (void)json_take(r, '-');
    if (!json_take(r, '0') && !json_skip_digits(r))
        return false;
    if (json_take(r, '.') && !json_skip_digits(r))
        return false;
    if (json_take(r, 'e') || json_take(r, 'E')) {
        if (!json_take(r, '+'))
            (void)json_take(r, '-');
        if (!json_skip_digits(r))
            return false;
    }
    *out = (struct slice){from, (size_t)(r->at - from)};
    return true;
}

static bool json_take_word(struct json_reader *r, struct slice word) {
    if ((size_t)(r->end - r->at) < word.len || memcmp(r->at, word.ptr, word.len) != 0)
        return false;
    r->at += word.len;
    return true;
}

/* Structure */

static inline void json_skip_space(struct json_reader *r) {
    while (r->at < r->end && (unsigned char)*r->at <= ' ' &&
           (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
        r->at++;
}

/* The name of the next member and its colon. */
static inline bool json_read_name(struct json_reader *r) {
    json_skip_space(r);
    if (!json_take(r, '"') || !json_read_string(r, &r->name))
        return false;
    json_skip_space(r);
    return json_take(r, ':');
}

static bool json_open(struct json_reader *r, enum json_kind kind) {
    if (r->depth == LIMIT_JSON_DEPTH)
        return false;
    struct json *container = json_add_node(r, kind, (struct slice){0});
    if (!container)
        return false;
    r->at++;
    r->open[r->depth++] = (struct json_frame){.container = container};
    r->name = (struct slice){0};
    return true;
}

static bool json_read_word(struct json_reader *r) {
    enum json_kind kind = *r->at == 't' ? JSON_TRUE : *r->at == 'f' ? JSON_FALSE : JSON_NULL;
    struct slice word = kind == JSON_TRUE    ? SLICE("true")
                        : kind == JSON_FALSE ? SLICE("false")
                                             : SLICE("null");
    return json_take_word(r, word) && json_add_node(r, kind, (struct slice){0});
}

/* A value: a scalar as a whole, of a container the opening. */
static inline bool json_read_value(struct json_reader *r) {
    json_skip_space(r);
    if (r->at == r->end)
        return false;
    struct slice text = {0};
    switch (*r->at) {
    case '{':
        return json_open(r, JSON_OBJECT);
    case '[':
        return json_open(r, JSON_ARRAY);
    case '"':
        r->at++;
        return json_read_string(r, &text) && json_add_node(r, JSON_STRING, text);
    case 't':
    case 'f':
    case 'n':
        return json_read_word(r);
    default:
        return json_read_number(r, &text) && json_add_node(r, JSON_NUMBER, text);
    }
}

/* After a value or an opening: closes what ends here and goes to the start of the next value.
 * `*done` when the root is complete. */
static inline bool json_next(struct json_reader *r, bool *done) {
    while (r->depth > 0) {
        const struct json_frame *frame = &r->open[r->depth - 1];
        bool object = frame->container->kind == JSON_OBJECT;
        json_skip_space(r);
        if (json_take(r, object ? '}' : ']')) {
            r->depth--;
            continue;
        }
        if (frame->last && !json_take(r, ','))
            return false;
        r->name = (struct slice){0};
        return !object || json_read_name(r);
    }
    *done = true;
    return true;
}

static bool json_read(struct json_reader *r) {
    bool done = false;
    while (!done) {
        if (!json_read_value(r) || !json_next(r, &done))
            return false;
    }
    json_skip_space(r);
    return r->at == r->end;
}

struct error *json_parse_at(struct arena *a, struct slice text, const struct json **out,
                            size_t *at) {
    struct json_reader r;
    if (!text.ptr)
        text = SLICE("");
    r.at = text.ptr;
    r.end = text.ptr + text.len;
    r.arena = a;
    r.free = r.free_end = NULL;
    /* DynamoDB JSON has a node every 12 bytes or so. */
    r.block = text.len / 12 + 2;
    if (r.block > JSON_BLOCK_FIRST_MAX)
        r.block = JSON_BLOCK_FIRST_MAX;
    r.nodes = LIMIT_JSON_NODES;
    r.depth = 0;
    r.root = NULL;
    r.name = (struct slice){0};
    if (!json_read(&r)) {
        *at = (size_t)(r.at - text.ptr);
        return error_bare(a, ERR_SERIALIZATION);
    }
    *out = r.root;
    return NULL;
}

struct error *json_parse(struct arena *a, struct slice text, const struct json **out) {
    size_t at;
    return json_parse_at(a, text, out, &at);
}

/* Trees */

const struct json *json_member(const struct json *object, struct slice name) {
    if (!object || object->kind != JSON_OBJECT)
        return NULL;
    const struct json *found = NULL;
    for (const struct json *m = object->first; m; m = m->next)
        if (slice_equal(m->name, name))
            found = m;
    return found;
}

static bool json_equal_arrays(const struct json *a, const struct json *b) {
    if (a->count != b->count)
        return false;
    const struct json *other = b->first;
    for (const struct json *e = a->first; e; e = e->next, other = other->next)
        if (!json_equal(e, other))
            return false;
    return true;
}

static bool json_equal_objects(const struct json *a, const struct json *b) {
    for (const struct json *m = b->first; m; m = m->next)
        if (!json_member(a, m->name))
            return false;
    for (const struct json *m = a->first; m; m = m->next) {
        if (json_member(a, m->name) != m)
            continue; /* another of that name follows, which is the one that counts */
        const struct json *other = json_member(b, m->name);
        if (!other || !json_equal(m, other))
            return false;
    }
    return true;
}

bool json_equal(const struct json *a, const struct json *b) {
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case JSON_ARRAY:
        return json_equal_arrays(a, b);
    case JSON_OBJECT:
        return json_equal_objects(a, b);
    default:
        return slice_equal(a->text, b->text);
    }
}
