/*
 * What PutItem, UpdateItem and DeleteItem share: a conditional write of one item.
 */
#ifndef OPS_SINGLE_WRITE_H
#define OPS_SINGLE_WRITE_H

#include "engine/item_write.h"
#include "ops/op.h"

/* What a write of an item that is not known yet may stage, roughly. */
enum { SINGLE_WRITE_BYTES = 4096 };

struct single_write {
    /* As asked: rows of each operation's table. */
    struct slice table_name;
    struct slice condition;
    const struct json *names;
    const struct json *values;
    struct field_choice return_values;
    struct field_choice return_on_failure;
    struct field_choice return_capacity;
    struct field_choice return_metrics;
    struct field_choice conditional_operator;
    struct field_map expected;

    struct item_write write; /* made by check, decided by run */
};

/* Which parameters do not go together, in an operation that has no other expression. */
MUST_CHECK struct error *single_write_parameters(struct op_call *call,
                                                 const struct single_write *s);

/* The condition: Expected or, in an operation that has no other expression, ConditionExpression. */
MUST_CHECK struct error *single_write_expected(struct op_call *call, struct single_write *s);
MUST_CHECK struct error *single_write_parse(struct op_call *call, struct single_write *s);

/* The condition's paths, once the table is known. */
MUST_CHECK struct error *single_write_check_paths(struct op_call *call,
                                                  const struct single_write *s);

/* Decides and stages; ERR_CONDITIONAL_CHECK_FAILED when the condition does not hold. */
MUST_CHECK struct error *single_write_run(struct op_call *call, struct single_write *s);

/* The reply's members; `attributes` is NULL or empty for none. */
void single_write_reply(struct single_write *s, const struct item *attributes,
                        struct json_writer *w);

/* The old item for ALL_OLD, or NULL. */
const struct item *single_write_old(const struct single_write *s);

#endif
