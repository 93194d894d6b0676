#include "item/item_json.h"

#include "unit.h"

#define INVALID "One or more parameter values were invalid: "
#define STRUCTURE "Start of structure or map found where not expected"
#define ONE_OF "must contain exactly one of the supported datatypes"
#define CLASS_VALUE "com.amazonaws.dynamodb.v20120810.AttributeValue"

static struct arena *arena;

static const struct json *parsed(struct slice text) {
    const struct json *json = NULL;
    assert_ok(json_parse(arena, text, &json));
    return json;
}

static struct error *check_value(const char *text) {
    return value_json_check(arena, parsed(slice_of(text)));
}

/* Both passes, as an operation does. */
static struct error *read_value(struct slice text, struct value *out) {
    const struct json *json = parsed(text);
    TRY(value_json_check(arena, json));
    return value_from_json(arena, json, out);
}

static struct error *read_item(const char *text, struct item *out) {
    const struct json *json = parsed(slice_of(text));
    TRY(item_json_check(arena, json));
    return item_from_json(arena, json, out);
}

static struct slice written(const struct value *v) {
    struct buf out = buf_in(arena, 1 << 20);
    struct json_writer w = json_writer_text(&out);
    value_to_json(&w, v);
    return buf_slice(&out);
}

/* Reading */

static void each_type_is_read(void **state) {
    (void)state;
    struct value v;
    assert_ok(read_value(SLICE("{\"S\":\"a\"}"), &v));
    assert_int_equal(v.type, VALUE_S);
    assert_slice(v.bytes, "a");
    assert_ok(read_value(SLICE("{\"N\":\"-1.50\"}"), &v));
    assert_int_equal(v.type, VALUE_N);
    assert_true(v.number.negative);
    assert_int_equal(v.number.count, 2);
    assert_ok(read_value(SLICE("{\"B\":\"AP8=\"}"), &v));
    assert_int_equal(v.type, VALUE_B);
    assert_int_equal(v.bytes.len, 2);
    assert_memory_equal(v.bytes.ptr, "\x00\xff", 2);
    assert_ok(read_value(SLICE("{\"BOOL\":true}"), &v));
    assert_int_equal(v.type, VALUE_BOOL);
    assert_true(v.boolean);
    assert_ok(read_value(SLICE("{\"BOOL\":false}"), &v));
    assert_false(v.boolean);
    assert_ok(read_value(SLICE("{\"NULL\":true}"), &v));
    assert_int_equal(v.type, VALUE_NULL);
    assert_ok(read_value(SLICE("{\"L\":[{\"S\":\"b\"},{\"L\":[]},{\"S\":\"a\"}]}"), &v));
    assert_int_equal(v.type, VALUE_L);
    assert_int_equal(v.list.count, 3);
    assert_slice(v.list.members[2].bytes, "a");
    assert_ok(read_value(SLICE("{\"M\":{\"b\":{\"S\":\"1\"},\"a\":{\"M\":{}}}}"), &v));
    assert_int_equal(v.type, VALUE_M);
    assert_int_equal(v.map.count, 2);
    assert_slice(v.map.attributes[0].name, "a");
    assert_int_equal(v.map.attributes[0].value.map.count, 0);
}

static void sets_come_out_sorted(void **state) {
    (void)state;
    struct value v;
    assert_ok(read_value(SLICE("{\"SS\":[\"b\",\"\",\"ab\",\"a\"]}"), &v));
    assert_int_equal(v.type, VALUE_SS);
    assert_slice(written(&v), "{\"SS\":[\"\",\"a\",\"ab\",\"b\"]}");
    assert_ok(read_value(SLICE("{\"NS\":[\"10\",\"9\",\"-1\",\"0.5\"]}"), &v));
    assert_slice(written(&v), "{\"NS\":[\"-1\",\"0.5\",\"9\",\"10\"]}");
    assert_ok(read_value(SLICE("{\"BS\":[\"/w==\",\"AA==\",\"\"]}"), &v));
    assert_slice(written(&v), "{\"BS\":[\"\",\"AA==\",\"/w==\"]}");
}

static void empty_strings_and_bytes_are_values(void **state) {
    (void)state;
    static const char *const texts[] = {"{\"S\":\"\"}",    "{\"B\":\"\"}", "{\"SS\":[\"\"]}",
                                        "{\"BS\":[\"\"]}", "{\"L\":[]}",   "{\"M\":{}}"};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct value v;
        assert_ok(read_value(slice_of(texts[i]), &v));
        assert_slice(written(&v), texts[i]);
    }
}

