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

/* Stages a decided write of any kind, unless it does nothing: an update that only removes does not
 * make the item that it does not find (an update without an expression does). */
void update_rules_stage(struct write_view *view, struct arena *a, struct item_write *w);

#endif
