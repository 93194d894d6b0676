/*
 * Expressions and the older parameters that they replaced: what a request may not mix.
 */
#ifndef OPS_EXPRESSION_PARAMETERS_H
#define OPS_EXPRESSION_PARAMETERS_H

#include "base/error.h"

struct parameter {
    const char *name;
    bool given;
};

struct parameter_list {
    const struct parameter *all; /* in AWS's order */
    size_t count;
};

#define PARAMETERS(array) ((struct parameter_list){(array), ARRAY_LEN(array)})

/* "Can not use both expression and non-expression parameters in the same request: Non-expression
 * parameters: {Expected} Expression parameters: {ConditionExpression}". */
MUST_CHECK struct error *expression_parameters_check(struct arena *a, struct parameter_list legacy,
                                                     struct parameter_list expressions);

#endif
