/*
 * Attribute values: DynamoDB's ten types, and items made of them.
 *
 * A value is immutable once made and borrows its bytes.  The attributes of an item or a map are
 * sorted by name (bytes) and the members of a set are sorted and distinct; everything that makes
 * values keeps to this, so equality and size need no sorting.
 */
#ifndef ITEM_VALUE_H
#define ITEM_VALUE_H

#include "item/number.h"

enum value_type {
    VALUE_S,
    VALUE_N,
    VALUE_B,
    VALUE_BOOL,
    VALUE_NULL,
    VALUE_SS,
    VALUE_NS,
    VALUE_BS,
    VALUE_L,
    VALUE_M,
    VALUE_TYPES,
};

struct value;
struct attribute;

/* An item, and the map inside one: both are attributes sorted by name. */
struct item {
    const struct attribute *attributes;
    size_t count;
};

struct value {
    enum value_type type;
    union {
        struct slice bytes;   /* S, B */
        struct number number; /* N */
        bool boolean;         /* BOOL */
        struct {
            const struct value *members; /* SS of S, NS of N, BS of B; L of any */
            size_t count;
        } list;
        struct item map; /* M */
    };
};

struct attribute {
    struct slice name;
    struct value value;
};

/* "S", "N", …, as on the wire. */
const char *value_type_name(enum value_type type);

/* False when `name` is no type. */
bool value_type_find(struct slice name, enum value_type *out);

static inline bool value_is_set(const struct value *v) {
    return v->type == VALUE_SS || v->type == VALUE_NS || v->type == VALUE_BS;
}

/* The type of a set's members. */
enum value_type value_member_type(enum value_type set);

/* Deep equality; numbers by value, sets in any order. */
bool value_equal(const struct value *a, const struct value *b);
bool item_equal(const struct item *a, const struct item *b);

/* Order of two values of the same type S, N or B. */
int value_compare(const struct value *a, const struct value *b);

/* Bytes as DynamoDB counts them (rule in value.c), without the attribute's name. */
size_t value_size(const struct value *v);
/* Names included. */
size_t item_size(const struct item *item);

/* Lists and maps inside each other: 0 for a scalar or a set, 1 for a list of those, … */
size_t value_depth(const struct value *v);

/* The attribute's value, or NULL; binary search. */
const struct value *item_find(const struct item *item, struct slice name);

/* Sorts attributes by name, for those who build an item out of order.  Names are distinct. */
void item_sort(struct attribute *attributes, size_t count);

/* Sorts a set's members and drops doubles; returns how many are left. */
size_t set_sort(struct value *members, size_t count);

/* Whether the sorted set contains the member; binary search. */
bool set_contains(const struct value *set, const struct value *member);

/* The item with `name` set to `value`, or without `name` when `value` is NULL.  The parts that did
 * not change are shared. */
struct item item_with(struct arena *a, const struct item *item, struct slice name,
                      const struct value *value);

#endif
