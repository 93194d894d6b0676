/* GetItem: reads one item by its key. */
#include "engine/item_read.h"
#include "expr/expr.h"
#include "item/item_json.h"
#include "item/stored.h"
#include "ops/consumed_capacity.h"
#include "ops/expression_parameters.h"
#include "ops/key_paths.h"
#include "ops/legacy_parameters.h"
#include "ops/op.h"
#include "ops/stored_row.h"

struct get_item {
    struct slice table_name;
    const struct json *key_json;
    struct field_list attributes_to_get;
    struct field_bool consistent;
    struct slice projection_text;
    const struct json *names;
    struct field_choice return_capacity;

    struct table *table;
    struct primary_key key;
    bool projected;
    struct projection projection;
    struct slice stored;
    bool found;
};

static const struct field get_item_fields[] = {
    {FIELD_RETURN_CONSUMED_CAPACITY(struct get_item, return_capacity)},
    {FIELD("AttributesToGet", STRINGS, struct get_item, attributes_to_get), .min = 1},
    {FIELD_TABLE_NAME(struct get_item, table_name), .alone = true},
    {FIELD("Key", ITEM, struct get_item, key_json), .required = true},
    {FIELD("ConsistentRead", BOOL, struct get_item, consistent)},
    {FIELD("ProjectionExpression", STRING, struct get_item, projection_text)},
    {FIELD("ExpressionAttributeNames", NAMES, struct get_item, names)},
};

static struct error *get_item_parameters(struct op_call *call, const struct get_item *in) {
    const struct parameter legacy[] = {{"AttributesToGet", in->attributes_to_get.given}};
    const struct parameter expressions[] = {
        {"ProjectionExpression", in->projection_text.ptr != NULL}};
    TRY(expression_parameters_check(call->arena, PARAMETERS(legacy), PARAMETERS(expressions)));
    if (in->projection_text.ptr)
        return NULL;
    return expr_scope_without_expressions(call->arena, in->names, NULL, "ProjectionExpression");
}

static struct error *get_item_parse(struct op_call *call, struct get_item *in) {
    struct arena *a = call->arena;
    in->projected = in->projection_text.ptr || in->attributes_to_get.given;
    if (in->attributes_to_get.given)
        return attributes_to_get_read(a, &in->attributes_to_get, &in->projection);
    if (!in->projection_text.ptr)
        return NULL;
    struct expr_scope *scope;
    TRY(expr_scope_create(a, in->names, NULL, &scope));
    TRY(projection_parse(a, scope, in->projection_text, &in->projection));
    return expr_scope_check_unused(a, scope);
}

static struct error *get_item_check(struct op_call *call) {
    struct get_item *in = call->input;
    struct item key;
    TRY(get_item_parameters(call, in));
    TRY(item_from_json(call->arena, in->key_json, &key));
    TRY(get_item_parse(call, in));
    TRY(op_call_table(call, in->table_name, &in->table));
    TRY(primary_key_from_key(call->arena, in->table->schema, &key, &in->key));
    return key_paths_check_projection(call->arena, in->table->schema, &in->projection);
}

static struct error *get_item_run(struct op_call *call) {
    struct get_item *in = call->input;
    return item_read(call->engine, call->arena, in->table, &in->key, &in->stored, &in->found);
}

static struct error *get_item_reply(struct op_call *call, struct json_writer *w) {
    struct get_item *in = call->input;
    size_t bytes = 0;
    if (in->found) {
        const struct projection *p = in->projected ? &in->projection : NULL;
        TRY(stored_row_size(call->arena, in->stored, &bytes));
        json_write_name(w, SLICE("Item"));
        TRY(stored_row_write(call->arena, in->table, in->stored, p, w));
    }
    struct capacity capacity = {.table = capacity_read_units(bytes, in->consistent.value)};
    consumed_capacity_reply(w, in->table->schema, &capacity, &in->return_capacity);
    return NULL;
}

const struct op op_get_item = {
    .name = "GetItem",
    .service = SERVICE_DYNAMODB,
    .kind = OP_READ,
    .fields = get_item_fields,
    .field_count = ARRAY_LEN(get_item_fields),
    .input_size = sizeof(struct get_item),
    .check = get_item_check,
    .run = get_item_run,
    .reply = get_item_reply,
};
