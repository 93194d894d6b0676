/* The older parameters as trees: what each comparison and each action does, and their bounds. */
#include "unit.h"

#include "expr/legacy.h"
#include "item/item_json.h"

enum { MANY = 100000 };

static struct arena *arena;

static int setup(void **state) {
    (void)state;
    arena = arena_create();
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_destroy(arena);
    return 0;
}

static struct item parse_item(const char *text) {
    const struct json *json = NULL;
    struct item item = {0};
    assert_ok(json_parse(arena, slice_of(text), &json));
    assert_ok(item_from_json(arena, json, &item));
    return item;
}

/* The values of an item, in the order of their names. */
static const struct value *parse_values(const char *text, size_t *count) {
    struct item item = parse_item(text);
    struct value *values = arena_array(arena, item.count, sizeof *values);
    for (size_t i = 0; i < item.count; i++)
        values[i] = item.attributes[i].value;
    *count = item.count;
    return values;
}

static enum legacy_comparison comparison_of(const char *name) {
    for (unsigned i = 0; legacy_comparison_names[i]; i++)
        if (strcmp(legacy_comparison_names[i], name) == 0)
            return (enum legacy_comparison)(i + 1);
    fail_msg("no comparison %s", name);
    return LEGACY_EQ;
}

static struct legacy_condition condition_of(const char *attribute, const char *comparison,
                                            const char *values) {
    struct legacy_condition c = {.attribute = slice_of(attribute),
                                 .comparison = comparison_of(comparison)};
    c.values = parse_values(values, &c.count);
    return c;
}

static void comparisons_hold_as_they_should(void **state) {
    (void)state;
    struct item item =
        parse_item("{\"n\":{\"N\":\"5\"},\"s\":{\"S\":\"hello\"},\"ns\":{\"NS\":[\"1\",\"2\"]},"
                   "\"l\":{\"L\":[{\"N\":\"1\"},{\"S\":\"x\"}]},\"b\":{\"BOOL\":true}}");
    static const struct {
        const char *attribute, *comparison, *values;
        bool holds;
    } rows[] = {
        {"n", "EQ", "{\"0\":{\"N\":\"5.0\"}}", true},
        {"n", "EQ", "{\"0\":{\"S\":\"5\"}}", false},
        {"ns", "EQ", "{\"0\":{\"NS\":[\"2\",\"1\"]}}", true},
        {"b", "EQ", "{\"0\":{\"BOOL\":true}}", true},
        {"z", "EQ", "{\"0\":{\"N\":\"5\"}}", false},
        {"n", "NE", "{\"0\":{\"N\":\"5\"}}", false},
        {"n", "NE", "{\"0\":{\"S\":\"5\"}}", true},
        {"z", "NE", "{\"0\":{\"N\":\"5\"}}", true},
        {"n", "LT", "{\"0\":{\"N\":\"6\"}}", true},
        {"n", "LT", "{\"0\":{\"N\":\"5\"}}", false},
        {"n", "LE", "{\"0\":{\"N\":\"5\"}}", true},
        {"n", "GT", "{\"0\":{\"N\":\"4\"}}", true},
        {"n", "GT", "{\"0\":{\"S\":\"4\"}}", false},
        {"n", "GE", "{\"0\":{\"N\":\"5\"}}", true},
        {"n", "GE", "{\"0\":{\"N\":\"6\"}}", false},
        {"n", "BETWEEN", "{\"0\":{\"N\":\"4\"},\"1\":{\"N\":\"5\"}}", true},
        {"n", "BETWEEN", "{\"0\":{\"N\":\"6\"},\"1\":{\"N\":\"7\"}}", false},
        {"n", "IN", "{\"0\":{\"N\":\"4\"},\"1\":{\"N\":\"5\"},\"2\":{\"N\":\"6\"}}", true},
        {"ns", "IN", "{\"0\":{\"N\":\"1\"}}", false},
        {"n", "NOT_NULL", "{}", true},
        {"z", "NOT_NULL", "{}", false},
        {"n", "NULL", "{}", false},
        {"z", "NULL", "{}", true},
        {"s", "BEGINS_WITH", "{\"0\":{\"S\":\"he\"}}", true},
        {"s", "BEGINS_WITH", "{\"0\":{\"S\":\"lo\"}}", false},
        {"s", "CONTAINS", "{\"0\":{\"S\":\"ell\"}}", true},
        {"ns", "CONTAINS", "{\"0\":{\"N\":\"2\"}}", true},
        {"l", "CONTAINS", "{\"0\":{\"S\":\"x\"}}", true},
        {"n", "CONTAINS", "{\"0\":{\"N\":\"5\"}}", false},
        {"z", "CONTAINS", "{\"0\":{\"N\":\"5\"}}", false},
        {"s", "NOT_CONTAINS", "{\"0\":{\"S\":\"ell\"}}", false},
        {"s", "NOT_CONTAINS", "{\"0\":{\"N\":\"1\"}}", true},
        {"ns", "NOT_CONTAINS", "{\"0\":{\"N\":\"3\"}}", true},
        {"z", "NOT_CONTAINS", "{\"0\":{\"N\":\"3\"}}", false},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct legacy_condition c =
            condition_of(rows[i].attribute, rows[i].comparison, rows[i].values);
        assert_ok(legacy_condition_check(arena, &c));
        if (condition_matches(legacy_condition_join(arena, &c, 1, false), &item) != rows[i].holds)
            fail_msg("%s %s %s", rows[i].attribute, rows[i].comparison, rows[i].values);
    }
}