static void texts_can_be_booleans(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool value;
    } cases[] = {
        {"{\"BOOL\":\"true\"}", true},   {"{\"BOOL\":\"TRUE\"}", true}, {"{\"BOOL\":\"1\"}", true},
        {"{\"BOOL\":\"Yes\"}", true},    {"{\"BOOL\":\"no\"}", false},  {"{\"BOOL\":\"0\"}", false},
        {"{\"BOOL\":\"False\"}", false},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct value v;
        assert_ok(read_value(slice_of(cases[i].text), &v));
        assert_int_equal(v.boolean, cases[i].value);
    }
    struct value v;
    assert_ok(read_value(SLICE("{\"NULL\":\"yes\"}"), &v));
    assert_int_equal(v.type, VALUE_NULL);
}

static void unknown_and_null_members_do_not_count(void **state) {
    (void)state;
    struct value v;
    assert_ok(read_value(SLICE("{\"X\":5,\"S\":\"a\",\"s\":{},\"SSS\":[1],\"N\":null}"), &v));
    assert_slice(written(&v), "{\"S\":\"a\"}");
    assert_ok(read_value(SLICE("{\"S\":\"a\",\"S\":\"b\"}"), &v));
    assert_slice(v.bytes, "b");
    assert_ok(read_value(SLICE("{\"N\":\"x\",\"S\":\"b\",\"N\":null}"), &v));
    assert_slice(v.bytes, "b");
}

/* Faults of the JSON types; texts from dynalite's suite, which runs on AWS. */
static void wrong_json_types_are_serialization_errors(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"\"23\"", "Unexpected value type in payload"},
        {"true", "Unexpected value type in payload"},
        {"34.56", "Unexpected value type in payload"},
        {"[]", "Unrecognized collection type class " CLASS_VALUE},
        {"{\"S\":true}", "TRUE_VALUE cannot be converted to String"},
        {"{\"S\":false}", "FALSE_VALUE cannot be converted to String"},
        {"{\"S\":23}", "NUMBER_VALUE cannot be converted to String"},
        {"{\"N\":-2147483648}", "NUMBER_VALUE cannot be converted to String"},
        {"{\"N\":34.56}", "DECIMAL_VALUE cannot be converted to String"},
        {"{\"N\":1e5}", "DECIMAL_VALUE cannot be converted to String"},
        {"{\"S\":[]}", "Unrecognized collection type class java.lang.String"},
        {"{\"N\":{}}", STRUCTURE},
        {"{\"BOOL\":\"23\"}", "Unexpected token received from parser"},
        {"{\"BOOL\":\"\"}", "Unexpected token received from parser"},
        {"{\"BOOL\":23}", "NUMBER_VALUE cannot be converted to Boolean"},
        {"{\"NULL\":34.56}", "DECIMAL_VALUE cannot be converted to Boolean"},
        {"{\"NULL\":[]}", "Unrecognized collection type class java.lang.Boolean"},
        {"{\"BOOL\":{}}", STRUCTURE},
        {"{\"B\":true}", "only base-64-encoded strings are convertible to bytes"},
        {"{\"B\":34.56}", "only base-64-encoded strings are convertible to bytes"},
        {"{\"B\":[]}", "Unrecognized collection type class java.nio.ByteBuffer"},
        {"{\"B\":{}}", STRUCTURE},
        {"{\"B\":\"23456\"}",
         "Base64 encoded length is expected a multiple of 4 bytes but found: 5"},
        {"{\"B\":\"=+/=\"}", "Invalid last non-pad Base64 character dectected"},
        {"{\"B\":\"+/+=\"}", "Invalid last non-pad Base64 character dectected"},
        {"{\"SS\":\"23\"}", "Unexpected field type"},
        {"{\"NS\":true}", "Unexpected field type"},
        {"{\"BS\":23}", "Unexpected field type"},
        {"{\"L\":34.56}", "Unexpected field type"},
        {"{\"SS\":{}}", STRUCTURE},
        {"{\"L\":{}}", STRUCTURE},
        {"{\"SS\":[1]}", "NUMBER_VALUE cannot be converted to String"},
        {"{\"NS\":[\"1\",1]}", "NUMBER_VALUE cannot be converted to String"},
        {"{\"NS\":[[]]}", "Unrecognized collection type class java.lang.String"},
        {"{\"BS\":[false]}", "only base-64-encoded strings are convertible to bytes"},
        {"{\"L\":[\"23\"]}", "Unexpected value type in payload"},
        {"{\"L\":[[]]}", "Unrecognized collection type class " CLASS_VALUE},
        {"{\"L\":[{\"BS\":[{}]}]}", STRUCTURE},
        {"{\"M\":\"23\"}", "Unexpected field type"},
        {"{\"M\":[]}",
         "Unrecognized collection type java.util.Map<java.lang.String, " CLASS_VALUE ">"},
        {"{\"M\":{\"a\":23}}", "Unexpected value type in payload"},
        {"{\"M\":{\"a\":[]}}", "Unrecognized collection type class " CLASS_VALUE},
        {"{\"M\":{\"a\":{\"BS\":\"x\"}}}", "Unexpected field type"},
        {"{\"S\":\"a\",\"M\":{\"a\":{\"L\":[{\"S\":1}]}}}",
         "NUMBER_VALUE cannot be converted to String"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_error(check_value(cases[i][0]), ERR_SERIALIZATION, cases[i][1]);
}

