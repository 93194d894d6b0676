/* Scan: all items of a table or an index, or one segment's share of them. */
#include "ops/consumed_capacity.h"
#include "ops/expression_parameters.h"
#include "ops/legacy_fields.h"
#include "ops/legacy_parameters.h"
#include "ops/page_request.h"
#include "ops/read_select.h"

enum { SCAN_SEGMENTS_MAX = 1000000 };

struct scan_input {
    struct page_request page; /* first: page_request_prepare finds it by call->input */
    struct field_int segment;
    struct field_int total_segments;
};

static const struct field scan_fields[] = {
    {FIELD_SELECT(struct scan_input, page.select)},
    {FIELD("IndexName", STRING, struct scan_input, page.index_name), .pattern = FIELD_PATTERN_NAME,
     .min = 3, .max = 255},
    {FIELD("TotalSegments", INT, struct scan_input, total_segments), .min = 1,
     .max = SCAN_SEGMENTS_MAX},
    {FIELD_RETURN_CONSUMED_CAPACITY(struct scan_input, page.return_capacity)},
    {FIELD_TABLE_NAME(struct scan_input, page.table_name)},
    {FIELD_CONDITIONAL_OPERATOR(struct scan_input, page.conditional_operator)},
    {FIELD_CONDITIONS("ScanFilter", struct scan_input, page.filter_map)},
    {FIELD("Segment", INT, struct scan_input, segment), .from_zero = true,
     .max = SCAN_SEGMENTS_MAX - 1},
    {FIELD("Limit", INT, struct scan_input, page.limit), .min = 1},
    {FIELD("AttributesToGet", STRINGS, struct scan_input, page.attributes_to_get), .min = 1},
    {FIELD("ExclusiveStartKey", ITEM, struct scan_input, page.start_json)},
    {FIELD("ConsistentRead", BOOL, struct scan_input, page.consistent)},
    {FIELD("FilterExpression", STRING, struct scan_input, page.filter_text)},
    {FIELD("ProjectionExpression", STRING, struct scan_input, page.projection_text)},
    {FIELD("ExpressionAttributeValues", ITEM, struct scan_input, page.values)},
    {FIELD("ExpressionAttributeNames", NAMES, struct scan_input, page.names)},
};

/* --- Checking --------------------------------------------------------------------------------- */

static struct error *scan_parameters(struct op_call *call, const struct page_request *page) {
    const struct parameter legacy[] = {
        {"AttributesToGet", page->attributes_to_get.given},
        {"ScanFilter", page->filter_map.given},
        {"ConditionalOperator", page->conditional_operator.is != 0},
    };
    const struct parameter expressions[] = {
        {"ProjectionExpression", page->projection_text.ptr != NULL},
        {"FilterExpression", page->filter_text.ptr != NULL},
    };
    TRY(expression_parameters_check(call->arena, PARAMETERS(legacy), PARAMETERS(expressions)));
    bool has_any = page->filter_text.ptr || page->projection_text.ptr;
    TRY(expr_scope_without_expressions(call->arena, has_any ? NULL : page->names,
                                       page->filter_text.ptr ? NULL : page->values,
                                       "FilterExpression"));
    return conditional_operator_check(call->arena, &page->conditional_operator, &page->filter_map);
}

static struct error *scan_check_segments(struct op_call *call, const struct scan_input *in) {
    if (in->segment.given && !in->total_segments.given)
        return error_new(call->arena, ERR_VALIDATION,
                         "The TotalSegments parameter is required but was not present in the "
                         "request when Segment parameter is present");
    if (!in->segment.given && in->total_segments.given)
        return error_new(call->arena, ERR_VALIDATION,
                         "The Segment parameter is required but was not present in the request "
                         "when parameter TotalSegments is present");
    if (in->segment.given && in->segment.value >= in->total_segments.value)
        return error_new(call->arena, ERR_VALIDATION,
                         "The Segment parameter is zero-based and must be less than parameter "
                         "TotalSegments: Segment: %lld is not less than TotalSegments: %lld",
                         (long long)in->segment.value, (long long)in->total_segments.value);
    return NULL;
}

static struct error *scan_parse(struct op_call *call, struct page_request *page) {
    if (!page->filter_text.ptr && !page->projection_text.ptr)
        return NULL;
    struct expr_scope *scope;
    TRY(expr_scope_create(call->arena, page->names, page->values, &scope));
    TRY(page_request_parse(call, page, scope));
    return expr_scope_check_unused(call->arena, scope);
}

/* What can be said before the table is looked up. */
static struct error *scan_check_request(struct op_call *call, struct scan_input *in) {
    struct page_request *page = &in->page;
    TRY(scan_parameters(call, page));
    TRY(page_request_read_attributes(call, page));
    TRY(page_request_read_filter(call, page));
    TRY(page_request_read_start(call, page));
    TRY(scan_check_segments(call, in));
    TRY(read_select_check(call->arena, &page->select, page->projected_by,
                          page->index_name.ptr != NULL, "Scanning"));
    return scan_parse(call, page);
}

/* --forbid-scan keeps a habit of development out of production, where a Scan reads, and costs, the
 * whole table. */
static struct error *scan_check_allowed(struct op_call *call, const struct page_request *page) {
    struct slice name = page->query.table->schema->name;
    call->notice =
        arena_printf(call->arena, "Scan of table %.*s%s%.*s", SLICE_ARG(name),
                     page->index_name.ptr ? ", index " : "", SLICE_ARG(page->index_name));
    if (!call->forbid_scan)
        return NULL;
    return error_new(call->arena, ERR_VALIDATION,
                     "Scan of table %.*s is forbidden: this server was started with --forbid-scan. "
                     "Use Query with the table's key or an index's",
                     SLICE_ARG(name));
}

static struct error *scan_check(struct op_call *call) {
    struct scan_input *in = call->input;
    TRY(scan_check_request(call, in));
    TRY(page_request_find(call, &in->page));
    TRY(scan_check_allowed(call, &in->page));
    in->page.query.segment = (uint32_t)in->segment.value;
    in->page.query.total_segments = (uint32_t)in->total_segments.value;
    return page_request_prepare(call, &in->page);
}

/* --- Running ---------------------------------------------------------------------------------- */

static struct error *scan_run(struct op_call *call) {
    struct scan_input *in = call->input;
    return page_request_run(call, &in->page);
}

static struct error *scan_reply(struct op_call *call, struct json_writer *w) {
    const struct scan_input *in = call->input;
    return page_request_reply(call, &in->page, w);
}

const struct op op_scan = {
    .name = "Scan",
    .service = SERVICE_DYNAMODB,
    .kind = OP_READ,
    .fields = scan_fields,
    .field_count = ARRAY_LEN(scan_fields),
    .input_size = sizeof(struct scan_input),
    .check = scan_check,
    .run = scan_run,
    .reply = scan_reply,
};
