#include "json/json.h"

#include "base/limits.h"
#include "unit.h"

static struct arena *arena;

static const struct json *parsed(const char *text) {
    const struct json *out = NULL;
    struct error *e = json_parse(arena, slice_of(text), &out);
    if (e)
        fail_msg("refused: %s", text);
    return out;
}

static bool refused(struct slice text) {
    const struct json *out;
    struct error *e = json_parse(arena, text, &out);
    if (!e)
        return false;
    assert_int_equal(e->kind, ERR_SERIALIZATION);
    assert_null(e->message.ptr);
    return true;
}

static void scalars_have_their_kind_and_text(void **state) {
    (void)state;
    assert_int_equal(parsed("null")->kind, JSON_NULL);
    assert_int_equal(parsed("true")->kind, JSON_TRUE);
    assert_int_equal(parsed(" \t\r\nfalse \n")->kind, JSON_FALSE);
    assert_int_equal(parsed("\"\"")->kind, JSON_STRING);
    const struct json *n = parsed("-0.50E+10");
    assert_int_equal(n->kind, JSON_NUMBER);
    assert_slice(n->text, "-0.50E+10");
}

static void members_keep_names_order_and_count(void **state) {
    (void)state;
    const struct json *o = parsed("{ \"a\" : [1,\"x\",{}] , \"b\":{\"c\":null}, \"\":[] }");
    assert_int_equal(o->kind, JSON_OBJECT);
    assert_int_equal(o->count, 3);
    const struct json *a = o->first;
    assert_slice(a->name, "a");
    assert_int_equal(a->count, 3);
    assert_slice(a->first->text, "1");
    assert_slice(a->first->next->text, "x");
    assert_int_equal(a->first->next->next->kind, JSON_OBJECT);
    assert_null(a->first->next->next->next);
    assert_int_equal(a->first->name.len, 0);
    assert_slice(a->next->name, "b");
    assert_slice(a->next->first->name, "c");
    assert_int_equal(a->next->next->name.len, 0);
    assert_int_equal(a->next->next->count, 0);
    assert_null(a->next->next->first);
    assert_null(a->next->next->next);
    assert_int_equal(parsed("[{\"a\":1},2]")->first->next->name.len, 0);
}

static void strings_without_escapes_borrow(void **state) {
    (void)state;
    const char *text = "[\"plain \xc3\xa9\",\"with \\n\"]";
    const struct json *array = parsed(text);
    assert_ptr_equal(array->first->text.ptr, text + 2);
    assert_slice(array->first->next->text, "with \n");
}

