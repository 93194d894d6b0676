/*
 * What the files about numbers share: the range and its errors.
 */
#ifndef ITEM_NUMBER_INT_H
#define ITEM_NUMBER_INT_H

#include "item/number.h"

/* The first digit of a number stands at 10^(exponent - 1). */
enum {
    NUMBER_EXPONENT_MAX = LIMIT_NUMBER_EXPONENT_MAX + 1,
    NUMBER_EXPONENT_MIN = LIMIT_NUMBER_EXPONENT_MIN + 1,
};

/* The error when a number's exponent is out of range, or NULL. */
MUST_CHECK struct error *number_check_exponent(struct arena *a, int64_t exponent);

/* AWS's error for a magnitude above the range. */
MUST_CHECK struct error *number_overflow(struct arena *a);

#endif
