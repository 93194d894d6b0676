#include "expr/legacy.h"

#include "expr/condition_int.h"
#include "expr/update_int.h"

const char *const legacy_comparison_names[LEGACY_COMPARISONS] = {
    "IN",       "NULL", "BETWEEN", "LT",          "NOT_CONTAINS", "EQ",       "GT",
    "NOT_NULL", "NE",   "LE",      "BEGINS_WITH", "GE",           "CONTAINS", NULL,
};

/* --- Checking conditions ---------------------------------------------------------------------- */

/* How many values a comparison takes, and of which types. */
static const struct legacy_rule {
    unsigned min, max;
    unsigned types;
} legacy_rules[LEGACY_COMPARISONS] = {
    [LEGACY_IN] = {1, UINT32_MAX, TYPES_ORDERED},
    [LEGACY_NULL] = {0, 0, TYPES_ANY},
    [LEGACY_BETWEEN] = {2, 2, TYPES_ORDERED},
    [LEGACY_LT] = {1, 1, TYPES_ORDERED},
    [LEGACY_NOT_CONTAINS] = {1, 1, TYPES_ORDERED | TYPE_BIT(BOOL) | TYPE_BIT(NULL)},
    [LEGACY_EQ] = {1, 1, TYPES_ANY},
    [LEGACY_GT] = {1, 1, TYPES_ORDERED},
    [LEGACY_NOT_NULL] = {0, 0, TYPES_ANY},
    [LEGACY_NE] = {1, 1, TYPES_ANY},
    [LEGACY_LE] = {1, 1, TYPES_ORDERED},
    [LEGACY_BEGINS_WITH] = {1, 1, TYPES_TEXT},
    [LEGACY_GE] = {1, 1, TYPES_ORDERED},
    [LEGACY_CONTAINS] = {1, 1, TYPES_ORDERED | TYPE_BIT(BOOL) | TYPE_BIT(NULL)},
};

static const char *legacy_name(const struct legacy_condition *c) {
    return legacy_comparison_names[c->comparison - 1];
}

static struct error *legacy_check_types(struct arena *a, const struct legacy_condition *c) {
    for (size_t i = 1; i < c->count; i++)
        if (c->values[i].type != c->values[0].type)
            return error_new(a, ERR_VALIDATION,
                             "One or more parameter values were invalid: AttributeValues inside "
                             "AttributeValueList must be of same type");
    if (c->count && !(legacy_rules[c->comparison].types & 1u << c->values[0].type))
        return error_new(a, ERR_VALIDATION,
                         "One or more parameter values were invalid: ComparisonOperator %s is not "
                         "valid for %s AttributeValue type",
                         legacy_name(c), value_type_name(c->values[0].type));
    return NULL;
}

struct error *legacy_condition_check(struct arena *a, const struct legacy_condition *c) {
    const struct legacy_rule *rule = &legacy_rules[c->comparison];
    if (c->count < rule->min || c->count > rule->max)
        return error_new(a, ERR_VALIDATION,
                         "One or more parameter values were invalid: Invalid number of "
                         "argument(s) for the %s ComparisonOperator",
                         legacy_name(c));
    TRY(legacy_check_types(a, c));
    if (c->comparison == LEGACY_BETWEEN && value_compare(&c->values[0], &c->values[1]) > 0)
        return error_new(a, ERR_VALIDATION,
                         "The BETWEEN condition was provided a range where the lower bound is "
                         "greater than the upper bound");
    return NULL;
}

/* --- Making conditions ------------------------------------------------------------------------ */

static struct path legacy_path(struct arena *a, struct slice attribute) {
    struct path_step *step = arena_alloc(a, sizeof *step);
    *step = (struct path_step){.kind = PATH_NAME, .name = attribute};
    return (struct path){step, 1};
}

