#include "unit.h"

#include "base/buf.h"
#include "ops/field.h"

enum { COLOUR_RED = 1, COLOUR_BLUE };
static const char *const colours[] = {"RED", "BLUE", NULL};

struct leaf {
    struct slice name;
    struct field_choice colour;
};

static const struct field leaf_fields[] = {
    {FIELD("Name", STRING, struct leaf, name), .required = true, .pattern = FIELD_PATTERN_NAME,
     .min = 3, .max = 5},
    {FIELD("Colour", CHOICE, struct leaf, colour), .choices = colours},
};

struct input {
    struct slice table;
    struct slice text;
    struct field_choice colour;
    struct field_bool yes;
    struct field_int number;
    struct field_int large;
    const struct json *item;
    const struct json *value;
    struct field_list values;
    const struct json *names;
    struct field_list strings;
    struct leaf *leaf;
    struct field_list leaves;
    struct field_map map;
    struct field_list items;
    struct field_map lists;
};

static const struct field input_fields[] = {
    {FIELD_TABLE_NAME(struct input, table), .alone = true},
    {FIELD("Text", STRING, struct input, text), .max = 4},
    {FIELD("Colour", CHOICE, struct input, colour), .choices = colours},
    {FIELD("Yes", BOOL, struct input, yes)},
    {FIELD("Limit", INT, struct input, number), .min = 1, .max = 100},
    {FIELD("Large", LONG, struct input, large), .min = 1, .valueless = true},
    {FIELD("Item", ITEM, struct input, item)},
    {FIELD("Value", VALUE, struct input, value)},
    {FIELD("Values", VALUES, struct input, values)},
    {FIELD("Names", NAMES, struct input, names)},
    {FIELD("Strings", STRINGS, struct input, strings), .min = 1, .max = 2, .element_min = 1,
     .element_max = 3},
    {FIELD("Leaf", STRUCT, struct input, leaf), .shape = "Leaf",
     FIELD_OF(leaf_fields, struct leaf)},
    {FIELD("Leaves", LIST, struct input, leaves), .max = 2, .shape = "Leaf",
     FIELD_OF(leaf_fields, struct leaf)},
    {FIELD("Map", MAP, struct input, map), .shape = "Leaf", FIELD_OF(leaf_fields, struct leaf)},
    {FIELD("Items", ITEMS, struct input, items), .min = 1, .max = 2, .valueless = true},
    {FIELD("Lists", LISTS, struct input, lists), .table_keys = true, .element_min = 1,
     .element_max = 2, .shape = "Leaf", FIELD_OF(leaf_fields, struct leaf)},
};

static struct arena *arena;

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

static struct error *read_body(const char *text, struct input *in) {
    const struct json *body;
    *in = (struct input){0};
    TRY(json_parse(arena, slice_of(text), &body));
    return field_read(arena, input_fields, ARRAY_LEN(input_fields), body, in);
}

/* The members in a request that is well otherwise. */
static struct error *read_members(const char *members, struct input *in) {
    return read_body(
        arena_printf(arena, "{\"TableName\":\"abc\"%s%s}", members[0] ? "," : "", members).ptr, in);
}

static void expect(const char *members, enum error_kind kind, const char *text) {
    struct input in;
    assert_error(read_members(members, &in), kind, text);
}

static void expect_type(const char *members, const char *text) {
    expect(members, ERR_SERIALIZATION, text);
}

static void expect_fault(const char *members, const char *text) {
    expect(members, ERR_VALIDATION, text);
}

