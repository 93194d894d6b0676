/*
 * Aims at stored_decode, stored_to_json, stored_size, stored_encode, item_size, item_equal.
 */
#include <stdlib.h>

#include "item/item_json.h"
#include "item/stored.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool truth) {
    if (!truth)
        abort();
}

static const struct names *fuzz_names(void) {
    static struct names *names;
    if (names)
        return names;
    bool added;
    names = names_create();
    names_add(names, SLICE("PK"), &added);
    names_add(names, SLICE("SK"), &added);
    names_add(names, SLICE("n"), &added);
    return names;
}

/* A name with a number may stand in full (the decoder does not look it up), and the size is taken
 * on trust; whatever else was read comes out as it went in. */
static void check_item(struct arena *a, struct slice bytes, const struct item *item) {
    struct item again;
    struct buf b = buf_in(a, 1 << 22);
    size_t size;
    stored_encode(&b, item, fuzz_names());
    expect(buf_ok(&b) && stored_size(buf_slice(&b), &size) && size == item_size(item));
    expect(stored_decode(a, buf_slice(&b), fuzz_names(), &again) && item_equal(item, &again));

    struct item plain;
    struct buf full = buf_in(a, 1 << 22);
    stored_encode(&full, item, NULL);
    expect(stored_decode(a, buf_slice(&full), NULL, &plain) && item_equal(item, &plain));
    if (stored_decode(a, bytes, NULL, &plain) && stored_size(bytes, &size) &&
        size == item_size(item))
        expect(slice_equal(buf_slice(&full), bytes));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena *a = arena_create();
    struct slice bytes = {(const char *)data, size};
    struct item item;
    struct buf text = buf_in(a, 1 << 22);
    struct json_writer w = json_writer_text(&text);
    bool printed = stored_to_json(a, bytes, fuzz_names(), &w);
    if (stored_decode(a, bytes, fuzz_names(), &item)) {
        struct buf by_values = buf_in(a, 1 << 22);
        w = json_writer_text(&by_values);
        item_to_json(&w, &item);
        expect(printed && slice_equal(buf_slice(&text), buf_slice(&by_values)));
        check_item(a, bytes, &item);
    }
    arena_destroy(a);
    return 0;
}