static void an_item_is_an_object_of_values(void **state) {
    (void)state;
    struct item item;
    assert_error(read_item("\"23\"", &item), ERR_SERIALIZATION, "Unexpected field type");
    assert_error(read_item("[]", &item), ERR_SERIALIZATION,
                 "Unrecognized collection type java.util.Map<java.lang.String, " CLASS_VALUE ">");
    assert_error(read_item("{\"a\":1}", &item), ERR_SERIALIZATION,
                 "Unexpected value type in payload");
}

static void the_first_pass_looks_at_types_only(void **state) {
    (void)state;
    static const char *const well[] = {
        "null",
        "{}",
        "{\"S\":null,\"L\":[null],\"M\":{\"a\":null}}",
        "{\"SS\":[]}",
        "{\"N\":\"x\"}",
        "{\"NULL\":false}",
        "{\"S\":\"a\",\"N\":\"1\"}",
        "{\"SS\":[null,null]}",
        "{\"X\":[]}",
    };
    for (size_t i = 0; i < ARRAY_LEN(well); i++)
        assert_ok(check_value(well[i]));
}

static void bad_values_are_validation_errors(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"{}", "Supplied AttributeValue is empty, " ONE_OF},
        {"{\"a\":\"\"}", "Supplied AttributeValue is empty, " ONE_OF},
        {"{\"S\":null}", "Supplied AttributeValue is empty, " ONE_OF},
        {"{\"M\":{\"a\":{}}}", "Supplied AttributeValue is empty, " ONE_OF},
        {"{\"L\":[{}]}", "Supplied AttributeValue is empty, " ONE_OF},
        {"{\"L\":[{\"a\":{}}]}", "Supplied AttributeValue is empty, " ONE_OF},
        {"{\"S\":\"a\",\"N\":\"1\"}",
         "Supplied AttributeValue has more than one datatypes set, " ONE_OF},
        {"{\"NULL\":\"no\"}", INVALID "Null attribute value types must have the value of true"},
        {"{\"NULL\":false}", INVALID "Null attribute value types must have the value of true"},
        {"{\"SS\":[]}", INVALID "An string set  may not be empty"},
        {"{\"NS\":[]}", INVALID "An number set  may not be empty"},
        {"{\"BS\":[]}", INVALID "Binary sets should not be empty"},
        {"{\"SS\":[\"a\",\"a\"]}", INVALID "Input collection [a, a] contains duplicates."},
        {"{\"SS\":[\"b\",\"a\",\"\",\"b\"]}",
         INVALID "Input collection [b, a, , b] contains duplicates."},
        {"{\"BS\":[\"Yg==\",\"Yg==\"]}",
         INVALID "Input collection [Yg==, Yg==]of type BS contains duplicates."},
        {"{\"NS\":[\"1\",\"1\"]}", "Input collection contains duplicates"},
        {"{\"NS\":[\"3\",\"1\",\"1.0\"]}", "Input collection contains duplicates"},
        {"{\"SS\":[\"a\",null]}", INVALID "An string set may not have a null string as a member"},
        {"{\"NS\":[\"1\",null]}", "The parameter cannot be converted to a numeric value"},
        {"{\"BS\":[null]}", INVALID "Binary sets may not contain null or empty values"},
        {"{\"L\":[null]}", "The supplied Item contains a null AttributeValue"},
        {"{\"M\":{\"a\":null}}", "The supplied Item contains a null AttributeValue: a is null"},
        {"{\"M\":{\"\":{\"S\":\"a\"}}}", "Empty attribute name"},
        {"{\"N\":\"\"}", "The parameter cannot be converted to a numeric value"},
        {"{\"N\":\"b\"}", "The parameter cannot be converted to a numeric value: b"},
        {"{\"N\":\" 5\"}", "The parameter cannot be converted to a numeric value:  5"},
        {"{\"NS\":[\"1\",\"b\"]}", "The parameter cannot be converted to a numeric value: b"},
        {"{\"N\":\"123456789012345678901234567890123456789\"}",
         "Attempting to store more than 38 significant digits in a Number"},
        {"{\"N\":\"1e126\"}", "Number overflow. Attempting to store a number with magnitude larger "
                              "than supported range"},
        {"{\"N\":\"-1e-131\"}", "Number underflow. Attempting to store a number with magnitude "
                                "smaller than supported range"},
        /* the value's own fault comes before the second type */
        {"{\"S\":\"\",\"N\":\"\"}", "The parameter cannot be converted to a numeric value"},
        {"{\"S\":\"a\",\"SS\":[]}", INVALID "An string set  may not be empty"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct value v;
        assert_error(read_value(slice_of(cases[i][0]), &v), ERR_VALIDATION, cases[i][1]);
    }
}

