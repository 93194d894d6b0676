/*
 * DescribeContinuousBackups: whether a table can be restored to a point in time.
 *
 * No table can yet, and that is what it says; AWS has continuous backups on for every table.
 */
#include "ops/op.h"
#include "ops/table_name.h"

struct describe_continuous_backups {
    struct slice table_name;
};

static const struct field describe_continuous_backups_fields[] = {
    {FIELD_TABLE_PARAMETER(struct describe_continuous_backups, table_name), .whole_length = true},
};

/* AWS: the operations on backups have an exception of their own for a table that is not there. */
static struct error *describe_continuous_backups_run(struct op_call *call) {
    struct describe_continuous_backups *in = call->input;
    struct table *table;
    struct error *fault = op_call_table(call, in->table_name, &table);
    if (!fault || fault->kind != ERR_RESOURCE_NOT_FOUND)
        return fault;
    struct slice name = table_name_from_arn(in->table_name);
    return error_new(call->arena, ERR_TABLE_NOT_FOUND, "Table not found: %.*s", SLICE_ARG(name));
}

static struct error *describe_continuous_backups_reply(struct op_call *call,
                                                       struct json_writer *w) {
    (void)call;
    json_write_name(w, SLICE("ContinuousBackupsDescription"));
    json_write_object_begin(w);
    json_member_string(w, "ContinuousBackupsStatus", SLICE("DISABLED"));
    json_write_name(w, SLICE("PointInTimeRecoveryDescription"));
    json_write_object_begin(w);
    json_member_string(w, "PointInTimeRecoveryStatus", SLICE("DISABLED"));
    json_write_object_end(w);
    json_write_object_end(w);
    return NULL;
}

const struct op op_describe_continuous_backups = {
    .name = "DescribeContinuousBackups",
    .service = SERVICE_DYNAMODB,
    .kind = OP_READ,
    .fields = describe_continuous_backups_fields,
    .field_count = ARRAY_LEN(describe_continuous_backups_fields),
    .input_size = sizeof(struct describe_continuous_backups),
    .run = describe_continuous_backups_run,
    .reply = describe_continuous_backups_reply,
};