/* As many as a request may carry, in a tree that is not deep. */
static void many_conditions_are_joined(void **state) {
    (void)state;
    struct legacy_condition *all = arena_array(arena, MANY, sizeof *all);
    for (size_t i = 0; i < MANY; i++)
        all[i] = (struct legacy_condition){.attribute = arena_printf(arena, "a%zu", i),
                                           .comparison = LEGACY_NULL};
    struct item item = parse_item("{\"a77777\":{\"N\":\"5\"}}"), empty = {0};
    const struct condition *every = legacy_condition_join(arena, all, MANY, false);
    assert_true(condition_matches(every, &empty));
    assert_false(condition_matches(every, &item));
    all[0].comparison = LEGACY_NOT_NULL;
    for (size_t i = 1; i < MANY; i++)
        all[i].comparison = LEGACY_NOT_NULL;
    const struct condition *any = legacy_condition_join(arena, all, MANY, true);
    assert_false(condition_matches(any, &empty));
    assert_true(condition_matches(any, &item));
    assert_null(legacy_condition_join(arena, all, 0, true));
}

static void wrong_numbers_and_types_of_values(void **state) {
    (void)state;
    static const struct {
        const char *comparison, *values, *text;
    } rows[] = {
        {"EQ", "{}", "Invalid number of argument(s) for the EQ ComparisonOperator"},
        {"IN", "{}", "Invalid number of argument(s) for the IN ComparisonOperator"},
        {"NOT_NULL", "{\"0\":{\"N\":\"5\"}}",
         "Invalid number of argument(s) for the NOT_NULL ComparisonOperator"},
        {"BETWEEN", "{\"0\":{\"N\":\"5\"}}",
         "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
        {"IN", "{\"0\":{\"N\":\"5\"},\"1\":{\"S\":\"5\"}}",
         "AttributeValues inside AttributeValueList must be of same type"},
        {"LT", "{\"0\":{\"M\":{}}}",
         "ComparisonOperator LT is not valid for M AttributeValue type"},
        {"BEGINS_WITH", "{\"0\":{\"N\":\"1\"}}",
         "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"},
        {"NOT_CONTAINS", "{\"0\":{\"SS\":[\"1\"]}}",
         "ComparisonOperator NOT_CONTAINS is not valid for SS AttributeValue type"},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct legacy_condition c = condition_of("a", rows[i].comparison, rows[i].values);
        struct slice text =
            arena_printf(arena, "One or more parameter values were invalid: %s", rows[i].text);
        assert_error(legacy_condition_check(arena, &c), ERR_VALIDATION, text.ptr);
    }
    struct legacy_condition c =
        condition_of("a", "BETWEEN", "{\"0\":{\"S\":\"b\"},\"1\":{\"S\":\"a\"}}");
    assert_error(legacy_condition_check(arena, &c), ERR_VALIDATION,
                 "The BETWEEN condition was provided a range where the lower bound is greater than "
                 "the upper bound");
}

static void key_conditions_have_operators_of_their_own(void **state) {
    (void)state;
    struct legacy_condition all[] = {
        condition_of("p", "EQ", "{\"0\":{\"S\":\"a\"}}"),
        condition_of("s", "BETWEEN", "{\"0\":{\"N\":\"1\"},\"1\":{\"N\":\"2\"}}"),
    };
    struct key_condition key;
    assert_ok(legacy_key_condition(arena, all, 2, &key));
    assert_int_equal(key.count, 2);
    assert_slice(key.terms[0].attribute, "p");
    assert_int_equal(key.terms[0].op, KEY_EQ);
    assert_slice(key.terms[0].low.bytes, "a");
    assert_int_equal(key.terms[1].op, KEY_BETWEEN);
    assert_int_equal(key.terms[1].high.number.digits[0], 2);
    static const char *const others[] = {"NE",           "IN",   "CONTAINS",
                                         "NOT_CONTAINS", "NULL", "NOT_NULL"};
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        bool none = strstr(others[i], "NULL") != NULL;
        struct legacy_condition c =
            condition_of("p", others[i], none ? "{}" : "{\"0\":{\"S\":\"a\"}}");
        assert_error(legacy_key_condition(arena, &c, 1, &key), ERR_VALIDATION,
                     "Attempted conditional constraint is not an indexable operation");
    }
}

