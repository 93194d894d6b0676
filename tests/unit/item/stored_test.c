#include "item/stored.h"

#include "item/item_json.h"

#include "random_item.h"
#include "unit.h"

static struct arena *arena;
static struct names *names;

static int stored_setup(void **state) {
    (void)state;
    arena = arena_create();
    names = names_create();
    bool added;
    static const char *const known[] = {"PK", "n", "SK", "GSI1PK", "GSI1SK", "0a", "1b", "2c"};
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        names_add(names, slice_of(known[i]), &added);
    return 0;
}

static int stored_teardown(void **state) {
    (void)state;
    arena_destroy(arena);
    names_destroy(names);
    return 0;
}

static struct value text(const char *s) {
    return (struct value){.type = VALUE_S, .bytes = slice_of(s)};
}

static struct value integer(int64_t n) {
    return (struct value){.type = VALUE_N, .number = number_of_int(n)};
}

static struct slice encode(const struct item *item) {
    struct buf b = buf_in(arena, 1 << 20);
    stored_encode(&b, item, names);
    assert_true(buf_ok(&b));
    return buf_slice(&b);
}

static void assert_bytes(struct slice actual, struct slice want) {
    for (size_t i = 0; i < actual.len && i < want.len; i++) {
        if (actual.ptr[i] != want.ptr[i])
            fail_msg("byte %zu is %02x, not %02x", i, (uint8_t)actual.ptr[i], (uint8_t)want.ptr[i]);
    }
    assert_int_equal(actual.len, want.len);
}

/* On disk: a change here loses data. */
static void stored_golden(void **state) {
    (void)state;
    struct attribute a[] = {
        {SLICE("PK"), text("ab")}, {SLICE("n"), integer(7)}, {SLICE("x"), integer(150)}};
    assert_bytes(encode(&(struct item){a, 3}), SLICE("\x01\x0b\x03\x01\x02"
                                                     "ab\x02\x17\x00\x01x\x1f\xc2\x03\x64"));
    assert_bytes(encode(&(struct item){a, 0}), SLICE("\x01\x00\x00"));
}

static void stored_golden_of_every_type(void **state) {
    (void)state;
    struct value strings[] = {text(""), text("b")}, numbers[] = {integer(-1), integer(14)};
    struct value mixed[] = {integer(15), text("123456789012345")};
    struct attribute inner[] = {{SLICE("PK"), {.type = VALUE_NULL}}};
    struct attribute a[] = {
        {SLICE("b"), {.type = VALUE_B, .bytes = SLICE("\x00\xff")}},
        {SLICE("bs"), {.type = VALUE_BS, .list = {strings, 2}}},
        {SLICE("f"), {.type = VALUE_BOOL}},
        {SLICE("l"), {.type = VALUE_L, .list = {mixed, 2}}},
        {SLICE("m"), {.type = VALUE_M, .map = {inner, 1}}},
        {SLICE("ns"), {.type = VALUE_NS, .list = {numbers, 2}}},
        {SLICE("ss"), {.type = VALUE_SS, .list = {strings, 2}}},
        {SLICE("t"), {.type = VALUE_BOOL, .boolean = true}},
    };
    assert_bytes(encode(&(struct item){a, 8}), SLICE("\x01\x33\x08"
                                                     "\x00\x01"
                                                     "b\x22\x00\xff"
                                                     "\x00\x02"
                                                     "bs\x72\x00\x01"
                                                     "b"
                                                     "\x00\x01"
                                                     "f\x30"
                                                     "\x00\x01"
                                                     "l\x82\x1f\xc1\x1e\x0f\x00"
                                                     "123456789012345"
                                                     "\x00\x01"
                                                     "m\x91\x02PK\x40"
                                                     "\x00\x02"
                                                     "ns\x62\x3e\xfd\xc1\x1c"
                                                     "\x00\x02"
                                                     "ss\x52\x00\x01"
                                                     "b"
                                                     "\x00\x01"
                                                     "t\x31"));
}

/* The edge of a graph costs little more than its text. */
static void an_edge_is_small(void **state) {
    (void)state;
    struct attribute a[] = {{SLICE("GSI1PK"), text("TARGET#bob")},
                            {SLICE("GSI1SK"), text("ACTOR#alice")},
                            {SLICE("PK"), text("ACTOR#alice")},
                            {SLICE("SK"), text("TARGET#bob")}};
    assert_int_equal(encode(&(struct item){a, 4}).len, 42 + 3 + 4 * 2);
}

static void stored_decode_is_the_inverse(void **state) {
    (void)state;
    struct random_source r = {21};
    for (int i = 0; i < 300; i++) {
        struct item in = random_map(&r, arena, 2), out;
        struct slice bytes = encode(&in);
        size_t size;
        assert_true(stored_decode(arena, bytes, names, &out));
        assert_true(item_equal(&in, &out));
        assert_true(stored_size(bytes, &size));
        assert_int_equal(size, item_size(&in));
        assert_true(slice_equal(encode(&out), bytes));
        arena_reset(arena);
    }
}

