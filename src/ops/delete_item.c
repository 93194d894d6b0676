/* DeleteItem: removes an item; that there was none is well. */
#include "item/item_json.h"
#include "ops/condition_check.h"
#include "ops/consumed_capacity.h"
#include "ops/item_collection_metrics.h"
#include "ops/legacy_fields.h"
#include "ops/return_values.h"
#include "ops/single_write.h"

struct delete_item {
    struct single_write single;
    const struct json *key_json;
};

static const struct field delete_item_fields[] = {
    {FIELD_RETURN_CONSUMED_CAPACITY(struct delete_item, single.return_capacity)},
    {FIELD_TABLE_NAME(struct delete_item, single.table_name), .alone = true},
    {FIELD_RETURN_VALUES(struct delete_item, single.return_values)},
    {FIELD_RETURN_ITEM_COLLECTION_METRICS(struct delete_item, single.return_metrics)},
    {FIELD("Key", ITEM, struct delete_item, key_json), .required = true},
    {FIELD_CONDITIONAL_OPERATOR(struct delete_item, single.conditional_operator)},
    {FIELD_EXPECTED(struct delete_item, single.expected)},
    {FIELD("ConditionExpression", STRING, struct delete_item, single.condition)},
    {FIELD("ExpressionAttributeValues", ITEM, struct delete_item, single.values)},
    {FIELD("ExpressionAttributeNames", NAMES, struct delete_item, single.names)},
    {FIELD_RETURN_ON_FAILURE(struct delete_item, single.return_on_failure)},
};

static struct error *delete_item_check(struct op_call *call) {
    struct delete_item *in = call->input;
    struct item_write *write = &in->single.write;
    struct item key;
    TRY(single_write_parameters(call, &in->single));
    TRY(item_from_json(call->arena, in->key_json, &key));
    TRY(return_values_check_old(call->arena, &in->single.return_values));
    TRY(single_write_parse(call, &in->single));
    write->kind = WRITE_DELETE;
    call->write_bytes = SINGLE_WRITE_BYTES;
    TRY(op_call_table(call, in->single.table_name, &write->table));
    TRY(primary_key_from_key(call->arena, write->table->schema, &key, &write->key));
    return single_write_check_paths(call, &in->single);
}

static struct error *delete_item_run(struct op_call *call) {
    struct delete_item *in = call->input;
    return single_write_run(call, &in->single);
}

static struct error *delete_item_reply(struct op_call *call, struct json_writer *w) {
    struct delete_item *in = call->input;
    single_write_reply(&in->single, single_write_old(&in->single), w);
    return NULL;
}

const struct op op_delete_item = {
    .name = "DeleteItem",
    .service = SERVICE_DYNAMODB,
    .kind = OP_WRITE,
    .fields = delete_item_fields,
    .field_count = ARRAY_LEN(delete_item_fields),
    .input_size = sizeof(struct delete_item),
    .check = delete_item_check,
    .run = delete_item_run,
    .reply = delete_item_reply,
};
