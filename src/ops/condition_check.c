#include "ops/condition_check.h"

#include "item/item_json.h"

const char *const return_on_failure_choices[] = {"ALL_OLD", "NONE", NULL};

void condition_check_item(struct json_writer *w, const struct item_write *write,
                          const struct field_choice *asked) {
    if (asked->is != RETURN_ON_FAILURE_ALL_OLD || !write->existed)
        return;
    json_write_name(w, SLICE("Item"));
    item_to_json(w, &write->old_item);
}

struct slice error_details(const struct buf *members) {
    struct slice object = buf_slice(members);
    return (struct slice){object.ptr + 1, object.len - 2};
}

struct error *condition_check_error(struct arena *a, const struct item_write *write,
                                    const struct field_choice *asked) {
    struct error *e = error_new(a, ERR_CONDITIONAL_CHECK_FAILED, CONDITION_CHECK_FAILED);
    struct buf members = buf_in(a, LIMIT_REPLY_BYTES);
    struct json_writer w = json_writer_text(&members);
    json_write_object_begin(&w);
    condition_check_item(&w, write, asked);
    json_write_object_end(&w);
    if (buf_ok(&members))
        e->details = error_details(&members);
    return e;
}
