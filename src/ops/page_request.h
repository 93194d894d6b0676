/*
 * What Query and Scan share: a page of a table or an index, filtered and projected.
 *
 * The operation's table has rows for the members; its check reads them in AWS's order for it, with
 * the functions here.
 */
#ifndef OPS_PAGE_REQUEST_H
#define OPS_PAGE_REQUEST_H

#include "engine/query.h"
#include "ops/op.h"

struct page_request {
    /* As asked. */
    struct slice table_name;
    struct slice index_name;
    struct field_choice select;
    struct field_list attributes_to_get;
    struct field_int limit;
    struct field_bool consistent;
    struct field_map filter_map; /* QueryFilter, ScanFilter */
    struct field_choice conditional_operator;
    const struct json *start_json;
    struct slice filter_text;
    struct slice projection_text;
    const struct json *names;
    const struct json *values;
    struct field_choice return_capacity;

    struct item start;
    struct projection projection;
    const char *projected_by; /* the parameter, "AttributesToGet"; NULL: whole items */
    struct query query;
};

/* AttributesToGet (and what projects at all), and the filter that is a map. */
MUST_CHECK struct error *page_request_read_attributes(struct op_call *call,
                                                      struct page_request *page);
MUST_CHECK struct error *page_request_read_filter(struct op_call *call, struct page_request *page);

MUST_CHECK struct error *page_request_read_start(struct op_call *call, struct page_request *page);

/* FilterExpression and ProjectionExpression. */
MUST_CHECK struct error *page_request_parse(struct op_call *call, struct page_request *page,
                                            struct expr_scope *scope);

/* Table and index. */
MUST_CHECK struct error *page_request_find(struct op_call *call, struct page_request *page);

/* Everything that needs them, once the key condition (or none) is set; sets call->finish. */
MUST_CHECK struct error *page_request_prepare(struct op_call *call, struct page_request *page);

MUST_CHECK struct error *page_request_run(struct op_call *call, struct page_request *page);
MUST_CHECK struct error *page_request_reply(struct op_call *call, const struct page_request *page,
                                            struct json_writer *w);

#endif
