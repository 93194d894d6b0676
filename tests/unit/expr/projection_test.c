/* projection_of_attributes, and which attributes an expression names. */
#include "unit.h"

#include "expr/expr.h"
#include "item/item_json.h"

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

static struct item parse_item(struct slice text) {
    const struct json *json = NULL;
    struct item item = {0};
    assert_ok(json_parse(arena, text, &json));
    assert_ok(item_from_json(arena, json, &item));
    return item;
}

static void projection_of_attributes_takes_names_as_they_are(void **state) {
    (void)state;
    struct item item = parse_item(SLICE("{\"a\":{\"N\":\"1\"},\"a.b\":{\"N\":\"2\"},"
                                        "\"#c\":{\"N\":\"3\"},\"d\":{\"N\":\"4\"}}"));
    struct item wanted = parse_item(SLICE("{\"a.b\":{\"N\":\"2\"},\"#c\":{\"N\":\"3\"}}"));
    struct slice names[] = {SLICE("missing"), SLICE("a.b"), SLICE("#c")};
    struct projection p = projection_of_attributes(arena, names, 3);
    struct item got = projection_apply(arena, &p, &item);
    assert_true(item_equal(&got, &wanted));
    assert_int_equal(p.count, 3);
}

static void projection_of_no_attributes_is_empty(void **state) {
    (void)state;
    struct item item = parse_item(SLICE("{\"a\":{\"N\":\"1\"}}"));
    struct projection p = projection_of_attributes(arena, NULL, 0);
    assert_int_equal(projection_apply(arena, &p, &item).count, 0);
}

static void collect(void *context, struct slice attribute) {
    struct buf *out = context;
    buf_add(out, attribute);
    buf_add_char(out, ' ');
}

static struct expr_scope *make_scope(void) {
    const struct json *names = NULL, *values = NULL;
    struct expr_scope *scope = NULL;
    assert_ok(json_parse(arena, SLICE("{\"#k\": \"key\"}"), &names));
    assert_ok(json_parse(arena, SLICE("{\":v\": {\"N\": \"1\"}}"), &values));
    assert_ok(expr_scope_create(arena, names, values, &scope));
    return scope;
}

static void condition_visits_the_first_name_of_each_path(void **state) {
    (void)state;
    const struct condition *c = NULL;
    struct buf seen = buf_in(arena, 1024);
    assert_ok(condition_parse(arena, make_scope(),
                              SLICE("NOT a.x = :v OR size(b[1]) > #k AND contains(d, e) OR "
                                    "f BETWEEN :v AND g OR h IN (:v, i)"),
                              "FilterExpression", &c));
    condition_visit_attributes(c, collect, &seen);
    assert_slice(buf_slice(&seen), "a b key d e f g h i ");
}

static void update_visits_its_targets_only(void **state) {
    (void)state;
    const struct update *u = NULL;
    struct buf seen = buf_in(arena, 1024);
    size_t set_and_add, remove_and_delete;
    assert_ok(update_parse(arena, make_scope(),
                           SLICE("SET a.x = b + :v, #k = if_not_exists(c, :v) REMOVE d[0], e "
                                 "ADD f :v"),
                           &u));
    update_visit_attributes(u, collect, &seen);
    assert_slice(buf_slice(&seen), "a key d e f ");
    update_count_actions(u, &set_and_add, &remove_and_delete);
    assert_int_equal(set_and_add, 3);
    assert_int_equal(remove_and_delete, 2);
}

static void key_condition_reports_its_shape_after_other_expressions(void **state) {
    (void)state;
    const struct condition *c = NULL;
    struct key_condition key;
    struct expr_scope *scope = make_scope();
    assert_ok(
        condition_parse(arena, scope, SLICE("a = :v OR b = :v"), "KeyConditionExpression", &c));
    assert_error(key_condition_from(arena, c, &key), ERR_VALIDATION,
                 "Invalid operator used in KeyConditionExpression: OR");
}

#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

UNIT_TESTS(T(projection_of_attributes_takes_names_as_they_are),
           T(projection_of_no_attributes_is_empty), T(condition_visits_the_first_name_of_each_path),
           T(update_visits_its_targets_only),
           T(key_condition_reports_its_shape_after_other_expressions))
