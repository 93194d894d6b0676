/* TransactGetItems: up to 100 different items as of one moment. */
#include "engine/item_read.h"
#include "expr/expr.h"
#include "item/item_json.h"
#include "ops/consumed_capacity.h"
#include "ops/key_paths.h"
#include "ops/op.h"
#include "ops/stored_row.h"
#include "ops/transaction.h"

struct transact_get_asked {
    const struct json *key_json;
    struct slice table_name;
    struct slice projection_text;
    const struct json *names;
};

/* An element of TransactItems. */
struct transact_get_element {
    struct transact_get_asked *get;
};

struct transact_get {
    const struct transact_get_asked *asked;
    struct item item; /* the key as it was sent */
    struct projection projection;
    struct table *table;
    struct primary_key key;
    struct error *fault; /* what cancels the transaction for this one's sake */
    size_t bytes;        /* of the item, 0 when there is none */
};

struct transact_get_items {
    struct field_list items;
    struct field_choice return_capacity;

    struct transact_get *gets;
    struct item_read_one *reads;
    size_t count;
};

static const struct field get_fields[] = {
    {FIELD("Key", ITEM, struct transact_get_asked, key_json), .required = true},
    {FIELD_TABLE_NAME(struct transact_get_asked, table_name)},
    {FIELD("ProjectionExpression", STRING, struct transact_get_asked, projection_text)},
    {FIELD("ExpressionAttributeNames", NAMES, struct transact_get_asked, names)},
};

static const struct field element_fields[] = {
    {FIELD("Get", STRUCT, struct transact_get_element, get), .required = true, .shape = "Get",
     FIELD_OF(get_fields, struct transact_get_asked)},
};

static const struct field transact_get_items_fields[] = {
    {FIELD("TransactItems", LIST, struct transact_get_items, items), .required = true, .min = 1,
     .max = LIMIT_TRANSACTION_ITEMS, .shape = "TransactGetItem",
     FIELD_OF(element_fields, struct transact_get_element)},
    {FIELD_RETURN_CONSUMED_CAPACITY(struct transact_get_items, return_capacity)},
};

/* --- Checking --------------------------------------------------------------------------------- */

/* What can be said before the table is looked up: the whole request's fault. */
static struct error *transact_get_parse(struct arena *a, struct transact_get *g) {
    const struct transact_get_asked *asked = g->asked;
    TRY(item_from_json(a, asked->key_json, &g->item));
    if (!asked->projection_text.ptr)
        return expr_scope_without_expressions(a, asked->names, NULL, "ProjectionExpression");
    struct expr_scope *scope;
    TRY(expr_scope_create(a, asked->names, NULL, &scope));
    TRY(projection_parse(a, scope, asked->projection_text, &g->projection));
    return expr_scope_check_unused(a, scope);
}

static struct error *transact_get_check_key(struct arena *a, struct transact_get *g) {
    TRY(primary_key_from_key(a, g->table->schema, &g->item, &g->key));
    return key_paths_check_projection(a, g->table->schema, &g->projection);
}

static struct error *transact_get_find(struct op_call *call, struct transact_get *g) {
    TRY(op_call_table(call, g->asked->table_name, &g->table));
    g->fault = transact_get_check_key(call->arena, g);
    return g->fault && transaction_key_is_empty(g->table->schema, &g->item) ? g->fault : NULL;
}

/* Keys that are not well have nothing to compare. */
static struct error *transact_get_check_distinct(struct op_call *call,
                                                 const struct transact_get_items *in) {
    for (size_t i = 0; i < in->count; i++)
        for (size_t k = 0; k < i; k++)
            if (in->gets[i].key.store_key.len && in->gets[i].table == in->gets[k].table &&
                slice_equal(in->gets[i].key.store_key, in->gets[k].key.store_key))
                return transaction_repeats_item(call->arena);
    return NULL;
}

static struct error *transact_get_cancelled(struct op_call *call,
                                            const struct transact_get_items *in) {
    struct transaction_reason *reasons = arena_array(call->arena, in->count, sizeof *reasons);
    for (size_t i = 0; i < in->count; i++)
        reasons[i].fault = in->gets[i].fault;
    return transaction_cancelled(call->arena, reasons, in->count);
}

