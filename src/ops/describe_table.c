/* DescribeTable: what a table is. */
#include "ops/op.h"
#include "ops/table_description.h"
#include "ops/table_name.h"

struct describe_table {
    struct slice table_name;
    struct table *table;
};

static const struct field describe_table_fields[] = {
    {FIELD_TABLE_PARAMETER(struct describe_table, table_name), .whole_length = true},
};

static struct error *describe_table_run(struct op_call *call) {
    struct describe_table *in = call->input;
    return table_name_find(call, in->table_name, &in->table);
}

static struct error *describe_table_reply(struct op_call *call, struct json_writer *w) {
    struct describe_table *in = call->input;
    struct table_description d = table_description_of(call, in->table);
    json_write_name(w, SLICE("Table"));
    table_description_write(w, &d);
    return NULL;
}

const struct op op_describe_table = {
    .name = "DescribeTable",
    .service = SERVICE_DYNAMODB,
    .kind = OP_READ,
    .fields = describe_table_fields,
    .field_count = ARRAY_LEN(describe_table_fields),
    .input_size = sizeof(struct describe_table),
    .run = describe_table_run,
    .reply = describe_table_reply,
};
