#include "ops/table_description.h"

/* AWS: what an on-demand table that was never warmed can take at once. */
enum { WARM_DEFAULT_READ_UNITS = 12000, WARM_DEFAULT_WRITE_UNITS = 4000 };

static const char *const status_names[] = {
    [STATUS_CREATING] = "CREATING",
    [STATUS_ACTIVE] = "ACTIVE",
    [STATUS_UPDATING] = "UPDATING",
    [STATUS_DELETING] = "DELETING",
};

static const char *const projection_names[] = {
    [PROJECTION_ALL] = "ALL",
    [PROJECTION_KEYS_ONLY] = "KEYS_ONLY",
    [PROJECTION_INCLUDE] = "INCLUDE",
};

static const char *const stream_view_names[] = {
    [STREAM_OFF] = NULL,
    [STREAM_KEYS_ONLY] = "KEYS_ONLY",
    [STREAM_NEW_IMAGE] = "NEW_IMAGE",
    [STREAM_OLD_IMAGE] = "OLD_IMAGE",
    [STREAM_BOTH] = "NEW_AND_OLD_IMAGES",
};

/* A constant text as a member. */
static void text_member(struct json_writer *w, const char *name, const char *text) {
    json_write_name(w, slice_of(name));
    json_write_string(w, slice_of(text));
}

/* Seconds with three decimals, as AWS writes dates. */
static void date_member(struct json_writer *w, const char *name, int64_t ms) {
    json_write_name(w, slice_of(name));
    json_write_double(w, (double)ms / 1000);
}

/* --- Keys ------------------------------------------------------------------------------------- */

static void key_elements_write(struct json_writer *w, const struct key_attribute *attributes,
                               unsigned count, const char *role) {
    for (unsigned i = 0; i < count; i++) {
        json_write_object_begin(w);
        json_member_string(w, "AttributeName", attributes[i].name);
        text_member(w, "KeyType", role);
        json_write_object_end(w);
    }
}

static void key_schema_member(struct json_writer *w, const struct key_schema *key) {
    json_write_name(w, SLICE("KeySchema"));
    json_write_array_begin(w);
    key_elements_write(w, key->hash, key->hash_count, "HASH");
    key_elements_write(w, key->range, key->range_count, "RANGE");
    json_write_array_end(w);
}

static void attribute_definitions_member(struct json_writer *w, const struct table_schema *t) {
    json_write_name(w, SLICE("AttributeDefinitions"));
    json_write_array_begin(w);
    for (size_t i = 0; i < t->attribute_count; i++) {
        json_write_object_begin(w);
        json_member_string(w, "AttributeName", t->attributes[i].name);
        text_member(w, "AttributeType", value_type_name(t->attributes[i].type));
        json_write_object_end(w);
    }
    json_write_array_end(w);
}

/* --- Throughput ------------------------------------------------------------------------------- */

static void provisioned_member(struct json_writer *w, const struct throughput *t) {
    json_write_name(w, SLICE("ProvisionedThroughput"));
    json_write_object_begin(w);
    json_member_int(w, "NumberOfDecreasesToday", 0);
    json_member_int(w, "ReadCapacityUnits", t->read_units);
    json_member_int(w, "WriteCapacityUnits", t->write_units);
    json_write_object_end(w);
}

/* AWS: a maximum that is not set is left out. */
static void on_demand_member(struct json_writer *w, const struct on_demand_throughput *t) {
    if (t->max_read_units < 0 && t->max_write_units < 0)
        return;
    json_write_name(w, SLICE("OnDemandThroughput"));
    json_write_object_begin(w);
    if (t->max_read_units >= 0)
        json_member_int(w, "MaxReadRequestUnits", t->max_read_units);
    if (t->max_write_units >= 0)
        json_member_int(w, "MaxWriteRequestUnits", t->max_write_units);
    json_write_object_end(w);
}

