/*
 * A slice: bytes somebody else owns.
 *
 * Borrowed, constant, never freed, not NUL-ended.  Unless a header says otherwise a slice lives
 * as long as the request (its arena).  Bytes compare as unsigned.
 */
#ifndef BASE_SLICE_H
#define BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct slice {
    const char *ptr;
    size_t len;
};

/* A slice of a string literal, as an expression; SLICE_INIT is its form for static tables. */
#define SLICE(literal) ((struct slice){(literal), sizeof(literal) - 1})
#define SLICE_INIT(literal)                                                                        \
    { (literal), sizeof(literal) - 1 }

/* For printf: "%.*s", SLICE_ARG(s). */
#define SLICE_ARG(s) (int)(s).len, (s).ptr

static inline struct slice slice_of(const char *text) {
    return (struct slice){text, strlen(text)};
}

static inline bool slice_equal(struct slice a, struct slice b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool slice_is(struct slice a, const char *text) {
    return slice_equal(a, slice_of(text));
}

static inline bool slice_starts_with(struct slice s, struct slice prefix) {
    return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.ptr, prefix.ptr, prefix.len) == 0);
}

/* Negative, zero or positive; a prefix sorts before what it is a prefix of. */
int slice_compare(struct slice a, struct slice b);

bool slice_contains(struct slice s, struct slice part);

bool slice_equal_ignore_case(struct slice a, struct slice b);

/* The slice without leading and trailing spaces and tabs. */
struct slice slice_trim(struct slice s);

/* The whole slice as an unsigned decimal number; false when it is anything else or too large. */
bool slice_to_u64(struct slice s, uint64_t *out);

#endif
