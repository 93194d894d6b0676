#include "ops/transaction.h"

#include "ops/condition_check.h"
#include "json/json_writer.h"

static const char *reason_code(const struct error *fault) {
    if (!fault)
        return "None";
    return fault->kind == ERR_CONDITIONAL_CHECK_FAILED ? "ConditionalCheckFailed"
                                                       : "ValidationError";
}

static void reason_write(struct json_writer *out, const struct transaction_reason *reason) {
    json_write_object_begin(out);
    json_member_string(out, "Code", slice_of(reason_code(reason->fault)));
    if (reason->fault)
        json_member_string(out, "Message", reason->fault->message);
    if (reason->fault && reason->fault->kind == ERR_CONDITIONAL_CHECK_FAILED)
        condition_check_item(out, reason->write, reason->on_failure);
    json_write_object_end(out);
}

static struct slice reasons_details(struct arena *a, const struct transaction_reason *reasons,
                                    size_t count) {
    struct buf members = buf_in(a, LIMIT_REPLY_BYTES);
    struct json_writer out = json_writer_text(&members);
    json_write_object_begin(&out);
    json_write_name(&out, SLICE("CancellationReasons"));
    json_write_array_begin(&out);
    for (size_t i = 0; i < count; i++)
        reason_write(&out, &reasons[i]);
    json_write_array_end(&out);
    json_write_object_end(&out);
    return buf_ok(&members) ? error_details(&members) : (struct slice){0};
}

struct error *transaction_cancelled(struct arena *a, const struct transaction_reason *reasons,
                                    size_t count) {
    struct buf codes = buf_in(a, LIMIT_REPLY_BYTES);
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        buf_printf(&codes, "%s%s", i ? ", " : "", reason_code(reasons[i].fault));
        any |= reasons[i].fault != NULL;
    }
    if (!any)
        return NULL;
    struct slice listed = buf_slice(&codes);
    struct error *e = error_new(a, ERR_TRANSACTION_CANCELED,
                                "Transaction cancelled, please refer cancellation reasons for "
                                "specific reasons [%.*s]",
                                SLICE_ARG(listed));
    e->details = reasons_details(a, reasons, count);
    return e;
}

struct error *transaction_check_bytes(struct arena *a, size_t bytes) {
    if (bytes <= LIMIT_TRANSACTION_BYTES)
        return NULL;
    return error_new(a, ERR_VALIDATION,
                     "Collection size of items exceeded, which can also be caused by the aggregate "
                     "size of the items in the transaction exceeding the 4MB limit");
}

struct error *transaction_repeats_item(struct arena *a) {
    return error_new(a, ERR_VALIDATION,
                     "Transaction request cannot include multiple operations on one item");
}

static bool key_value_is_empty(const struct item *item, const struct key_attribute *attribute) {
    const struct value *v = item_find(item, attribute->name);
    return v && v->type == attribute->type && v->type != VALUE_N && v->bytes.len == 0;
}

bool transaction_key_is_empty(const struct table_schema *t, const struct item *item) {
    return key_value_is_empty(item, &t->key.hash[0]) ||
           (t->key.range_count && key_value_is_empty(item, &t->key.range[0]));
}