static void every_type_is_filled(void **state) {
    (void)state;
    struct input in;
    assert_ok(
        read_members("\"Text\":\"\",\"Colour\":\"BLUE\",\"Yes\":true,\"Limit\":7.9,\"Large\":5,"
                     "\"Item\":{\"a\":{\"S\":\"x\"}},\"Value\":{\"N\":\"1\"},"
                     "\"Values\":[{\"S\":\"y\"}],\"Names\":{\"#a\":\"b\"},"
                     "\"Strings\":[\"p\",\"q\"],\"Leaf\":{\"Name\":\"abc\"},"
                     "\"Leaves\":[{\"Name\":\"abc\"},{\"Name\":\"def\"}],"
                     "\"Map\":{\"k\":{\"Name\":\"ghi\"}},\"Unknown\":[[]]",
                     &in));
    assert_slice(in.table, "abc");
    assert_non_null(in.text.ptr);
    assert_int_equal(in.colour.is, COLOUR_BLUE);
    assert_true(in.yes.given && in.yes.value);
    assert_int_equal(in.number.value, 7);
    assert_int_equal(in.large.value, 5);
    assert_int_equal(in.item->count, 1);
    assert_non_null(in.value);
    assert_int_equal(in.values.count, 1);
    assert_int_equal(in.names->count, 1);
    assert_slice(((struct slice *)in.strings.elements)[1], "q");
    assert_slice(in.leaf->name, "abc");
    assert_slice(((struct leaf *)in.leaves.elements)[1].name, "def");
    assert_slice(in.map.keys[0], "k");
    assert_slice(((struct leaf *)in.map.values)[0].name, "ghi");
}

static void absent_and_null_are_the_same(void **state) {
    (void)state;
    struct input in;
    assert_ok(
        read_members("\"Text\":null,\"Yes\":null,\"Limit\":null,\"Leaf\":null,\"Map\":null", &in));
    assert_null(in.text.ptr);
    assert_int_equal(in.colour.is, 0);
    assert_false(in.yes.given);
    assert_false(in.number.given);
    assert_null(in.leaf);
    assert_false(in.leaves.given);
    assert_false(in.map.given);
}

static void the_last_of_two_members_counts(void **state) {
    (void)state;
    struct input in;
    assert_ok(read_members("\"Limit\":1,\"Limit\":2", &in));
    assert_int_equal(in.number.value, 2);
}

static void the_last_of_two_keys_of_a_map_counts(void **state) {
    (void)state;
    struct input in;
    assert_ok(read_members("\"Map\":{\"b\":{\"Name\":\"one\"},\"a\":{\"Name\":\"two\"},"
                           "\"b\":{\"Name\":\"six\"}}",
                           &in));
    assert_int_equal(in.map.count, 2);
    assert_slice(in.map.keys[0], "a");
    assert_slice(in.map.keys[1], "b");
    assert_slice(((struct leaf *)in.map.values)[1].name, "six");
}

static void lists_of_items_and_maps_of_lists(void **state) {
    (void)state;
    struct input in;
    assert_ok(read_members("\"Items\":[{\"a\":{\"S\":\"x\"}},null],"
                           "\"Lists\":{\"abc\":[{\"Name\":\"one\"},{\"Name\":\"two\"}],"
                           "\"arn:aws:dynamodb:us-east-1:000000000000:table/def\":"
                           "[{\"Name\":\"six\"}]}",
                           &in));
    const struct json *const *items = in.items.elements;
    assert_int_equal(in.items.count, 2);
    assert_int_equal(items[0]->count, 1);
    assert_int_equal(items[1]->kind, JSON_OBJECT);
    assert_int_equal(in.lists.count, 2);
    const struct field_list *lists = in.lists.values;
    assert_int_equal(lists[0].count, 2);
    assert_slice(((struct leaf *)lists[0].elements)[1].name, "two");
    assert_slice(((struct leaf *)lists[1].elements)[0].name, "six");
}

#define INNER_COLLECTION                                                                           \
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class "  \
    "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "           \
    "java.lang.Class are in module java.base of loader 'bootstrap')"

