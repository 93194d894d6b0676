/* TransactWriteItems: up to 100 conditional writes of different items, all or none. */
#include "base/reader.h"
#include "engine/token.h"
#include "item/item_json.h"
#include "ops/condition_check.h"
#include "ops/consumed_capacity.h"
#include "ops/fingerprint.h"
#include "ops/item_collection_metrics.h"
#include "ops/transact_write.h"
#include "ops/transaction.h"
#include "ops/update_rules.h"

enum { TRANSACT_TOKEN_MAX_CHARS = 36, TRANSACT_REPLAY_BYTES = LIMIT_TRANSACTION_ITEMS * 10 };

struct transact_write_items {
    struct field_list items;
    struct field_choice return_capacity;
    struct field_choice return_metrics;
    struct slice token_name;

    struct transact_write *writes;
    size_t count;
    struct token token;   /* this request's, to be kept */
    bool replayed;        /* its token was known: nothing was done again */
    double *replay_units; /* of each write, as a read */
};

static const struct field transact_write_items_fields[] = {
    {FIELD("TransactItems", LIST, struct transact_write_items, items), .required = true, .min = 1,
     .max = LIMIT_TRANSACTION_ITEMS, .shape = "TransactWriteItem",
     FIELD_OF(transact_item_fields, struct transact_item)},
    {FIELD_RETURN_CONSUMED_CAPACITY(struct transact_write_items, return_capacity)},
    {FIELD_RETURN_ITEM_COLLECTION_METRICS(struct transact_write_items, return_metrics)},
    {FIELD("ClientRequestToken", STRING, struct transact_write_items, token_name), .min = 1,
     .max = TRANSACT_TOKEN_MAX_CHARS},
};

/* --- Checking --------------------------------------------------------------------------------- */

static bool same_item(const struct item_write *x, const struct item_write *y) {
    return x->table == y->table && slice_equal(x->key.store_key, y->key.store_key);
}

/* Writes whose key is not well have none to compare. */
static struct error *transact_check_distinct(struct op_call *call,
                                             const struct transact_write_items *in) {
    for (size_t i = 0; i < in->count; i++) {
        for (size_t k = 0; k < i; k++) {
            const struct item_write *x = &in->writes[i].write, *y = &in->writes[k].write;
            if (x->key.store_key.len && same_item(x, y))
                return transaction_repeats_item(call->arena);
        }
    }
    return NULL;
}

static size_t transact_asked_bytes(const struct transact_write_items *in) {
    size_t bytes = 0;
    for (size_t i = 0; i < in->count; i++)
        bytes += item_size(&in->writes[i].item);
    return bytes;
}

/* What makes two requests with one token the same: the actions, not what is to be returned. */
static void transact_fingerprint(struct op_call *call, struct transact_write_items *in) {
    struct fingerprint f = fingerprint_begin(call->arena);
    for (size_t i = 0; i < in->count; i++) {
        const struct transact_action *asked = in->writes[i].asked;
        fingerprint_add_int(&f, in->writes[i].write.kind);
        fingerprint_add(&f, asked->table_name);
        fingerprint_add_json(&f, asked->item_json);
        fingerprint_add(&f, asked->update);
        fingerprint_add(&f, asked->condition);
        fingerprint_add_json(&f, asked->names);
        fingerprint_add_json(&f, asked->values);
        fingerprint_add_int(&f, asked->return_on_failure.is);
    }
    fingerprint_end(&f, in->token.fingerprint);
    in->token.used_ms = call->now_ms;
}

static struct error *transact_check(struct op_call *call) {
    struct transact_write_items *in = call->input;
    const struct transact_item *items = in->items.elements;
    in->count = in->items.count;
    in->writes = arena_array(call->arena, in->count, sizeof *in->writes);
    for (size_t i = 0; i < in->count; i++)
        TRY(transact_write_read(call->arena, &items[i], &in->writes[i]));
    for (size_t i = 0; i < in->count; i++)
        TRY(transact_write_find(call, &in->writes[i]));
    TRY(transact_check_distinct(call, in));
    TRY(transaction_check_bytes(call->arena, transact_asked_bytes(in)));
    if (in->token_name.ptr)
        transact_fingerprint(call, in);
    call->write_bytes = 2 * transact_asked_bytes(in);
    return NULL;
}

/* --- Running ---------------------------------------------------------------------------------- */

/* The size that a write is charged by when it is replayed: what is there after it. */
static size_t transact_item_bytes(const struct item_write *w) {
    if (w->kind == WRITE_PUT || w->kind == WRITE_UPDATE)
        return item_size(&w->new_item);
    return w->existed ? item_size(&w->old_item) : 0;
}

/* The token's replay: the bytes of each item. */
static void transact_keep_token(struct op_call *call, struct transact_write_items *in) {
    struct buf replay = buf_in(call->arena, TRANSACT_REPLAY_BYTES);
    for (size_t i = 0; i < in->count; i++)
        buf_add_varint(&replay, transact_item_bytes(&in->writes[i].write));
    in->token.replay = buf_slice(&replay);
    token_stage(call->view, call->arena, in->token_name, &in->token);
}

