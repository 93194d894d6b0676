/*
 * ReturnValues: which attributes a write gives back.
 */
#ifndef OPS_RETURN_VALUES_H
#define OPS_RETURN_VALUES_H

#include "ops/field.h"

enum {
    RETURN_ALL_NEW = 1,
    RETURN_UPDATED_OLD,
    RETURN_ALL_OLD,
    RETURN_NONE,
    RETURN_UPDATED_NEW,
};
extern const char *const return_values_choices[];

#define FIELD_RETURN_VALUES(input, member)                                                         \
    FIELD("ReturnValues", CHOICE, input, member), .choices = return_values_choices

/* What PutItem and DeleteItem accept: "ReturnValues can only be ALL_OLD or NONE". */
MUST_CHECK struct error *return_values_check_old(struct arena *a, const struct field_choice *asked);

#endif