static void inner_collections_of_the_wrong_type(void **state) {
    (void)state;
    expect_type("\"Items\":{}", "Start of structure or map found where not expected");
    expect_type("\"Items\":[1]", INNER_COLLECTION);
    expect_type("\"Items\":[[]]", "Unrecognized collection type java.util.Map<java.lang.String, "
                                  "com.amazonaws.dynamodb.v20120810.AttributeValue>");
    expect_type("\"Lists\":1", "Unexpected field type");
    expect_type("\"Lists\":[]", "Unrecognized collection type java.util.Map<java.lang.String, "
                                "java.util.List<com.amazonaws.dynamodb.v20120810.Leaf>>");
    expect_type("\"Lists\":{\"a\":true}", INNER_COLLECTION);
    expect_type("\"Lists\":{\"a\":{}}", "Start of structure or map found where not expected");
    expect_type("\"Lists\":{\"a\":[1]}", "Unexpected value type in payload");
}

static void inner_collections_out_of_bounds(void **state) {
    (void)state;
    expect_fault("\"Items\":[]", "1 validation error detected: Value at 'Items' failed to satisfy "
                                 "constraint: Member must have length greater than or equal to 1");
    expect_fault("\"Lists\":{\"abc\":[]}",
                 "1 validation error detected: Value '{abc=[]}' at 'lists' failed to satisfy "
                 "constraint: Map value must satisfy constraint: [Member must have length less "
                 "than or equal to 2, Member must have length greater than or equal to 1]");
    expect_fault("\"Lists\":{\"a;\":[{\"Name\":\"one\"}]}",
                 "1 validation error detected: Value '{a;=[Leaf(name=one, colour=null)]}' at "
                 "'lists' failed to satisfy constraint: Map keys must satisfy constraint: [Member "
                 "must have length less than or equal to 255, Member must have length greater than "
                 "or equal to 1, Member must satisfy regular expression pattern: "
                 "[a-zA-Z0-9_.-]+]");
    expect_fault("\"Lists\":{\"abc\":[{\"Name\":\"one\"},{}]}",
                 "1 validation error detected: Value null at 'lists.abc.member.2.member.name' "
                 "failed to satisfy constraint: Member must not be null");
}

static void a_body_is_an_object(void **state) {
    (void)state;
    struct input in;
    static const char *const bodies[] = {"[]", "1", "\"x\"", "null", "true"};
    for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
        struct error *e = read_body(bodies[i], &in);
        assert_non_null(e);
        assert_int_equal(e->kind, ERR_SERIALIZATION);
        assert_null(e->message.ptr);
    }
}

static void scalars_of_the_wrong_type(void **state) {
    (void)state;
    expect_type("\"Text\":true", "TRUE_VALUE cannot be converted to String");
    expect_type("\"Text\":false", "FALSE_VALUE cannot be converted to String");
    expect_type("\"Text\":23", "NUMBER_VALUE cannot be converted to String");
    expect_type("\"Text\":-2147483648", "NUMBER_VALUE cannot be converted to String");
    expect_type("\"Text\":34.56", "DECIMAL_VALUE cannot be converted to String");
    expect_type("\"Text\":[]", "Unrecognized collection type class java.lang.String");
    expect_type("\"Text\":{}", "Start of structure or map found where not expected");
    expect_type("\"Colour\":1", "NUMBER_VALUE cannot be converted to String");
    expect_type("\"Limit\":\"23\"", "STRING_VALUE cannot be converted to Integer");
    expect_type("\"Limit\":true", "TRUE_VALUE cannot be converted to Integer");
    expect_type("\"Limit\":[]", "Unrecognized collection type class java.lang.Integer");
    expect_type("\"Limit\":{}", "Start of structure or map found where not expected");
    expect_type("\"Large\":\"23\"", "STRING_VALUE cannot be converted to Long");
    expect_type("\"Large\":false", "FALSE_VALUE cannot be converted to Long");
    expect_type("\"Yes\":23", "NUMBER_VALUE cannot be converted to Boolean");
    expect_type("\"Yes\":34.56", "DECIMAL_VALUE cannot be converted to Boolean");
    expect_type("\"Yes\":\"23\"", "Unexpected token received from parser");
    expect_type("\"Yes\":[]", "Unrecognized collection type class java.lang.Boolean");
    expect_type("\"Yes\":{}", "Start of structure or map found where not expected");
}

