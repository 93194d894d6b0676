/*
 * BatchWriteItem: up to 25 puts and deletes of different items in several tables.
 *
 * They need not happen together on AWS; here they do, in one task of the writer, so nothing is ever
 * left unprocessed.
 */
#include "item/item_json.h"
#include "ops/consumed_capacity.h"
#include "ops/item_collection_metrics.h"
#include "ops/op.h"
#include "ops/single_write.h"

struct put_request {
    const struct json *item;
};

struct delete_request {
    const struct json *key;
};

struct write_request {
    struct delete_request *remove;
    struct put_request *put;
};

struct batch_write {
    struct item item; /* a put's item, a delete's key */
    struct item_write write;
};

struct batch_write_item {
    struct field_map items;
    struct field_choice return_capacity;
    struct field_choice return_metrics;

    struct batch_write *writes; /* table by table, as in items */
    size_t count;
};

static const struct field delete_request_fields[] = {
    {FIELD("Key", ITEM, struct delete_request, key), .required = true},
};

static const struct field put_request_fields[] = {
    {FIELD("Item", ITEM, struct put_request, item), .required = true},
};

static const struct field write_request_fields[] = {
    {FIELD("DeleteRequest", STRUCT, struct write_request, remove), .shape = "DeleteRequest",
     FIELD_OF(delete_request_fields, struct delete_request)},
    {FIELD("PutRequest", STRUCT, struct write_request, put), .shape = "PutRequest",
     FIELD_OF(put_request_fields, struct put_request)},
};

static const struct field batch_write_item_fields[] = {
    {FIELD_RETURN_CONSUMED_CAPACITY(struct batch_write_item, return_capacity)},
    {FIELD_RETURN_ITEM_COLLECTION_METRICS(struct batch_write_item, return_metrics)},
    {FIELD("RequestItems", LISTS, struct batch_write_item, items), .required = true,
     .table_keys = true, .element_min = 1, .element_max = LIMIT_BATCH_WRITE_ITEMS,
     .shape = "WriteRequest", FIELD_OF(write_request_fields, struct write_request)},
};

/* --- Checking --------------------------------------------------------------------------------- */

static struct error *batch_write_read(struct op_call *call, const struct write_request *request,
                                      struct batch_write *out) {
    struct arena *a = call->arena;
    /* AWS: in these words, though it is no AttributeValue. (dynalite, captured) */
    if ((request->put != NULL) == (request->remove != NULL))
        return error_new(a, ERR_VALIDATION,
                         "Supplied AttributeValue has more than one datatypes set, must contain "
                         "exactly one of the supported datatypes");
    out->write.kind = request->put ? WRITE_PUT : WRITE_DELETE;
    TRY(item_from_json(a, request->put ? request->put->item : request->remove->key, &out->item));
    if (request->put && item_size(&out->item) > LIMIT_ITEM_BYTES)
        return error_new(a, ERR_VALIDATION, "Item size has exceeded the maximum allowed size");
    return NULL;
}

static struct error *batch_write_check_request(struct op_call *call, struct batch_write_item *in) {
    const struct field_list *lists = in->items.values;
    if (in->items.count == 0)
        return error_new(call->arena, ERR_VALIDATION,
                         "The requestItems parameter is required for BatchWriteItem");
    in->writes = arena_array(call->arena, LIMIT_BATCH_WRITE_ITEMS, sizeof *in->writes);
    for (size_t i = 0; i < in->items.count; i++) {
        const struct write_request *requests = lists[i].elements;
        for (size_t k = 0; k < lists[i].count; k++) {
            if (in->count == LIMIT_BATCH_WRITE_ITEMS)
                return error_new(call->arena, ERR_VALIDATION,
                                 "Too many items requested for the BatchWriteItem call");
            TRY(batch_write_read(call, &requests[k], &in->writes[in->count++]));
        }
    }
    return NULL;
}

/* AWS: a put without its key is told as a key would be. (dynalite, captured) */
static struct error *batch_put_key(struct arena *a, const struct table_schema *t,
                                   struct batch_write *w) {
    struct item_write *write = &w->write;
    struct error *fault = primary_key_from_item(a, t, &w->item, &write->key);
    if (fault && (slice_contains(fault->message, SLICE("Missing the key")) ||
                  slice_contains(fault->message, SLICE("Type mismatch for key"))))
        return error_new(a, ERR_VALIDATION, "The provided key element does not match the schema");
    if (fault)
        return fault;
    write->item = &w->item;
    return index_keys_check(a, t, &w->item);
}

