/* Query: the items of one partition, of a table or an index, in the order of the sort key. */
#include "engine/query.h"
#include "engine/capacity.h"
#include "item/item_json.h"
#include "ops/consumed_capacity.h"
#include "ops/expression_parameters.h"
#include "ops/legacy_fields.h"
#include "ops/op.h"
#include "ops/read_select.h"
#include "ops/start_key.h"
#include "ops/stored_row.h"

struct query_input {
    struct slice table_name;
    struct slice index_name;
    struct field_choice select;
    struct field_list attributes_to_get;
    struct field_int limit;
    struct field_bool consistent;
    struct field_bool forward;
    struct field_map key_conditions;
    struct field_map query_filter;
    struct field_choice conditional_operator;
    const struct json *start_json;
    struct slice key_text;
    struct slice filter_text;
    struct slice projection_text;
    const struct json *names;
    const struct json *values;
    struct field_choice return_capacity;

    struct key_condition key;
    struct item start;
    struct projection projection;
    struct query query;
};

static const struct field query_fields[] = {
    {FIELD_SELECT(struct query_input, select)},
    {FIELD("IndexName", STRING, struct query_input, index_name), .pattern = FIELD_PATTERN_NAME,
     .min = 3, .max = 255},
    {FIELD_RETURN_CONSUMED_CAPACITY(struct query_input, return_capacity)},
    {FIELD_CONDITIONS("QueryFilter", struct query_input, query_filter)},
    {FIELD_TABLE_NAME(struct query_input, table_name)},
    {FIELD_CONDITIONAL_OPERATOR(struct query_input, conditional_operator)},
    {FIELD("AttributesToGet", STRINGS, struct query_input, attributes_to_get), .min = 1},
    {FIELD("Limit", INT, struct query_input, limit), .min = 1, .valueless = true},
    {FIELD_CONDITIONS("KeyConditions", struct query_input, key_conditions)},
    {FIELD("ExclusiveStartKey", ITEM, struct query_input, start_json)},
    {FIELD("ConsistentRead", BOOL, struct query_input, consistent)},
    {FIELD("ScanIndexForward", BOOL, struct query_input, forward)},
    {FIELD("KeyConditionExpression", STRING, struct query_input, key_text)},
    {FIELD("FilterExpression", STRING, struct query_input, filter_text)},
    {FIELD("ProjectionExpression", STRING, struct query_input, projection_text)},
    {FIELD("ExpressionAttributeValues", ITEM, struct query_input, values)},
    {FIELD("ExpressionAttributeNames", NAMES, struct query_input, names)},
};

static struct error *query_parameters(struct op_call *call, const struct query_input *in) {
    const struct parameter legacy[] = {
        {"AttributesToGet", in->attributes_to_get.given},
        {"QueryFilter", in->query_filter.given},
        {"ConditionalOperator", in->conditional_operator.is != 0},
        /* AWS: KeyConditions may stand beside a FilterExpression. (dynalite, captured) */
        {"KeyConditions", in->key_conditions.given && in->key_text.ptr},
    };
    const struct parameter older[] = {{"KeyConditions", in->key_conditions.given}};
    const struct parameter expressions[] = {
        {"ProjectionExpression", in->projection_text.ptr != NULL},
        {"FilterExpression", in->filter_text.ptr != NULL},
        {"KeyConditionExpression", in->key_text.ptr != NULL},
    };
    TRY(expression_parameters_check(call->arena, PARAMETERS(legacy), PARAMETERS(expressions)));
    TRY(legacy_parameters_refuse(call->arena, PARAMETERS(legacy)));
    return legacy_parameters_refuse(call->arena, PARAMETERS(older));
}

/* Names or values that no expression could use. */
static struct error *query_check_placeholders(struct op_call *call, const struct query_input *in) {
    static const char valued[] = "FilterExpression and KeyConditionExpression";
    bool has_valued = in->filter_text.ptr || in->key_text.ptr;
    bool has_any = has_valued || in->projection_text.ptr;
    return expr_scope_without_expressions(call->arena, has_any ? NULL : in->names,
                                          has_valued ? NULL : in->values, valued);
}