static void strings_that_say_yes_or_no_are_booleans(void **state) {
    (void)state;
    struct input in;
    static const char *const yes[] = {"true", "TRUE", "1", "yes"};
    static const char *const no[] = {"false", "False", "0", "No"};
    for (size_t i = 0; i < ARRAY_LEN(yes); i++) {
        assert_ok(read_members(arena_printf(arena, "\"Yes\":\"%s\"", yes[i]).ptr, &in));
        assert_true(in.yes.value);
        assert_ok(read_members(arena_printf(arena, "\"Yes\":\"%s\"", no[i]).ptr, &in));
        assert_true(in.yes.given);
        assert_false(in.yes.value);
    }
}

static void integers_have_a_range(void **state) {
    (void)state;
    struct input in;
    static const char *const bad[] = {"\"Limit\":2147483648", "\"Limit\":-2147483649",
                                      "\"Limit\":1e99", "\"Large\":9223372036854775808",
                                      "\"Large\":1e400"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct error *e = read_members(bad[i], &in);
        assert_non_null(e);
        assert_int_equal(e->kind, ERR_SERIALIZATION);
    }
    assert_ok(read_members("\"Large\":9223372036854775807", &in));
    assert_true(in.large.value == INT64_MAX);
}

static void collections_of_the_wrong_type(void **state) {
    (void)state;
    expect_type("\"Strings\":1", "Unexpected field type");
    expect_type("\"Strings\":\"a\"", "Unexpected field type");
    expect_type("\"Strings\":{}", "Start of structure or map found where not expected");
    expect_type("\"Strings\":[1]", "NUMBER_VALUE cannot be converted to String");
    expect_type("\"Leaves\":true", "Unexpected field type");
    expect_type("\"Leaves\":{}", "Start of structure or map found where not expected");
    expect_type("\"Leaves\":[1]", "Unexpected value type in payload");
    expect_type("\"Leaves\":[[]]",
                "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Leaf");
    expect_type("\"Leaves\":[{\"Name\":1}]", "NUMBER_VALUE cannot be converted to String");
    expect_type("\"Leaf\":1", "Unexpected field type");
    expect_type("\"Leaf\":[]",
                "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Leaf");
    expect_type("\"Map\":1", "Unexpected field type");
    expect_type("\"Map\":[]", "Unrecognized collection type java.util.Map<java.lang.String, "
                              "com.amazonaws.dynamodb.v20120810.Leaf>");
    expect_type("\"Map\":{\"a\":1}", "Unexpected value type in payload");
    expect_type("\"Names\":1", "Unexpected field type");
    expect_type("\"Names\":[]", "Unrecognized collection type java.util.Map<java.lang.String, "
                                "java.lang.String>");
    expect_type("\"Names\":{\"#a\":1}", "NUMBER_VALUE cannot be converted to String");
}

static void attribute_values_of_the_wrong_type(void **state) {
    (void)state;
    expect_type("\"Item\":1", "Unexpected field type");
    expect_type("\"Item\":[]", "Unrecognized collection type java.util.Map<java.lang.String, "
                               "com.amazonaws.dynamodb.v20120810.AttributeValue>");
    expect_type("\"Item\":{\"a\":\"x\"}", "Unexpected value type in payload");
    expect_type("\"Item\":{\"a\":[]}", "Unrecognized collection type class "
                                       "com.amazonaws.dynamodb.v20120810.AttributeValue");
    expect_type("\"Item\":{\"a\":{\"S\":1}}", "NUMBER_VALUE cannot be converted to String");
    expect_type("\"Value\":1", "Unexpected field type");
    expect_type("\"Values\":[1]", "Unexpected value type in payload");
    expect_type("\"Values\":[{\"N\":1}]", "NUMBER_VALUE cannot be converted to String");
}

