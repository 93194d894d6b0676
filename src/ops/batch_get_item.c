/* BatchGetItem: up to 100 items of several tables by their keys, each read by itself. */
#include "engine/item_read.h"
#include "expr/expr.h"
#include "item/item_json.h"
#include "ops/consumed_capacity.h"
#include "ops/expression_parameters.h"
#include "ops/key_paths.h"
#include "ops/legacy_parameters.h"
#include "ops/op.h"
#include "ops/stored_row.h"

/* What is asked of one table. */
struct batch_get_keys {
    struct field_list keys;
    struct field_list attributes_to_get;
    struct field_bool consistent;
    struct slice projection_text;
    const struct json *names;
};

struct batch_get_read {
    struct item item; /* the key as it was sent */
    struct primary_key key;
    struct slice stored;
    bool found;
};

struct batch_get_table {
    struct slice name; /* as it was sent: a name or an ARN */
    const struct batch_get_keys *asked;
    struct table *table;
    bool projected;
    struct projection projection;
    struct batch_get_read *reads; /* asked->keys.count */
    size_t done;                  /* how many were read; the rest is unprocessed */
    struct capacity capacity;
};

struct batch_get_item {
    struct field_map items;
    struct field_choice return_capacity;

    struct batch_get_table *tables; /* items.count */
    size_t at;                      /* the table being read */
    size_t bytes;                   /* of the items found */
};

static const struct field batch_get_keys_fields[] = {
    {FIELD("Keys", ITEMS, struct batch_get_keys, keys), .required = true, .min = 1,
     .max = LIMIT_BATCH_GET_ITEMS, .valueless = true},
    {FIELD("AttributesToGet", STRINGS, struct batch_get_keys, attributes_to_get), .min = 1},
    {FIELD("ConsistentRead", BOOL, struct batch_get_keys, consistent)},
    {FIELD("ProjectionExpression", STRING, struct batch_get_keys, projection_text)},
    {FIELD("ExpressionAttributeNames", NAMES, struct batch_get_keys, names)},
};

static const struct field batch_get_item_fields[] = {
    {FIELD_RETURN_CONSUMED_CAPACITY(struct batch_get_item, return_capacity)},
    {FIELD("RequestItems", MAP, struct batch_get_item, items), .required = true, .table_keys = true,
     .shape = "KeysAndAttributes", FIELD_OF(batch_get_keys_fields, struct batch_get_keys)},
};

/* --- Checking, without a table ---------------------------------------------------------------- */

/* AWS: also when one table has the older and another the newer parameter. (dynoxide, on AWS) */
static struct error *batch_get_parameters(struct op_call *call, const struct batch_get_item *in) {
    const struct batch_get_keys *asked = in->items.values;
    bool older = false, newer = false;
    for (size_t i = 0; i < in->items.count; i++) {
        older |= asked[i].attributes_to_get.given;
        newer |= asked[i].projection_text.ptr != NULL;
    }
    const struct parameter legacy[] = {{"AttributesToGet", older}};
    const struct parameter expressions[] = {{"ProjectionExpression", newer}};
    return expression_parameters_check(call->arena, PARAMETERS(legacy), PARAMETERS(expressions));
}

static struct error *batch_get_parse(struct op_call *call, struct batch_get_table *t) {
    struct arena *a = call->arena;
    const struct batch_get_keys *asked = t->asked;
    t->projected = asked->attributes_to_get.given || asked->projection_text.ptr;
    if (!asked->projection_text.ptr)
        TRY(expr_scope_without_expressions(a, asked->names, NULL, "ProjectionExpression"));
    if (asked->attributes_to_get.given)
        return attributes_to_get_read(a, &asked->attributes_to_get, &t->projection);
    if (!asked->projection_text.ptr)
        return NULL;
    struct expr_scope *scope;
    TRY(expr_scope_create(a, asked->names, NULL, &scope));
    TRY(projection_parse(a, scope, asked->projection_text, &t->projection));
    return expr_scope_check_unused(a, scope);
}

