/*
 * Any bytes as JSON, as base64 and as an item: what is taken is written and read again, and must
 * mean the same.
 */
#include <stdio.h>
#include <stdlib.h>

#include "item/item_json.h"
#include "json/base64.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fputs("not so: " #condition "\n", stderr);                                             \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static const struct json *parse(struct arena *a, struct slice text) {
    const struct json *json;
    struct error *e = json_parse(a, text, &json);
    return e ? NULL : json;
}

static struct slice print(struct arena *a, const struct json *json, unsigned indent) {
    struct buf out = buf_in(a, SIZE_MAX);
    json_print(&out, json, indent);
    return buf_slice(&out);
}

static void fuzz_json(struct arena *a, const struct json *json) {
    struct slice text = print(a, json, 0);
    const struct json *again = parse(a, text);
    MUST(again && json_equal(json, again));
    MUST(slice_equal(print(a, again, 0), text));
    const struct json *indented = parse(a, print(a, json, 2));
    MUST(indented && json_equal(json, indented));
    struct json_writer w = json_writer_tree(a);
    json_write_tree(&w, json);
    MUST(slice_equal(print(a, w.root, 0), text));
}

static bool read_item(struct arena *a, const struct json *json, struct item *out) {
    struct error *e = item_json_check(a, json);
    if (!e)
        e = item_from_json(a, json, out);
    MUST(!e || e->message.len > 0);
    return e == NULL;
}

static struct slice write_item(struct arena *a, const struct item *item) {
    struct buf out = buf_in(a, SIZE_MAX);
    struct json_writer w = json_writer_text(&out);
    item_to_json(&w, item);
    return buf_slice(&out);
}

static void fuzz_item(struct arena *a, const struct json *json) {
    struct item item, again;
    if (json->kind != JSON_OBJECT || !read_item(a, json, &item))
        return;
    struct slice text = write_item(a, &item);
    const struct json *written = parse(a, text);
    MUST(written && read_item(a, written, &again));
    MUST(item_equal(&item, &again));
    MUST(item_size(&item) == item_size(&again));
    MUST(slice_equal(write_item(a, &again), text));
    struct json_writer w = json_writer_tree(a);
    item_to_json(&w, &item);
    MUST(slice_equal(print(a, w.root, 0), text));
}

static void fuzz_base64(struct arena *a, struct slice text) {
    struct slice bytes;
    struct buf out = buf_in(a, SIZE_MAX);
    if (base64_decode(a, text, &bytes)) {
        base64_encode(&out, bytes);
        MUST(slice_equal(buf_slice(&out), text));
    }
    buf_clear(&out);
    base64_encode(&out, text);
    MUST(base64_decode(a, buf_slice(&out), &bytes) && slice_equal(bytes, text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena *a = arena_create();
    struct slice text = {(const char *)data, size};
    const struct json *json = parse(a, text);
    if (json) {
        fuzz_json(a, json);
        fuzz_item(a, json);
    }
    fuzz_base64(a, text);
    arena_destroy(a);
    return 0;
}
