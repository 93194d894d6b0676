/*
 * ReturnValuesOnConditionCheckFailure, and the error of a condition that did not hold.
 */
#ifndef OPS_CONDITION_CHECK_H
#define OPS_CONDITION_CHECK_H

#include "engine/item_write.h"
#include "ops/field.h"
#include "json/json_writer.h"

#define CONDITION_CHECK_FAILED "The conditional request failed"

enum { RETURN_ON_FAILURE_ALL_OLD = 1, RETURN_ON_FAILURE_NONE };
extern const char *const return_on_failure_choices[];

#define FIELD_RETURN_ON_FAILURE(input, member)                                                     \
    FIELD("ReturnValuesOnConditionCheckFailure", CHOICE, input, member),                           \
        .choices = return_on_failure_choices

/* The member "Item" with the item as it is, when asked for and there. */
void condition_check_item(struct json_writer *w, const struct item_write *write,
                          const struct field_choice *asked);

/* ERR_CONDITIONAL_CHECK_FAILED for a write whose condition did not hold. */
struct error *condition_check_error(struct arena *a, const struct item_write *write,
                                    const struct field_choice *asked);

/* An error's `details`: the members of the object that `members` holds. */
struct slice error_details(const struct buf *members);

#endif