/* One action on the item; the item's text is `old`. */
static struct error *act(const char *old, enum legacy_action action, const char *value,
                         struct item *out) {
    struct item from = parse_item(old);
    struct legacy_update u = {.attribute = SLICE("a"), .action = action};
    size_t count;
    if (value)
        u.value = parse_values(value, &count);
    TRY(legacy_update_check(arena, &u));
    return update_apply(arena, legacy_update_join(arena, &u, 1), &from, out);
}

static void actions_change_an_attribute(void **state) {
    (void)state;
    static const struct {
        const char *old, *value, *after;
        enum legacy_action action;
    } rows[] = {
        {"{\"k\":{\"S\":\"k\"}}", "{\"0\":{\"M\":{}}}", "{\"k\":{\"S\":\"k\"},\"a\":{\"M\":{}}}",
         LEGACY_PUT},
        {"{\"a\":{\"N\":\"1\"}}", "{\"0\":{\"S\":\"x\"}}", "{\"a\":{\"S\":\"x\"}}", LEGACY_PUT},
        {"{\"a\":{\"N\":\"1\"}}", "{\"0\":{\"N\":\"-3\"}}", "{\"a\":{\"N\":\"-2\"}}", LEGACY_ADD},
        {"{}", "{\"0\":{\"N\":\"-3\"}}", "{\"a\":{\"N\":\"-3\"}}", LEGACY_ADD},
        {"{\"a\":{\"SS\":[\"x\"]}}", "{\"0\":{\"SS\":[\"y\",\"x\"]}}",
         "{\"a\":{\"SS\":[\"x\",\"y\"]}}", LEGACY_ADD},
        {"{\"a\":{\"L\":[{\"N\":\"1\"}]}}", "{\"0\":{\"L\":[{\"N\":\"1\"},{\"S\":\"x\"}]}}",
         "{\"a\":{\"L\":[{\"N\":\"1\"},{\"N\":\"1\"},{\"S\":\"x\"}]}}", LEGACY_ADD},
        {"{}", "{\"0\":{\"L\":[]}}", "{\"a\":{\"L\":[]}}", LEGACY_ADD},
        {"{\"a\":{\"N\":\"1\"}}", NULL, "{}", LEGACY_DELETE},
        {"{}", NULL, "{}", LEGACY_DELETE},
        {"{\"a\":{\"NS\":[\"1\",\"2\"]}}", "{\"0\":{\"NS\":[\"1\",\"3\"]}}",
         "{\"a\":{\"NS\":[\"2\"]}}", LEGACY_DELETE},
        {"{\"a\":{\"NS\":[\"1\"]}}", "{\"0\":{\"NS\":[\"1\"]}}", "{}", LEGACY_DELETE},
        {"{}", "{\"0\":{\"NS\":[\"1\"]}}", "{}", LEGACY_DELETE},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct item out, wanted = parse_item(rows[i].after);
        assert_ok(act(rows[i].old, rows[i].action, rows[i].value, &out));
        if (!item_equal(&out, &wanted))
            fail_msg("row %zu", i);
    }
}

