/* UpdateTable: another billing mode, throughput, index, stream or setting of a table. */
#include "ops/update_table.h"

#include "engine/catalogue.h"
#include "ops/table_name.h"
#include "schema/schema_stored.h"

static const struct field update_table_fields[] = {
    {FIELD_ATTRIBUTE_DEFINITIONS(struct update_table, definitions)},
    {FIELD_TABLE_PARAMETER(struct update_table, table_name), .whole_length = true},
    {FIELD_PROVISIONED_THROUGHPUT(struct update_table, provisioned)},
    {FIELD_BILLING_MODE(struct update_table, billing)},
    {FIELD("GlobalSecondaryIndexUpdates", LIST, struct update_table, index_updates),
     .shape = "GlobalSecondaryIndexUpdate",
     FIELD_OF(index_update_fields, struct index_update_input)},
    {FIELD_STREAM_SPECIFICATION(struct update_table, stream)},
    {FIELD_SSE_SPECIFICATION(struct update_table, sse)},
    {FIELD_TABLE_CLASS(struct update_table, table_class)},
    {FIELD("DeletionProtectionEnabled", BOOL, struct update_table, deletion_protection)},
    {FIELD_ON_DEMAND_THROUGHPUT(struct update_table, on_demand)},
    {FIELD_WARM_THROUGHPUT(struct update_table, warm)},
    {FIELD("ReplicaUpdates", LIST, struct update_table, replicas), .min = 1,
     .shape = "ReplicationGroupUpdate", .of_size = 1},
    {FIELD("GlobalTableWitnessUpdates", LIST, struct update_table, witnesses), .min = 1, .max = 1,
     .shape = "GlobalTableWitnessGroupUpdate", .of_size = 1},
};

/* --- Settings --------------------------------------------------------------------------------- */

static struct error *revision_set_stream(struct revision *r) {
    const struct stream_input *in = r->in->stream;
    if (!in)
        return NULL;
    bool on = r->before->stream != STREAM_OFF;
    if (on && in->enabled.value)
        return error_new(r->arena, ERR_VALIDATION,
                         "Table already has an enabled stream: TableName: %.*s",
                         SLICE_ARG(r->before->name));
    if (!on && !in->enabled.value)
        return error_new(r->arena, ERR_VALIDATION,
                         "Table has no stream to disable: TableName: %.*s",
                         SLICE_ARG(r->before->name));
    if (in->enabled.value)
        stream_begin(r->arena, &r->after, &in->view, r->call->now_ms);
    else
        r->after.stream = STREAM_OFF; /* AWS: the label of the stream that ended stays */
    return NULL;
}

static struct error *revision_set_sse(struct revision *r) {
    const struct sse_input *in = r->in->sse;
    const struct table_schema *before = r->before;
    if (!in)
        return NULL;
    if (!r->in->sse_on && !before->sse_kms)
        return error_new(r->arena, ERR_VALIDATION,
                         UPDATE_INVALID "Table is already encrypted by default");
    /* AWS: only the key's whole ARN is seen to be the key that there is. */
    if (before->sse_kms && in->key.len &&
        slice_equal(in->key, sse_key_arn(r->arena, r->call->region, before)))
        return error_new(r->arena, ERR_VALIDATION,
                         UPDATE_INVALID "Table is already encrypted with given KMSMasterKeyId. Use "
                                        "KMSMasterKeyId parameter if you want to change Master "
                                        "Key");
    if (r->in->sse_on)
        sse_begin(r->arena, &r->after, in);
    else
        r->after.sse_kms = false;
    return NULL;
}

static struct error *revision_set_settings(struct revision *r) {
    const struct update_table *in = r->in;
    TRY(revision_set_stream(r));
    TRY(revision_set_sse(r));
    /* AWS: a table that never had a class has none after it was told the usual one. */
    if (in->table_class.is == TABLE_CLASS_INFREQUENT_ACCESS ||
        (in->table_class.is && r->before->table_class_given))
        table_class_set(&r->after, &in->table_class);
    if (in->deletion_protection.given)
        r->after.deletion_protection = in->deletion_protection.value;
    return NULL;
}

/* --- The reply -------------------------------------------------------------------------------- */

/* AWS: protection, encryption, on-demand and warm throughput, and the throughputs of indexes,
 * change while the table is ACTIVE. */
static bool update_table_takes_time(const struct update_table *in) {
    return in->billing.is || in->provisioned || in->stream || in->table_class.is || in->creations ||
           in->removals;
}

static struct slice created_index(const struct update_table *in) {
    const struct index_update_input *updates = in->index_updates.elements;
    for (size_t i = 0; i < in->index_updates.count; i++)
        if (updates[i].create)
            return updates[i].create->name;
    return SLICE("");
}

static void update_table_describe(struct op_call *call, const struct table *t,
                                  const struct table_schema *shown) {
    struct update_table *in = call->input;
    struct table_counts *counts = arena_array(call->arena, shown->index_count, sizeof *counts);
    for (size_t i = 0; i < shown->index_count; i++) {
        const struct index_schema *index =
            table_schema_find_index(t->schema, shown->indexes[i].name);
        if (index)
            counts[i] = table_index_counts(t, index);
    }
    in->reply = (struct table_description){
        .arena = call->arena,
        .region = call->region,
        .schema = shown,
        .status = update_table_takes_time(in) ? STATUS_UPDATING : STATUS_ACTIVE,
        .counts = table_counts(t),
        .index_counts = counts,
        .warming = in->warm != NULL,
        .encrypting = in->sse != NULL,
        .allocating = created_index(in),
    };
}

/* --- The operation ---------------------------------------------------------------------------- */

/* Everything that a request can ask for, on a copy. */
static struct error *revision_make(struct revision *r) {
    size_t count = r->before->index_count;
    r->indexes = arena_array(r->arena, count + 1, sizeof *r->indexes);
    for (size_t i = 0; i < count; i++)
        r->indexes[i] = r->before->indexes[i];
    r->after.indexes = r->indexes;
    TRY(revision_set_throughput(r));
    TRY(revision_set_indexes(r));
    return revision_set_settings(r);
}

static struct error *update_table_run(struct op_call *call) {
    const struct update_table *in = call->input;
    const struct table *t;
    TRY(table_name_current(call, in->table_name, &t));
    const struct table_schema *before = table_schema_copy(call->arena, t->schema);
    struct revision r = {
        .call = call, .arena = call->arena, .in = in, .before = before, .after = *before};
    TRY(revision_make(&r));
    const struct table_schema *stored;
    TRY(catalogue_update(call->view, call->arena, &r.after, &stored));
    update_table_describe(call, t, update_table_shown(&r, stored));
    return NULL;
}

static struct error *update_table_reply(struct op_call *call, struct json_writer *w) {
    const struct update_table *in = call->input;
    json_write_name(w, SLICE("TableDescription"));
    table_description_write(w, &in->reply);
    return NULL;
}

const struct op op_update_table = {
    .name = "UpdateTable",
    .service = SERVICE_DYNAMODB,
    .kind = OP_CONTROL,
    .fields = update_table_fields,
    .field_count = ARRAY_LEN(update_table_fields),
    .input_size = sizeof(struct update_table),
    .check = update_table_check,
    .run = update_table_run,
    .reply = update_table_reply,
};
