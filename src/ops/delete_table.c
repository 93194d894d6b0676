/* DeleteTable: drops a table and everything in it. */
#include "engine/catalogue.h"
#include "ops/op.h"
#include "ops/table_description.h"
#include "ops/table_name.h"

struct delete_table {
    struct slice table_name;

    const struct table_schema *schema;
    struct table_counts counts;
};

static const struct field delete_table_fields[] = {
    {FIELD_TABLE_PARAMETER(struct delete_table, table_name), .whole_length = true},
};

/* AWS: not while an index is being filled, though the table is ACTIVE. */
static struct error *delete_table_indexes_check(struct op_call *call, const struct table *t) {
    for (size_t i = 0; t && i < t->schema->index_count; i++)
        if (t->schema->indexes[i].status == STATUS_CREATING)
            return error_new(call->arena, ERR_RESOURCE_IN_USE,
                             "Attempt to change a resource which is still in use: Cannot delete "
                             "table while indexes are being created, updated, or deleted.");
    return NULL;
}

static struct error *delete_table_run(struct op_call *call) {
    struct delete_table *in = call->input;
    struct slice name = table_name_from_arn(in->table_name);
    TRY(delete_table_indexes_check(call, catalogue_current(call->view, name)));
    return catalogue_drop(call->view, call->arena, name, &in->schema, &in->counts);
}

static struct error *delete_table_reply(struct op_call *call, struct json_writer *w) {
    struct delete_table *in = call->input;
    struct table_description d = {
        .arena = call->arena,
        .region = call->region,
        .schema = in->schema,
        .status = STATUS_DELETING,
        .counts = in->counts,
        .without_global_indexes = true,
    };
    json_write_name(w, SLICE("TableDescription"));
    table_description_write(w, &d);
    return NULL;
}

const struct op op_delete_table = {
    .name = "DeleteTable",
    .service = SERVICE_DYNAMODB,
    .kind = OP_CONTROL,
    .frees_space = true,
    .fields = delete_table_fields,
    .field_count = ARRAY_LEN(delete_table_fields),
    .input_size = sizeof(struct delete_table),
    .run = delete_table_run,
    .reply = delete_table_reply,
};
