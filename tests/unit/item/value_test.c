#include "item/value.h"

#include "random_item.h"
#include "unit.h"

static struct arena *arena;

static int value_setup(void **state) {
    (void)state;
    arena = arena_create();
    return 0;
}

static int value_teardown(void **state) {
    (void)state;
    arena_destroy(arena);
    return 0;
}

static struct value text(const char *s) {
    return (struct value){.type = VALUE_S, .bytes = slice_of(s)};
}

static struct value number(const char *s) {
    struct value v = {.type = VALUE_N};
    assert_ok(number_parse(arena, slice_of(s), &v.number));
    return v;
}

static struct value list(enum value_type type, const struct value *members, size_t count) {
    return (struct value){.type = type, .list = {members, count}};
}

static struct value map(const struct attribute *attributes, size_t count) {
    return (struct value){.type = VALUE_M, .map = {attributes, count}};
}

static void value_types_have_names(void **state) {
    (void)state;
    static const char *const names[] = {"S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        enum value_type type;
        assert_true(value_type_find(slice_of(names[i]), &type));
        assert_int_equal(type, i);
        assert_string_equal(value_type_name(type), names[i]);
    }
    enum value_type type = VALUE_L;
    assert_false(value_type_find(SLICE("s"), &type));
    assert_false(value_type_find(SLICE(""), &type));
    assert_false(value_type_find(SLICE("BOO"), &type));
    assert_int_equal(type, VALUE_L);
    assert_int_equal(value_member_type(VALUE_SS), VALUE_S);
    assert_int_equal(value_member_type(VALUE_NS), VALUE_N);
    assert_int_equal(value_member_type(VALUE_BS), VALUE_B);
}

static void value_equal_is_deep(void **state) {
    (void)state;
    struct value one = number("1"), one_spelled = number("1.0"), two = number("2");
    assert_true(value_equal(&one, &one_spelled));
    assert_false(value_equal(&one, &two));
    struct value a = text("a"), b = text("b"), binary = {.type = VALUE_B, .bytes = SLICE("a")};
    assert_true(value_equal(&a, &a));
    assert_false(value_equal(&a, &b));
    assert_false(value_equal(&a, &binary));
    struct value yes = {.type = VALUE_BOOL, .boolean = true}, no = {.type = VALUE_BOOL};
    struct value null = {.type = VALUE_NULL}, null_too = {.type = VALUE_NULL};
    assert_false(value_equal(&yes, &no));
    assert_true(value_equal(&null, &null_too));

    struct value ab[] = {a, b}, ba[] = {b, a}, numbers[] = {one, two};
    struct value list_ab = list(VALUE_L, ab, 2), list_ba = list(VALUE_L, ba, 2);
    struct value list_a = list(VALUE_L, ab, 1), numbers_list = list(VALUE_L, numbers, 2);
    assert_true(value_equal(&list_ab, &list_ab));
    assert_false(value_equal(&list_ab, &list_ba));
    assert_false(value_equal(&list_ab, &list_a));
    assert_false(value_equal(&list_ab, &numbers_list));

    struct attribute x[] = {{SLICE("k"), one}}, y[] = {{SLICE("k"), one_spelled}};
    struct attribute z[] = {{SLICE("k"), two}}, other[] = {{SLICE("l"), one}};
    struct value mx = map(x, 1), my = map(y, 1), mz = map(z, 1), mo = map(other, 1),
                 empty = map(NULL, 0);
    assert_true(value_equal(&mx, &my));
    assert_false(value_equal(&mx, &mz));
    assert_false(value_equal(&mx, &mo));
    assert_false(value_equal(&mx, &empty));
}

static void sets_are_equal_in_any_order(void **state) {
    (void)state;
    struct value x[] = {number("10"), number("9"), number("1.50")};
    struct value y[] = {number("9"), number("1.5"), number("10"), number("10.0")};
    struct value a = list(VALUE_NS, x, set_sort(x, 3)), b = list(VALUE_NS, y, set_sort(y, 4));
    assert_int_equal(b.list.count, 3);
    assert_true(value_equal(&a, &b));
    struct value nine = number("9.0"), eight = number("8");
    assert_true(set_contains(&a, &nine));
    assert_false(set_contains(&a, &eight));
    struct value none = list(VALUE_NS, NULL, set_sort(NULL, 0));
    assert_false(set_contains(&none, &nine));
}

