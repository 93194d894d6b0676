/*
 * What AWS asks of an update beyond its expression.
 */
#ifndef OPS_UPDATE_RULES_H
#define OPS_UPDATE_RULES_H

#include "engine/item_write.h"

/* "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of
 * the key".  `update` may be NULL. */
MUST_CHECK struct error *update_keys_check(struct arena *a, const struct table_schema *t,
                                           const struct update *update);

/* "… Type mismatch for Index Key gsi1pk Expected: S Actual: N IndexName: gsi1", as far as types are
 * known without the item. */
MUST_CHECK struct error *update_index_types_check(struct arena *a, const struct table_schema *t,
                                                  const struct update *update);

#endif
