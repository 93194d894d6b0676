/*
 * Aims at key_bytes_read, key_bytes_add, key_bytes_add_prefix, key_bytes_after_prefix,
 * value_compare.
 *
 * The input is read as components, and its two halves are taken as values to compare.
 */
#include <stdlib.h>

#include "item/key_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool truth) {
    if (!truth)
        abort();
}

static void check_read(struct arena *a, struct slice bytes) {
    struct reader r = reader_of(bytes);
    struct buf again = buf_in(a, 1 << 20);
    struct value v;
    while (key_bytes_read(&r, a, &v))
        key_bytes_add(&again, &v);
    expect(slice_starts_with(bytes, buf_slice(&again)));
    expect(again.len == (size_t)(r.at - bytes.ptr));
}

static struct slice component(struct arena *a, const struct value *v) {
    struct buf b = buf_in(a, 1 << 20);
    key_bytes_add(&b, v);
    return buf_slice(&b);
}

static void check_order(struct arena *a, const struct value *x, const struct value *y) {
    struct slice bx = component(a, x), by = component(a, y);
    int got = slice_compare(bx, by), want = value_compare(x, y);
    expect((got < 0) == (want < 0) && (got > 0) == (want > 0));
    expect(want == 0 || !slice_starts_with(bx, by));
}

static void check_prefix(struct arena *a, const struct value *x, const struct value *start) {
    struct buf prefix = buf_in(a, 1 << 20);
    key_bytes_add_prefix(&prefix, start);
    struct slice from = buf_slice(&prefix), after = key_bytes_after_prefix(a, from);
    struct slice bytes = component(a, x);
    bool within = slice_compare(bytes, from) >= 0 && slice_compare(bytes, after) < 0;
    expect(within == slice_starts_with(x->bytes, start->bytes));
}

static void check_pair(struct arena *a, struct slice first, struct slice second) {
    struct value x = {.type = VALUE_S, .bytes = first}, y = {.type = VALUE_S, .bytes = second};
    check_order(a, &x, &y);
    check_prefix(a, &x, &y);
    check_prefix(a, &y, &x);
    struct value nx = {.type = VALUE_N}, ny = {.type = VALUE_N};
    if (!number_parse(a, first, &nx.number) && !number_parse(a, second, &ny.number))
        check_order(a, &nx, &ny);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena *a = arena_create();
    struct slice bytes = {(const char *)data, size};
    check_read(a, bytes);
    check_pair(a, (struct slice){bytes.ptr, size / 2},
               (struct slice){bytes.ptr + size / 2, size - size / 2});
    arena_destroy(a);
    return 0;
}
