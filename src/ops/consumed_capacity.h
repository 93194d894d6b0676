/*
 * ReturnConsumedCapacity, and the ConsumedCapacity of a reply.
 */
#ifndef OPS_CONSUMED_CAPACITY_H
#define OPS_CONSUMED_CAPACITY_H

#include "engine/capacity.h"
#include "ops/field.h"
#include "json/json_writer.h"

enum { RETURN_CAPACITY_INDEXES = 1, RETURN_CAPACITY_TOTAL, RETURN_CAPACITY_NONE };
extern const char *const return_consumed_capacity_choices[];

#define FIELD_RETURN_CONSUMED_CAPACITY(input, member)                                              \
    FIELD("ReturnConsumedCapacity", CHOICE, input, member),                                        \
        .choices = return_consumed_capacity_choices

/* A transaction repeats its units under the name of what it did. */
enum capacity_repeat { CAPACITY_ONCE, CAPACITY_AS_READ, CAPACITY_AS_WRITE };

/* Whether it is to be in the reply. */
static inline bool consumed_capacity_asked(const struct field_choice *asked) {
    return asked->is == RETURN_CAPACITY_INDEXES || asked->is == RETURN_CAPACITY_TOTAL;
}

/* The object, for a list of several tables. */
void consumed_capacity_write(struct json_writer *w, const struct table_schema *t,
                             const struct capacity *c, const struct field_choice *asked,
                             enum capacity_repeat repeat);

/* The member "ConsumedCapacity" of one table, when asked for. */
void consumed_capacity_reply(struct json_writer *w, const struct table_schema *t,
                             const struct capacity *c, const struct field_choice *asked);

#endif
