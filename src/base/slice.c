#include "base/slice.h"

#include <strings.h>

int slice_compare(struct slice a, struct slice b) {
    size_t shared = a.len < b.len ? a.len : b.len;
    int order = shared ? memcmp(a.ptr, b.ptr, shared) : 0;
    if (order != 0)
        return order;
    return (a.len > b.len) - (a.len < b.len);
}

bool slice_contains(struct slice s, struct slice part) {
    return part.len == 0 || (s.len >= part.len && memmem(s.ptr, s.len, part.ptr, part.len));
}

bool slice_equal_ignore_case(struct slice a, struct slice b) {
    return a.len == b.len && (a.len == 0 || strncasecmp(a.ptr, b.ptr, a.len) == 0);
}

static bool slice_is_blank(char c) {
    return c == ' ' || c == '\t';
}

struct slice slice_trim(struct slice s) {
    while (s.len && slice_is_blank(s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len && slice_is_blank(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

bool slice_to_u64(struct slice s, uint64_t *out) {
    if (s.len == 0)
        return false;
    uint64_t n = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned digit = (unsigned char)s.ptr[i] - (unsigned)'0';
        if (digit > 9 || __builtin_mul_overflow(n, (uint64_t)10, &n) ||
            __builtin_add_overflow(n, (uint64_t)digit, &n))
            return false;
    }
    *out = n;
    return true;
}
