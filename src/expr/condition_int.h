/*
 * The tree of a condition, as the parser leaves it and as the evaluator and key_condition.c read
 * it.
 */
#ifndef EXPR_CONDITION_INT_H
#define EXPR_CONDITION_INT_H

#include "expr/operand_int.h"

enum condition_kind {
    CONDITION_AND,
    CONDITION_OR,
    CONDITION_NOT,
    CONDITION_COMPARE,
    CONDITION_BETWEEN,
    CONDITION_IN,
    CONDITION_CALL,
};

struct condition {
    enum condition_kind kind;
    enum token_kind comparator; /* TOKEN_EQ to TOKEN_GE */
    bool parenthesised;
    const struct condition *left;  /* AND, OR; NOT's only one */
    const struct condition *right; /* AND, OR */
    struct operand *operands;      /* the first one and those it is compared with; the call */
};

/* "<=", "BETWEEN", "AND", …; a call's function. */
const char *condition_operator(const struct condition *c);

#endif
