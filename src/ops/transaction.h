/*
 * What TransactWriteItems and TransactGetItems share: the reasons of a cancelled transaction, and
 * its limits.
 */
#ifndef OPS_TRANSACTION_H
#define OPS_TRANSACTION_H

#include "engine/item_write.h"
#include "ops/field.h"

/* Why one action cancels the transaction, if it does. */
struct transaction_reason {
    const struct error *fault;             /* NULL: it does not */
    const struct item_write *write;        /* of a failed condition: whose item may be shown */
    const struct field_choice *on_failure; /* whether it is */
};

/* ERR_TRANSACTION_CANCELED with a reason for each action; NULL when no action has a fault. */
struct error *transaction_cancelled(struct arena *a, const struct transaction_reason *reasons,
                                    size_t count);

/* LIMIT_TRANSACTION_BYTES. */
MUST_CHECK struct error *transaction_check_bytes(struct arena *a, size_t bytes);

/* "Transaction request cannot include multiple operations on one item". */
struct error *transaction_repeats_item(struct arena *a);

/* AWS: an empty key value is the whole request's fault, where any other key that does not fit its
 * schema cancels the transaction. */
bool transaction_key_is_empty(const struct table_schema *t, const struct item *item);

#endif