static struct error *batch_write_check_distinct(struct op_call *call,
                                                const struct batch_write *writes, size_t count) {
    const struct item_write *last = &writes[count - 1].write;
    for (size_t i = 0; i + 1 < count; i++)
        if (writes[i].write.table == last->table &&
            slice_equal(writes[i].write.key.store_key, last->key.store_key))
            return error_new(call->arena, ERR_VALIDATION,
                             "Provided list of item keys contains duplicates");
    return NULL;
}

/* The writes of one table, from `first` on. */
static struct error *batch_write_find(struct op_call *call, struct batch_write_item *in,
                                      struct slice name, size_t first, size_t count) {
    struct table *table;
    TRY(op_call_table(call, name, &table));
    const struct table_schema *schema = table->schema;
    for (size_t i = first; i < first + count; i++) {
        struct batch_write *w = &in->writes[i];
        w->write.table = table;
        if (w->write.kind == WRITE_PUT)
            TRY(batch_put_key(call->arena, schema, w));
        else
            TRY(primary_key_from_key(call->arena, schema, &w->item, &w->write.key));
        TRY(batch_write_check_distinct(call, in->writes, i + 1));
        call->write_bytes += w->write.kind == WRITE_PUT
                                 ? item_size(&w->item) * (1 + schema->index_count)
                                 : SINGLE_WRITE_BYTES;
    }
    return NULL;
}

static struct error *batch_write_check(struct op_call *call) {
    struct batch_write_item *in = call->input;
    const struct field_list *lists = in->items.values;
    size_t first = 0;
    TRY(batch_write_check_request(call, in));
    for (size_t i = 0; i < in->items.count; i++) {
        TRY(batch_write_find(call, in, in->items.keys[i], first, lists[i].count));
        first += lists[i].count;
    }
    return NULL;
}

/* --- Running ---------------------------------------------------------------------------------- */

static struct error *batch_write_run(struct op_call *call) {
    struct batch_write_item *in = call->input;
    for (size_t i = 0; i < in->count; i++)
        TRY(item_write_decide(call->view, call->arena, &in->writes[i].write));
    for (size_t i = 0; i < in->count; i++)
        item_write_stage(call->view, call->arena, &in->writes[i].write);
    return NULL;
}

/* --- Replying --------------------------------------------------------------------------------- */

static void batch_write_reply_capacity(const struct batch_write_item *in, struct json_writer *w) {
    const struct field_list *lists = in->items.values;
    const struct batch_write *write = in->writes;
    json_write_name(w, SLICE("ConsumedCapacity"));
    json_write_array_begin(w);
    for (size_t i = 0; i < in->items.count; i++) {
        const struct table_schema *schema = write->write.table->schema;
        struct capacity sum = {0};
        for (size_t k = 0; k < lists[i].count; k++)
            capacity_add(&sum, &(write++)->write.capacity);
        consumed_capacity_write(w, schema, &sum, &in->return_capacity, CAPACITY_ONCE);
    }
    json_write_array_end(w);
}

static void batch_write_reply_table_metrics(struct slice name, const struct batch_write *writes,
                                            size_t count, struct json_writer *w) {
    json_write_name(w, name);
    json_write_array_begin(w);
    for (size_t i = 0; i < count; i++)
        item_collection_metrics_write(w, &writes[i].write);
    json_write_array_end(w);
}

/* AWS: the member is left out when no table has collections. */
static void batch_write_reply_metrics(const struct batch_write_item *in, struct json_writer *w) {
    const struct field_list *lists = in->items.values;
    const struct batch_write *write = in->writes;
    bool any = false;
    for (size_t i = 0; i < in->items.count; write += lists[i++].count) {
        if (!item_collection_metrics_asked(write->write.table, &in->return_metrics))
            continue;
        if (!any) {
            json_write_name(w, SLICE("ItemCollectionMetrics"));
            json_write_object_begin(w);
            any = true;
        }
        batch_write_reply_table_metrics(in->items.keys[i], write, lists[i].count, w);
    }
    if (any)
        json_write_object_end(w);
}

static struct error *batch_write_reply(struct op_call *call, struct json_writer *w) {
    const struct batch_write_item *in = call->input;
    json_write_name(w, SLICE("UnprocessedItems"));
    json_write_object_begin(w);
    json_write_object_end(w);
    batch_write_reply_metrics(in, w);
    if (consumed_capacity_asked(&in->return_capacity))
        batch_write_reply_capacity(in, w);
    return NULL;
}

const struct op op_batch_write_item = {
    .name = "BatchWriteItem",
    .service = SERVICE_DYNAMODB,
    .kind = OP_WRITE,
    .fields = batch_write_item_fields,
    .field_count = ARRAY_LEN(batch_write_item_fields),
    .input_size = sizeof(struct batch_write_item),
    .check = batch_write_check,
    .run = batch_write_run,
    .reply = batch_write_reply,
};
