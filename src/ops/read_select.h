/*
 * Select: what a Query or Scan gives back, and what it costs.
 */
#ifndef OPS_READ_SELECT_H
#define OPS_READ_SELECT_H

#include "engine/capacity.h"
#include "engine/query.h"
#include "ops/field.h"

enum { SELECT_SPECIFIC = 1, SELECT_COUNT, SELECT_ALL, SELECT_ALL_PROJECTED };
extern const char *const select_choices[];

#define FIELD_SELECT(input, member)                                                                \
    FIELD("Select", CHOICE, input, member), .choices = select_choices

/* What needs no table: which Select goes with a projection (the parameter's name, or NULL) and with
 * an index.  `doing` is AWS's word for the operation, "Querying" or "Scanning". */
MUST_CHECK struct error *read_select_check(struct arena *a, const struct field_choice *select,
                                           const char *projection, bool index, const char *doing);

/* Whether an index lacks what is asked for: a local one reads the table's items then. */
bool read_select_fetches(const struct query *q, const struct field_choice *select,
                         const struct projection *projection);

/* What a global index cannot give. */
MUST_CHECK struct error *read_select_check_index(struct arena *a, const struct query *q,
                                                 const struct field_choice *select,
                                                 const struct projection *projection);

/* Units of a page that was read. */
struct capacity read_select_capacity(const struct query *q);

#endif
