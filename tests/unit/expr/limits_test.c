/* The limits of an expression, at and one past each; and that no depth of nesting is a fault. */
#include "unit.h"

#include "expr/expr.h"
#include "item/item_json.h"

static struct arena *arena;
static struct expr_scope *scope;

static int setup(void **state) {
    (void)state;
    const struct json *values;
    arena = arena_create();
    assert_ok(json_parse(arena, SLICE("{\":v\": {\"N\": \"1\"}, \":l\": {\"L\": []}}"), &values));
    assert_ok(expr_scope_create(arena, NULL, values, &scope));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_destroy(arena);
    return 0;
}

static void repeat(struct buf *out, const char *text, int times) {
    for (int i = 0; i < times; i++)
        buf_add_text(out, text);
}

/* before × n · middle · after × n */
static struct slice nested(const char *before, int times, const char *middle, const char *after) {
    struct buf out = buf_in(arena, 1024 * 1024);
    repeat(&out, before, times);
    buf_add_text(&out, middle);
    repeat(&out, after, times);
    return buf_slice(&out);
}

static struct error *condition_of(struct slice text) {
    const struct condition *c;
    return condition_parse(arena, scope, text, "ConditionExpression", &c);
}

static struct error *update_of(struct slice text) {
    const struct update *u;
    return update_parse(arena, scope, text, &u);
}

static void expression_of_4096_bytes_is_well(void **state) {
    (void)state;
    struct slice text = nested(" ", 4090, "a = :v", "");
    assert_int_equal(text.len, 4096);
    assert_ok(condition_of(text));
}

static void expression_of_4097_bytes_is_too_long(void **state) {
    (void)state;
    assert_error(condition_of(nested(" ", 4091, "a = :v", "")), ERR_VALIDATION,
                 "Invalid ConditionExpression: Expression size has exceeded the maximum allowed "
                 "size; expression size: 4097");
}

static void size_comes_before_syntax(void **state) {
    (void)state;
    assert_error(condition_of(nested("(", 15000, "", "")), ERR_VALIDATION,
                 "Invalid ConditionExpression: Expression size has exceeded the maximum allowed "
                 "size; expression size: 15000");
}

static void operators_up_to_300_are_well(void **state) {
    (void)state;
    assert_ok(condition_of(nested("a<b or (", 149, "a<b", ")")));
    assert_ok(condition_of(nested("NOT ", 299, "a<b", "")));
}

static void operators_past_300_are_too_many(void **state) {
    (void)state;
    const char *text = "Invalid ConditionExpression: The expression contains too many operators; "
                       "operator count: 301";
    assert_error(condition_of(nested("NOT ", 300, "a<b", "")), ERR_VALIDATION, text);
    assert_error(condition_of(nested("a<b or ", 150, "a<b", "")), ERR_VALIDATION, text);
    assert_error(condition_of(nested("a<b or ", 500, "a<b", "")), ERR_VALIDATION, text);
    assert_error(condition_of(nested("not ", 1000, "a<b", "")), ERR_VALIDATION, text);
}

static void functions_are_not_counted_as_operators(void **state) {
    (void)state;
    /* 151 functions and 150 OR */
    assert_ok(condition_of(nested("attribute_exists(a) or ", 150, "attribute_exists(a)", "")));
}

/* `a IN (:v, :v, …)` */
static struct error *condition_in(int operands) {
    struct buf out = buf_in(arena, 8192);
    buf_add_text(&out, "a IN (:v");
    repeat(&out, ",:v", operands - 1);
    buf_add_text(&out, ")");
    return condition_of(buf_slice(&out));
}

static void in_takes_100_operands(void **state) {
    (void)state;
    assert_ok(condition_in(100));
}

static void in_refuses_101_operands(void **state) {
    (void)state;
    assert_error(condition_in(101), ERR_VALIDATION,
                 "Invalid ConditionExpression: The IN operator is provided with too many operands; "
                 "number of operands: 101");
}

static void deep_nesting_is_an_error_not_a_fault(void **state) {
    (void)state;
    assert_non_null(condition_of(nested("(", 4096, "", "")));
    assert_non_null(condition_of(nested("(", 2046, "a<b", ")")));
    assert_non_null(condition_of(nested("f(", 1355, "b", ")")));
    assert_non_null(condition_of(nested("size(", 680, "b", ")")));
    assert_non_null(condition_of(nested("a<b or (", 454, "a<b", ")")));
    assert_non_null(update_of(nested("(", 4096, "", "")));
    assert_error(condition_of(nested("(", 2046, "a<b", ")")), ERR_VALIDATION,
                 "Invalid ConditionExpression: The expression has redundant parentheses;");
    struct slice sum = nested("(", 2000, ":v", ")");
    assert_error(update_of(arena_printf(arena, "SET a = %.*s", SLICE_ARG(sum))), ERR_VALIDATION,
                 "Invalid UpdateExpression: The expression has redundant parentheses;");
}

static void a_long_chain_of_paths_is_well(void **state) {
    (void)state;
    struct buf out = buf_in(arena, 8192);
    buf_add_text(&out, "REMOVE a0");
    for (int i = 1; i < 500; i++)
        buf_printf(&out, ",a%d", i);
    assert_ok(update_of(buf_slice(&out)));
}

#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

UNIT_TESTS(T(expression_of_4096_bytes_is_well), T(expression_of_4097_bytes_is_too_long),
           T(size_comes_before_syntax), T(operators_up_to_300_are_well),
           T(operators_past_300_are_too_many), T(functions_are_not_counted_as_operators),
           T(in_takes_100_operands), T(in_refuses_101_operands),
           T(deep_nesting_is_an_error_not_a_fault), T(a_long_chain_of_paths_is_well))