static struct error *batch_get_check_distinct(struct op_call *call, const struct batch_get_table *t,
                                              size_t count) {
    for (size_t i = 0; i + 1 < count; i++)
        if (item_equal(&t->reads[i].item, &t->reads[count - 1].item))
            return error_new(call->arena, ERR_VALIDATION,
                             "Provided list of item keys contains duplicates");
    return NULL;
}

static struct error *batch_get_read_keys(struct op_call *call, struct batch_get_table *t,
                                         size_t *total) {
    const struct json *const *keys = t->asked->keys.elements;
    size_t count = t->asked->keys.count;
    t->reads = arena_array(call->arena, count, sizeof *t->reads);
    for (size_t i = 0; i < count; i++) {
        TRY(item_from_json(call->arena, keys[i], &t->reads[i].item));
        TRY(batch_get_check_distinct(call, t, i + 1));
        if (++*total > LIMIT_BATCH_GET_ITEMS)
            return error_new(call->arena, ERR_VALIDATION,
                             "Too many items requested for the BatchGetItem call");
    }
    return NULL;
}

static struct error *batch_get_check_request(struct op_call *call, struct batch_get_item *in) {
    const struct batch_get_keys *asked = in->items.values;
    size_t total = 0;
    if (in->items.count == 0)
        return error_new(call->arena, ERR_VALIDATION,
                         "The requestItems parameter is required for BatchGetItem");
    TRY(batch_get_parameters(call, in));
    in->tables = arena_array(call->arena, in->items.count, sizeof *in->tables);
    for (size_t i = 0; i < in->items.count; i++) {
        in->tables[i].name = in->items.keys[i];
        in->tables[i].asked = &asked[i];
        TRY(batch_get_parse(call, &in->tables[i]));
        TRY(batch_get_read_keys(call, &in->tables[i], &total));
    }
    return NULL;
}

/* --- Checking, with it ------------------------------------------------------------------------ */

static struct error *batch_get_find(struct op_call *call, struct batch_get_table *t) {
    TRY(op_call_table(call, t->name, &t->table));
    const struct table_schema *schema = t->table->schema;
    for (size_t i = 0; i < t->asked->keys.count; i++)
        TRY(primary_key_from_key(call->arena, schema, &t->reads[i].item, &t->reads[i].key));
    return key_paths_check_projection(call->arena, schema, &t->projection);
}

static struct error *batch_get_check(struct op_call *call) {
    struct batch_get_item *in = call->input;
    TRY(batch_get_check_request(call, in));
    for (size_t i = 0; i < in->items.count; i++)
        TRY(batch_get_find(call, &in->tables[i]));
    return NULL;
}

/* --- Running ---------------------------------------------------------------------------------- */

/* Reads one item; `*full` when it would have been too much for the reply. */
static struct error *batch_get_one(struct op_call *call, struct batch_get_item *in,
                                   struct batch_get_table *t, size_t *bytes, bool *full) {
    struct batch_get_read *read = &t->reads[t->done];
    *bytes = 0;
    TRY(item_read(call->engine, call->arena, t->table, &read->key, &read->stored, &read->found));
    if (read->found)
        TRY(stored_row_size(call->arena, read->stored, bytes));
    *full = in->bytes + *bytes > LIMIT_BATCH_GET_BYTES;
    if (*full)
        return NULL;
    in->bytes += *bytes;
    t->capacity.table += capacity_read_units(*bytes, t->asked->consistent.value);
    t->done++;
    return NULL;
}

