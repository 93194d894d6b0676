#include "ops/transact_write.h"

#include "item/item_json.h"
#include "ops/condition_check.h"
#include "ops/key_paths.h"
#include "ops/transaction.h"
#include "ops/update_rules.h"

#define ACTION struct transact_action

#define TABLE_NAME_ROW                                                                             \
    { FIELD_TABLE_NAME(ACTION, table_name) }
#define KEY_ROW                                                                                    \
    { FIELD("Key", ITEM, ACTION, item_json), .required = true }
#define EXPRESSION_ROWS                                                                            \
    {FIELD("ExpressionAttributeNames", NAMES, ACTION, names)},                                     \
        {FIELD("ExpressionAttributeValues", ITEM, ACTION, values)}, {                              \
        FIELD_RETURN_ON_FAILURE(ACTION, return_on_failure)                                         \
    }

static const struct field check_fields[] = {
    KEY_ROW,
    TABLE_NAME_ROW,
    {FIELD("ConditionExpression", STRING, ACTION, condition), .required = true},
    EXPRESSION_ROWS,
};

static const struct field put_fields[] = {
    {FIELD("Item", ITEM, ACTION, item_json), .required = true},
    TABLE_NAME_ROW,
    {FIELD("ConditionExpression", STRING, ACTION, condition)},
    EXPRESSION_ROWS,
};

static const struct field delete_fields[] = {
    KEY_ROW,
    TABLE_NAME_ROW,
    {FIELD("ConditionExpression", STRING, ACTION, condition)},
    EXPRESSION_ROWS,
};

static const struct field update_fields[] = {
    KEY_ROW,         {FIELD("UpdateExpression", STRING, ACTION, update), .required = true},
    TABLE_NAME_ROW,  {FIELD("ConditionExpression", STRING, ACTION, condition)},
    EXPRESSION_ROWS,
};

#define ACTION_ROW(wire, member, rows)                                                             \
    { FIELD(wire, STRUCT, struct transact_item, member), .shape = (wire), FIELD_OF(rows, ACTION) }

const struct field transact_item_fields[TRANSACT_ITEM_FIELDS] = {
    ACTION_ROW("ConditionCheck", check, check_fields),
    ACTION_ROW("Put", put, put_fields),
    ACTION_ROW("Delete", remove, delete_fields),
    ACTION_ROW("Update", update, update_fields),
};

/* --- Reading ---------------------------------------------------------------------------------- */

static unsigned transact_item_count(const struct transact_item *item) {
    return (item->check != NULL) + (item->put != NULL) + (item->remove != NULL) +
           (item->update != NULL);
}

static void transact_write_choose(const struct transact_item *item, struct transact_write *out) {
    if (item->check) {
        out->write.kind = WRITE_CHECK;
        out->asked = item->check;
    } else if (item->put) {
        out->write.kind = WRITE_PUT;
        out->asked = item->put;
    } else if (item->remove) {
        out->write.kind = WRITE_DELETE;
        out->asked = item->remove;
    } else {
        out->write.kind = WRITE_UPDATE;
        out->asked = item->update;
    }
}

static struct error *transact_write_parse(struct arena *a, struct transact_write *w) {
    const struct transact_action *asked = w->asked;
    if (!asked->update.ptr && !asked->condition.ptr)
        return expr_scope_without_expressions(a, asked->names, asked->values,
                                              "ConditionExpression");
    struct expr_scope *scope;
    TRY(expr_scope_create(a, asked->names, asked->values, &scope));
    if (asked->update.ptr)
        TRY(update_parse(a, scope, asked->update, &w->write.update));
    if (asked->condition.ptr)
        TRY(condition_parse(a, scope, asked->condition, "ConditionExpression",
                            &w->write.condition));
    return expr_scope_check_unused(a, scope);
}

struct error *transact_write_read(struct arena *a, const struct transact_item *item,
                                  struct transact_write *out) {
    unsigned count = transact_item_count(item);
    if (count == 0)
        return error_new(a, ERR_VALIDATION,
                         "Invalid Request: TransactWriteRequest should contain Delete or Put or "
                         "Update request");
    if (count > 1)
        return error_new(a, ERR_VALIDATION,
                         "TransactItems can only contain one of Check, Put, Update or Delete");
    transact_write_choose(item, out);
    out->write.in_transaction = true;
    TRY(item_from_json(a, out->asked->item_json, &out->item));
    return transact_write_parse(a, out);
}

/* --- Table and key ---------------------------------------------------------------------------- */

static struct error *transact_write_check(struct arena *a, struct transact_write *w) {
    const struct table_schema *schema = w->write.table->schema;
    if (w->write.kind != WRITE_PUT) {
        TRY(primary_key_from_key(a, schema, &w->item, &w->write.key));
        TRY(update_keys_check(a, schema, w->write.update));
        TRY(update_index_types_check(a, schema, w->write.update));
        TRY(key_paths_check_update(a, schema, w->write.update));
        return key_paths_check_condition(a, schema, w->write.condition);
    }
    w->write.item = &w->item;
    TRY(primary_key_from_item(a, schema, &w->item, &w->write.key));
    TRY(index_keys_check(a, schema, &w->item));
    if (item_size(&w->item) > LIMIT_ITEM_BYTES)
        return error_new(a, ERR_VALIDATION, "Item size has exceeded the maximum allowed size");
    return key_paths_check_condition(a, schema, w->write.condition);
}

struct error *transact_write_find(struct op_call *call, struct transact_write *w) {
    TRY(op_call_table(call, w->asked->table_name, &w->write.table));
    w->fault = transact_write_check(call->arena, w);
    return w->fault && transaction_key_is_empty(w->write.table->schema, &w->item) ? w->fault : NULL;
}

/* --- Cancelled -------------------------------------------------------------------------------- */

struct error *transact_writes_cancelled(struct arena *a, const struct transact_write *writes,
                                        size_t count) {
    struct transaction_reason *reasons = arena_array(a, count, sizeof *reasons);
    for (size_t i = 0; i < count; i++)
        reasons[i] = (struct transaction_reason){writes[i].fault, &writes[i].write,
                                                 &writes[i].asked->return_on_failure};
    return transaction_cancelled(a, reasons, count);
}