struct throughput warm_throughput_shown(enum billing_mode billing, const struct throughput *warm,
                                        const struct throughput *provisioned) {
    struct throughput on_demand = {WARM_DEFAULT_READ_UNITS, WARM_DEFAULT_WRITE_UNITS};
    const struct throughput *usual = billing == BILLING_PROVISIONED ? provisioned : &on_demand;
    return (struct throughput){warm->read_units ? warm->read_units : usual->read_units,
                               warm->write_units ? warm->write_units : usual->write_units};
}

/* AWS: it goes up without the table's or the index's status being UPDATING, and the other way. */
static enum table_status warm_status(enum table_status of) {
    return of == STATUS_UPDATING ? STATUS_ACTIVE : of;
}

static void warm_member(struct json_writer *w, struct throughput shown, enum table_status status) {
    json_write_name(w, SLICE("WarmThroughput"));
    json_write_object_begin(w);
    json_member_int(w, "ReadUnitsPerSecond", shown.read_units);
    json_member_int(w, "WriteUnitsPerSecond", shown.write_units);
    text_member(w, "Status", status_names[status]);
    json_write_object_end(w);
}

/* --- Indexes ---------------------------------------------------------------------------------- */

static void projection_member(struct json_writer *w, const struct index_schema *index) {
    json_write_name(w, SLICE("Projection"));
    json_write_object_begin(w);
    text_member(w, "ProjectionType", projection_names[index->projection]);
    if (index->projection == PROJECTION_INCLUDE) {
        json_write_name(w, SLICE("NonKeyAttributes"));
        json_write_array_begin(w);
        for (size_t i = 0; i < index->non_key_count; i++)
            json_write_string(w, index->non_key_attributes[i]);
        json_write_array_end(w);
    }
    json_write_object_end(w);
}

static void global_index_members(struct json_writer *w, const struct table_description *d,
                                 const struct index_schema *index) {
    enum table_status status = d->status == STATUS_CREATING ? STATUS_CREATING : index->status;
    text_member(w, "IndexStatus", status_names[status]);
    if (index->backfilling)
        json_member_bool(w, "Backfilling", !slice_equal(index->name, d->allocating));
    provisioned_member(w, &index->throughput);
    on_demand_member(w, &index->on_demand);
    warm_member(w, warm_throughput_shown(d->schema->billing, &index->warm, &index->throughput),
                warm_status(status));
}

static void index_write(struct json_writer *w, const struct table_description *d, size_t i) {
    const struct index_schema *index = &d->schema->indexes[i];
    struct table_counts counts = d->index_counts ? d->index_counts[i] : (struct table_counts){0};
    struct slice arn = table_schema_arn(d->arena, d->region, d->schema->name);
    json_write_object_begin(w);
    json_member_string(w, "IndexName", index->name);
    key_schema_member(w, &index->key);
    projection_member(w, index);
    if (index->global)
        global_index_members(w, d, index);
    json_member_int(w, "IndexSizeBytes", (int64_t)counts.bytes);
    json_member_int(w, "ItemCount", (int64_t)counts.items);
    json_member_string(
        w, "IndexArn",
        arena_printf(d->arena, "%.*s/index/%.*s", SLICE_ARG(arn), SLICE_ARG(index->name)));
    json_write_object_end(w);
}

static void indexes_member(struct json_writer *w, const struct table_description *d, bool global) {
    bool any = false;
    for (size_t i = 0; i < d->schema->index_count; i++) {
        if (d->schema->indexes[i].global != global)
            continue;
        if (!any) {
            json_write_name(w, global ? SLICE("GlobalSecondaryIndexes")
                                      : SLICE("LocalSecondaryIndexes"));
            json_write_array_begin(w);
            any = true;
        }
        index_write(w, d, i);
    }
    if (any)
        json_write_array_end(w);
}

/* --- The rest --------------------------------------------------------------------------------- */

static void billing_member(struct json_writer *w, const struct table_description *d) {
    const struct table_schema *t = d->schema;
    if (t->billing == BILLING_PROVISIONED && !t->billing_changed_ms)
        return;
    json_write_name(w, SLICE("BillingModeSummary"));
    json_write_object_begin(w);
    text_member(w, "BillingMode",
                t->billing == BILLING_PROVISIONED ? "PROVISIONED" : "PAY_PER_REQUEST");
    if (t->billing_changed_ms && d->status != STATUS_CREATING)
        date_member(w, "LastUpdateToPayPerRequestDateTime", t->billing_changed_ms);
    json_write_object_end(w);
}

