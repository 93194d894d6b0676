/* ListTables: the names of all tables, in order, a page at a time. */
#include "ops/op.h"

enum { LIST_TABLES_PAGE = 100 };

struct list_tables {
    struct field_int limit;
    struct slice start;

    struct slice *names;
    size_t count;
    bool more;
};

static const struct field list_tables_fields[] = {
    {FIELD("Limit", INT, struct list_tables, limit), .min = 1, .max = LIST_TABLES_PAGE},
    {FIELD("ExclusiveStartTableName", STRING, struct list_tables, start),
     .pattern = FIELD_PATTERN_NAME, .min = LIMIT_TABLE_NAME_MIN_CHARS,
     .max = LIMIT_TABLE_NAME_MAX_CHARS},
};

static struct error *list_tables_run(struct op_call *call) {
    struct list_tables *in = call->input;
    size_t limit = in->limit.given ? (size_t)in->limit.value : LIST_TABLES_PAGE;
    in->names =
        engine_list_tables(call->engine, call->arena, in->start, limit, &in->count, &in->more);
    return NULL;
}

static struct error *list_tables_reply(struct op_call *call, struct json_writer *w) {
    struct list_tables *in = call->input;
    json_write_name(w, SLICE("TableNames"));
    json_write_array_begin(w);
    for (size_t i = 0; i < in->count; i++)
        json_write_string(w, in->names[i]);
    json_write_array_end(w);
    if (in->more && in->count)
        json_member_string(w, "LastEvaluatedTableName", in->names[in->count - 1]);
    return NULL;
}

const struct op op_list_tables = {
    .name = "ListTables",
    .service = SERVICE_DYNAMODB,
    .kind = OP_READ,
    .fields = list_tables_fields,
    .field_count = ARRAY_LEN(list_tables_fields),
    .input_size = sizeof(struct list_tables),
    .run = list_tables_run,
    .reply = list_tables_reply,
};
