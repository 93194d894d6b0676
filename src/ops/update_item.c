/* UpdateItem: changes attributes of an item, and makes it when it is not there. */
#include "item/item_json.h"
#include "ops/condition_check.h"
#include "ops/consumed_capacity.h"
#include "ops/expression_parameters.h"
#include "ops/item_collection_metrics.h"
#include "ops/key_paths.h"
#include "ops/legacy_fields.h"
#include "ops/legacy_parameters.h"
#include "ops/return_values.h"
#include "ops/single_write.h"
#include "ops/update_rules.h"

struct update_item {
    struct single_write single;
    struct slice update;
    const struct json *key_json;
    struct field_map attribute_updates;
};

static const struct field update_item_fields[] = {
    {FIELD_RETURN_CONSUMED_CAPACITY(struct update_item, single.return_capacity)},
    {FIELD_TABLE_NAME(struct update_item, single.table_name), .alone = true},
    {FIELD_RETURN_ITEM_COLLECTION_METRICS(struct update_item, single.return_metrics)},
    {FIELD_RETURN_VALUES(struct update_item, single.return_values)},
    {FIELD("Key", ITEM, struct update_item, key_json), .required = true},
    {FIELD_CONDITIONAL_OPERATOR(struct update_item, single.conditional_operator)},
    {FIELD_EXPECTED(struct update_item, single.expected)},
    {FIELD_ATTRIBUTE_UPDATES(struct update_item, attribute_updates)},
    {FIELD("ConditionExpression", STRING, struct update_item, single.condition)},
    {FIELD("UpdateExpression", STRING, struct update_item, update)},
    {FIELD("ExpressionAttributeValues", ITEM, struct update_item, single.values)},
    {FIELD("ExpressionAttributeNames", NAMES, struct update_item, single.names)},
    {FIELD_RETURN_ON_FAILURE(struct update_item, single.return_on_failure)},
};

static struct error *update_item_parameters(struct op_call *call, const struct update_item *in) {
    const struct parameter legacy[] = {
        {"AttributeUpdates", in->attribute_updates.given},
        {"Expected", in->single.expected.given},
        {"ConditionalOperator", in->single.conditional_operator.is != 0},
    };
    const struct parameter expressions[] = {
        {"UpdateExpression", in->update.ptr != NULL},
        {"ConditionExpression", in->single.condition.ptr != NULL},
    };
    TRY(expression_parameters_check(call->arena, PARAMETERS(legacy), PARAMETERS(expressions)));
    if (!in->update.ptr && !in->single.condition.ptr)
        TRY(expr_scope_without_expressions(call->arena, in->single.names, in->single.values,
                                           "UpdateExpression and ConditionExpression"));
    return conditional_operator_check(call->arena, &in->single.conditional_operator,
                                      &in->single.expected);
}

static struct error *update_item_parse(struct op_call *call, struct update_item *in) {
    struct arena *a = call->arena;
    struct single_write *s = &in->single;
    TRY(legacy_updates_read(a, &in->attribute_updates, &s->write.update));
    TRY(single_write_expected(call, s));
    if (!in->update.ptr && !s->condition.ptr)
        return NULL;
    struct expr_scope *scope;
    TRY(expr_scope_create(a, s->names, s->values, &scope));
    if (in->update.ptr)
        TRY(update_parse(a, scope, in->update, &s->write.update));
    if (s->condition.ptr)
        TRY(condition_parse(a, scope, s->condition, "ConditionExpression", &s->write.condition));
    return expr_scope_check_unused(a, scope);
}

static struct error *update_item_check(struct op_call *call) {
    struct update_item *in = call->input;
    struct item_write *write = &in->single.write;
    struct item key;
    TRY(update_item_parameters(call, in));
    TRY(item_from_json(call->arena, in->key_json, &key));
    TRY(update_item_parse(call, in));
    write->kind = WRITE_UPDATE;
    call->write_bytes = SINGLE_WRITE_BYTES;
    TRY(op_call_table(call, in->single.table_name, &write->table));
    TRY(primary_key_from_key(call->arena, write->table->schema, &key, &write->key));
    TRY(update_keys_check(call->arena, write->table->schema, write->update));
    TRY(update_index_types_check(call->arena, write->table->schema, write->update));
    TRY(key_paths_check_update(call->arena, write->table->schema, write->update));
    return single_write_check_paths(call, &in->single);
}

static struct error *update_item_run(struct op_call *call) {
    struct update_item *in = call->input;
    return single_write_run(call, &in->single);
}

static struct item update_item_touched(struct op_call *call, const struct item_write *write,
                                       const struct item *item) {
    return write->update ? update_touched(call->arena, write->update, item) : (struct item){0};
}

/* What ReturnValues asks for; empty for nothing. */
static struct item update_item_attributes(struct op_call *call, const struct single_write *s) {
    const struct item_write *write = &s->write;
    switch (s->return_values.is) {
    case RETURN_ALL_NEW:
        return write->new_item;
    case RETURN_UPDATED_NEW:
        return update_item_touched(call, write, &write->new_item);
    case RETURN_ALL_OLD:
        return write->existed ? write->old_item : (struct item){0};
    case RETURN_UPDATED_OLD:
        return write->existed ? update_item_touched(call, write, &write->old_item)
                              : (struct item){0};
    }
    return (struct item){0};
}

static struct error *update_item_reply(struct op_call *call, struct json_writer *w) {
    struct update_item *in = call->input;
    struct item attributes = update_item_attributes(call, &in->single);
    single_write_reply(&in->single, &attributes, w);
    return NULL;
}

const struct op op_update_item = {
    .name = "UpdateItem",
    .service = SERVICE_DYNAMODB,
    .kind = OP_WRITE,
    .fields = update_item_fields,
    .field_count = ARRAY_LEN(update_item_fields),
    .input_size = sizeof(struct update_item),
    .check = update_item_check,
    .run = update_item_run,
    .reply = update_item_reply,
};
