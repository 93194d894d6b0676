/*
 * What AWS checks of a new table once each member is well by itself, in AWS's order: throughput,
 * the table's key, local indexes, global indexes, definitions that are not used, then the settings.
 */
#include "ops/create_table.h"
#include "ops/tag_input.h"

#define INVALID "One or more parameter values were invalid: "

static struct error *invalid(struct arena *a, const char *text) {
    return error_new(a, ERR_VALIDATION, INVALID "%s", text);
}

/* --- Indexes ---------------------------------------------------------------------------------- */

/* The schema under way, with room for all its indexes. */
struct maker {
    struct arena *arena;
    const struct create_table *in;
    int64_t now_ms;
    struct table_schema *schema;
    struct index_schema *indexes;
    struct definitions definitions;
};

/* AWS: the indexes are checked one by one before they are counted.  One past the limit is enough.
 */
static size_t indexes_looked_at(const struct field_list *l, size_t limit) {
    return l->count > limit ? limit + 1 : l->count;
}

static struct error *index_name_is_new(struct maker *m, struct slice name) {
    for (size_t i = 0; i < m->schema->index_count; i++)
        if (slice_equal(m->indexes[i].name, name))
            return error_new(m->arena, ERR_VALIDATION, INVALID "Duplicate index name: %.*s",
                             SLICE_ARG(name));
    return NULL;
}

static struct error *local_index_key_check(struct maker *m, const struct index_input *in,
                                           const struct key_schema *key) {
    struct slice table_hash = m->schema->key.hash[0].name;
    if (key->range_count == 0)
        return error_new(m->arena, ERR_VALIDATION,
                         INVALID "Index KeySchema does not have a range key for index: %.*s",
                         SLICE_ARG(in->name));
    if (slice_equal(key->hash[0].name, table_hash))
        return NULL;
    return error_new(m->arena, ERR_VALIDATION,
                     INVALID "Index KeySchema does not have the same leading hash key as table "
                             "KeySchema for index: %.*s. index hash key: %.*s, table hash key: "
                             "%.*s",
                     SLICE_ARG(in->name), SLICE_ARG(key->hash[0].name), SLICE_ARG(table_hash));
}

static struct error *local_index_make(struct maker *m, const struct index_input *in,
                                      struct index_schema *out) {
    *out = (struct index_schema){.name = in->name, .status = STATUS_ACTIVE, .on_demand = {-1, -1}};
    TRY(key_schema_check(m->arena, &in->key, &m->definitions, &out->key));
    TRY(local_index_key_check(m, in, &out->key));
    TRY(projection_check(m->arena, in->projection, out));
    return index_name_is_new(m, in->name);
}

static struct error *local_indexes_make(struct maker *m) {
    const struct field_list *l = &m->in->local_indexes;
    const struct index_input *in = l->elements;
    if (!l->given)
        return NULL;
    if (l->count == 0)
        return invalid(m->arena, "List of LocalSecondaryIndexes is empty");
    if (m->schema->key.range_count == 0)
        return invalid(m->arena, "Table KeySchema does not have a range key, which is required "
                                 "when specifying a LocalSecondaryIndex");
    for (size_t i = 0; i < indexes_looked_at(l, LIMIT_LOCAL_INDEXES); i++) {
        TRY(local_index_make(m, &in[i], &m->indexes[m->schema->index_count]));
        m->schema->index_count++;
    }
    if (l->count > LIMIT_LOCAL_INDEXES)
        return invalid(m->arena, "Number of LocalSecondaryIndexes exceeds per-table limit of 5");
    return NULL;
}

static struct error *global_index_throughput(struct maker *m, const struct index_input *in,
                                             struct index_schema *out) {
    struct slice of = arena_printf(m->arena, "index %.*s", SLICE_ARG(in->name));
    bool on_demand = m->schema->billing == BILLING_PAY_PER_REQUEST;
    if (on_demand && in->provisioned)
        return error_new(m->arena, ERR_VALIDATION,
                         INVALID "ProvisionedThroughput should not be specified for index: %.*s "
                                 "when BillingMode is PAY_PER_REQUEST",
                         SLICE_ARG(in->name));
    if (!on_demand && !in->provisioned)
        return error_new(m->arena, ERR_VALIDATION,
                         INVALID "ProvisionedThroughput must be specified for index: %.*s when "
                                 "BillingMode is PROVISIONED",
                         SLICE_ARG(in->name));
    TRY(provisioned_throughput_check(m->arena, in->provisioned, m->schema->billing,
                                     &out->throughput));
    TRY(on_demand_throughput_check(m->arena, in->on_demand, m->schema->billing, of,
                                   &out->on_demand));
    return warm_throughput_check(m->arena, in->warm, &out->warm);
}

static struct error *global_index_make(struct maker *m, const struct index_input *in,
                                       struct index_schema *out) {
    *out = (struct index_schema){.name = in->name, .global = true, .status = STATUS_ACTIVE};
    TRY(global_key_schema_check(m->arena, &in->key, &m->definitions, &out->key));
    TRY(projection_check(m->arena, in->projection, out));
    TRY(global_index_throughput(m, in, out));
    return index_name_is_new(m, in->name);
}