/* The attribute, then the values. */
static struct operand *legacy_operands(struct arena *a, const struct legacy_condition *c) {
    struct operand *all = arena_array(a, 1 + c->count, sizeof *all);
    all[0].kind = OPERAND_PATH;
    all[0].path = legacy_path(a, c->attribute);
    for (size_t i = 0; i < c->count; i++) {
        all[i].next = &all[i + 1];
        all[i + 1].kind = OPERAND_VALUE;
        all[i + 1].value = &c->values[i];
    }
    return all;
}

static struct condition *legacy_node(struct arena *a, enum condition_kind kind,
                                     struct operand *operands) {
    struct condition *node = arena_alloc(a, sizeof *node);
    node->kind = kind;
    node->operands = operands;
    return node;
}

static struct condition *legacy_compare(struct arena *a, const struct legacy_condition *c,
                                        enum token_kind comparator) {
    struct condition *node = legacy_node(a, CONDITION_COMPARE, legacy_operands(a, c));
    node->comparator = comparator;
    return node;
}

static struct condition *legacy_call(struct arena *a, const struct legacy_condition *c,
                                     enum function_id function) {
    struct operand *call = arena_alloc(a, sizeof *call);
    call->kind = OPERAND_CALL;
    call->function = function;
    call->name = slice_of(functions[function].name);
    call->first = legacy_operands(a, c);
    call->count = functions[function].operands;
    return legacy_node(a, CONDITION_CALL, call);
}

/* AWS: false for a missing attribute, as CONTAINS is. (alternator's tests, run on AWS) */
static struct condition *legacy_not_contains(struct arena *a, const struct legacy_condition *c) {
    struct condition *both = legacy_node(a, CONDITION_AND, NULL);
    struct condition *not = legacy_node(a, CONDITION_NOT, NULL);
    const struct legacy_condition there = {.attribute = c->attribute};
    not ->left = legacy_call(a, c, FUNCTION_contains);
    both->left = legacy_call(a, &there, FUNCTION_attribute_exists);
    both->right = not ;
    return both;
}

static struct condition *legacy_condition_one(struct arena *a, const struct legacy_condition *c) {
    switch (c->comparison) {
    case LEGACY_IN:
        return legacy_node(a, CONDITION_IN, legacy_operands(a, c));
    case LEGACY_NULL:
        return legacy_call(a, c, FUNCTION_attribute_not_exists);
    case LEGACY_BETWEEN:
        return legacy_node(a, CONDITION_BETWEEN, legacy_operands(a, c));
    case LEGACY_LT:
        return legacy_compare(a, c, TOKEN_LT);
    case LEGACY_NOT_CONTAINS:
        return legacy_not_contains(a, c);
    case LEGACY_GT:
        return legacy_compare(a, c, TOKEN_GT);
    case LEGACY_NOT_NULL:
        return legacy_call(a, c, FUNCTION_attribute_exists);
    case LEGACY_NE:
        return legacy_compare(a, c, TOKEN_NE);
    case LEGACY_LE:
        return legacy_compare(a, c, TOKEN_LE);
    case LEGACY_BEGINS_WITH:
        return legacy_call(a, c, FUNCTION_begins_with);
    case LEGACY_GE:
        return legacy_compare(a, c, TOKEN_GE);
    case LEGACY_CONTAINS:
        return legacy_call(a, c, FUNCTION_contains);
    case LEGACY_EQ:
    case LEGACY_COMPARISONS:
        break;
    }
    return legacy_compare(a, c, TOKEN_EQ);
}

/* Halves, so that the depth of the tree is that of the logarithm. */
const struct condition *legacy_condition_join(struct arena *a, const struct legacy_condition *all,
                                              size_t count, bool any) {
    if (count == 0)
        return NULL;
    if (count == 1)
        return legacy_condition_one(a, all);
    struct condition *node = legacy_node(a, any ? CONDITION_OR : CONDITION_AND, NULL);
    node->left = legacy_condition_join(a, all, count / 2, any);
    node->right = legacy_condition_join(a, all + count / 2, count - count / 2, any);
    return node;
}