static struct error *query_parse(struct op_call *call, struct query_input *in) {
    struct arena *a = call->arena;
    struct expr_scope *scope;
    TRY(expr_scope_create(a, in->names, in->values, &scope));
    TRY(key_condition_parse(a, scope, in->key_text, &in->key));
    in->query.key = &in->key;
    if (in->filter_text.ptr)
        TRY(condition_parse(a, scope, in->filter_text, "FilterExpression", &in->query.filter));
    if (in->projection_text.ptr)
        TRY(projection_parse(a, scope, in->projection_text, &in->projection));
    return expr_scope_check_unused(a, scope);
}

/* What can be said before the table is looked up. */
static struct error *query_check_request(struct op_call *call, struct query_input *in) {
    struct arena *a = call->arena;
    TRY(query_parameters(call, in));
    TRY(query_check_placeholders(call, in));
    if (in->start_json) {
        TRY(start_key_read(a, in->start_json, &in->start));
        in->query.start = &in->start;
    }
    if (!in->key_text.ptr)
        return error_new(a, ERR_VALIDATION,
                         "Either the KeyConditions or KeyConditionExpression parameter must be "
                         "specified in the request.");
    TRY(read_select_check(a, &in->select, in->projection_text.ptr != NULL,
                          in->index_name.ptr != NULL, "Querying"));
    return query_parse(call, in);
}

static struct error *query_find(struct op_call *call, struct query_input *in) {
    struct query *q = &in->query;
    TRY(op_call_table(call, in->table_name, &q->table));
    if (!in->index_name.ptr)
        return NULL;
    q->index = table_schema_find_index(q->table->schema, in->index_name);
    if (!q->index)
        return error_new(call->arena, ERR_VALIDATION,
                         "The table does not have the specified index: %.*s",
                         SLICE_ARG(in->index_name));
    if (q->index->global && in->consistent.value)
        return error_new(call->arena, ERR_VALIDATION,
                         "Consistent reads are not supported on global secondary indexes");
    return NULL;
}

static void query_finish_call(struct op_call *call) {
    struct query_input *in = call->input;
    query_finish(call->engine, &in->query);
}

static struct error *query_check(struct op_call *call) {
    struct query_input *in = call->input;
    struct query *q = &in->query;
    const struct projection *projection = in->projection_text.ptr ? &in->projection : NULL;
    TRY(query_check_request(call, in));
    TRY(query_find(call, in));
    q->limit = (uint32_t)in->limit.value;
    q->backward = in->forward.given && !in->forward.value;
    q->consistent = in->consistent.value;
    q->keep_rows = in->select.is != SELECT_COUNT;
    q->fetch = read_select_fetches(q, &in->select, projection);
    call->finish = query_finish_call;
    TRY(query_prepare(call->arena, q));
    return read_select_check_index(call->arena, q, &in->select, projection);
}

static struct error *query_run(struct op_call *call) {
    struct query_input *in = call->input;
    TRY(query_step(call->engine, call->arena, &in->query, call->max_rows, call->max_bytes));
    call->again = !in->query.done;
    return NULL;
}

static struct error *query_write_items(struct op_call *call, const struct query_input *in,
                                       struct json_writer *w) {
    const struct projection *projection = in->projection_text.ptr ? &in->projection : NULL;
    json_write_name(w, SLICE("Items"));
    json_write_array_begin(w);
    for (uint32_t i = 0; i < in->query.count; i++)
        TRY(stored_row_write(call->arena, in->query.table, in->query.rows[i], projection, w));
    json_write_array_end(w);
    return NULL;
}

static struct error *query_reply(struct op_call *call, struct json_writer *w) {
    struct query_input *in = call->input;
    const struct query *q = &in->query;
    if (q->keep_rows)
        TRY(query_write_items(call, in, w));
    json_member_int(w, "Count", q->count);
    json_member_int(w, "ScannedCount", q->scanned);
    if (q->has_last_key) {
        json_write_name(w, SLICE("LastEvaluatedKey"));
        item_to_json(w, &q->last_key);
    }
    struct capacity capacity = read_select_capacity(q);
    consumed_capacity_reply(w, q->table->schema, &capacity, &in->return_capacity);
    return NULL;
}

const struct op op_query = {
    .name = "Query",
    .service = SERVICE_DYNAMODB,
    .kind = OP_READ,
    .fields = query_fields,
    .field_count = ARRAY_LEN(query_fields),
    .input_size = sizeof(struct query_input),
    .check = query_check,
    .run = query_run,
    .reply = query_reply,
};