static void a_set_with_nul_bytes_is_told_whole(void **state) {
    (void)state;
    struct value v;
    struct error *e = read_value(SLICE("{\"SS\":[\"a\\u0000b\",\"a\\u0000b\"]}"), &v);
    assert_non_null(e);
    struct slice want = SLICE(INVALID "Input collection [a\0b, a\0b] contains duplicates.");
    assert_true(slice_equal(e->message, want));
}

/* A leaf below `depth` containers. */
static struct slice nested(unsigned depth, bool maps, const char *leaf) {
    struct buf out = buf_in(arena, 1 << 20);
    for (unsigned i = 0; i < depth; i++)
        buf_add_text(&out, maps ? "{\"M\":{\"n\":" : "{\"L\":[");
    buf_add_text(&out, leaf);
    for (unsigned i = 0; i < depth; i++)
        buf_add_text(&out, maps ? "}}" : "]}");
    return buf_slice(&out);
}

static void nesting_ends_at_32_levels(void **state) {
    (void)state;
    static const char text[] = "Nesting Levels have exceeded supported limits: Attributes in the "
                               "item have nested levels beyond supported limit";
    for (int maps = 0; maps < 2; maps++) {
        struct value v;
        assert_ok(read_value(nested(31, maps, "{\"S\":\"leaf\"}"), &v));
        assert_slice(written(&v), arena_string(arena, nested(31, maps, "{\"S\":\"leaf\"}")));
        assert_error(read_value(nested(32, maps, "{\"S\":\"leaf\"}"), &v), ERR_VALIDATION, text);
        assert_error(read_value(nested(31, maps, "{\"L\":[]}"), &v), ERR_VALIDATION, text);
        assert_ok(read_value(nested(30, maps, "{\"L\":[]}"), &v));
        assert_error(read_value(nested(190, maps, "{\"S\":\"leaf\"}"), &v), ERR_VALIDATION, text);
    }
}

static void items_come_out_sorted_and_the_last_of_a_name_counts(void **state) {
    (void)state;
    struct item item;
    assert_ok(read_item("{\"b\":{\"S\":\"1\"},\"a\":{\"S\":\"2\"},\"ab\":{\"S\":\"3\"},"
                        "\"b\":{\"S\":\"4\"},\"a\":{\"S\":\"5\"}}",
                        &item));
    assert_int_equal(item.count, 3);
    assert_slice(item.attributes[0].name, "a");
    assert_slice(item.attributes[0].value.bytes, "5");
    assert_slice(item.attributes[1].name, "ab");
    assert_slice(item.attributes[2].value.bytes, "4");
    assert_slice(item_find(&item, SLICE("b"))->bytes, "4");
    /* One that does not count is not looked at. */
    assert_ok(read_item("{\"b\":{\"S\":\"1\",\"N\":\"x\"},\"b\":{\"S\":\"4\"}}", &item));
    assert_ok(read_item("{}", &item));
    assert_int_equal(item.count, 0);
}

