/* PutItem: makes an item, or replaces the whole of it. */
#include "item/item_json.h"
#include "ops/condition_check.h"
#include "ops/consumed_capacity.h"
#include "ops/item_collection_metrics.h"
#include "ops/legacy_fields.h"
#include "ops/return_values.h"
#include "ops/single_write.h"

struct put_item {
    struct single_write single;
    const struct json *item_json;
    struct item item;
};

static const struct field put_item_fields[] = {
    {FIELD_RETURN_CONSUMED_CAPACITY(struct put_item, single.return_capacity)},
    {FIELD_TABLE_NAME(struct put_item, single.table_name), .alone = true},
    {FIELD("Item", ITEM, struct put_item, item_json), .required = true},
    {FIELD_CONDITIONAL_OPERATOR(struct put_item, single.conditional_operator)},
    {FIELD_EXPECTED(struct put_item, single.expected)},
    {FIELD_RETURN_VALUES(struct put_item, single.return_values)},
    {FIELD_RETURN_ITEM_COLLECTION_METRICS(struct put_item, single.return_metrics)},
    {FIELD("ConditionExpression", STRING, struct put_item, single.condition)},
    {FIELD("ExpressionAttributeValues", ITEM, struct put_item, single.values)},
    {FIELD("ExpressionAttributeNames", NAMES, struct put_item, single.names)},
    {FIELD_RETURN_ON_FAILURE(struct put_item, single.return_on_failure)},
};

/* What can be said before the table is looked up. */
static struct error *put_item_check_request(struct op_call *call, struct put_item *in) {
    TRY(single_write_parameters(call, &in->single));
    TRY(item_from_json(call->arena, in->item_json, &in->item));
    TRY(return_values_check_old(call->arena, &in->single.return_values));
    if (item_size(&in->item) > LIMIT_ITEM_BYTES)
        return error_new(call->arena, ERR_VALIDATION,
                         "Item size has exceeded the maximum allowed size");
    return single_write_parse(call, &in->single);
}

static struct error *put_item_check(struct op_call *call) {
    struct put_item *in = call->input;
    struct item_write *write = &in->single.write;
    TRY(put_item_check_request(call, in));
    write->kind = WRITE_PUT;
    write->item = &in->item;
    TRY(op_call_table(call, in->single.table_name, &write->table));
    const struct table_schema *schema = write->table->schema;
    TRY(primary_key_from_item(call->arena, schema, &in->item, &write->key));
    TRY(index_keys_check(call->arena, schema, &in->item));
    call->write_bytes = item_size(&in->item) * (1 + schema->index_count);
    return single_write_check_paths(call, &in->single);
}

static struct error *put_item_run(struct op_call *call) {
    struct put_item *in = call->input;
    return single_write_run(call, &in->single);
}

static struct error *put_item_reply(struct op_call *call, struct json_writer *w) {
    struct put_item *in = call->input;
    single_write_reply(&in->single, single_write_old(&in->single), w);
    return NULL;
}

const struct op op_put_item = {
    .name = "PutItem",
    .service = SERVICE_DYNAMODB,
    .kind = OP_WRITE,
    .fields = put_item_fields,
    .field_count = ARRAY_LEN(put_item_fields),
    .input_size = sizeof(struct put_item),
    .check = put_item_check,
    .run = put_item_run,
    .reply = put_item_reply,
};