static void stream_members(struct json_writer *w, const struct table_description *d) {
    const struct table_schema *t = d->schema;
    if (t->stream != STREAM_OFF) {
        json_write_name(w, SLICE("StreamSpecification"));
        json_write_object_begin(w);
        json_member_bool(w, "StreamEnabled", true);
        text_member(w, "StreamViewType", stream_view_names[t->stream]);
        json_write_object_end(w);
    }
    if (t->stream_label.len == 0)
        return;
    struct slice arn = table_schema_arn(d->arena, d->region, t->name);
    json_member_string(w, "LatestStreamLabel", t->stream_label);
    json_member_string(
        w, "LatestStreamArn",
        arena_printf(d->arena, "%.*s/stream/%.*s", SLICE_ARG(arn), SLICE_ARG(t->stream_label)));
}

struct slice sse_key_arn(struct arena *a, struct slice region, const struct table_schema *t) {
    if (slice_starts_with(t->sse_key, SLICE("arn:")))
        return t->sse_key;
    return arena_printf(a, "arn:aws:kms:%.*s:000000000000:key/%.*s", SLICE_ARG(region),
                        SLICE_ARG(t->sse_key));
}

static void sse_member(struct json_writer *w, const struct table_description *d) {
    if (!d->schema->sse_kms)
        return;
    json_write_name(w, SLICE("SSEDescription"));
    json_write_object_begin(w);
    text_member(w, "Status", d->encrypting ? "UPDATING" : "ENABLED");
    text_member(w, "SSEType", "KMS");
    json_member_string(w, "KMSMasterKeyArn", sse_key_arn(d->arena, d->region, d->schema));
    json_write_object_end(w);
}

static void table_class_member(struct json_writer *w, const struct table_schema *t) {
    if (!t->table_class_given)
        return;
    json_write_name(w, SLICE("TableClassSummary"));
    json_write_object_begin(w);
    text_member(w, "TableClass",
                t->table_class == CLASS_STANDARD ? "STANDARD" : "STANDARD_INFREQUENT_ACCESS");
    json_write_object_end(w);
}

struct table_description table_description_of(struct op_call *call, const struct table *t) {
    struct table_counts *indexes =
        arena_array(call->arena, t->schema->index_count, sizeof *indexes);
    for (size_t i = 0; i < t->schema->index_count; i++)
        indexes[i] = table_index_counts(t, &t->schema->indexes[i]);
    return (struct table_description){
        .arena = call->arena,
        .region = call->region,
        .schema = t->schema,
        .status = t->schema->status,
        .counts = table_counts(t),
        .index_counts = indexes,
    };
}

void table_description_write(struct json_writer *w, const struct table_description *d) {
    const struct table_schema *t = d->schema;
    json_write_object_begin(w);
    attribute_definitions_member(w, t);
    json_member_string(w, "TableName", t->name);
    key_schema_member(w, &t->key);
    text_member(w, "TableStatus", status_names[d->status]);
    date_member(w, "CreationDateTime", t->created_ms);
    provisioned_member(w, &t->throughput);
    json_member_int(w, "TableSizeBytes", (int64_t)d->counts.bytes);
    json_member_int(w, "ItemCount", (int64_t)d->counts.items);
    json_member_string(w, "TableArn", table_schema_arn(d->arena, d->region, t->name));
    json_member_string(w, "TableId", t->id);
    billing_member(w, d);
    indexes_member(w, d, false);
    if (!d->without_global_indexes)
        indexes_member(w, d, true);
    stream_members(w, d);
    sse_member(w, d);
    table_class_member(w, t);
    json_member_bool(w, "DeletionProtectionEnabled", t->deletion_protection);
    on_demand_member(w, &t->on_demand);
    warm_member(w, warm_throughput_shown(t->billing, &t->warm, &t->throughput),
                d->warming ? STATUS_UPDATING : warm_status(d->status));
    json_write_object_end(w);
}