static struct error *transact_get_check(struct op_call *call) {
    struct transact_get_items *in = call->input;
    const struct transact_get_element *elements = in->items.elements;
    in->count = in->items.count;
    in->gets = arena_array(call->arena, in->count, sizeof *in->gets);
    in->reads = arena_array(call->arena, in->count, sizeof *in->reads);
    for (size_t i = 0; i < in->count; i++) {
        in->gets[i].asked = elements[i].get;
        TRY(transact_get_parse(call->arena, &in->gets[i]));
    }
    for (size_t i = 0; i < in->count; i++)
        TRY(transact_get_find(call, &in->gets[i]));
    TRY(transact_get_check_distinct(call, in));
    return transact_get_cancelled(call, in);
}

/* --- Running ---------------------------------------------------------------------------------- */

static struct error *transact_get_measure(struct op_call *call, struct transact_get_items *in) {
    size_t sum = 0;
    for (size_t i = 0; i < in->count; i++) {
        if (in->reads[i].found)
            TRY(stored_row_size(call->arena, in->reads[i].stored, &in->gets[i].bytes));
        sum += in->gets[i].bytes;
    }
    return transaction_check_bytes(call->arena, sum);
}

/* All at one moment, so in one step: many items are left to whoever allows for many. */
static struct error *transact_get_run(struct op_call *call) {
    struct transact_get_items *in = call->input;
    call->again = in->count > call->max_rows;
    if (call->again)
        return NULL;
    for (size_t i = 0; i < in->count; i++)
        in->reads[i] = (struct item_read_one){.table = in->gets[i].table, .key = &in->gets[i].key};
    TRY(item_read_many(call->engine, call->arena, in->reads, in->count));
    return transact_get_measure(call, in);
}

/* --- Replying --------------------------------------------------------------------------------- */

/* AWS: where GetItem gives an empty item because the projection selects nothing, this gives none.
 * (dynoxide issue 39, checked on AWS) */
static struct error *transact_get_write_item(struct op_call *call, const struct transact_get *g,
                                             struct slice stored, struct json_writer *w) {
    struct item item;
    if (!g->asked->projection_text.ptr) {
        json_write_name(w, SLICE("Item"));
        return stored_row_write(call->arena, g->table, stored, NULL, w);
    }
    TRY(stored_row_project(call->arena, g->table, stored, &g->projection, &item));
    if (item.count == 0)
        return NULL;
    json_write_name(w, SLICE("Item"));
    item_to_json(w, &item);
    return NULL;
}

static bool first_of_table(const struct transact_get_items *in, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (in->gets[k].table == in->gets[i].table)
            return false;
    return true;
}

static void transact_get_reply_capacity(const struct transact_get_items *in,
                                        struct json_writer *w) {
    json_write_name(w, SLICE("ConsumedCapacity"));
    json_write_array_begin(w);
    for (size_t i = 0; i < in->count; i++) {
        if (!first_of_table(in, i))
            continue;
        struct capacity sum = {0};
        for (size_t k = i; k < in->count; k++)
            if (in->gets[k].table == in->gets[i].table)
                sum.table += 2 * capacity_read_units(in->gets[k].bytes, true);
        consumed_capacity_write(w, in->gets[i].table->schema, &sum, &in->return_capacity,
                                CAPACITY_AS_READ);
    }
    json_write_array_end(w);
}

static struct error *transact_get_reply(struct op_call *call, struct json_writer *w) {
    const struct transact_get_items *in = call->input;
    if (consumed_capacity_asked(&in->return_capacity))
        transact_get_reply_capacity(in, w);
    json_write_name(w, SLICE("Responses"));
    json_write_array_begin(w);
    for (size_t i = 0; i < in->count; i++) {
        json_write_object_begin(w);
        if (in->reads[i].found)
            TRY(transact_get_write_item(call, &in->gets[i], in->reads[i].stored, w));
        json_write_object_end(w);
    }
    json_write_array_end(w);
    return NULL;
}

const struct op op_transact_get_items = {
    .name = "TransactGetItems",
    .service = SERVICE_DYNAMODB,
    .kind = OP_READ,
    .fields = transact_get_items_fields,
    .field_count = ARRAY_LEN(transact_get_items_fields),
    .input_size = sizeof(struct transact_get_items),
    .check = transact_get_check,
    .run = transact_get_run,
    .reply = transact_get_reply,
};
