/*
 * Conditions, filters and key conditions: text to tree.
 *
 *   condition   = conjunction ("OR" conjunction)*
 *   conjunction = negation ("AND" negation)*
 *   negation    = "NOT" negation | comparison
 *   comparison  = term comparator operand
 *               | term "BETWEEN" operand "AND" operand
 *               | term "IN" "(" operand ("," operand)* ")"
 *               | term
 *   term        = "(" condition ")" | operand
 *
 * What stands in parentheses may turn out to be a condition or an operand: "(size(a)) < b" begins
 * as
 * "(size(a) < b)" does.  So a term is either, until what follows it decides; a call that nothing
 * follows is a condition.
 */
#include "expr/condition_int.h"

/* One of the two is set. */
struct term {
    struct condition *condition;
    struct operand *operand;
};

static struct error *condition_parse_or(struct parser *p, struct term *out);

static struct condition *condition_new(struct parser *p, enum condition_kind kind) {
    struct condition *c = arena_alloc(p->arena, sizeof *c);
    c->kind = kind;
    return c;
}

/* The term as a condition; a syntax error where a comparator should stand. */
static struct error *term_condition(struct parser *p, const struct term *t,
                                    struct condition **out) {
    if (t->condition) {
        *out = t->condition;
        return NULL;
    }
    if (t->operand->kind != OPERAND_CALL)
        return parser_syntax_error(p);
    struct condition *c = condition_new(p, CONDITION_CALL);
    c->operands = t->operand;
    c->parenthesised = t->operand->parenthesised;
    *out = c;
    return NULL;
}

static struct error *term_parse_parentheses(struct parser *p, struct term *out) {
    if (!parser_enter(p))
        return parser_redundant_error(p);
    parser_next(p);
    struct term t;
    TRY(condition_parse_or(p, &t));
    TRY(parser_expect(p, TOKEN_CLOSE));
    p->depth--;
    bool *parenthesised = t.condition ? &t.condition->parenthesised : &t.operand->parenthesised;
    /* AWS: as soon as the outer one is closed, before any syntax error behind it. */
    if (*parenthesised)
        return parser_redundant_error(p);
    *parenthesised = true;
    *out = t;
    return NULL;
}

static struct error *term_parse(struct parser *p, struct term *out) {
    if (p->token.kind == TOKEN_OPEN)
        return term_parse_parentheses(p, out);
    *out = (struct term){0};
    return operand_parse_bare(p, &out->operand);
}

static struct error *condition_parse_between(struct parser *p, struct condition *c) {
    TRY(operand_parse(p, &c->operands->next));
    TRY(parser_expect(p, TOKEN_AND));
    return operand_parse(p, &c->operands->next->next);
}

static struct error *condition_parse_in(struct parser *p, struct condition *c) {
    TRY(parser_expect(p, TOKEN_OPEN));
    struct operand_list list;
    TRY(operand_parse_list(p, &list));
    c->operands->next = list.first;
    return NULL;
}

static bool token_is_comparator(enum token_kind kind) {
    return kind >= TOKEN_EQ && kind <= TOKEN_GE;
}

static struct error *condition_parse_comparison(struct parser *p, struct term *out) {
    TRY(term_parse(p, out));
    enum token_kind kind = p->token.kind;
    bool compared = token_is_comparator(kind) || kind == TOKEN_BETWEEN || kind == TOKEN_IN;
    if (!out->operand || !compared)
        return NULL;

    struct condition *c = condition_new(p, kind == TOKEN_BETWEEN ? CONDITION_BETWEEN
                                           : kind == TOKEN_IN    ? CONDITION_IN
                                                                 : CONDITION_COMPARE);
    c->comparator = kind;
    c->operands = out->operand;
    *out = (struct term){.condition = c};
    p->operators++;
    parser_next(p);
    if (kind == TOKEN_BETWEEN)
        return condition_parse_between(p, c);
    if (kind == TOKEN_IN)
        return condition_parse_in(p, c);
    return operand_parse(p, &c->operands->next);
}

static struct error *condition_parse_not(struct parser *p, struct term *out) {
    if (p->token.kind != TOKEN_NOT)
        return condition_parse_comparison(p, out);
    /* A NOT is an operator, so one too deep is one too many. */
    p->operators++;
    if (!parser_enter(p))
        return parser_check_operators(p);
    parser_next(p);
    struct term t;
    struct condition *inner = NULL;
    TRY(condition_parse_not(p, &t));
    TRY(term_condition(p, &t, &inner));
    p->depth--;
    struct condition *c = condition_new(p, CONDITION_NOT);
    c->left = inner;
    *out = (struct term){.condition = c};
    return NULL;
}

typedef struct error *(*condition_level)(struct parser *p, struct term *out);

/* next (kind next)*, leaning left. */
static struct error *condition_parse_chain(struct parser *p, enum token_kind token,
                                           enum condition_kind kind, condition_level next,
                                           struct term *out) {
    TRY(next(p, out));
    while (p->token.kind == token) {
        struct condition *left = NULL, *right = NULL;
        TRY(term_condition(p, out, &left));
        p->operators++;
        parser_next(p);
        struct term t;
        TRY(next(p, &t));
        TRY(term_condition(p, &t, &right));
        struct condition *c = condition_new(p, kind);
        c->left = left;
        c->right = right;
        *out = (struct term){.condition = c};
    }
    return NULL;
}

static struct error *condition_parse_and(struct parser *p, struct term *out) {
    return condition_parse_chain(p, TOKEN_AND, CONDITION_AND, condition_parse_not, out);
}

