/*
 * Random numbers, values and items for tests that state a rule, from a fixed seed.
 */
#ifndef TESTS_RANDOM_ITEM_H
#define TESTS_RANDOM_ITEM_H

#include "item/value.h"

struct random_source {
    uint64_t state;
};

static inline uint64_t random_next(struct random_source *r) {
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return r->state * UINT64_C(0x2545F4914F6CDD1D);
}

static inline size_t random_below(struct random_source *r, size_t limit) {
    return (size_t)(random_next(r) >> 16) % limit;
}

/* Few digits and near exponents most of the time, so that pairs meet. */
static inline struct number random_number(struct random_source *r) {
    struct number n = {0};
    size_t count = random_below(r, 4) ? random_below(r, 4) : random_below(r, 39);
    for (size_t i = 0; i < count; i++) {
        n.digits[i] = (uint8_t)(i == 0 ? 1 + random_below(r, 9) : random_below(r, 10));
        if (n.digits[i])
            n.count = (uint8_t)(i + 1);
    }
    if (n.count == 0)
        return n;
    n.negative = random_below(r, 2);
    n.exponent = (int16_t)(random_below(r, 4) ? (int)random_below(r, 7) - 3
                                              : (int)random_below(r, 256) - 129);
    return n;
}

/* Bytes near the ends of their range, zeros among them, so that escapes and prefixes happen. */
static inline struct slice random_bytes(struct random_source *r, struct arena *a, size_t max) {
    static const char alphabet[] = {0, 0, 1, 2, 'a', 'b', (char)0xfe, (char)0xff};
    size_t len = random_below(r, max + 1);
    char *bytes = arena_bytes(a, len);
    for (size_t i = 0; i < len; i++)
        bytes[i] = alphabet[random_below(r, sizeof alphabet)];
    return (struct slice){bytes, len};
}

static inline struct value random_scalar(struct random_source *r, struct arena *a,
                                         enum value_type type) {
    struct value v = {.type = type};
    if (type == VALUE_N)
        v.number = random_number(r);
    else
        v.bytes = random_bytes(r, a, 20);
    return v;
}

static inline struct item random_map(struct random_source *r, struct arena *a, unsigned depth);

static inline struct value random_value(struct random_source *r, struct arena *a, unsigned depth) {
    enum value_type type = (enum value_type)random_below(r, depth ? VALUE_TYPES : VALUE_L);
    struct value v = {.type = type};
    if (type == VALUE_BOOL)
        v.boolean = random_below(r, 2);
    else if (type == VALUE_M)
        v.map = random_map(r, a, depth - 1);
    else if (type <= VALUE_B)
        v = random_scalar(r, a, type);
    else if (type != VALUE_NULL) {
        size_t count = random_below(r, 20) + (type != VALUE_L);
        struct value *members = arena_array(a, count, sizeof *members);
        for (size_t i = 0; i < count; i++)
            members[i] = type == VALUE_L ? random_value(r, a, depth - 1)
                                         : random_scalar(r, a, value_member_type(type));
        v.list.members = members;
        v.list.count = type == VALUE_L ? count : set_sort(members, count);
    }
    return v;
}

static inline struct item random_map(struct random_source *r, struct arena *a, unsigned depth) {
    size_t count = random_below(r, 20);
    struct attribute *attributes = arena_array(a, count, sizeof *attributes);
    for (size_t i = 0; i < count; i++) {
        attributes[i].name = arena_printf(a, "%zu%c", i, "abc"[random_below(r, 3)]);
        attributes[i].value = random_value(r, a, depth);
    }
    item_sort(attributes, count);
    return (struct item){attributes, count};
}

#endif
