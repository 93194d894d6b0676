#include "graph/table.h"

/* --- What the endpoint can do ----------------------------------------------------------------- */

/* One that changes nothing because it asks for nothing: those who know the operation refuse it for
 * that. */
struct error *table_transactions(struct graph *g, struct arena *a, bool *out) {
    const struct json *reply;
    struct json_writer w = json_writer_tree(a);
    json_write_object_begin(&w);
    json_write_name(&w, SLICE("TransactItems"));
    json_write_array_begin(&w);
    json_write_array_end(&w);
    json_write_object_end(&w);
    struct error *e = graph_call(g, a, "TransactWriteItems", w.root, &reply);
    *out = !e || e->kind == ERR_VALIDATION;
    return e && e->kind != ERR_UNKNOWN_OPERATION && e->kind != ERR_VALIDATION ? e : NULL;
}

/* --- What the table is ------------------------------------------------------------------------ */

static struct error *table_describe(struct graph *g, struct arena *a, const struct json **table,
                                    bool *found) {
    struct request r;
    const struct json *reply;
    request_begin(&r, g, a);
    struct error *e = graph_call(g, a, "DescribeTable", request_end(&r), &reply);
    *found = e == NULL;
    if (e && e->kind != ERR_RESOURCE_NOT_FOUND)
        return e;
    *table = e ? NULL : json_member(reply, SLICE("Table"));
    return NULL;
}

/* The key attribute of that role in a key schema, or empty. */
static struct slice schema_key(const struct json *schema, const char *role) {
    for (const struct json *key = schema ? schema->first : NULL; key; key = key->next) {
        const struct json *type = json_member(key, SLICE("KeyType"));
        const struct json *name = json_member(key, SLICE("AttributeName"));
        if (type && name && slice_is(type->text, role))
            return name->text;
    }
    return SLICE("");
}

static bool schema_is(const struct json *owner, struct slice pk, struct slice sk) {
    const struct json *schema = json_member(owner, SLICE("KeySchema"));
    return slice_equal(schema_key(schema, "HASH"), pk) &&
           slice_equal(schema_key(schema, "RANGE"), sk);
}

static const struct json *table_index(const struct json *table, struct slice name) {
    const struct json *indexes = json_member(table, SLICE("GlobalSecondaryIndexes"));
    for (const struct json *index = indexes ? indexes->first : NULL; index; index = index->next) {
        const struct json *own = json_member(index, SLICE("IndexName"));
        if (own && slice_equal(own->text, name))
            return index;
    }
    return NULL;
}

struct error *table_keys(struct graph *g, struct arena *a, struct slice *pk, struct slice *sk) {
    const struct json *table;
    bool found;
    TRY(table_describe(g, a, &table, &found));
    if (!found)
        return graph_error(a, GRAPH_NOT_FOUND, "there is no table %.*s", SLICE_ARG(g->d.table));
    const struct json *schema = json_member(table, SLICE("KeySchema"));
    struct slice sort = schema_key(schema, "RANGE");
    if (sort.len == 0)
        return graph_error(a, GRAPH_INVALID, "the table %.*s has no sort key",
                           SLICE_ARG(g->d.table));
    *pk = arena_copy(g->arena, schema_key(schema, "HASH"));
    *sk = arena_copy(g->arena, sort);
    return NULL;
}

static bool any_single(const struct descriptor *d) {
    for (size_t i = 0; i < d->edge_count; i++)
        if (!d->edges[i].twofold)
            return true;
    return false;
}

static struct error *table_suits(struct graph *g, struct arena *a, const struct json *table,
                                 bool *queue) {
    const struct descriptor *d = &g->d;
    if (!schema_is(table, d->pk, d->sk))
        return graph_error(a, GRAPH_INVALID, "the table %.*s does not have the keys %.*s and %.*s",
                           SLICE_ARG(d->table), SLICE_ARG(d->pk), SLICE_ARG(d->sk));
    const struct json *in = table_index(table, d->index);
    if (any_single(d) && (!in || !schema_is(in, d->ipk, d->isk)))
        return graph_error(
            a, GRAPH_INVALID, "the table %.*s has no index %.*s with the keys %.*s and %.*s",
            SLICE_ARG(d->table), SLICE_ARG(d->index), SLICE_ARG(d->ipk), SLICE_ARG(d->isk));
    const struct json *sparse = table_index(table, d->queue);
    *queue = sparse && schema_is(sparse, d->qpk, d->qsk);
    return NULL;
}