static void value_size_counts_as_aws(void **state) {
    (void)state;
    struct value s = text("h\xc3\xa9llo"), yes = {.type = VALUE_BOOL}, null = {.type = VALUE_NULL};
    struct value n = number("-12345");
    assert_int_equal(value_size(&s), 6);
    assert_int_equal(value_size(&yes), 1);
    assert_int_equal(value_size(&null), 1);
    assert_int_equal(value_size(&n), 5);
    struct value members[] = {text("a"), text("bcd")};
    struct value set = list(VALUE_SS, members, 2), elements = list(VALUE_L, members, 2);
    assert_int_equal(value_size(&set), 4);
    assert_int_equal(value_size(&elements), 3 + 2 + 4);
    struct value empty_list = list(VALUE_L, NULL, 0), empty_map = map(NULL, 0);
    assert_int_equal(value_size(&empty_list), 3);
    assert_int_equal(value_size(&empty_map), 3);
    struct attribute attributes[] = {{SLICE("key"), elements}, {SLICE("l"), n}};
    struct value m = map(attributes, 2);
    assert_int_equal(value_size(&m), 3 + (1 + 3 + 9) + (1 + 1 + 5));
    assert_int_equal(item_size(&m.map), 3 + 9 + 1 + 5);
    assert_int_equal(item_size(&empty_map.map), 0);
}

static void value_depth_counts_lists_and_maps(void **state) {
    (void)state;
    struct value scalar = text("a"), set = list(VALUE_SS, &scalar, 1);
    struct value flat[] = {scalar, set}, one = list(VALUE_L, flat, 2), empty = map(NULL, 0);
    assert_int_equal(value_depth(&scalar), 0);
    assert_int_equal(value_depth(&set), 0);
    assert_int_equal(value_depth(&empty), 1);
    assert_int_equal(value_depth(&one), 1);
    struct attribute attributes[] = {{SLICE("a"), one}, {SLICE("b"), scalar}};
    struct value two = map(attributes, 2);
    assert_int_equal(value_depth(&two), 2);
}

static void item_sort_and_find(void **state) {
    (void)state;
    struct random_source r = {7};
    for (size_t count = 0; count < 40; count++) {
        struct attribute *attributes = arena_array(arena, count, sizeof *attributes);
        for (size_t i = 0; i < count; i++) {
            size_t at = random_below(&r, i + 1);
            attributes[i] = attributes[at];
            attributes[at] = (struct attribute){arena_printf(arena, "%zu", i), text("v")};
        }
        item_sort(attributes, count);
        struct item item = {attributes, count};
        for (size_t i = 0; i < count; i++) {
            assert_true(i == 0 || slice_compare(attributes[i - 1].name, attributes[i].name) < 0);
            assert_ptr_equal(item_find(&item, attributes[i].name), &attributes[i].value);
        }
        assert_null(item_find(&item, SLICE("")));
        assert_null(item_find(&item, SLICE("x")));
        assert_null(item_find(&item, SLICE("10000")));
    }
}

static void attribute_names_sort_as_bytes(void **state) {
    (void)state;
    struct attribute a[] = {{SLICE("\xc3\xa9"), text("4")},
                            {SLICE("b"), text("3")},
                            {SLICE("ab"), text("2")},
                            {SLICE("a"), text("1")},
                            {SLICE("B"), text("0")}};
    item_sort(a, 5);
    for (int i = 0; i < 5; i++)
        assert_int_equal(a[i].value.bytes.ptr[0], '0' + i);
}

static void item_with_sets_replaces_and_removes(void **state) {
    (void)state;
    struct value v = text("v"), w = text("w");
    struct item none = {0};
    struct item b = item_with(arena, &none, SLICE("b"), &v);
    struct item ab = item_with(arena, &b, SLICE("a"), &v);
    struct item abc = item_with(arena, &ab, SLICE("c"), &v);
    assert_int_equal(abc.count, 3);
    assert_slice(abc.attributes[0].name, "a");
    assert_slice(abc.attributes[1].name, "b");
    assert_slice(abc.attributes[2].name, "c");

    struct item changed = item_with(arena, &abc, SLICE("b"), &w);
    assert_int_equal(changed.count, 3);
    assert_slice(item_find(&changed, SLICE("b"))->bytes, "w");
    assert_slice(item_find(&abc, SLICE("b"))->bytes, "v");

    struct item removed = item_with(arena, &changed, SLICE("b"), NULL);
    assert_int_equal(removed.count, 2);
    assert_null(item_find(&removed, SLICE("b")));
    assert_non_null(item_find(&removed, SLICE("c")));
    struct item same = item_with(arena, &removed, SLICE("zz"), NULL);
    assert_true(item_equal(&same, &removed));
    struct item empty = item_with(arena, &b, SLICE("b"), NULL);
    assert_int_equal(empty.count, 0);
}

#define VALUE_TEST(name) cmocka_unit_test_setup_teardown(name, value_setup, value_teardown)

UNIT_TESTS(VALUE_TEST(value_types_have_names), VALUE_TEST(value_equal_is_deep),
           VALUE_TEST(sets_are_equal_in_any_order), VALUE_TEST(value_size_counts_as_aws),
           VALUE_TEST(value_depth_counts_lists_and_maps), VALUE_TEST(item_sort_and_find),
           VALUE_TEST(attribute_names_sort_as_bytes),
           VALUE_TEST(item_with_sets_replaces_and_removes))
