#include "item/value.h"

#include <stdlib.h>

static const struct slice value_type_names[VALUE_TYPES] = {
    [VALUE_S] = SLICE_INIT("S"),       [VALUE_N] = SLICE_INIT("N"),
    [VALUE_B] = SLICE_INIT("B"),       [VALUE_BOOL] = SLICE_INIT("BOOL"),
    [VALUE_NULL] = SLICE_INIT("NULL"), [VALUE_SS] = SLICE_INIT("SS"),
    [VALUE_NS] = SLICE_INIT("NS"),     [VALUE_BS] = SLICE_INIT("BS"),
    [VALUE_L] = SLICE_INIT("L"),       [VALUE_M] = SLICE_INIT("M"),
};

const char *value_type_name(enum value_type type) {
    return value_type_names[type].ptr;
}

bool value_type_find(struct slice name, enum value_type *out) {
    for (int type = 0; type < VALUE_TYPES; type++) {
        if (slice_equal(name, value_type_names[type])) {
            *out = (enum value_type)type;
            return true;
        }
    }
    return false;
}

enum value_type value_member_type(enum value_type set) {
    return set == VALUE_SS ? VALUE_S : set == VALUE_NS ? VALUE_N : VALUE_B;
}

static bool list_equal(const struct value *a, const struct value *b) {
    if (a->list.count != b->list.count)
        return false;
    for (size_t i = 0; i < a->list.count; i++) {
        if (!value_equal(&a->list.members[i], &b->list.members[i]))
            return false;
    }
    return true;
}

bool item_equal(const struct item *a, const struct item *b) {
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        if (!slice_equal(a->attributes[i].name, b->attributes[i].name) ||
            !value_equal(&a->attributes[i].value, &b->attributes[i].value))
            return false;
    }
    return true;
}

bool value_equal(const struct value *a, const struct value *b) {
    if (a->type != b->type)
        return false;
    switch (a->type) {
    case VALUE_S:
    case VALUE_B:
        return slice_equal(a->bytes, b->bytes);
    case VALUE_N:
        return number_compare(&a->number, &b->number) == 0;
    case VALUE_BOOL:
        return a->boolean == b->boolean;
    case VALUE_SS:
    case VALUE_NS:
    case VALUE_BS:
    case VALUE_L:
        return list_equal(a, b);
    case VALUE_M:
        return item_equal(&a->map, &b->map);
    default:
        return true;
    }
}

int value_compare(const struct value *a, const struct value *b) {
    if (a->type == VALUE_N)
        return number_compare(&a->number, &b->number);
    return slice_compare(a->bytes, b->bytes);
}

/* AWS: strings and binary values cost their bytes, BOOL and NULL 1, numbers by number_size, a set
 * the sum of its members; a list or map 3, and 1 for each element, over what they hold.  (developer
 * guide, CapacityUnitCalculations) */
enum { CONTAINER_BYTES = 3, ELEMENT_BYTES = 1 };

static size_t members_size(const struct value *v, size_t each) {
    size_t size = 0;
    for (size_t i = 0; i < v->list.count; i++)
        size += each + value_size(&v->list.members[i]);
    return size;
}

size_t item_size(const struct item *item) {
    size_t size = 0;
    for (size_t i = 0; i < item->count; i++)
        size += item->attributes[i].name.len + value_size(&item->attributes[i].value);
    return size;
}

size_t value_size(const struct value *v) {
    switch (v->type) {
    case VALUE_S:
    case VALUE_B:
        return v->bytes.len;
    case VALUE_N:
        return number_size(&v->number);
    case VALUE_SS:
    case VALUE_NS:
    case VALUE_BS:
        return members_size(v, 0);
    case VALUE_L:
        return CONTAINER_BYTES + members_size(v, ELEMENT_BYTES);
    case VALUE_M:
        return CONTAINER_BYTES + v->map.count * ELEMENT_BYTES + item_size(&v->map);
    default:
        return 1;
    }
}

size_t value_depth(const struct value *v) {
    size_t deepest = 0;
    if (v->type == VALUE_L) {
        for (size_t i = 0; i < v->list.count; i++) {
            size_t depth = value_depth(&v->list.members[i]);
            deepest = depth > deepest ? depth : deepest;
        }
    } else if (v->type == VALUE_M) {
        for (size_t i = 0; i < v->map.count; i++) {
            size_t depth = value_depth(&v->map.attributes[i].value);
            deepest = depth > deepest ? depth : deepest;
        }
    } else {
        return 0;
    }
    return deepest + 1;
}

/* Where `name` stands among the attributes, or would. */
static size_t item_position(const struct item *item, struct slice name, bool *found) {
    size_t low = 0, high = item->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = slice_compare(item->attributes[middle].name, name);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = false;
    return low;
}

const struct value *item_find(const struct item *item, struct slice name) {
    bool found;
    size_t at = item_position(item, name, &found);
    return found ? &item->attributes[at].value : NULL;
}

static int attribute_order(const void *a, const void *b) {
    const struct attribute *x = a, *y = b;
    return slice_compare(x->name, y->name);
}

/* Small items come often and nearly sorted, and qsort costs more than they are worth. */
enum { INSERTION_MAX = 12 };

static void attributes_insert_sort(struct attribute *attributes, size_t count) {
    for (size_t i = 1; i < count; i++) {
        if (slice_compare(attributes[i - 1].name, attributes[i].name) <= 0)
            continue;
        struct attribute moved = attributes[i];
        size_t at = i;
        for (; at > 0 && slice_compare(attributes[at - 1].name, moved.name) > 0; at--)
            attributes[at] = attributes[at - 1];
        attributes[at] = moved;
    }
}

void item_sort(struct attribute *attributes, size_t count) {
    if (count <= INSERTION_MAX)
        attributes_insert_sort(attributes, count);
    else
        qsort(attributes, count, sizeof *attributes, attribute_order);
}

static int member_order(const void *a, const void *b) {
    return value_compare(a, b);
}

size_t set_sort(struct value *members, size_t count) {
    if (count == 0)
        return 0;
    qsort(members, count, sizeof *members, member_order);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++) {
        if (value_compare(&members[kept - 1], &members[i]) != 0)
            members[kept++] = members[i];
    }
    return kept;
}

bool set_contains(const struct value *set, const struct value *member) {
    return set->list.count &&
           bsearch(member, set->list.members, set->list.count, sizeof *member, member_order);
}

struct item item_with(struct arena *a, const struct item *item, struct slice name,
                      const struct value *value) {
    bool found;
    size_t at = item_position(item, name, &found);
    if (!found && !value)
        return *item;
    size_t before = at, after = item->count - at - found;
    struct attribute *attributes =
        arena_array(a, before + (value != NULL) + after, sizeof *attributes);
    struct attribute *to = attributes;
    if (before)
        memcpy(to, item->attributes, before * sizeof *to);
    to += before;
    if (value)
        *to++ = (struct attribute){name, *value};
    if (after)
        memcpy(to, item->attributes + at + found, after * sizeof *to);
    return (struct item){attributes, before + (value != NULL) + after};
}
