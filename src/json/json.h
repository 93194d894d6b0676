/*
 * JSON text to a tree, in one pass.
 *
 * Strings without escapes borrow from the text, others are decoded into the arena; numbers stay
 * text because 38 digits do not fit any C number.  Depth and the number of nodes are bounded, so no
 * body can exhaust stack or memory.  Only RFC 8259 is accepted: UTF-8 is checked, lone surrogates
 * (as \u escapes) are refused, nothing may follow the value but white space.
 */
#ifndef JSON_JSON_H
#define JSON_JSON_H

#include "base/error.h"

enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
};

struct json {
    enum json_kind kind;
    uint32_t count;           /* of elements or members */
    struct slice name;        /* of a member of an object */
    struct slice text;        /* a string's bytes, unescaped; a number as written */
    const struct json *first; /* of elements or members, in the order of the text */
    const struct json *next;  /* of the same array or object */
};

/*
 * The tree of `text`, which must outlive it.  ERR_SERIALIZATION without a text (as AWS) when it is
 * not JSON, too deep (LIMIT_JSON_DEPTH) or too large (LIMIT_JSON_NODES).
 */
MUST_CHECK struct error *json_parse(struct arena *a, struct slice text, const struct json **out);

/* The same; `*at` is the byte offset of a fault, for files and command lines. */
MUST_CHECK struct error *json_parse_at(struct arena *a, struct slice text, const struct json **out,
                                       size_t *at);

/* The member, or NULL; the last one of that name (as Jackson, which AWS uses).  `object` may be
 * NULL or of any kind. */
const struct json *json_member(const struct json *object, struct slice name);

/* Whether two trees mean the same: members in any order, numbers compared as text.  The time grows
 * with the square of an object's members: for small trees, tools and tests. */
bool json_equal(const struct json *a, const struct json *b);

#endif
