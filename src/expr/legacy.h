/*
 * The parameters that expressions replaced (Expected, QueryFilter, ScanFilter, KeyConditions,
 * AttributeUpdates), turned into the same trees.
 *
 * Whoever has such a parameter reads its values, asks legacy_…_check for each entry, then makes the
 * tree of all.  What the older parameters do otherwise than expressions: NOT_CONTAINS is false when
 * the attribute is missing, ADD appends to a list, and a value of another type has its own words.
 */
#ifndef EXPR_LEGACY_H
#define EXPR_LEGACY_H

#include "expr/expr.h"

/* ComparisonOperator, from 1, in AWS's order of its error. */
enum legacy_comparison {
    LEGACY_IN = 1,
    LEGACY_NULL,
    LEGACY_BETWEEN,
    LEGACY_LT,
    LEGACY_NOT_CONTAINS,
    LEGACY_EQ,
    LEGACY_GT,
    LEGACY_NOT_NULL,
    LEGACY_NE,
    LEGACY_LE,
    LEGACY_BEGINS_WITH,
    LEGACY_GE,
    LEGACY_CONTAINS,
    LEGACY_COMPARISONS,
};

/* The names, NULL-ended, in that order. */
extern const char *const legacy_comparison_names[LEGACY_COMPARISONS];

struct legacy_condition {
    struct slice attribute;
    enum legacy_comparison comparison;
    const struct value *values;
    size_t count;
};

/* Number and types of the values: "One or more parameter values were invalid: Invalid number of
 * argument(s) for the EQ ComparisonOperator", "… ComparisonOperator LT is not valid for SS
 * AttributeValue type", … */
MUST_CHECK struct error *legacy_condition_check(struct arena *a, const struct legacy_condition *c);

/* All joined by AND, or by OR when `any`; NULL when there are none. */
const struct condition *legacy_condition_join(struct arena *a, const struct legacy_condition *all,
                                              size_t count, bool any);

/* KeyConditions.  "Attempted conditional constraint is not an indexable operation" for an operator
 * that no key has. */
MUST_CHECK struct error *legacy_key_condition(struct arena *a, const struct legacy_condition *all,
                                              size_t count, struct key_condition *out);

/* The Action of an AttributeUpdate, from 1; 0 is PUT. */
enum legacy_action { LEGACY_ADD = 1, LEGACY_PUT, LEGACY_DELETE };

struct legacy_update {
    struct slice attribute;
    enum legacy_action action;
    const struct value *value; /* or NULL */
};

/* "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value
 * is specified", … */
MUST_CHECK struct error *legacy_update_check(struct arena *a, const struct legacy_update *u);

/* One update that does all; NULL when there are none. */
const struct update *legacy_update_join(struct arena *a, const struct legacy_update *all,
                                        size_t count);

#endif