static struct error *global_indexes_make(struct maker *m) {
    const struct field_list *l = &m->in->global_indexes;
    const struct index_input *in = l->elements;
    if (!l->given)
        return NULL;
    if (l->count == 0)
        return invalid(m->arena, "List of GlobalSecondaryIndexes is empty");
    for (size_t i = 0; i < indexes_looked_at(l, LIMIT_GLOBAL_INDEXES); i++) {
        TRY(global_index_make(m, &in[i], &m->indexes[m->schema->index_count]));
        m->schema->index_count++;
    }
    if (l->count > LIMIT_GLOBAL_INDEXES)
        return invalid(m->arena, "GlobalSecondaryIndex count exceeds the per-table limit of 20");
    return NULL;
}

/* The schema has global indexes first; AWS checks the local ones first. */
static void indexes_put_global_first(struct maker *m) {
    size_t count = m->schema->index_count;
    struct index_schema *sorted = arena_array(m->arena, count, sizeof *sorted);
    size_t at = 0;
    for (int global = 1; global >= 0; global--)
        for (size_t i = 0; i < count; i++)
            if (m->indexes[i].global == (bool)global)
                sorted[at++] = m->indexes[i];
    m->schema->indexes = sorted;
}

/* --- Settings --------------------------------------------------------------------------------- */

static struct error *stream_make(struct maker *m) {
    const struct stream_input *in = m->in->stream;
    if (!in)
        return NULL;
    if (!in->enabled.value && in->view.is)
        return invalid(m->arena, "Table is being created with a stream disabled, UpdateViewType "
                                 "should not be specified");
    if (in->enabled.value && !in->view.is)
        return invalid(m->arena, "Table is being created with a stream enabled, UpdateViewType "
                                 "is required");
    if (!in->enabled.value)
        return NULL;
    stream_begin(m->arena, m->schema, &in->view, m->now_ms);
    return NULL;
}

static struct error *sse_make(struct maker *m) {
    bool on = false;
    if (m->in->sse)
        TRY(sse_check(m->arena, m->in->sse, &on));
    if (on)
        sse_begin(m->arena, m->schema, m->in->sse);
    return NULL;
}

static struct error *tags_make(struct maker *m) {
    TRY(tags_check(m->arena, &m->in->tags));
    return tags_add(m->arena, &m->in->tags, m->schema);
}

static struct error *settings_make(struct maker *m) {
    const struct create_table *in = m->in;
    struct table_schema *t = m->schema;
    TRY(on_demand_throughput_check(m->arena, in->on_demand, t->billing, SLICE("table"),
                                   &t->on_demand));
    TRY(warm_throughput_check(m->arena, in->warm, &t->warm));
    TRY(stream_make(m));
    TRY(sse_make(m));
    TRY(tags_make(m));
    table_class_set(t, &in->table_class);
    t->deletion_protection = in->deletion_protection.value;
    t->resource_policy = in->resource_policy;
    return NULL;
}

/* --- The whole -------------------------------------------------------------------------------- */

static struct error *table_key_make(struct maker *m) {
    const struct field_list *key = &m->in->key;
    /* AWS: fewer definitions than key elements is told before which ones are missing. */
    if (key->count > m->definitions.count)
        return error_new(m->arena, ERR_VALIDATION,
                         "Invalid KeySchema: Some index key attribute have no definition");
    return key_schema_check(m->arena, key, &m->definitions, &m->schema->key);
}

static struct error *throughput_make(struct maker *m) {
    struct table_schema *t = m->schema;
    bool on_demand = m->in->billing.is == BILLING_MODE_PAY_PER_REQUEST;
    t->billing = on_demand ? BILLING_PAY_PER_REQUEST : BILLING_PROVISIONED;
    t->billing_changed_ms = on_demand ? m->now_ms : 0;
    return provisioned_throughput_check(m->arena, m->in->provisioned, t->billing, &t->throughput);
}

struct error *create_table_make_schema(struct op_call *call, struct create_table *in) {
    struct arena *a = call->arena;
    size_t index_count = indexes_looked_at(&in->local_indexes, LIMIT_LOCAL_INDEXES) +
                         indexes_looked_at(&in->global_indexes, LIMIT_GLOBAL_INDEXES);
    struct maker m = {
        .arena = a,
        .in = in,
        .now_ms = call->now_ms,
        .schema = &in->schema,
        .indexes = arena_array(a, index_count, sizeof *m.indexes),
    };
    in->schema.name = table_name_from_arn(in->table_name);
    TRY(throughput_make(&m));
    TRY(attribute_definitions_check(a, &in->definitions, &in->schema.attributes));
    in->schema.attribute_count = in->definitions.count;
    m.definitions = (struct definitions){in->schema.attributes, in->definitions.count};
    TRY(table_key_make(&m));
    TRY(local_indexes_make(&m));
    TRY(global_indexes_make(&m));
    indexes_put_global_first(&m);
    TRY(projected_attributes_check(a, &in->schema));
    TRY(definitions_used_check(a, &in->schema));
    return settings_make(&m);
}