/* --- Key conditions --------------------------------------------------------------------------- */

static bool legacy_key_operator(enum legacy_comparison comparison, enum key_operator *out) {
    static const struct {
        enum legacy_comparison comparison;
        enum key_operator op;
    } pairs[] = {
        {LEGACY_EQ, KEY_EQ},
        {LEGACY_LT, KEY_LT},
        {LEGACY_LE, KEY_LE},
        {LEGACY_GT, KEY_GT},
        {LEGACY_GE, KEY_GE},
        {LEGACY_BETWEEN, KEY_BETWEEN},
        {LEGACY_BEGINS_WITH, KEY_BEGINS_WITH},
    };
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
        if (pairs[i].comparison != comparison)
            continue;
        *out = pairs[i].op;
        return true;
    }
    return false;
}

struct error *legacy_key_condition(struct arena *a, const struct legacy_condition *all,
                                   size_t count, struct key_condition *out) {
    struct key_term *terms = arena_array(a, count, sizeof *terms);
    for (size_t i = 0; i < count; i++) {
        terms[i].attribute = all[i].attribute;
        if (!legacy_key_operator(all[i].comparison, &terms[i].op))
            return error_new(a, ERR_VALIDATION,
                             "Attempted conditional constraint is not an indexable operation");
        terms[i].low = all[i].values[0];
        if (all[i].count > 1)
            terms[i].high = all[i].values[1];
    }
    *out = (struct key_condition){terms, count};
    return NULL;
}

/* --- Updates ---------------------------------------------------------------------------------- */

static struct error *legacy_update_unsupported(struct arena *a, const char *what,
                                               const struct value *v) {
    return error_new(a, ERR_VALIDATION,
                     "One or more parameter values were invalid: %s not supported for the type %s",
                     what, value_type_name(v->type));
}

struct error *legacy_update_check(struct arena *a, const struct legacy_update *u) {
    const struct value *v = u->value;
    if (!v && u->action != LEGACY_DELETE)
        return error_new(a, ERR_VALIDATION,
                         "One or more parameter values were invalid: Only DELETE action is allowed "
                         "when no attribute value is specified");
    if (v && u->action == LEGACY_DELETE && !value_is_set(v))
        return legacy_update_unsupported(a, "DELETE action with value is", v);
    if (v && u->action == LEGACY_ADD && !value_is_set(v) && v->type != VALUE_N &&
        v->type != VALUE_L)
        return legacy_update_unsupported(a, "ADD action is", v);
    return NULL;
}

static enum update_section legacy_section(const struct legacy_update *u) {
    if (u->action == LEGACY_ADD)
        return UPDATE_ADD;
    if (u->action == LEGACY_DELETE)
        return u->value ? UPDATE_DELETE : UPDATE_REMOVE;
    return UPDATE_SET;
}

static struct update_action legacy_action_of(struct arena *a, const struct legacy_update *u) {
    struct update_action action = {.section = legacy_section(u),
                                   .arithmetic = TOKEN_END,
                                   .target = legacy_path(a, u->attribute)};
    if (u->value) {
        action.value = arena_alloc(a, sizeof *action.value);
        action.value->kind = OPERAND_VALUE;
        action.value->value = u->value;
    }
    return action;
}

const struct update *legacy_update_join(struct arena *a, const struct legacy_update *all,
                                        size_t count) {
    if (count == 0)
        return NULL;
    struct update *joined = arena_alloc(a, sizeof *joined);
    struct path *targets = arena_array(a, count, sizeof *targets);
    joined->legacy = true;
    joined->actions = arena_array(a, count, sizeof *joined->actions);
    joined->count = count;
    for (size_t i = 0; i < count; i++) {
        joined->actions[i] = legacy_action_of(a, &all[i]);
        targets[i] = joined->actions[i].target;
    }
    joined->tree = path_tree_of(a, targets, count);
    return joined;
}