/* A cut or changed byte is an answer or another item, never a crash. */
static void stored_decode_survives_damage(void **state) {
    (void)state;
    struct random_source r = {22};
    for (int i = 0; i < 2000; i++) {
        struct item in = random_map(&r, arena, 2), out;
        struct slice bytes = encode(&in);
        assert_false(stored_decode(arena, (struct slice){bytes.ptr, random_below(&r, bytes.len)},
                                   names, &out));
        char *damaged = arena_bytes(arena, bytes.len);
        memcpy(damaged, bytes.ptr, bytes.len);
        damaged[random_below(&r, bytes.len)] = (char)random_below(&r, 256);
        bytes.ptr = damaged;
        struct buf b = buf_in(arena, 1 << 20);
        struct json_writer w = json_writer_text(&b);
        if (stored_decode(arena, bytes, names, &out))
            assert_true(stored_to_json(arena, bytes, names, &w));
        else
            (void)!stored_to_json(arena, bytes, names, &w);
        arena_reset(arena);
    }
}

static void stored_decode_refuses(void **state) {
    (void)state;
    static const struct slice bad[] = {
        SLICE_INIT(""),
        SLICE_INIT("\x02\x00\x00"),                          /* version */
        SLICE_INIT("\x01\x00"),                              /* no count */
        SLICE_INIT("\x01\x00\x00\x00"),                      /* something follows */
        SLICE_INIT("\x01\x00\x01\x7f\x40"),                  /* no such name */
        SLICE_INIT("\x01\x00\x01\x01\xa0"),                  /* no such type */
        SLICE_INIT("\x01\x00\x01\x01\x32"),                  /* BOOL of 2 */
        SLICE_INIT("\x01\x00\x01\x01\x41"),                  /* NULL of 1 */
        SLICE_INIT("\x01\x00\x01\x01\x03xx"),                /* string cut */
        SLICE_INIT("\x01\x00\x01\x01\x0f\xff\xff\xff\x0fx"), /* long string cut */
        SLICE_INIT("\x01\x00\x01\x01\x8f\xff\xff\xff\x0f"),  /* list of 33 million */
        SLICE_INIT("\x01\x00\xff\xff\xff\xff\x0f\x01\x40"),  /* that many attributes */
        SLICE_INIT("\x01\x00\x01\x01\x1f\xc1\x02"),          /* 1 in the long form */
        SLICE_INIT("\x01\x00\x01\x01\x1f\xc1"),              /* number cut */
        SLICE_INIT("\x01\x00\x02\x02\x10\x01\x10"),          /* "n" before "PK" */
        SLICE_INIT("\x01\x00\x02\x01\x10\x01\x10"),          /* "PK" twice */
        SLICE_INIT("\x01\x00\x02\x01\x10\x00\x02PK\x10"),    /* the same, in full */
        SLICE_INIT("\x01\x00\x01\x01\x52\x01"
                   "b\x01"
                   "a"),                                    /* set out of order */
        SLICE_INIT("\x01\x00\x01\x01\x62\xc1\x02\xc1\x02"), /* set with a double */
        SLICE_INIT("\x01\x00\x01\x01\x92\x01"
                   "b\x40\x01"
                   "a\x40"), /* map out of order */
    };
    struct item out = {.count = 77};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_false(stored_decode(arena, bad[i], names, &out));
    assert_false(stored_decode(arena, SLICE("\x01\x00\x01\x01\x10"), NULL, &out));
    assert_int_equal(out.count, 77);
}

static void stored_size_refuses(void **state) {
    (void)state;
    size_t size = 77;
    assert_false(stored_size(SLICE(""), &size));
    assert_false(stored_size(SLICE("\x02\x05\x00"), &size));
    assert_false(stored_size(SLICE("\x01\x85"), &size));
    assert_int_equal(size, 77);
    assert_true(stored_size(SLICE("\x01\xc0\x84\x3d\x00"), &size));
    assert_int_equal(size, 1000000);
}

static struct item nested(size_t depth) {
    struct value v = text("x");
    for (size_t i = 0; i < depth; i++) {
        struct value *inner = arena_array(arena, 1, sizeof *inner);
        *inner = v;
        v = (struct value){.type = VALUE_L, .list = {inner, 1}};
    }
    struct attribute *a = arena_array(arena, 1, sizeof *a);
    *a = (struct attribute){SLICE("PK"), v};
    return (struct item){a, 1};
}

