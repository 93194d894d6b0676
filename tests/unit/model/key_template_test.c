#include "unit.h"

#include "model/key_template.h"

static struct key_template parsed(struct arena *a, const char *text) {
    struct key_template t;
    assert_ok(key_template_parse(a, slice_of(text), &t));
    return t;
}

static struct error *build(struct arena *a, const char *text, struct slice id, size_t max,
                           struct slice *out) {
    struct key_template t = parsed(a, text);
    struct key_binding binding = {SLICE("id"), id};
    return key_template_build(a, &t, &binding, 1, max, out);
}

static void builds_the_keys_of_the_articles(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct slice key;
    assert_ok(build(a, "ACTOR#{id}", SLICE("alice"), 2048, &key));
    assert_slice(key, "ACTOR#alice");
    assert_ok(build(a, "ENROLL#CRS#{id}", SLICE("math204"), 2048, &key));
    assert_slice(key, "ENROLL#CRS#math204");
    assert_ok(build(a, "{id}#X", SLICE("a#1%"), 2048, &key));
    assert_slice(key, "a%231%25#X");
    assert_ok(build(a, "PROFILE", SLICE("unused"), 2048, &key));
    assert_slice(key, "PROFILE");
    arena_destroy(a);
}

static void refuses_ids_that_make_no_key(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct slice key;
    struct key_template t = parsed(a, "A#{src}");
    assert_error(build(a, "A#{id}", SLICE(""), 9, &key), ERR_VALIDATION, "an id must not be empty");
    assert_ok(build(a, "A#{id}", SLICE("1234567"), 9, &key));
    assert_error(build(a, "A#{id}", SLICE("12345678"), 9, &key), ERR_VALIDATION,
                 "the id is too long: a key of \"A#{id}\" has at most 9 bytes");
    assert_error(key_template_build(a, &t, NULL, 0, 9, &key), ERR_VALIDATION,
                 "the key needs {src}");
    arena_destroy(a);
}

static void takes_keys_apart(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct key_template t = parsed(a, "{ts}#ACTOR#{src}");
    struct key_binding ids[KEY_TEMPLATE_PARTS];
    assert_true(key_template_match(a, &t, SLICE("0012#ACTOR#b%23b"), ids));
    assert_slice(ids[0].name, "ts");
    assert_slice(ids[0].id, "0012");
    assert_slice(ids[1].name, "src");
    assert_slice(ids[1].id, "b#b");
    const char *others[] = {
        "0012#ACTOR#", "#ACTOR#b", "0012#ACTOR#b#1", "0012#ACTO", "0012#ACTOR#b%2", "0012#X#b", ""};
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        assert_false(key_template_match(a, &t, slice_of(others[i]), ids));
    arena_destroy(a);
}

static void refuses_templates_that_cannot_be_parsed_back(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct key_template t;
    const struct {
        const char *text, *fault;
    } wrong[] = {
        {"", "is empty"},
        {"A#{id", "has a variable that is not written {name}"},
        {"A#{}", "has a variable that is not written {name}"},
        {"A#{a-b}", "has a variable that is not written {name}"},
        {"{a}{b}", "needs a '#' or the end after a variable"},
        {"{a}x{b}", "needs a '#' or the end after a variable"},
        {"{a}#{a}", "uses a variable twice"},
        {"A}", "may hold printable ASCII without '%' and {variables}"},
        {"A%{id}", "may hold printable ASCII without '%' and {variables}"},
        {"A B", "may hold printable ASCII without '%' and {variables}"},
        {"{a}#{b}#{c}#{d}#{e}", "has too many parts"},
    };
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct slice text =
            arena_printf(a, "the key template \"%s\" %s", wrong[i].text, wrong[i].fault);
        assert_error(key_template_parse(a, slice_of(wrong[i].text), &t), ERR_VALIDATION, text.ptr);
    }
    arena_destroy(a);
}

static void sees_templates_that_meet(void **state) {
    (void)state;
    struct arena *a = arena_create();
    const struct {
        const char *left, *right;
        bool meet;
    } cases[] = {
        {"ACTOR#{src}", "ACTOR#{id}", true},
        {"ACTOR#{src}", "TARGET#{id}", false},
        {"TARGET#{dst}", "TARGET#{dst}#{shard}", false},
        {"TARGET#{dst}#{shard}", "TARGET#{a}#{b}", true},
        {"TARGET#{a}#1", "TARGET#{a}#{b}", true},
        {"TARGET#{a}#", "TARGET#{a}#{b}", false},
        {"A{id}", "AB{id}", true},
        {"A{id}", "B{id}", false},
        {"A{id}", "A", false},
        {"A{id}", "AB", true},
        {"PROFILE", "PROFILE", true},
        {"PROFILE", "{id}", true},
        {"{a}#X#{b}", "{a}#X{b}#{c}", false},
        {"{a}#X#{b}", "{a}#{b}#{c}", true},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct key_template left = parsed(a, cases[i].left), right = parsed(a, cases[i].right);
        if (key_templates_meet(&left, &right) != cases[i].meet ||
            key_templates_meet(&right, &left) != cases[i].meet)
            fail_msg("%s and %s", cases[i].left, cases[i].right);
    }
    arena_destroy(a);
}

static void sees_heads_that_meet(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct key_template enroll = parsed(a, "ENROLL#{dst}"), course = parsed(a, "ENROLL#CRS#{dst}"),
                        profile = parsed(a, "PROFILE"), time = parsed(a, "{ts}#A#{src}");
    assert_true(key_template_heads_meet(&enroll, &course));
    assert_true(key_template_heads_meet(&course, &enroll));
    assert_false(key_template_heads_meet(&course, &profile));
    assert_true(key_template_heads_meet(&time, &profile));
    assert_slice(key_template_head(&course), "ENROLL#CRS#");
    assert_slice(key_template_head(&time), "");
    assert_int_equal(key_template_variables(&time), 2);
    assert_true(key_template_uses(&time, SLICE("src")));
    assert_false(key_template_uses(&time, SLICE("sr")));
    arena_destroy(a);
}

UNIT_TESTS(cmocka_unit_test(builds_the_keys_of_the_articles),
           cmocka_unit_test(refuses_ids_that_make_no_key), cmocka_unit_test(takes_keys_apart),
           cmocka_unit_test(refuses_templates_that_cannot_be_parsed_back),
           cmocka_unit_test(sees_templates_that_meet), cmocka_unit_test(sees_heads_that_meet))
