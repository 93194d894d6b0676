/*
 * Whether a condition holds for an item.  Nothing is allocated: operands are pointers into the item
 * and the request, and the number that size() gives lives on the stack.
 *
 * AWS: an operand that is not there makes every comparison false but "<>", which it makes true,
 * also when both are missing (alternator's tests, run on AWS).  NOT turns around whatever comes
 * out.
 */
#include "expr/condition_int.h"

/* AWS: the length of a string is that of Java: UTF-16 units, two for a character past U+FFFF
 * (ExtendDB issue 60, checked on AWS). */
static size_t text_units(struct slice s) {
    size_t count = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        count += (c & 0xC0) != 0x80;
        count += c >= 0xF0;
    }
    return count;
}

/* What size() gives; false for types that have no size. */
static bool value_extent(const struct value *v, size_t *out) {
    switch (v->type) {
    case VALUE_S:
        *out = text_units(v->bytes);
        return true;
    case VALUE_B:
        *out = v->bytes.len;
        return true;
    case VALUE_SS:
    case VALUE_NS:
    case VALUE_BS:
    case VALUE_L:
        *out = v->list.count;
        return true;
    case VALUE_M:
        *out = v->map.count;
        return true;
    default:
        return false;
    }
}

/* The operand's value or NULL; `room` is for the one that has to be made. */
static const struct value *operand_value(const struct operand *o, const struct item *item,
                                         struct value *room) {
    if (o->kind == OPERAND_PATH)
        return path_find(&o->path, item);
    if (o->kind == OPERAND_VALUE)
        return o->value;
    size_t extent;
    const struct value *inner = operand_value(o->first, item, room);
    if (!inner || !value_extent(inner, &extent))
        return NULL;
    *room = (struct value){.type = VALUE_N, .number = number_of_int((int64_t)extent)};
    return room;
}

static bool value_ordered(const struct value *a, const struct value *b) {
    return a && b && a->type == b->type && (TYPES_ORDERED & 1u << a->type);
}

static bool condition_compare(const struct condition *c, const struct item *item) {
    struct value room[2];
    const struct value *a = operand_value(c->operands, item, &room[0]);
    const struct value *b = operand_value(c->operands->next, item, &room[1]);
    if (c->comparator == TOKEN_EQ)
        return a && b && value_equal(a, b);
    if (c->comparator == TOKEN_NE)
        return !(a && b && value_equal(a, b));
    if (!value_ordered(a, b))
        return false;
    int order = value_compare(a, b);
    switch (c->comparator) {
    case TOKEN_LT:
        return order < 0;
    case TOKEN_LE:
        return order <= 0;
    case TOKEN_GT:
        return order > 0;
    default:
        return order >= 0;
    }
}

static bool condition_between(const struct condition *c, const struct item *item) {
    struct value room[3];
    const struct value *v = operand_value(c->operands, item, &room[0]);
    const struct value *low = operand_value(c->operands->next, item, &room[1]);
    const struct value *high = operand_value(c->operands->next->next, item, &room[2]);
    return value_ordered(v, low) && value_ordered(v, high) && value_compare(low, v) <= 0 &&
           value_compare(v, high) <= 0;
}

static bool condition_in(const struct condition *c, const struct item *item) {
    struct value room[2];
    const struct value *v = operand_value(c->operands, item, &room[0]);
    for (const struct operand *o = c->operands->next; v && o; o = o->next) {
        const struct value *other = operand_value(o, item, &room[1]);
        if (other && value_equal(v, other))
            return true;
    }
    return false;
}

/* --- Functions -------------------------------------------------------------------------------- */

static bool value_begins_with(const struct value *v, const struct value *prefix) {
    return v->type == prefix->type && (TYPES_TEXT & 1u << v->type) &&
           slice_starts_with(v->bytes, prefix->bytes);
}

static bool list_contains(const struct value *list, const struct value *member) {
    for (size_t i = 0; i < list->list.count; i++)
        if (value_equal(&list->list.members[i], member))
            return true;
    return false;
}

static bool value_contains(const struct value *v, const struct value *part) {
    if (v->type == VALUE_L)
        return list_contains(v, part);
    if (value_is_set(v))
        return value_member_type(v->type) == part->type && set_contains(v, part);
    return v->type == part->type && (TYPES_TEXT & 1u << v->type) &&
           slice_contains(v->bytes, part->bytes);
}

static bool condition_call(const struct operand *call, const struct item *item) {
    struct value room[2];
    const struct value *a = operand_value(call->first, item, &room[0]);
    if (call->function == FUNCTION_attribute_exists)
        return a != NULL;
    if (call->function == FUNCTION_attribute_not_exists)
        return a == NULL;
    const struct value *b = operand_value(call->first->next, item, &room[1]);
    if (!a || !b)
        return false;
    if (call->function == FUNCTION_begins_with)
        return value_begins_with(a, b);
    if (call->function == FUNCTION_contains)
        return value_contains(a, b);
    return slice_is(b->bytes, value_type_name(a->type));
}

bool condition_matches(const struct condition *c, const struct item *item) {
    switch (c->kind) {
    case CONDITION_AND:
        return condition_matches(c->left, item) && condition_matches(c->right, item);
    case CONDITION_OR:
        return condition_matches(c->left, item) || condition_matches(c->right, item);
    case CONDITION_NOT:
        return !condition_matches(c->left, item);
    case CONDITION_COMPARE:
        return condition_compare(c, item);
    case CONDITION_BETWEEN:
        return condition_between(c, item);
    case CONDITION_IN:
        return condition_in(c, item);
    case CONDITION_CALL:
        break;
    }
    return condition_call(c->operands, item);
}
