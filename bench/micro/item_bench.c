/*
 * Nanoseconds per call of what every request does with an item: read a number, make a key, write,
 * read and print the stored form.
 *
 *   ninja -C build bench/micro/item_bench && build/bench/micro/item_bench
 *
 * Each line is the best of several rounds: the machine's other work only adds.
 */
#include <stdio.h>

#include "base/clock.h"
#include "item/key_bytes.h"
#include "item/stored.h"

enum { ROUNDS = 9, CALLS = 20000 };

struct bench {
    struct arena *arena;
    struct names *names;
    struct item item;
    struct slice stored;
    struct buf out;
    size_t used; /* what the calls returned, so that they are not left out */
};

static struct value bench_text(const char *s) {
    return (struct value){.type = VALUE_S, .bytes = slice_of(s)};
}

static struct value bench_number(const char *s) {
    struct value v = {.type = VALUE_N};
    struct arena *a = arena_create();
    if (number_parse(a, slice_of(s), &v.number))
        fprintf(stderr, "%s is no number\n", s);
    arena_destroy(a);
    return v;
}

/* An order of about 250 bytes: strings, numbers, a map, a list. */
static struct item bench_item(struct arena *a) {
    struct value *tags = arena_array(a, 2, sizeof *tags);
    tags[0] = bench_text("books");
    tags[1] = bench_text("gift");
    struct attribute *address = arena_array(a, 2, sizeof *address);
    address[0] = (struct attribute){SLICE("city"), bench_text("Heidelberg")};
    address[1] = (struct attribute){SLICE("zip"), bench_text("69117")};
    const struct attribute all[] = {
        {SLICE("GSI1PK"), bench_text("STATUS#OPEN")},
        {SLICE("GSI1SK"), bench_text("2026-07-30T12:00:00Z#0000017")},
        {SLICE("PK"), bench_text("CUSTOMER#alice@example.com")},
        {SLICE("SK"), bench_text("ORDER#2026-07-30#0000017")},
        {SLICE("address"), {.type = VALUE_M, .map = {address, 2}}},
        {SLICE("lines"), bench_number("3")},
        {SLICE("note"), bench_text("Please ring twice; the bell of the second floor is broken.")},
        {SLICE("paid"), {.type = VALUE_BOOL, .boolean = true}},
        {SLICE("tags"), {.type = VALUE_L, .list = {tags, 2}}},
        {SLICE("total"), bench_number("129.95")},
        {SLICE("updated"), bench_number("1785412800123")},
    };
    struct attribute *attributes = arena_array(a, ARRAY_LEN(all), sizeof *attributes);
    memcpy(attributes, all, sizeof all);
    return (struct item){attributes, ARRAY_LEN(all)};
}

static void bench_parse(struct bench *b) {
    struct number n;
    b->used += number_parse(b->arena, SLICE("1785412800.123"), &n) == NULL;
}

static void bench_format(struct bench *b) {
    char text[NUMBER_TEXT_MAX];
    b->used += number_format(&item_find(&b->item, SLICE("total"))->number, text);
}

static void bench_key(struct bench *b) {
    buf_clear(&b->out);
    key_bytes_add(&b->out, &b->item.attributes[2].value);
    b->used += b->out.len;
}

static void bench_key_number(struct bench *b) {
    buf_clear(&b->out);
    key_bytes_add(&b->out, &b->item.attributes[10].value);
    b->used += b->out.len;
}

static void bench_encode(struct bench *b) {
    buf_clear(&b->out);
    stored_encode(&b->out, &b->item, b->names);
    b->used += b->out.len;
}

static void bench_decode(struct bench *b) {
    struct item item;
    struct arena *a = b->arena;
    b->used += stored_decode(a, b->stored, b->names, &item);
    arena_reset(a);
}

static void bench_json(struct bench *b) {
    buf_clear(&b->out);
    struct json_writer w = json_writer_text(&b->out);
    b->used += stored_to_json(b->arena, b->stored, b->names, &w);
}

static void bench_report(struct bench *b, const char *name, void (*call)(struct bench *)) {
    int64_t best = INT64_MAX;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t start = clock_monotonic_ns();
        for (int i = 0; i < CALLS; i++)
            call(b);
        int64_t spent = clock_monotonic_ns() - start;
        best = spent < best ? spent : best;
    }
    printf("%-24s %8.1f ns\n", name, (double)best / CALLS);
}

int main(void) {
    struct arena *kept = arena_create();
    struct bench b = {
        .arena = arena_create(), .names = names_create(), .out = buf_in(kept, 1 << 20)};
    bool added;
    b.item = bench_item(kept);
    for (size_t i = 0; i < b.item.count; i++)
        names_add(b.names, b.item.attributes[i].name, &added);
    bench_encode(&b);
    b.stored = arena_copy(kept, buf_slice(&b.out));
    bench_json(&b);
    printf("item %zu bytes, stored %zu, JSON %zu\n", item_size(&b.item), b.stored.len, b.out.len);

    bench_report(&b, "number_parse", bench_parse);
    bench_report(&b, "number_format", bench_format);
    bench_report(&b, "key_bytes_add, S", bench_key);
    bench_report(&b, "key_bytes_add, N", bench_key_number);
    bench_report(&b, "stored_encode", bench_encode);
    bench_report(&b, "stored_decode", bench_decode);
    bench_report(&b, "stored_to_json", bench_json);

    names_destroy(b.names);
    arena_destroy(b.arena);
    arena_destroy(kept);
    return b.used == 0;
}