static struct error *condition_parse_or(struct parser *p, struct term *out) {
    return condition_parse_chain(p, TOKEN_OR, CONDITION_OR, condition_parse_and, out);
}

/* --- Checking --------------------------------------------------------------------------------- */

static struct error *condition_check(struct parser *p, const struct condition *c) {
    if (c->left)
        TRY(condition_check(p, c->left));
    if (c->right)
        TRY(condition_check(p, c->right));
    enum operand_place place = c->kind == CONDITION_CALL ? PLACE_CONDITION : PLACE_OPERAND;
    for (struct operand *o = c->operands; o; o = o->next)
        TRY(operand_check(p, o, place));
    return NULL;
}

/* --- Resolving -------------------------------------------------------------------------------- */

static const char *const comparators[] = {"=", "<>", "<", "<=", ">", ">="};

const char *condition_operator(const struct condition *c) {
    switch (c->kind) {
    case CONDITION_AND:
        return "AND";
    case CONDITION_OR:
        return "OR";
    case CONDITION_NOT:
        return "NOT";
    case CONDITION_BETWEEN:
        return "BETWEEN";
    case CONDITION_IN:
        return "IN";
    case CONDITION_CALL:
        return functions[c->operands->function].name;
    case CONDITION_COMPARE:
        break;
    }
    return comparators[c->comparator - TOKEN_EQ];
}

/* A bound as AWS prints it: "AttributeValue: {N:1}". */
static struct slice condition_print_bound(struct parser *p, const struct operand *o) {
    const char *type = value_type_name(o->value->type);
    if (o->value->type == VALUE_B)
        return arena_printf(p->arena,
                            "AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=%zu cap=%zu]}",
                            o->value->bytes.len, o->value->bytes.len);
    const struct json *sent = json_member(o->json, slice_of(type));
    struct slice text = sent ? sent->text : SLICE("");
    return arena_printf(p->arena, "AttributeValue: {%s:%.*s}", type, SLICE_ARG(text));
}

static struct error *condition_bounds_error(struct parser *p, const char *what,
                                            const struct operand *low, const struct operand *high) {
    return parser_error(p,
                        "The BETWEEN operator requires %s; lower bound operand: %.*s, upper bound "
                        "operand: %.*s",
                        what, SLICE_ARG(condition_print_bound(p, low)),
                        SLICE_ARG(condition_print_bound(p, high)));
}

static struct error *condition_check_bounds(struct parser *p, const struct operand *low,
                                            const struct operand *high) {
    if (low->kind != OPERAND_VALUE || high->kind != OPERAND_VALUE)
        return NULL;
    if (low->value->type != high->value->type)
        return condition_bounds_error(p, "same data type for lower and upper bounds", low, high);
    if (value_compare(low->value, high->value) > 0)
        return condition_bounds_error(p, "upper bound to be greater than or equal to lower bound",
                                      low, high);
    return NULL;
}

static struct error *condition_check_in(struct parser *p, const struct condition *c) {
    unsigned count = 0;
    for (const struct operand *o = c->operands->next; o; o = o->next)
        count++;
    if (count > LIMIT_EXPRESSION_IN_OPERANDS)
        return parser_error(p,
                            "The IN operator is provided with too many operands; number of "
                            "operands: %u",
                            count);
    return operand_check_distinct(p, "IN", c->operands);
}

static struct error *condition_check_operands(struct parser *p, const struct condition *c) {
    if (c->kind == CONDITION_CALL)
        return NULL;
    if (c->kind == CONDITION_IN)
        return condition_check_in(p, c);
    const char *name = condition_operator(c);
    TRY(operand_check_distinct(p, name, c->operands));
    if (c->comparator == TOKEN_EQ || c->comparator == TOKEN_NE)
        return NULL;
    TRY(operand_check_types(p, name, c->operands, TYPES_ORDERED));
    if (c->kind == CONDITION_BETWEEN)
        return condition_check_bounds(p, c->operands->next, c->operands->next->next);
    return NULL;
}

static struct error *condition_resolve(struct parser *p, const struct condition *c) {
    if (c->left)
        TRY(condition_resolve(p, c->left));
    if (c->right)
        TRY(condition_resolve(p, c->right));
    for (struct operand *o = c->operands; o; o = o->next)
        TRY(operand_resolve(p, o, OPERAND_WHOLE));
    return c->operands ? condition_check_operands(p, c) : NULL;
}

struct error *condition_parse(struct arena *a, struct expr_scope *scope, struct slice text,
                              const char *parameter, const struct condition **out) {
    struct parser p;
    struct term t;
    struct condition *c = NULL;
    TRY(parser_start(&p, a, scope, text, parameter));
    TRY(condition_parse_or(&p, &t));
    TRY(term_condition(&p, &t, &c));
    TRY(parser_expect(&p, TOKEN_END));
    TRY(parser_check_operators(&p));
    TRY(condition_check(&p, c));
    TRY(condition_resolve(&p, c));
    *out = c;
    return NULL;
}

void condition_visit_attributes(const struct condition *c,
                                void (*visit)(void *context, struct slice attribute),
                                void *context) {
    if (c->left)
        condition_visit_attributes(c->left, visit, context);
    if (c->right)
        condition_visit_attributes(c->right, visit, context);
    operand_visit_attributes(c->operands, visit, context);
}

void condition_visit_paths(const struct condition *c, path_visitor *visit, void *context) {
    if (c->left)
        condition_visit_paths(c->left, visit, context);
    if (c->right)
        condition_visit_paths(c->right, visit, context);
    operand_visit_paths(c->operands, visit, context);
}
