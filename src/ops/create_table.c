/* CreateTable: a new table with its keys, indexes and settings. */
#include "ops/create_table.h"

#include "engine/catalogue.h"
#include "ops/table_description.h"
#include "ops/table_name.h"
#include "ops/tag_input.h"

enum { TABLE_KEY_MAX = 2 };

static const struct field create_table_fields[] = {
    {FIELD_ATTRIBUTE_DEFINITIONS(struct create_table, definitions), .required = true},
    {FIELD_TABLE_PARAMETER(struct create_table, table_name)},
    {FIELD_BILLING_MODE(struct create_table, billing)},
    {FIELD_PROVISIONED_THROUGHPUT(struct create_table, provisioned)},
    {FIELD_KEY_SCHEMA(struct create_table, key, TABLE_KEY_MAX)},
    {FIELD("LocalSecondaryIndexes", LIST, struct create_table, local_indexes),
     .shape = "LocalSecondaryIndex", FIELD_OF(local_index_fields, struct index_input)},
    {FIELD("GlobalSecondaryIndexes", LIST, struct create_table, global_indexes),
     .shape = "GlobalSecondaryIndex", FIELD_OF(global_index_fields, struct index_input)},
    {FIELD_STREAM_SPECIFICATION(struct create_table, stream)},
    {FIELD_SSE_SPECIFICATION(struct create_table, sse)},
    {FIELD_TAGS(struct create_table, tags)},
    {FIELD_TABLE_CLASS(struct create_table, table_class)},
    {FIELD("DeletionProtectionEnabled", BOOL, struct create_table, deletion_protection)},
    {FIELD("ResourcePolicy", STRING, struct create_table, resource_policy)},
    {FIELD_ON_DEMAND_THROUGHPUT(struct create_table, on_demand)},
    {FIELD_WARM_THROUGHPUT(struct create_table, warm)},
};

static struct error *create_table_check(struct op_call *call) {
    return create_table_make_schema(call, call->input);
}

static struct error *create_table_run(struct op_call *call) {
    struct create_table *in = call->input;
    return catalogue_create(call->view, call->arena, &in->schema, &in->stored);
}

static struct error *create_table_reply(struct op_call *call, struct json_writer *w) {
    struct create_table *in = call->input;
    struct table_description d = {
        .arena = call->arena,
        .region = call->region,
        .schema = in->stored,
        .status = STATUS_CREATING,
    };
    json_write_name(w, SLICE("TableDescription"));
    table_description_write(w, &d);
    return NULL;
}

const struct op op_create_table = {
    .name = "CreateTable",
    .service = SERVICE_DYNAMODB,
    .kind = OP_CONTROL,
    .fields = create_table_fields,
    .field_count = ARRAY_LEN(create_table_fields),
    .input_size = sizeof(struct create_table),
    .check = create_table_check,
    .run = create_table_run,
    .reply = create_table_reply,
};