static void escapes_are_decoded(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac"},
        {"\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80"},
        {"\"\\uD800\\uDC00-\\udbff\\udfff\"", "\xf0\x90\x80\x80-\xf4\x8f\xbf\xbf"},
        {"\"a\\\\\"", "a\\"},
        {"\"0123456789\\\"0123456789\"", "0123456789\"0123456789"},
        {"\"\\u007f\\u0080\\u07ff\\u0800\\uffff\"", "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_slice(parsed(cases[i][0])->text, cases[i][1]);
    struct slice nul = parsed("\"a\\u0000b\"")->text;
    assert_int_equal(nul.len, 3);
    assert_memory_equal(nul.ptr, "a\0b", 3);
    assert_slice(parsed("{\"\\u0061\":1}")->first->name, "a");
}

static void a_quote_is_found_at_every_place(void **state) {
    (void)state;
    for (size_t len = 0; len < 40; len++) {
        char text[64];
        text[0] = '"';
        memset(text + 1, 'x', len);
        text[len + 1] = '"';
        text[len + 2] = '\0';
        assert_int_equal(parsed(text)->text.len, len);
        for (size_t at = 0; at < len; at++) {
            text[at + 1] = 0x1f;
            assert_true(refused(slice_of(text)));
            text[at + 1] = 0x7f;
            assert_int_equal(parsed(text)->text.len, len);
            text[at + 1] = (char)0xff;
            assert_true(refused(slice_of(text)));
            text[at + 1] = (char)0x80;
            assert_true(refused(slice_of(text)));
            text[at + 1] = 'x';
        }
    }
}

static void utf8_is_taken(void **state) {
    (void)state;
    static const char *const good[] = {
        "\"\xc2\x80\"",     "\"\xdf\xbf\"",          "\"\xe0\xa0\x80\"",     "\"\xed\x9f\xbf\"",
        "\"\xee\x80\x80\"", "\"\xef\xbf\xbf\"",      "\"\xf0\x90\x80\x80\"", "\"\xf4\x8f\xbf\xbf\"",
        "{\"\xc3\xa9\":1}", "\"\xe2\x82\xac 1234\"",
    };
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        assert_non_null(parsed(good[i]));
}

static void bad_text_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        /* structure */
        "",
        " ",
        "hi",
        "{",
        "[",
        "}",
        "]",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{\"a\":1 \"b\":2}",
        "{a:1}",
        "{1:1}",
        "{\"a\" 1}",
        "[1}",
        "{\"a\":1]",
        "1 2",
        "{}{}",
        "[]x",
        "nul",
        "nulll",
        "truefalse",
        "True",
        "[:]",
        "[\"a\":1]",
        "{\"a\",1}",
        "{\"a\":1:2}",
        "//x\n1",
        "/**/1",
        "'a'",
        "\f1",
        "\v1",
        "\xef\xbb\xbf{}",
        "{null:1}",
        "[][]",
        /* numbers */
        "01",
        "-",
        "-01",
        "+1",
        ".5",
        "1.",
        "1.e5",
        "1e",
        "1e+",
        "1E-",
        "0x10",
        "1_0",
        "NaN",
        "Infinity",
        "-Infinity",
        "--1",
        "1.5.5",
        "1e5.5",
        "00",
        "-a",
        "1a",
        /* strings */
        "\"",
        "\"a",
        "\"\\\"",
        "\"\\",
        "\"\\x41\"",
        "\"\\u12\"",
        "\"\\u123g\"",
        "\"\\u\"",
        "\"\\'\"",
        "\"\t\"",
        "\"\n\"",
        "\"\x01\"",
        "\"\\\n\"",
        "\"\\\x80\"",
        "{\"\\u00\":1}",
        /* surrogates alone */
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\u0041\"",
        "\"\\ud800\\ud800\"",
        "\"\\udc00\\ud800\"",
        "\"\\ud800x\"",
        "\"\\ud83d\\\"",
        /* UTF-8 */
        "\"\x80\"",
        "\"\xc0\x80\"",
        "\"\xc1\xbf\"",
        "\"\xc3\"",
        "\"\xc3x\"",
        "\"\xe0\x9f\xbf\"",
        "\"\xed\xa0\x80\"",
        "\"\xe2\x82\"",
        "\"\xf0\x8f\xbf\xbf\"",
        "\"\xf4\x90\x80\x80\"",
        "\"\xf5\x80\x80\x80\"",
        "\"\xf0\x9f\x98\"",
        "\"\xff\"",
        "\"\xe2\x82",
        "\"\xf0\x9f\x98",
        "\"\xe2",
        "{\"\xc3\":1}",
        "\xc3\xa9",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        /* A copy of exactly this size, so that a read past it is seen by the sanitizer. */
        struct slice exact = arena_copy(arena, slice_of(bad[i]));
        if (!refused(exact))
            fail_msg("taken: %s", bad[i]);
    }
    assert_true(refused((struct slice){0}));
    assert_true(refused((struct slice){"\"a\0b\"", 5}));
    assert_true(refused((struct slice){"1\0", 2}));
}

static void every_prefix_of_a_text_is_refused(void **state) {
    (void)state;
    struct slice whole =
        SLICE("{\"a\":[1.5e+3,\"\\ud83d\\ude00\xe2\x82\xac\",true,null],\"b\":{\"c\":{}}}");
    for (size_t len = 0; len < whole.len; len++)
        assert_true(refused(arena_copy(arena, (struct slice){whole.ptr, len})));
    assert_false(refused(whole));
}

static void a_fault_has_its_offset(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t at;
    } cases[] = {
        {"{\"a\":x}", 5},    {"[1,2", 4},       {"{} x", 3},
        {"[\"abc\\q\"]", 5}, {"\"ab\xff\"", 3}, {"[1 2]", 3},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct json *out;
        size_t at = 999;
        assert_non_null(json_parse_at(arena, slice_of(cases[i].text), &out, &at));
        assert_int_equal(at, cases[i].at);
    }
}

