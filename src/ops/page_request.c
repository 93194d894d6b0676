#include "ops/page_request.h"

#include "item/item_json.h"
#include "ops/consumed_capacity.h"
#include "ops/key_paths.h"
#include "ops/legacy_parameters.h"
#include "ops/read_select.h"
#include "ops/start_key.h"
#include "ops/stored_row.h"

/* --- Reading ---------------------------------------------------------------------------------- */

struct error *page_request_read_attributes(struct op_call *call, struct page_request *page) {
    if (page->projection_text.ptr)
        page->projected_by = "ProjectionExpression";
    if (!page->attributes_to_get.given)
        return NULL;
    page->projected_by = "AttributesToGet";
    return attributes_to_get_read(call->arena, &page->attributes_to_get, &page->projection);
}

struct error *page_request_read_filter(struct op_call *call, struct page_request *page) {
    page->query.filter_is_map = true;
    return legacy_filter_read(call->arena, &page->filter_map, &page->conditional_operator,
                              &page->query.filter);
}

struct error *page_request_read_start(struct op_call *call, struct page_request *page) {
    if (!page->start_json)
        return NULL;
    page->query.start = &page->start;
    return start_key_read(call->arena, page->start_json, &page->start);
}

struct error *page_request_parse(struct op_call *call, struct page_request *page,
                                 struct expr_scope *scope) {
    struct arena *a = call->arena;
    if (page->filter_text.ptr) {
        page->query.filter_is_map = false;
        TRY(condition_parse(a, scope, page->filter_text, "FilterExpression", &page->query.filter));
    }
    if (!page->projection_text.ptr)
        return NULL;
    return projection_parse(a, scope, page->projection_text, &page->projection);
}

/* --- Table and index -------------------------------------------------------------------------- */

struct error *page_request_find(struct op_call *call, struct page_request *page) {
    struct query *q = &page->query;
    TRY(op_call_table(call, page->table_name, &q->table));
    if (!page->index_name.ptr)
        return NULL;
    q->index = table_schema_find_index(q->table->schema, page->index_name);
    if (!q->index)
        return error_new(call->arena, ERR_VALIDATION,
                         "The table does not have the specified index: %.*s",
                         SLICE_ARG(page->index_name));
    if (q->index->status == STATUS_CREATING)
        return error_new(call->arena, ERR_VALIDATION,
                         "Cannot read from backfilling global secondary index: %.*s",
                         SLICE_ARG(page->index_name));
    if (q->index->global && page->consistent.value)
        return error_new(call->arena, ERR_VALIDATION,
                         "Consistent reads are not supported on global secondary indexes");
    return NULL;
}

static const struct projection *page_projection(const struct page_request *page) {
    return page->projected_by ? &page->projection : NULL;
}

static void page_request_finish(struct op_call *call) {
    struct page_request *page = call->input;
    query_finish(call->engine, &page->query);
}

struct error *page_request_prepare(struct op_call *call, struct page_request *page) {
    struct query *q = &page->query;
    q->limit = (uint32_t)page->limit.value;
    q->consistent = page->consistent.value;
    q->keep_rows = page->select.is != SELECT_COUNT;
    q->fetch = read_select_fetches(q, &page->select, page_projection(page));
    call->finish = page_request_finish;
    TRY(query_prepare(call->arena, q));
    TRY(read_select_check_index(call->arena, q, &page->select, page_projection(page)));
    const struct table_schema *schema = q->table->schema;
    TRY(key_paths_check_projection(call->arena, schema, page_projection(page)));
    return key_paths_check_condition(call->arena, schema, q->filter);
}

/* --- Running and replying --------------------------------------------------------------------- */

struct error *page_request_run(struct op_call *call, struct page_request *page) {
    TRY(query_step(call->engine, call->arena, &page->query, call->max_rows, call->max_bytes));
    call->again = !page->query.done;
    return NULL;
}

static struct error *page_write_items(struct op_call *call, const struct page_request *page,
                                      struct json_writer *w) {
    const struct query *q = &page->query;
    json_write_name(w, SLICE("Items"));
    json_write_array_begin(w);
    for (uint32_t i = 0; i < q->count; i++)
        TRY(stored_row_write(call->arena, q->table, q->rows[i], page_projection(page), w));
    json_write_array_end(w);
    return NULL;
}

struct error *page_request_reply(struct op_call *call, const struct page_request *page,
                                 struct json_writer *w) {
    const struct query *q = &page->query;
    if (q->keep_rows)
        TRY(page_write_items(call, page, w));
    json_member_int(w, "Count", q->count);
    json_member_int(w, "ScannedCount", q->scanned);
    if (q->has_last_key) {
        json_write_name(w, SLICE("LastEvaluatedKey"));
        item_to_json(w, &q->last_key);
    }
    struct capacity capacity = read_select_capacity(q);
    consumed_capacity_reply(w, q->table->schema, &capacity, &page->return_capacity);
    return NULL;
}