/* --- Making it -------------------------------------------------------------------------------- */

static void write_attribute(struct json_writer *w, struct slice name) {
    json_write_object_begin(w);
    json_member_string(w, "AttributeName", name);
    json_member_string(w, "AttributeType", SLICE("S"));
    json_write_object_end(w);
}

static void write_key(struct json_writer *w, struct slice name, const char *role) {
    json_write_object_begin(w);
    json_member_string(w, "AttributeName", name);
    json_member_string(w, "KeyType", slice_of(role));
    json_write_object_end(w);
}

static void write_schema(struct json_writer *w, struct slice pk, struct slice sk) {
    json_write_name(w, SLICE("KeySchema"));
    json_write_array_begin(w);
    write_key(w, pk, "HASH");
    write_key(w, sk, "RANGE");
    json_write_array_end(w);
}

static void write_index(struct json_writer *w, struct slice name, struct slice pk,
                        struct slice sk) {
    json_write_object_begin(w);
    json_member_string(w, "IndexName", name);
    write_schema(w, pk, sk);
    json_write_name(w, SLICE("Projection"));
    json_write_object_begin(w);
    json_member_string(w, "ProjectionType", SLICE("KEYS_ONLY"));
    json_write_object_end(w);
    json_write_object_end(w);
}

static const struct json *create_request(struct graph *g, struct arena *a, bool in, bool queue) {
    const struct descriptor *d = &g->d;
    struct request r;
    request_begin(&r, g, a);
    request_text(&r, "BillingMode", "PAY_PER_REQUEST");
    write_schema(&r.w, d->pk, d->sk);
    json_write_name(&r.w, SLICE("AttributeDefinitions"));
    json_write_array_begin(&r.w);
    const struct slice names[] = {d->pk, d->sk, d->ipk, d->isk, d->qpk, d->qsk};
    const bool used[] = {true, true, in, in, queue, queue};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (used[i])
            write_attribute(&r.w, names[i]);
    json_write_array_end(&r.w);
    if (in || queue) {
        json_write_name(&r.w, SLICE("GlobalSecondaryIndexes"));
        json_write_array_begin(&r.w);
        if (in)
            write_index(&r.w, d->index, d->ipk, d->isk);
        if (queue)
            write_index(&r.w, d->queue, d->qpk, d->qsk);
        json_write_array_end(&r.w);
    }
    return request_end(&r);
}

static bool table_active(const struct json *table) {
    const struct json *status = json_member(table, SLICE("TableStatus"));
    return status && slice_is(status->text, "ACTIVE");
}

static struct error *table_wait(struct graph *g, struct arena *a) {
    struct patience patience = patience_begin(g);
    patience.deadline_ns += 120 * (int64_t)1000000000; /* AWS takes its time to make a table */
    for (;;) {
        const struct json *table;
        bool found;
        TRY(table_describe(g, a, &table, &found));
        if (found && table_active(table))
            return NULL;
        if (!patience_wait(g, &patience))
            return graph_error(a, GRAPH_TIMED_OUT, "the table does not become active");
    }
}

struct error *table_ensure(struct graph *g, struct arena *a, bool queue_wanted, bool *queue) {
    const struct json *table, *reply;
    bool found;
    TRY(table_describe(g, a, &table, &found));
    if (found)
        return table_suits(g, a, table, queue);
    struct error *e = graph_call(g, a, "CreateTable",
                                 create_request(g, a, any_single(&g->d), queue_wanted), &reply);
    /* In use: made meanwhile, or our own attempt whose reply was lost. */
    if (e && e->kind != ERR_RESOURCE_IN_USE)
        return e;
    TRY(table_wait(g, a));
    TRY(table_describe(g, a, &table, &found));
    return table_suits(g, a, table, queue);
}
