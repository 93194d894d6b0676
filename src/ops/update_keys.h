/*
 * An update may not change the table's key attributes.
 */
#ifndef OPS_UPDATE_KEYS_H
#define OPS_UPDATE_KEYS_H

#include "expr/expr.h"
#include "schema/table_schema.h"

/* "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of
 * the key".  `update` may be NULL. */
MUST_CHECK struct error *update_keys_check(struct arena *a, const struct table_schema *t,
                                           const struct update *update);

#endif
