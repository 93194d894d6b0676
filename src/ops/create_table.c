/* CreateTable: a new table with its keys, indexes and settings. */
#include "ops/create_table.h"

#include "engine/catalogue.h"
#include "ops/table_description.h"
#include "ops/table_name.h"

enum {
    TABLE_KEY_MAX = 2,
    TAG_KEY_MAX_CHARS = 128,
    TAG_VALUE_MAX_CHARS = 256,
};

static const char *const billing_choices[] = {"PROVISIONED", "PAY_PER_REQUEST", NULL};
static const char *const view_choices[] = {"NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES",
                                           "KEYS_ONLY", NULL};
static const char *const sse_choices[] = {"AES256", "KMS", NULL};
static const char *const table_class_choices[] = {"STANDARD", "STANDARD_INFREQUENT_ACCESS", NULL};

static const struct field stream_fields[] = {
    {FIELD("StreamEnabled", BOOL, struct stream_input, enabled), .required = true},
    {FIELD("StreamViewType", CHOICE, struct stream_input, view), .choices = view_choices},
};

static const struct field sse_fields[] = {
    {FIELD("Enabled", BOOL, struct sse_input, enabled)},
    {FIELD("SSEType", CHOICE, struct sse_input, type), .choices = sse_choices},
    {FIELD("KMSMasterKeyId", STRING, struct sse_input, key)},
};

static const struct field tag_fields[] = {
    {FIELD("Key", STRING, struct tag_input, key), .required = true, .min = 1,
     .max = TAG_KEY_MAX_CHARS},
    {FIELD("Value", STRING, struct tag_input, value), .required = true, .max = TAG_VALUE_MAX_CHARS},
};

static const struct field create_table_fields[] = {
    {FIELD_ATTRIBUTE_DEFINITIONS(struct create_table, definitions), .required = true},
    {FIELD_TABLE_PARAMETER(struct create_table, table_name)},
    {FIELD("BillingMode", CHOICE, struct create_table, billing), .choices = billing_choices},
    {FIELD_PROVISIONED_THROUGHPUT(struct create_table, provisioned)},
    {FIELD_KEY_SCHEMA(struct create_table, key, TABLE_KEY_MAX)},
    {FIELD("LocalSecondaryIndexes", LIST, struct create_table, local_indexes),
     .shape = "LocalSecondaryIndex", FIELD_OF(local_index_fields, struct index_input)},
    {FIELD("GlobalSecondaryIndexes", LIST, struct create_table, global_indexes),
     .shape = "GlobalSecondaryIndex", FIELD_OF(global_index_fields, struct index_input)},
    {FIELD("StreamSpecification", STRUCT, struct create_table, stream),
     .shape = "StreamSpecification", FIELD_OF(stream_fields, struct stream_input)},
    {FIELD("SSESpecification", STRUCT, struct create_table, sse), .shape = "SSESpecification",
     FIELD_OF(sse_fields, struct sse_input)},
    {FIELD("Tags", LIST, struct create_table, tags), .shape = "Tag",
     FIELD_OF(tag_fields, struct tag_input)},
    {FIELD("TableClass", CHOICE, struct create_table, table_class), .choices = table_class_choices},
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
