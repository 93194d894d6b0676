#include "json/json_int.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "unit.h"
#include "json/json_writer.h"

static struct arena *arena;

static void doubles_are_short_and_have_a_fraction(void **state) {
    (void)state;
    static const struct {
        double d;
        const char *text;
    } cases[] = {
        {0, "0.0"},
        {0.5, "0.5"},
        {1, "1.0"},
        {2, "2.0"},
        {-0.5, "-0.5"},
        {-3, "-3.0"},
        {1.5, "1.5"},
        {0.1, "0.1"},
        {0.3, "0.3"},
        {1. / 3, "0.3333333333333333"},
        {1767225600.123, "1767225600.123"},
        {499999999999999, "499999999999999.0"},
        {1e15, "1.0e+15"},
        {1e21, "1.0e+21"},
        {1.25e-7, "1.25e-07"},
        {1e-7, "1.0e-07"},
        {NAN, "null"},
        {INFINITY, "null"},
        {-INFINITY, "null"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[JSON_DOUBLE_TEXT_MAX];
        assert_slice(json_double_text(text, cases[i].d), cases[i].text);
    }
}

static void doubles_come_back(void **state) {
    (void)state;
    static const double cases[] = {
        DBL_MAX, -DBL_MAX, DBL_MIN,       DBL_TRUE_MIN, DBL_EPSILON,        1 + 1e-15,
        M_PI,    1e100,    123456789.125, 5e14 + 0.5,   9007199254740993.0, 0.1 + 0.2};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[JSON_DOUBLE_TEXT_MAX];
        struct slice s = json_double_text(text, cases[i]);
        assert_true(strtod(arena_string(arena, s), NULL) == cases[i]);
        const struct json *out;
        assert_ok(json_parse(arena, s, &out));
        assert_non_null(memchr(s.ptr, '.', s.len));
    }
}

static void integers_are_whole(void **state) {
    (void)state;
    char text[JSON_INT_TEXT_MAX];
    assert_slice(json_int_text(text, 0), "0");
    assert_slice(json_int_text(text, -7), "-7");
    assert_slice(json_int_text(text, INT64_MAX), "9223372036854775807");
    assert_slice(json_int_text(text, INT64_MIN), "-9223372036854775808");
}

static struct slice quoted(struct slice s) {
    struct buf out = buf_in(arena, 1 << 20);
    json_text_string(&out, false, s, false);
    return buf_slice(&out);
}

static void strings_are_escaped_only_where_they_must(void **state) {
    (void)state;
    assert_slice(quoted(SLICE("")), "\"\"");
    assert_slice(quoted((struct slice){0}), "\"\"");
    assert_slice(quoted(SLICE("a/b \xc3\xa9 \x7f")), "\"a/b \xc3\xa9 \x7f\"");
    assert_slice(quoted(SLICE("\"\\\b\f\n\r\t")), "\"\\\"\\\\\\b\\f\\n\\r\\t\"");
    assert_slice(quoted((struct slice){"\0\x1f", 2}), "\"\\u0000\\u001F\"");
}

static void every_byte_at_every_place_is_read_back(void **state) {
    (void)state;
    for (int c = 0; c < 128; c++) {
        for (size_t at = 0; at < 18; at++) {
            char bytes[18];
            memset(bytes, 'x', sizeof bytes);
            bytes[at] = (char)c;
            struct slice s = {bytes, sizeof bytes};
            const struct json *out;
            assert_ok(json_parse(arena, quoted(s), &out));
            assert_true(slice_equal(out->text, s));
        }
    }
}

static void commas_and_colons_stand_where_asked(void **state) {
    (void)state;
    struct buf out = buf_in(arena, 1 << 20);
    json_text_string(&out, true, SLICE("a"), true);
    json_text_string(&out, true, SLICE("\n"), true);
    json_text_string(&out, true, SLICE(""), false);
    assert_slice(buf_slice(&out), ",\"a\":,\"\\n\":,\"\"");
}

static struct slice printed(const char *text, unsigned indent) {
    const struct json *tree;
    assert_ok(json_parse(arena, slice_of(text), &tree));
    struct buf out = buf_in(arena, 1 << 20);
    json_print(&out, tree, indent);
    return buf_slice(&out);
}

static void print_is_compact_or_indented(void **state) {
    (void)state;
    const char *text = "{\"a\":[1,true,null,false,\"x\\n\",[],{}],\"b\":{\"c\":1.50}}";
    assert_slice(printed(text, 0), text);
    assert_slice(printed(text, 2), "{\n  \"a\": [\n    1,\n    true,\n    null,\n    false,\n"
                                   "    \"x\\n\",\n    [],\n    {}\n  ],\n  \"b\": {\n"
                                   "    \"c\": 1.50\n  }\n}");
}

static int set_up(void **state) {
    (void)state;
    arena = arena_create();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    arena_destroy(arena);
    return 0;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

UNIT_TESTS(TEST(doubles_are_short_and_have_a_fraction), TEST(doubles_come_back),
           TEST(integers_are_whole), TEST(strings_are_escaped_only_where_they_must),
           TEST(every_byte_at_every_place_is_read_back), TEST(commas_and_colons_stand_where_asked),
           TEST(print_is_compact_or_indented))