static void faults_are_gathered_in_the_order_of_the_rows(void **state) {
    (void)state;
    expect_fault("\"Limit\":0,\"Colour\":\"GREEN\"",
                 "2 validation errors detected: Value 'GREEN' at 'colour' failed to satisfy "
                 "constraint: Member must satisfy enum value set: [RED, BLUE]; Value '0' at "
                 "'limit' failed to satisfy constraint: Member must have value greater than or "
                 "equal to 1");
    expect_fault("\"Limit\":101", "1 validation error detected: Value '101' at 'limit' failed to "
                                  "satisfy constraint: Member must have value less than or equal "
                                  "to 100");
    expect_fault("\"Large\":0", "1 validation error detected: Value at 'Large' failed to satisfy "
                                "constraint: Member must have value greater than or equal to 1");
}

static void types_come_before_constraints(void **state) {
    (void)state;
    expect_type("\"Limit\":0,\"Map\":1", "Unexpected field type");
}

static void a_table_name_has_its_own_rules(void **state) {
    (void)state;
    struct input in;
    assert_error(read_body("{}", &in), ERR_VALIDATION,
                 "1 validation error detected: Value null at 'tableName' failed to satisfy "
                 "constraint: Member must not be null");
    /* Alone: the other fault is not told. */
    assert_error(read_body("{\"TableName\":\"\",\"Limit\":0}", &in), ERR_VALIDATION,
                 "1 validation error detected: Value '' at 'tableName' failed to satisfy "
                 "constraint: Member must have length greater than or equal to 1");
    assert_error(read_body("{\"TableName\":\"bad table!\"}", &in), ERR_VALIDATION,
                 "1 validation error detected: Value 'bad table!' at 'tableName' failed to satisfy "
                 "constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
    assert_ok(read_body("{\"TableName\":\"ab\"}", &in));
    assert_ok(
        read_body("{\"TableName\":\"arn:aws:dynamodb:us-east-1:000000000000:table/abc\"}", &in));
}

static void a_table_name_may_be_as_long_as_255(void **state) {
    (void)state;
    struct input in;
    char name[257] = {0};
    memset(name, 'a', 255);
    assert_ok(read_body(arena_printf(arena, "{\"TableName\":\"%s\"}", name).ptr, &in));
    name[255] = 'a';
    assert_error(read_body(arena_printf(arena, "{\"TableName\":\"%s\"}", name).ptr, &in),
                 ERR_VALIDATION,
                 arena_printf(arena,
                              "1 validation error detected: Value '%s' at 'tableName' failed to "
                              "satisfy constraint: Member must have length less than or equal to "
                              "255",
                              name)
                     .ptr);
}

static void nested_places_are_named(void **state) {
    (void)state;
    expect_fault("\"Leaf\":{}", "1 validation error detected: Value null at 'leaf.name' failed to "
                                "satisfy constraint: Member must not be null");
    expect_fault("\"Leaves\":[{\"Name\":\"abc\"},{\"Name\":\"a;\"}]",
                 "2 validation errors detected: Value 'a;' at 'leaves.2.member.name' failed to "
                 "satisfy constraint: Member must satisfy regular expression pattern: "
                 "[a-zA-Z0-9_.-]+; Value 'a;' at 'leaves.2.member.name' failed to satisfy "
                 "constraint: Member must have length greater than or equal to 3");
    expect_fault("\"Map\":{\"Key\":{\"Name\":\"abcdef\"}}",
                 "1 validation error detected: Value 'abcdef' at 'map.Key.member.name' failed to "
                 "satisfy constraint: Member must have length less than or equal to 5");
    expect_fault("\"Leaves\":[null]", "1 validation error detected: Value null at "
                                      "'leaves.1.member.name' failed to satisfy constraint: "
                                      "Member must not be null");
}

static void values_are_printed_as_java_does(void **state) {
    (void)state;
    expect_fault("\"Leaves\":[{\"Name\":\"abc\",\"Colour\":\"RED\"},{\"Name\":\"abd\"},"
                 "{\"Name\":\"abe\"}]",
                 "1 validation error detected: Value '[Leaf(name=abc, colour=RED), "
                 "Leaf(name=abd, colour=null), Leaf(name=abe, colour=null)]' at 'leaves' failed "
                 "to satisfy constraint: Member must have length less than or equal to 2");
    expect_fault("\"Strings\":[]", "1 validation error detected: Value '[]' at 'strings' failed to "
                                   "satisfy constraint: Member must have length greater than or "
                                   "equal to 1");
    expect_fault("\"Strings\":[\"a\",\"b\",\"c\"]",
                 "1 validation error detected: Value '[a, b, c]' at 'strings' failed to satisfy "
                 "constraint: Member must have length less than or equal to 2");
}

static void elements_of_a_list_of_strings(void **state) {
    (void)state;
    expect_fault("\"Strings\":[\"\",\"abcd\"]",
                 "2 validation errors detected: Value '' at 'strings.1.member' failed to satisfy "
                 "constraint: Member must have length greater than or equal to 1; Value 'abcd' at "
                 "'strings.2.member' failed to satisfy constraint: Member must have length less "
                 "than or equal to 3");
    expect_fault("\"Strings\":[null]", "1 validation error detected: Value null at "
                                       "'strings.1.member' failed to satisfy constraint: Member "
                                       "must not be null");
}

static void lengths_are_in_utf16(void **state) {
    (void)state;
    struct input in;
    assert_ok(read_members("\"Text\":\"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\"", &in));
    assert_ok(read_members("\"Text\":\"\xF0\x9F\x98\x80\xF0\x9F\x98\x80\"", &in));
    assert_non_null(read_members("\"Text\":\"a\xF0\x9F\x98\x80\xF0\x9F\x98\x80\"", &in));
}

static void at_most_ten_faults_are_told(void **state) {
    (void)state;
    struct input in;
    struct buf members = buf_in(arena, 64 * 1024);
    buf_add_text(&members, "\"Map\":{");
    for (int i = 0; i < 2000; i++)
        buf_printf(&members, "%s\"k%d\":{}", i ? "," : "", i);
    buf_add_text(&members, "}");
    struct error *e = read_members(arena_string(arena, buf_slice(&members)), &in);
    assert_non_null(e);
    assert_true(slice_starts_with(e->message, SLICE("10 validation errors detected: ")));
    assert_true(slice_contains(e->message, SLICE("'map.k9.member.name'")));
    assert_false(slice_contains(e->message, SLICE("'map.k10.member.name'")));
}

/* A list that is far too long is repeated only in part, and closed. */
static void a_message_has_an_end(void **state) {
    (void)state;
    struct input in;
    struct buf members = buf_in(arena, 4 * 1024 * 1024);
    buf_add_text(&members, "\"Strings\":[");
    for (int i = 0; i < 200000; i++)
        buf_printf(&members, "%s\"a\"", i ? "," : "");
    buf_add_text(&members, "]");
    struct error *e = read_members(arena_string(arena, buf_slice(&members)), &in);
    assert_non_null(e);
    assert_true(e->message.len < 64 * 1024);
    assert_true(slice_contains(e->message, SLICE("a]' at 'strings' failed")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

UNIT_TESTS(TEST(every_type_is_filled), TEST(absent_and_null_are_the_same),
           TEST(the_last_of_two_members_counts), TEST(a_body_is_an_object),
           TEST(scalars_of_the_wrong_type), TEST(strings_that_say_yes_or_no_are_booleans),
           TEST(integers_have_a_range), TEST(collections_of_the_wrong_type),
           TEST(attribute_values_of_the_wrong_type),
           TEST(faults_are_gathered_in_the_order_of_the_rows), TEST(types_come_before_constraints),
           TEST(a_table_name_has_its_own_rules), TEST(a_table_name_may_be_as_long_as_255),
           TEST(nested_places_are_named), TEST(values_are_printed_as_java_does),
           TEST(elements_of_a_list_of_strings), TEST(lengths_are_in_utf16),
           TEST(at_most_ten_faults_are_told), TEST(the_last_of_two_keys_of_a_map_counts),
           TEST(lists_of_items_and_maps_of_lists), TEST(inner_collections_of_the_wrong_type),
           TEST(inner_collections_out_of_bounds), TEST(a_message_has_an_end))