static void nesting_is_bounded(void **state) {
    (void)state;
    struct item deepest = nested(LIMIT_VALUE_DEPTH + 1), deeper = nested(LIMIT_VALUE_DEPTH + 2);
    struct item out;
    struct buf b = buf_in(arena, 1 << 20);
    struct json_writer w = json_writer_text(&b);
    assert_true(stored_decode(arena, encode(&deepest), names, &out));
    assert_true(item_equal(&deepest, &out));
    assert_true(stored_to_json(arena, encode(&deepest), names, &w));
    w = json_writer_text(&b);
    assert_false(stored_decode(arena, encode(&deeper), names, &out));
    assert_false(stored_to_json(arena, encode(&deeper), names, &w));
}

static struct slice to_json(const struct item *item) {
    struct buf b = buf_in(arena, 1 << 20);
    struct json_writer w = json_writer_text(&b);
    assert_true(stored_to_json(arena, encode(item), names, &w));
    assert_true(buf_ok(&b));
    return buf_slice(&b);
}

static void stored_to_json_writes_every_type(void **state) {
    (void)state;
    struct value strings[] = {text(""), text("b\"")}, numbers[] = {integer(-1), integer(1400)};
    struct value mixed[] = {integer(15), text("x")};
    struct attribute inner[] = {{SLICE("PK"), {.type = VALUE_NULL}}};
    struct value half = integer(5);
    half.number.exponent = 0;
    struct attribute a[] = {
        {SLICE("PK"), text("ab")},
        {SLICE("b"), {.type = VALUE_B, .bytes = SLICE("\x00\xff")}},
        {SLICE("bs"), {.type = VALUE_BS, .list = {strings, 1}}},
        {SLICE("f"), {.type = VALUE_BOOL}},
        {SLICE("h"), half},
        {SLICE("l"), {.type = VALUE_L, .list = {mixed, 2}}},
        {SLICE("m"), {.type = VALUE_M, .map = {inner, 1}}},
        {SLICE("n"), integer(14)},
        {SLICE("ns"), {.type = VALUE_NS, .list = {numbers, 2}}},
        {SLICE("ss"), {.type = VALUE_SS, .list = {strings, 2}}},
        {SLICE("t"), {.type = VALUE_BOOL, .boolean = true}},
    };
    assert_slice(to_json(&(struct item){a, ARRAY_LEN(a)}),
                 "{\"PK\":{\"S\":\"ab\"},\"b\":{\"B\":\"AP8=\"},\"bs\":{\"BS\":[\"\"]},"
                 "\"f\":{\"BOOL\":false},\"h\":{\"N\":\"0.5\"},"
                 "\"l\":{\"L\":[{\"N\":\"15\"},{\"S\":\"x\"}]},"
                 "\"m\":{\"M\":{\"PK\":{\"NULL\":true}}},\"n\":{\"N\":\"14\"},"
                 "\"ns\":{\"NS\":[\"-1\",\"1400\"]},\"ss\":{\"SS\":[\"\",\"b\\\"\"]},"
                 "\"t\":{\"BOOL\":true}}");
    assert_slice(to_json(&(struct item){a, 0}), "{}");
}

static void stored_to_json_agrees_with_item_to_json(void **state) {
    (void)state;
    struct random_source r = {23};
    for (int i = 0; i < 300; i++) {
        struct item item = random_map(&r, arena, 2);
        struct buf b = buf_in(arena, 1 << 20);
        struct json_writer w = json_writer_text(&b);
        item_to_json(&w, &item);
        assert_bytes(to_json(&item), buf_slice(&b));
        arena_reset(arena);
    }
}

static void stored_to_json_makes_the_same_tree(void **state) {
    (void)state;
    struct attribute a[] = {{SLICE("PK"), text("ab")}, {SLICE("n"), integer(150)}};
    struct item item = {a, 2};
    struct json_writer w = json_writer_tree(arena);
    const struct json *parsed;
    assert_true(stored_to_json(arena, encode(&item), names, &w));
    assert_ok(json_parse(arena, to_json(&item), &parsed));
    assert_true(json_equal(w.root, parsed));
}

#define STORED_TEST(name) cmocka_unit_test_setup_teardown(name, stored_setup, stored_teardown)

UNIT_TESTS(STORED_TEST(stored_golden), STORED_TEST(stored_golden_of_every_type),
           STORED_TEST(an_edge_is_small), STORED_TEST(stored_decode_is_the_inverse),
           STORED_TEST(stored_decode_survives_damage), STORED_TEST(stored_decode_refuses),
           STORED_TEST(stored_size_refuses), STORED_TEST(nesting_is_bounded),
           STORED_TEST(stored_to_json_writes_every_type),
           STORED_TEST(stored_to_json_agrees_with_item_to_json),
           STORED_TEST(stored_to_json_makes_the_same_tree))