static void large_items_come_out_sorted(void **state) {
    (void)state;
    struct buf text = buf_in(arena, 1 << 20);
    enum { COUNT = 500 };
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < COUNT; i++)
            buf_printf(&text, "%s\"%03d\":{\"N\":\"%d\"}", text.len ? "," : "{", i * 77 % COUNT,
                       round * COUNT + i * 77 % COUNT);
    buf_add_char(&text, '}');
    struct item item;
    assert_ok(item_from_json(arena, parsed(buf_slice(&text)), &item));
    assert_int_equal(item.count, COUNT);
    for (int i = 0; i < COUNT; i++) {
        int64_t n;
        assert_true(number_to_int(&item.attributes[i].value.number, &n));
        assert_int_equal(n, COUNT + i);
    }
}

static void names_are_bounded(void **state) {
    (void)state;
    for (size_t len = LIMIT_ATTRIBUTE_NAME_BYTES; len <= LIMIT_ATTRIBUTE_NAME_BYTES + 1; len++) {
        struct buf text = buf_in(arena, 1 << 20);
        buf_add_text(&text, "{\"");
        memset(buf_extend(&text, len), 'n', len);
        buf_add_text(&text, "\":{\"S\":\"\"}}");
        buf_add_char(&text, '\0');
        struct item item;
        struct error *e = read_item(text.ptr, &item);
        if (len == LIMIT_ATTRIBUTE_NAME_BYTES)
            assert_null(e);
        else
            assert_error(e, ERR_VALIDATION,
                         "Attribute name is too large, must be less than 65536 bytes");
    }
}

static void an_item_goes_both_ways(void **state) {
    (void)state;
    static const char text[] =
        "{\"B\":{\"B\":\"AP8=\"},\"L\":{\"L\":[{\"N\":\"1\"},{\"NULL\":true}]},"
        "\"M\":{\"M\":{\"BOOL\":{\"BOOL\":false},\"a\\\"\":{\"S\":\"\\n\xc3\xa9\"}}},"
        "\"N\":{\"N\":\"-0.001\"},\"SS\":{\"SS\":[\"x\",\"y\"]}}";
    struct item item;
    assert_ok(read_item(text, &item));
    struct buf out = buf_in(arena, 1 << 20);
    struct json_writer w = json_writer_text(&out);
    item_to_json(&w, &item);
    assert_slice(buf_slice(&out), text);
    struct json_writer tree = json_writer_tree(arena);
    item_to_json(&tree, &item);
    assert_true(json_equal(tree.root, parsed(slice_of(text))));
}

static void a_failure_leaves_the_output(void **state) {
    (void)state;
    struct value v = {.type = VALUE_BOOL, .boolean = true};
    assert_non_null(read_value(SLICE("{\"S\":\"a\",\"N\":\"1\"}"), &v));
    assert_int_equal(v.type, VALUE_BOOL);
    struct item item = {NULL, 77};
    assert_non_null(read_item("{\"a\":{\"S\":\"a\"},\"b\":{}}", &item));
    assert_int_equal(item.count, 77);
}

/* The second pass on what the first would have refused: some answer, never a crash. */
static void an_unchecked_tree_does_no_harm(void **state) {
    (void)state;
    static const char *const texts[] = {
        "5",
        "[]",
        "[5]",
        "{\"S\":[]}",
        "{\"S\":5}",
        "{\"N\":{}}",
        "{\"B\":5}",
        "{\"B\":{}}",
        "{\"SS\":{}}",
        "{\"SS\":5}",
        "{\"NS\":[5]}",
        "{\"BS\":[[]]}",
        "{\"L\":5}",
        "{\"L\":[5]}",
        "{\"M\":[]}",
        "{\"M\":[5]}",
        "{\"M\":{\"a\":5}}",
        "{\"BOOL\":5}",
        "{\"NULL\":[]}",
    };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct value v;
        struct item item;
        const struct json *json = parsed(slice_of(texts[i]));
        (void)!value_from_json(arena, json, &v);
        (void)!item_from_json(arena, json, &item);
    }
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

UNIT_TESTS(TEST(each_type_is_read), TEST(sets_come_out_sorted),
           TEST(empty_strings_and_bytes_are_values), TEST(texts_can_be_booleans),
           TEST(unknown_and_null_members_do_not_count),
           TEST(wrong_json_types_are_serialization_errors), TEST(an_item_is_an_object_of_values),
           TEST(the_first_pass_looks_at_types_only), TEST(bad_values_are_validation_errors),
           TEST(a_set_with_nul_bytes_is_told_whole), TEST(nesting_ends_at_32_levels),
           TEST(items_come_out_sorted_and_the_last_of_a_name_counts),
           TEST(large_items_come_out_sorted), TEST(names_are_bounded), TEST(an_item_goes_both_ways),
           TEST(a_failure_leaves_the_output), TEST(an_unchecked_tree_does_no_harm))