static void actions_that_cannot_be(void **state) {
    (void)state;
    struct item out;
    assert_error(act("{\"a\":{\"S\":\"x\"}}", LEGACY_ADD, "{\"0\":{\"N\":\"1\"}}", &out),
                 ERR_VALIDATION, "Type mismatch for attribute to update");
    assert_error(act("{\"a\":{\"N\":\"1\"}}", LEGACY_ADD, "{\"0\":{\"L\":[]}}", &out),
                 ERR_VALIDATION, "Type mismatch for attribute to update");
    assert_error(act("{\"a\":{\"SS\":[\"1\"]}}", LEGACY_DELETE, "{\"0\":{\"NS\":[\"1\"]}}", &out),
                 ERR_VALIDATION, "Type mismatch for attribute to update");
    assert_error(act("{}", LEGACY_PUT, NULL, &out), ERR_VALIDATION,
                 "One or more parameter values were invalid: Only DELETE action is allowed when no "
                 "attribute value is specified");
    assert_error(act("{}", LEGACY_DELETE, "{\"0\":{\"L\":[]}}", &out), ERR_VALIDATION,
                 "One or more parameter values were invalid: DELETE action with value is not "
                 "supported for the type L");
    assert_error(act("{}", LEGACY_ADD, "{\"0\":{\"BOOL\":true}}", &out), ERR_VALIDATION,
                 "One or more parameter values were invalid: ADD action is not supported for the "
                 "type BOOL");
}

static void many_actions_are_one_update(void **state) {
    (void)state;
    struct legacy_update *all = arena_array(arena, MANY, sizeof *all);
    size_t count, set_and_add, remove_and_delete;
    const struct value *one = parse_values("{\"0\":{\"N\":\"1\"}}", &count);
    for (size_t i = 0; i < MANY; i++)
        all[i] = (struct legacy_update){arena_printf(arena, "a%zu", i),
                                        i % 2 ? LEGACY_ADD : LEGACY_DELETE, i % 2 ? one : NULL};
    const struct update *u = legacy_update_join(arena, all, MANY);
    struct item empty = {0}, out;
    assert_ok(update_apply(arena, u, &empty, &out));
    assert_int_equal(out.count, MANY / 2);
    update_count_actions(u, &set_and_add, &remove_and_delete);
    assert_int_equal(set_and_add, MANY / 2);
    assert_int_equal(remove_and_delete, MANY / 2);
    assert_null(legacy_update_join(arena, all, 0));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

UNIT_TESTS(TEST(comparisons_hold_as_they_should), TEST(many_conditions_are_joined),
           TEST(wrong_numbers_and_types_of_values),
           TEST(key_conditions_have_operators_of_their_own), TEST(actions_change_an_attribute),
           TEST(actions_that_cannot_be), TEST(many_actions_are_one_update))
