/*
 * The actions of TransactWriteItems as they are asked and decided.
 */
#ifndef OPS_TRANSACT_WRITE_H
#define OPS_TRANSACT_WRITE_H

#include "engine/item_write.h"
#include "ops/op.h"

/* Put, Update, Delete or ConditionCheck, as given. */
struct transact_action {
    struct slice table_name;
    const struct json *item_json; /* Put: the item; the others: its key */
    struct slice update;
    struct slice condition;
    const struct json *names;
    const struct json *values;
    struct field_choice return_on_failure;
};

/* An element of TransactItems: one of them is there. */
struct transact_item {
    struct transact_action *check;
    struct transact_action *put;
    struct transact_action *remove;
    struct transact_action *update;
};
enum { TRANSACT_ITEM_FIELDS = 4 };
extern const struct field transact_item_fields[TRANSACT_ITEM_FIELDS];

/* An action on its way. */
struct transact_write {
    const struct transact_action *asked;
    struct item item; /* Put: the item; the others: its key */
    struct item_write write;
    struct error *fault; /* what cancels the transaction for this action's sake */
};

/* Reads one element, and everything that needs no table: "TransactItems can only contain one of
 * Check, Put, Update or Delete", values, expressions.  Such faults are the whole request's. */
MUST_CHECK struct error *transact_write_read(struct arena *a, const struct transact_item *item,
                                             struct transact_write *out);

/* Finds the table and makes the key.  AWS: an empty key value is the whole request's fault, a key
 * that does not fit its schema cancels the transaction (w->fault). */
MUST_CHECK struct error *transact_write_find(struct op_call *call, struct transact_write *w);

/* ERR_TRANSACTION_CANCELED with a reason for each action; NULL when no action has a fault. */
struct error *transact_writes_cancelled(struct arena *a, const struct transact_write *writes,
                                        size_t count);

#endif
