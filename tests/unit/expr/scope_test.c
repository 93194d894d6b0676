/* What the case files cannot say: names and values without an expression, long placeholders. */
#include "unit.h"

#include "expr/expr.h"

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

static const struct json *parse(struct slice text) {
    const struct json *json = NULL;
    assert_ok(json_parse(arena, text, &json));
    return json;
}

static void without_expressions_nothing_is_well(void **state) {
    (void)state;
    assert_ok(expr_scope_without_expressions(arena, NULL, NULL, "ConditionExpression"));
}

static void without_expressions_names_come_first(void **state) {
    (void)state;
    const struct json *any = parse(SLICE("{}"));
    assert_error(expr_scope_without_expressions(arena, any, any, "ConditionExpression"),
                 ERR_VALIDATION,
                 "ExpressionAttributeNames can only be specified when using expressions");
}

static void without_expressions_values_name_one(void **state) {
    (void)state;
    const struct json *any = parse(SLICE("{}"));
    assert_error(expr_scope_without_expressions(arena, NULL, any, "ConditionExpression"),
                 ERR_VALIDATION,
                 "ExpressionAttributeValues can only be specified when using expressions: "
                 "ConditionExpression is null");
}

static void without_expressions_values_name_two(void **state) {
    (void)state;
    const struct json *any = parse(SLICE("{}"));
    assert_error(expr_scope_without_expressions(arena, NULL, any,
                                                "UpdateExpression and ConditionExpression"),
                 ERR_VALIDATION,
                 "ExpressionAttributeValues can only be specified when using expressions: "
                 "UpdateExpression and ConditionExpression are null");
}

/* {"#xxx…": "a"} with a key of so many bytes. */
static struct error *scope_of_key_length(int length) {
    char key[512];
    struct expr_scope *scope;
    memset(key, 'x', sizeof key);
    key[0] = '#';
    struct slice text = arena_printf(arena, "{\"%.*s\": \"a\"}", length, key);
    return expr_scope_create(arena, parse(text), NULL, &scope);
}

static void placeholder_of_255_bytes_is_well(void **state) {
    (void)state;
    assert_ok(scope_of_key_length(255));
}

static void placeholder_of_256_bytes_is_too_long(void **state) {
    (void)state;
    assert_error(scope_of_key_length(256), ERR_VALIDATION,
                 "ExpressionAttributeNames contains invalid key: The expression attribute map "
                 "contains a key that is too long; size of key: 256");
}

static void values_of_another_json_type_are_serialization_errors(void **state) {
    (void)state;
    struct expr_scope *scope;
    struct error *e = expr_scope_create(arena, parse(SLICE("[]")), NULL, &scope);
    assert_non_null(e);
    assert_int_equal(e->kind, ERR_SERIALIZATION);
    e = expr_scope_create(arena, NULL, parse(SLICE("\"x\"")), &scope);
    assert_non_null(e);
    assert_int_equal(e->kind, ERR_SERIALIZATION);
    assert_non_null(expr_scope_create(arena, NULL, parse(SLICE("{\":a\": 1}")), &scope));
}

/* {":v": {"S": "xxx…"}}, so many bytes of placeholder and value. */
static struct error *scope_of_bytes(size_t bytes) {
    struct expr_scope *scope;
    struct buf text = buf_in(arena, 4 * 1024 * 1024);
    buf_add_text(&text, "{\":v\": {\"S\": \"");
    memset(buf_extend(&text, bytes - 2), 'x', bytes - 2);
    buf_add_text(&text, "\"}}");
    return expr_scope_create(arena, NULL, parse(buf_slice(&text)), &scope);
}

static void values_of_2_mb_are_well(void **state) {
    (void)state;
    assert_ok(scope_of_bytes(LIMIT_EXPRESSION_VALUES_BYTES));
}

static void values_past_2_mb_are_too_large(void **state) {
    (void)state;
    assert_error(scope_of_bytes(LIMIT_EXPRESSION_VALUES_BYTES + 1), ERR_VALIDATION,
                 "ExpressionAttributeValues exceeds max size");
}

#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

UNIT_TESTS(T(without_expressions_nothing_is_well), T(without_expressions_names_come_first),
           T(without_expressions_values_name_one), T(without_expressions_values_name_two),
           T(placeholder_of_255_bytes_is_well), T(placeholder_of_256_bytes_is_too_long),
           T(values_of_another_json_type_are_serialization_errors), T(values_of_2_mb_are_well),
           T(values_past_2_mb_are_too_large))