static struct error *batch_get_run(struct op_call *call) {
    struct batch_get_item *in = call->input;
    size_t step_bytes = 0, bytes;
    uint32_t step_rows = 0;
    bool full = false;
    while (in->at < in->items.count && !full) {
        struct batch_get_table *t = &in->tables[in->at];
        if (t->done == t->asked->keys.count) {
            in->at++;
            continue;
        }
        if (step_rows++ >= call->max_rows || step_bytes >= call->max_bytes) {
            call->again = true;
            return NULL;
        }
        TRY(batch_get_one(call, in, t, &bytes, &full));
        step_bytes += bytes;
    }
    return NULL;
}

/* --- Replying --------------------------------------------------------------------------------- */

static struct error *batch_get_reply_items(struct op_call *call, const struct batch_get_table *t,
                                           struct json_writer *w) {
    const struct projection *projection = t->projected ? &t->projection : NULL;
    json_write_name(w, t->name);
    json_write_array_begin(w);
    for (size_t i = 0; i < t->done; i++)
        if (t->reads[i].found)
            TRY(stored_row_write(call->arena, t->table, t->reads[i].stored, projection, w));
    json_write_array_end(w);
    return NULL;
}

static void batch_get_reply_attributes(const struct field_list *names, struct json_writer *w) {
    const struct slice *all = names->elements;
    json_write_name(w, SLICE("AttributesToGet"));
    json_write_array_begin(w);
    for (size_t i = 0; i < names->count; i++)
        json_write_string(w, all[i]);
    json_write_array_end(w);
}

/* As the next request takes it. */
static void batch_get_reply_rest(const struct batch_get_table *t, struct json_writer *w) {
    const struct batch_get_keys *asked = t->asked;
    json_write_name(w, t->name);
    json_write_object_begin(w);
    json_write_name(w, SLICE("Keys"));
    json_write_array_begin(w);
    for (size_t i = t->done; i < asked->keys.count; i++)
        item_to_json(w, &t->reads[i].item);
    json_write_array_end(w);
    if (asked->attributes_to_get.given)
        batch_get_reply_attributes(&asked->attributes_to_get, w);
    if (asked->consistent.given)
        json_member_bool(w, "ConsistentRead", asked->consistent.value);
    if (asked->projection_text.ptr)
        json_member_string(w, "ProjectionExpression", asked->projection_text);
    if (asked->names) {
        json_write_name(w, SLICE("ExpressionAttributeNames"));
        json_write_tree(w, asked->names);
    }
    json_write_object_end(w);
}

static void batch_get_reply_capacity(const struct batch_get_item *in, struct json_writer *w) {
    json_write_name(w, SLICE("ConsumedCapacity"));
    json_write_array_begin(w);
    for (size_t i = 0; i < in->items.count; i++)
        consumed_capacity_write(w, in->tables[i].table->schema, &in->tables[i].capacity,
                                &in->return_capacity, CAPACITY_ONCE);
    json_write_array_end(w);
}

static struct error *batch_get_reply(struct op_call *call, struct json_writer *w) {
    const struct batch_get_item *in = call->input;
    json_write_name(w, SLICE("Responses"));
    json_write_object_begin(w);
    for (size_t i = 0; i < in->items.count; i++)
        TRY(batch_get_reply_items(call, &in->tables[i], w));
    json_write_object_end(w);
    json_write_name(w, SLICE("UnprocessedKeys"));
    json_write_object_begin(w);
    for (size_t i = 0; i < in->items.count; i++)
        if (in->tables[i].done < in->tables[i].asked->keys.count)
            batch_get_reply_rest(&in->tables[i], w);
    json_write_object_end(w);
    if (consumed_capacity_asked(&in->return_capacity))
        batch_get_reply_capacity(in, w);
    return NULL;
}

const struct op op_batch_get_item = {
    .name = "BatchGetItem",
    .service = SERVICE_DYNAMODB,
    .kind = OP_READ,
    .fields = batch_get_item_fields,
    .field_count = ARRAY_LEN(batch_get_item_fields),
    .input_size = sizeof(struct batch_get_item),
    .check = batch_get_check,
    .run = batch_get_run,
    .reply = batch_get_reply,
};
