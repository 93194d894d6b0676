/* DescribeTimeToLive: which attribute of the items says when they expire. */
#include "ops/op.h"
#include "ops/table_name.h"

struct describe_time_to_live {
    struct slice table_name;
    struct table *table;
};

static const struct field describe_time_to_live_fields[] = {
    {FIELD_TABLE_PARAMETER(struct describe_time_to_live, table_name), .whole_length = true},
};

static struct error *describe_time_to_live_run(struct op_call *call) {
    struct describe_time_to_live *in = call->input;
    return table_name_find(call, in->table_name, &in->table);
}

static struct error *describe_time_to_live_reply(struct op_call *call, struct json_writer *w) {
    const struct describe_time_to_live *in = call->input;
    struct slice attribute = in->table->schema->ttl_attribute;
    json_write_name(w, SLICE("TimeToLiveDescription"));
    json_write_object_begin(w);
    json_member_string(w, "TimeToLiveStatus", attribute.len ? SLICE("ENABLED") : SLICE("DISABLED"));
    if (attribute.len)
        json_member_string(w, "AttributeName", attribute);
    json_write_object_end(w);
    return NULL;
}

const struct op op_describe_time_to_live = {
    .name = "DescribeTimeToLive",
    .service = SERVICE_DYNAMODB,
    .kind = OP_READ,
    .fields = describe_time_to_live_fields,
    .field_count = ARRAY_LEN(describe_time_to_live_fields),
    .input_size = sizeof(struct describe_time_to_live),
    .run = describe_time_to_live_run,
    .reply = describe_time_to_live_reply,
};
