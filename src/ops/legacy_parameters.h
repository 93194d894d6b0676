/*
 * The parameters that expressions replaced, as a request has them, turned into the trees that
 * expressions make.
 *
 * Their tables are in legacy_fields.h; what AWS asks of them beyond single members is here, in its
 * order: entry by entry, values before their number, number before types.
 */
#ifndef OPS_LEGACY_PARAMETERS_H
#define OPS_LEGACY_PARAMETERS_H

#include "expr/legacy.h"
#include "ops/field.h"

/* QueryFilter, ScanFilter, KeyConditions, Expected: `*out` has an entry for each of `map`. */
MUST_CHECK struct error *legacy_conditions_read(struct arena *a, const struct field_map *map,
                                                const struct legacy_condition **out);
MUST_CHECK struct error *legacy_expected_read(struct arena *a, const struct field_map *map,
                                              const struct legacy_condition **out);

/* QueryFilter or ScanFilter with the ConditionalOperator; NULL in `*out` when there is none. */
MUST_CHECK struct error *legacy_filter_read(struct arena *a, const struct field_map *map,
                                            const struct field_choice *conditional_operator,
                                            const struct condition **out);

/* "ConditionalOperator cannot be used without Filter or Expected", "… can only be used when Filter
 * or Expected has two or more elements". */
MUST_CHECK struct error *conditional_operator_check(struct arena *a,
                                                    const struct field_choice *asked,
                                                    const struct field_map *conditions);

/* AttributeUpdates: the values of each, then all as one update (NULL when there are none). */
MUST_CHECK struct error *legacy_updates_read(struct arena *a, const struct field_map *map,
                                             const struct update **out);

/* AttributesToGet.  "One or more parameter values were invalid: Duplicate value in attribute name:
 * a". */
MUST_CHECK struct error *attributes_to_get_read(struct arena *a, const struct field_list *names,
                                                struct projection *out);

#endif