static struct slice nested(size_t depth, char open, char close) {
    char *text = arena_bytes(arena, 2 * depth);
    memset(text, open, depth);
    memset(text + depth, close, depth);
    return (struct slice){text, 2 * depth};
}

static void depth_is_bounded(void **state) {
    (void)state;
    const struct json *out;
    assert_ok(json_parse(arena, nested(LIMIT_JSON_DEPTH, '[', ']'), &out));
    assert_true(refused(nested(LIMIT_JSON_DEPTH + 1, '[', ']')));
    assert_true(refused(nested(1000 * 1000, '[', ']')));
}

static struct slice array_of_zeros(size_t count) {
    char *text = arena_bytes(arena, 2 * count + 1);
    for (size_t i = 0; i < count; i++)
        memcpy(text + 2 * i, i ? ",0" : "[0", 2);
    text[2 * count] = ']';
    return (struct slice){text, 2 * count + 1};
}

static void nodes_are_bounded(void **state) {
    (void)state;
    const struct json *out;
    assert_ok(json_parse(arena, array_of_zeros(LIMIT_JSON_NODES - 1), &out));
    assert_int_equal(out->count, LIMIT_JSON_NODES - 1);
    assert_true(refused(array_of_zeros(LIMIT_JSON_NODES)));
}

static void small_texts_take_little_memory(void **state) {
    (void)state;
    size_t before = arena_held(arena);
    for (int i = 0; i < 20; i++)
        parsed("{\"TableName\":\"t\",\"Key\":{\"pk\":{\"S\":\"a\"}}}");
    assert_int_equal(arena_held(arena), before);
}

static void member_is_the_last_of_its_name(void **state) {
    (void)state;
    const struct json *o = parsed("{\"a\":1,\"b\":2,\"a\":3}");
    assert_slice(json_member(o, SLICE("a"))->text, "3");
    assert_slice(json_member(o, SLICE("b"))->text, "2");
    assert_null(json_member(o, SLICE("c")));
    assert_null(json_member(o, SLICE("")));
    assert_null(json_member(NULL, SLICE("a")));
    assert_null(json_member(parsed("[1]"), SLICE("")));
    assert_null(json_member(parsed("\"a\""), SLICE("a")));
}

static void equal_means_the_same(void **state) {
    (void)state;
    static const char *const same[][2] = {
        {"{\"a\":1,\"b\":[2,{}]}", "{ \"b\":[2,{}],\"a\":1 }"},
        {"{\"a\":1,\"a\":2}", "{\"a\":2}"},
        {"{\"a\":2}", "{\"a\":1,\"a\":2}"},
        {"\"\\u0041\"", "\"A\""},
        {"[]", "[ ]"},
        {"null", "null"},
    };
    static const char *const different[][2] = {
        {"1", "1.0"},
        {"1", "\"1\""},
        {"true", "false"},
        {"[1,2]", "[2,1]"},
        {"[1]", "[1,2]"},
        {"[1,2]", "[1]"},
        {"{\"a\":1}", "{\"a\":2}"},
        {"{\"a\":1}", "{\"a\":1,\"b\":1}"},
        {"{\"a\":1,\"b\":1}", "{\"a\":1}"},
        {"{\"a\":1,\"a\":2}", "{\"a\":1}"},
        {"[]", "{}"},
    };
    for (size_t i = 0; i < ARRAY_LEN(same); i++)
        assert_true(json_equal(parsed(same[i][0]), parsed(same[i][1])));
    for (size_t i = 0; i < ARRAY_LEN(different); i++)
        assert_false(json_equal(parsed(different[i][0]), parsed(different[i][1])));
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

UNIT_TESTS(TEST(scalars_have_their_kind_and_text), TEST(members_keep_names_order_and_count),
           TEST(strings_without_escapes_borrow), TEST(escapes_are_decoded),
           TEST(a_quote_is_found_at_every_place), TEST(utf8_is_taken), TEST(bad_text_is_refused),
           TEST(every_prefix_of_a_text_is_refused), TEST(a_fault_has_its_offset),
           TEST(depth_is_bounded), TEST(nodes_are_bounded), TEST(small_texts_take_little_memory),
           TEST(member_is_the_last_of_its_name), TEST(equal_means_the_same))