static struct error *transact_replay(struct op_call *call, struct transact_write_items *in,
                                     const struct token *known) {
    if (memcmp(known->fingerprint, in->token.fingerprint, TOKEN_FINGERPRINT_BYTES) != 0)
        return error_new(call->arena, ERR_IDEMPOTENT_PARAMETER_MISMATCH,
                         "DynamoDB rejected the request because you retried a request with a "
                         "different payload but with an idempotent token that was already used.");
    struct reader r = reader_of(known->replay);
    in->replayed = true;
    in->replay_units = arena_array(call->arena, in->count, sizeof *in->replay_units);
    for (size_t i = 0; i < in->count; i++) {
        uint64_t bytes;
        if (!reader_varint(&r, &bytes))
            return error_new(call->arena, ERR_INTERNAL, "a stored token is corrupt");
        in->replay_units[i] = 2 * capacity_read_units((size_t)bytes, true);
    }
    return NULL;
}

static struct error *transact_decide(struct op_call *call, struct transact_write *w) {
    if (w->fault)
        return NULL;
    struct error *fault = item_write_decide(call->view, call->arena, &w->write);
    if (fault && fault->kind != ERR_VALIDATION)
        return fault;
    if (!fault && !w->write.condition_held)
        fault = error_new(call->arena, ERR_CONDITIONAL_CHECK_FAILED, CONDITION_CHECK_FAILED);
    w->fault = fault;
    return NULL;
}

static struct error *transact_decide_all(struct op_call *call, struct transact_write_items *in) {
    size_t bytes = 0;
    for (size_t i = 0; i < in->count; i++)
        TRY(transact_decide(call, &in->writes[i]));
    struct error *cancelled = transact_writes_cancelled(call->arena, in->writes, in->count);
    if (cancelled)
        return cancelled;
    for (size_t i = 0; i < in->count; i++)
        bytes += transact_item_bytes(&in->writes[i].write);
    return transaction_check_bytes(call->arena, bytes);
}

static struct error *transact_run(struct op_call *call) {
    struct transact_write_items *in = call->input;
    struct token known;
    bool found = false;
    if (in->token_name.ptr)
        TRY(token_find(call->view, call->arena, in->token_name, call->now_ms, &known, &found));
    if (found)
        return transact_replay(call, in, &known);
    TRY(transact_decide_all(call, in));
    for (size_t i = 0; i < in->count; i++)
        item_write_stage(call->view, call->arena, &in->writes[i].write);
    if (in->token_name.ptr)
        transact_keep_token(call, in);
    return NULL;
}

/* --- Replying --------------------------------------------------------------------------------- */

/* Whether write `i` is the first of its table. */
static bool first_of_table(const struct transact_write_items *in, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (in->writes[k].write.table == in->writes[i].write.table)
            return false;
    return true;
}

static struct capacity transact_table_capacity(const struct transact_write_items *in,
                                               const struct table *t) {
    struct capacity sum = {0};
    for (size_t i = 0; i < in->count; i++) {
        if (in->writes[i].write.table != t)
            continue;
        if (in->replayed)
            sum.table += in->replay_units[i];
        else
            capacity_add(&sum, &in->writes[i].write.capacity);
    }
    return sum;
}

static void transact_reply_capacity(const struct transact_write_items *in, struct json_writer *w) {
    json_write_name(w, SLICE("ConsumedCapacity"));
    json_write_array_begin(w);
    for (size_t i = 0; i < in->count; i++) {
        const struct table *t = in->writes[i].write.table;
        if (!first_of_table(in, i))
            continue;
        struct capacity sum = transact_table_capacity(in, t);
        consumed_capacity_write(w, t->schema, &sum, &in->return_capacity,
                                in->replayed ? CAPACITY_AS_READ : CAPACITY_AS_WRITE);
    }
    json_write_array_end(w);
}

/* AWS: a condition check changes no collection. */
static bool transact_changes_collection(const struct transact_write_items *in,
                                        const struct item_write *write) {
    return write->kind != WRITE_CHECK &&
           item_collection_metrics_asked(write->table, &in->return_metrics);
}

static void transact_reply_table_metrics(const struct transact_write_items *in,
                                         const struct table *t, struct json_writer *w) {
    json_write_name(w, t->schema->name);
    json_write_array_begin(w);
    for (size_t i = 0; i < in->count; i++) {
        const struct item_write *write = &in->writes[i].write;
        if (write->table == t && transact_changes_collection(in, write))
            item_collection_metrics_write(w, write);
    }
    json_write_array_end(w);
}

static void transact_reply_metrics(const struct transact_write_items *in, struct json_writer *w) {
    bool any = false;
    for (size_t i = 0; i < in->count; i++)
        any |= transact_changes_collection(in, &in->writes[i].write);
    if (!any)
        return;
    json_write_name(w, SLICE("ItemCollectionMetrics"));
    json_write_object_begin(w);
    for (size_t i = 0; i < in->count; i++)
        if (first_of_table(in, i) &&
            item_collection_metrics_asked(in->writes[i].write.table, &in->return_metrics))
            transact_reply_table_metrics(in, in->writes[i].write.table, w);
    json_write_object_end(w);
}

static struct error *transact_reply(struct op_call *call, struct json_writer *w) {
    const struct transact_write_items *in = call->input;
    if (consumed_capacity_asked(&in->return_capacity))
        transact_reply_capacity(in, w);
    transact_reply_metrics(in, w);
    return NULL;
}

const struct op op_transact_write_items = {
    .name = "TransactWriteItems",
    .service = SERVICE_DYNAMODB,
    .kind = OP_WRITE,
    .fields = transact_write_items_fields,
    .field_count = ARRAY_LEN(transact_write_items_fields),
    .input_size = sizeof(struct transact_write_items),
    .check = transact_check,
    .run = transact_run,
    .reply = transact_reply,
};
