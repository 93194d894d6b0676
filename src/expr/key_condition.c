/*
 * Key conditions: a condition's tree, which may be no more than comparisons joined by AND.
 *
 * AWS reads them with the grammar of conditions and then says what is too much (dynalite,
 * captured).
 */
#include "expr/condition_int.h"

static struct error *key_operator_error(struct arena *a, const struct condition *c) {
    return error_new(a, ERR_VALIDATION, "Invalid operator used in KeyConditionExpression: %s",
                     condition_operator(c));
}

static bool key_operator_allowed(const struct condition *c) {
    switch (c->kind) {
    case CONDITION_COMPARE:
        return c->comparator != TOKEN_NE;
    case CONDITION_BETWEEN:
        return true;
    case CONDITION_CALL:
        return c->operands->function == FUNCTION_begins_with;
    default:
        return false;
    }
}

/* `operands`: those of the comparison, or of the call. */
static struct error *key_check_first_operand(struct arena *a, const struct condition *c,
                                             const struct operand *operands) {
    if (c->kind == CONDITION_COMPARE || operands->kind == OPERAND_PATH)
        return NULL;
    if (operands->kind == OPERAND_CALL)
        return error_new(a, ERR_VALIDATION,
                         "KeyConditionExpressions cannot contain nested operations");
    return error_new(a, ERR_VALIDATION,
                     "Invalid condition in KeyConditionExpression: %s operator must have the key "
                     "attribute as its first operand",
                     condition_operator(c));
}

/* The one operand that is a path, among others that are values. */
static struct error *key_find_path(struct arena *a, const struct operand *operands,
                                   const struct operand **out) {
    const struct operand *path = NULL;
    for (const struct operand *o = operands; o; o = o->next) {
        if (o->kind == OPERAND_CALL)
            return error_new(a, ERR_VALIDATION,
                             "KeyConditionExpressions cannot contain nested operations");
        if (o->kind != OPERAND_PATH)
            continue;
        if (path)
            return error_new(
                a, ERR_VALIDATION,
                "Invalid condition in KeyConditionExpression: Multiple attribute names "
                "used in one condition");
        if (o->path.count > 1)
            return error_new(a, ERR_VALIDATION,
                             "KeyConditionExpressions cannot have conditions on nested attributes");
        path = o;
    }
    if (!path)
        return error_new(a, ERR_VALIDATION,
                         "Invalid condition in KeyConditionExpression: No key attribute specified");
    *out = path;
    return NULL;
}

/* `turned`: the value stands before the operator. */
static enum key_operator key_operator_of(const struct condition *c, bool turned) {
    if (c->kind == CONDITION_BETWEEN)
        return KEY_BETWEEN;
    if (c->kind == CONDITION_CALL)
        return KEY_BEGINS_WITH;
    switch (c->comparator) {
    case TOKEN_LT:
        return turned ? KEY_GT : KEY_LT;
    case TOKEN_LE:
        return turned ? KEY_GE : KEY_LE;
    case TOKEN_GT:
        return turned ? KEY_LT : KEY_GT;
    case TOKEN_GE:
        return turned ? KEY_LE : KEY_GE;
    default:
        return KEY_EQ;
    }
}

static struct error *key_term_of(struct arena *a, const struct condition *c, struct key_term *out) {
    if (!key_operator_allowed(c))
        return key_operator_error(a, c);
    const struct operand *operands = c->operands, *path = NULL;
    if (c->kind == CONDITION_CALL)
        operands = operands->first;
    TRY(key_check_first_operand(a, c, operands));
    TRY(key_find_path(a, operands, &path));
    bool turned = path != operands;
    const struct operand *low = turned ? operands : operands->next;
    *out = (struct key_term){.attribute = path->path.steps[0].name,
                             .op = key_operator_of(c, turned),
                             .low = *low->value};
    if (c->kind == CONDITION_BETWEEN)
        out->high = *low->next->value;
    return NULL;
}

static struct error *key_check_distinct(struct arena *a, const struct key_term *terms,
                                        size_t count) {
    for (size_t i = 0; i + 1 < count; i++)
        if (slice_equal(terms[i].attribute, terms[count - 1].attribute))
            return error_new(a, ERR_VALIDATION,
                             "Invalid KeyConditionExpression: KeyConditionExpressions must only "
                             "contain one condition per key");
    return NULL;
}

static size_t key_term_count(const struct condition *c) {
    if (c->kind != CONDITION_AND)
        return 1;
    return key_term_count(c->left) + key_term_count(c->right);
}

static struct error *key_terms_fill(struct arena *a, const struct condition *c,
                                    struct key_term *terms, size_t *count) {
    if (c->kind == CONDITION_AND) {
        TRY(key_terms_fill(a, c->left, terms, count));
        return key_terms_fill(a, c->right, terms, count);
    }
    TRY(key_term_of(a, c, &terms[*count]));
    ++*count;
    return key_check_distinct(a, terms, *count);
}

struct error *key_condition_from(struct arena *a, const struct condition *c,
                                 struct key_condition *out) {
    size_t count = 0;
    struct key_term *terms = arena_array(a, key_term_count(c), sizeof *terms);
    TRY(key_terms_fill(a, c, terms, &count));
    *out = (struct key_condition){terms, count};
    return NULL;
}

struct error *key_condition_parse(struct arena *a, struct expr_scope *scope, struct slice text,
                                  struct key_condition *out) {
    const struct condition *c = NULL;
    TRY(condition_parse(a, scope, text, "KeyConditionExpression", &c));
    return key_condition_from(a, c, out);
}
