/* Query: the items of one partition, of a table or an index, in the order of the sort key. */
#include "ops/consumed_capacity.h"
#include "ops/expression_parameters.h"
#include "ops/legacy_fields.h"
#include "ops/legacy_parameters.h"
#include "ops/page_request.h"
#include "ops/read_select.h"

struct query_input {
    struct page_request page; /* first: page_request_prepare finds it by call->input */
    struct field_bool forward;
    struct field_map key_conditions;
    struct slice key_text;

    const struct condition *key_tree;         /* of a KeyConditionExpression */
    const struct legacy_condition *key_terms; /* of KeyConditions */
    struct key_condition key;
};

static const struct field query_fields[] = {
    {FIELD_SELECT(struct query_input, page.select)},
    {FIELD("IndexName", STRING, struct query_input, page.index_name), .pattern = FIELD_PATTERN_NAME,
     .min = 3, .max = 255},
    {FIELD_RETURN_CONSUMED_CAPACITY(struct query_input, page.return_capacity)},
    {FIELD_CONDITIONS("QueryFilter", struct query_input, page.filter_map)},
    {FIELD_TABLE_NAME(struct query_input, page.table_name)},
    {FIELD_CONDITIONAL_OPERATOR(struct query_input, page.conditional_operator)},
    {FIELD("AttributesToGet", STRINGS, struct query_input, page.attributes_to_get), .min = 1},
    {FIELD("Limit", INT, struct query_input, page.limit), .min = 1, .valueless = true},
    {FIELD_CONDITIONS("KeyConditions", struct query_input, key_conditions)},
    {FIELD("ExclusiveStartKey", ITEM, struct query_input, page.start_json)},
    {FIELD("ConsistentRead", BOOL, struct query_input, page.consistent)},
    {FIELD("ScanIndexForward", BOOL, struct query_input, forward)},
    {FIELD("KeyConditionExpression", STRING, struct query_input, key_text)},
    {FIELD("FilterExpression", STRING, struct query_input, page.filter_text)},
    {FIELD("ProjectionExpression", STRING, struct query_input, page.projection_text)},
    {FIELD("ExpressionAttributeValues", ITEM, struct query_input, page.values)},
    {FIELD("ExpressionAttributeNames", NAMES, struct query_input, page.names)},
};

/* --- Checking --------------------------------------------------------------------------------- */

/* Names or values that no expression could use. */
static struct error *query_check_placeholders(struct op_call *call, const struct query_input *in) {
    static const char valued[] = "FilterExpression and KeyConditionExpression";
    const struct page_request *page = &in->page;
    bool has_valued = page->filter_text.ptr || in->key_text.ptr;
    bool has_any = has_valued || page->projection_text.ptr;
    return expr_scope_without_expressions(call->arena, has_any ? NULL : page->names,
                                          has_valued ? NULL : page->values, valued);
}

static struct error *query_parameters(struct op_call *call, const struct query_input *in) {
    const struct page_request *page = &in->page;
    const struct parameter legacy[] = {
        {"AttributesToGet", page->attributes_to_get.given},
        {"QueryFilter", page->filter_map.given},
        {"ConditionalOperator", page->conditional_operator.is != 0},
        /* AWS: KeyConditions may stand beside a FilterExpression. (dynalite, captured) */
        {"KeyConditions", in->key_conditions.given && in->key_text.ptr},
    };
    const struct parameter expressions[] = {
        {"ProjectionExpression", page->projection_text.ptr != NULL},
        {"FilterExpression", page->filter_text.ptr != NULL},
        {"KeyConditionExpression", in->key_text.ptr != NULL},
    };
    TRY(expression_parameters_check(call->arena, PARAMETERS(legacy), PARAMETERS(expressions)));
    TRY(query_check_placeholders(call, in));
    return conditional_operator_check(call->arena, &page->conditional_operator, &page->filter_map);
}

static struct error *query_check_key_given(struct op_call *call, const struct query_input *in) {
    if (in->key_text.ptr || in->key_conditions.given)
        return NULL;
    return error_new(call->arena, ERR_VALIDATION,
                     "Either the KeyConditions or KeyConditionExpression parameter must be "
                     "specified in the request.");
}

/* AWS: all expressions are parsed and placeholders counted before a KeyConditionExpression is asked
 * whether it is no more than a key condition. */
static struct error *query_parse(struct op_call *call, struct query_input *in) {
    struct arena *a = call->arena;
    struct page_request *page = &in->page;
    if (!in->key_text.ptr && !page->filter_text.ptr && !page->projection_text.ptr)
        return NULL;
    struct expr_scope *scope;
    TRY(expr_scope_create(a, page->names, page->values, &scope));
    if (in->key_text.ptr)
        TRY(condition_parse(a, scope, in->key_text, "KeyConditionExpression", &in->key_tree));
    TRY(page_request_parse(call, page, scope));
    TRY(expr_scope_check_unused(a, scope));
    return in->key_tree ? key_condition_from(a, in->key_tree, &in->key) : NULL;
}

static struct error *query_read_key_conditions(struct op_call *call, struct query_input *in) {
    if (in->key_text.ptr)
        return NULL;
    TRY(legacy_conditions_read(call->arena, &in->key_conditions, &in->key_terms));
    if (in->key_conditions.count == 1 || in->key_conditions.count == 2)
        return NULL;
    return error_new(call->arena, ERR_VALIDATION, "Conditions can be of length 1 or 2 only");
}

/* What can be said before the table is looked up. */
static struct error *query_check_request(struct op_call *call, struct query_input *in) {
    struct page_request *page = &in->page;
    TRY(query_parameters(call, in));
    TRY(page_request_read_filter(call, page));
    TRY(page_request_read_attributes(call, page));
    TRY(page_request_read_start(call, page));
    TRY(query_check_key_given(call, in));
    TRY(read_select_check(call->arena, &page->select, page->projected_by,
                          page->index_name.ptr != NULL, "Querying"));
    TRY(query_parse(call, in));
    return query_read_key_conditions(call, in);
}

static struct error *query_check(struct op_call *call) {
    struct query_input *in = call->input;
    TRY(query_check_request(call, in));
    TRY(page_request_find(call, &in->page));
    if (in->key_terms)
        TRY(legacy_key_condition(call->arena, in->key_terms, in->key_conditions.count, &in->key));
    in->page.query.key = &in->key;
    in->page.query.backward = in->forward.given && !in->forward.value;
    return page_request_prepare(call, &in->page);
}

/* --- Running ---------------------------------------------------------------------------------- */

static struct error *query_run(struct op_call *call) {
    struct query_input *in = call->input;
    return page_request_run(call, &in->page);
}

static struct error *query_reply(struct op_call *call, struct json_writer *w) {
    const struct query_input *in = call->input;
    return page_request_reply(call, &in->page, w);
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
