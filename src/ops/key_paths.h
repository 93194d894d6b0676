/*
 * Paths into key attributes: keys are scalars, so an expression may not reach inside of one.
 *
 * "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key:
 * pk", or "… IndexKey: gsi1pk".
 */
#ifndef OPS_KEY_PATHS_H
#define OPS_KEY_PATHS_H

#include "expr/expr.h"
#include "schema/table_schema.h"

/* Each takes NULL for none. */
MUST_CHECK struct error *key_paths_check_condition(struct arena *a, const struct table_schema *t,
                                                   const struct condition *c);
MUST_CHECK struct error *key_paths_check_projection(struct arena *a, const struct table_schema *t,
                                                    const struct projection *p);
MUST_CHECK struct error *key_paths_check_update(struct arena *a, const struct table_schema *t,
                                                const struct update *u);

#endif
