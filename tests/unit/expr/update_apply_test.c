/* What the case files cannot say: sharing, purity, and that a short update makes no large item. */
#include "unit.h"

#include "expr/expr.h"
#include "item/item_json.h"

static struct arena *arena;
static struct expr_scope *scope;

static int setup(void **state) {
    (void)state;
    const struct json *values = NULL;
    arena = arena_create();
    assert_ok(json_parse(arena, SLICE("{\":v\": {\"N\": \"1\"}}"), &values));
    assert_ok(expr_scope_create(arena, NULL, values, &scope));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_destroy(arena);
    return 0;
}

static struct item parse_item(struct slice text) {
    const struct json *json = NULL;
    struct item item = {0};
    assert_ok(json_parse(arena, text, &json));
    assert_ok(item_from_json(arena, json, &item));
    return item;
}

static const struct update *parse_update(struct slice text) {
    const struct update *u = NULL;
    assert_ok(update_parse(arena, scope, text, &u));
    return u;
}

static void update_apply_leaves_the_old_item_alone(void **state) {
    (void)state;
    struct slice text = SLICE("{\"a\":{\"N\":\"1\"},\"l\":{\"L\":[{\"N\":\"1\"}]}}");
    struct item old = parse_item(text), same = parse_item(text), out;
    const struct update *u = parse_update(SLICE("SET a = :v + :v, l[0] = :v REMOVE m"));
    assert_ok(update_apply(arena, u, &old, &out));
    assert_true(item_equal(&old, &same));
}

static void update_apply_may_be_called_again(void **state) {
    (void)state;
    struct item item = parse_item(SLICE("{\"a\":{\"N\":\"1\"}}"));
    const struct update *u = parse_update(SLICE("ADD a :v SET b = a"));
    for (int i = 0; i < 3; i++)
        assert_ok(update_apply(arena, u, &item, &item));
    struct item wanted = parse_item(SLICE("{\"a\":{\"N\":\"4\"},\"b\":{\"N\":\"3\"}}"));
    assert_true(item_equal(&item, &wanted));
}

static void update_apply_does_not_touch_its_output_on_failure(void **state) {
    (void)state;
    struct item old = parse_item(SLICE("{\"a\":{\"S\":\"x\"}}")), out = {NULL, 77};
    const struct update *u = parse_update(SLICE("SET b = :v, c = absent"));
    assert_non_null(update_apply(arena, u, &old, &out));
    assert_int_equal(out.count, 77);
}

/* A list of 100,000 elements, twenty times doubled, would be 200 MB. */
static void list_append_stops_at_the_size_of_an_item(void **state) {
    (void)state;
    struct buf text = buf_in(arena, 8 * 1024 * 1024), update = buf_in(arena, 4096);
    buf_add_text(&text, "{\"l\":{\"L\":[{\"NULL\":true}");
    for (int i = 1; i < 100000; i++)
        buf_add_text(&text, ",{\"NULL\":true}");
    buf_add_text(&text, "]}}");
    struct item old = parse_item(buf_slice(&text)), out;
    buf_add_text(&update, "SET a0 = list_append(l, l)");
    for (int i = 1; i < 100; i++)
        buf_printf(&update, ", a%d = list_append(l, l)", i);
    size_t before = arena_held(arena);
    assert_error(update_apply(arena, parse_update(buf_slice(&update)), &old, &out), ERR_VALIDATION,
                 "Item size to update has exceeded the maximum allowed size");
    assert_true(arena_held(arena) - before < 64 * 1024 * 1024);
}

static void update_apply_keeps_attributes_sorted(void **state) {
    (void)state;
    struct item old = parse_item(SLICE("{\"b\":{\"N\":\"1\"},\"d\":{\"N\":\"1\"}}")), out;
    const struct update *u = parse_update(SLICE("SET e = :v, a = :v, c = :v REMOVE d"));
    assert_ok(update_apply(arena, u, &old, &out));
    assert_int_equal(out.count, 4);
    for (size_t i = 1; i < out.count; i++)
        assert_true(slice_compare(out.attributes[i - 1].name, out.attributes[i].name) < 0);
}

#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

UNIT_TESTS(T(update_apply_leaves_the_old_item_alone), T(update_apply_may_be_called_again),
           T(update_apply_does_not_touch_its_output_on_failure),
           T(list_append_stops_at_the_size_of_an_item), T(update_apply_keeps_attributes_sorted))
