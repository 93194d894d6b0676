#include "json/json_writer.h"

#include "unit.h"

static struct arena *arena;

/* Everything the writer can write, by the same calls in both modes. */
static void write_all(struct json_writer *w) {
    const struct json *tree;
    assert_ok(json_parse(arena, SLICE("{\"k\":[1,{\"l\":null}]}"), &tree));
    json_write_object_begin(w);
    json_member_string(w, "s", SLICE("a\"b"));
    json_member_int(w, "i", -42);
    json_member_double(w, "d", 0.5);
    json_member_bool(w, "t", true);
    json_member_bool(w, "f", false);
    json_write_name(w, SLICE("n"));
    json_write_null(w);
    json_write_name(w, SLICE("l"));
    json_write_array_begin(w);
    json_write_array_begin(w);
    json_write_array_end(w);
    json_write_object_begin(w);
    json_write_object_end(w);
    json_write_number(w, SLICE("1.50"));
    json_write_base64(w, SLICE("foob"));
    json_write_base64(w, (struct slice){0});
    json_write_borrowed(w, SLICE("b"));
    json_write_tree(w, tree);
    json_write_tree(w, tree->first);
    json_write_double(w, 1e308 * 10);
    json_write_array_end(w);
    json_write_name(w, SLICE("\n"));
    json_write_tree(w, tree->first->first);
    json_write_object_end(w);
}

static const char all[] = "{\"s\":\"a\\\"b\",\"i\":-42,\"d\":0.5,\"t\":true,\"f\":false,\"n\":null,"
                          "\"l\":[[],{},1.50,\"Zm9vYg==\",\"\",\"b\",{\"k\":[1,{\"l\":null}]},"
                          "[1,{\"l\":null}],null],\"\\n\":1}";

static void text_has_its_commas(void **state) {
    (void)state;
    struct buf out = buf_in(arena, 1 << 20);
    struct json_writer w = json_writer_text(&out);
    write_all(&w);
    assert_slice(buf_slice(&out), all);
}

static void a_tree_is_the_same_as_the_text(void **state) {
    (void)state;
    struct json_writer w = json_writer_tree(arena);
    write_all(&w);
    struct buf out = buf_in(arena, 1 << 20);
    json_print(&out, w.root, 0);
    assert_slice(buf_slice(&out), all);
    assert_int_equal(w.root->count, 8);
    assert_int_equal(w.root->name.len, 0);
    const struct json *parsed;
    assert_ok(json_parse(arena, slice_of(all), &parsed));
    assert_true(json_equal(parsed, w.root));
}

static void a_tree_copies_what_is_not_borrowed(void **state) {
    (void)state;
    char name[] = "name", text[] = "text", number[] = "1234", kept[] = "kept";
    struct json_writer w = json_writer_tree(arena);
    json_write_object_begin(&w);
    json_write_name(&w, slice_of(name));
    json_write_array_begin(&w);
    json_write_string(&w, slice_of(text));
    json_write_number(&w, slice_of(number));
    json_write_borrowed(&w, slice_of(kept));
    json_write_array_end(&w);
    json_write_object_end(&w);
    memset(name, 'x', 4);
    memset(text, 'x', 4);
    memset(number, '0', 4);
    const struct json *array = json_member(w.root, SLICE("name"));
    assert_slice(array->first->text, "text");
    assert_slice(array->first->next->text, "1234");
    assert_ptr_equal(array->first->next->next->text.ptr, kept);
}

static void a_scalar_can_be_the_root(void **state) {
    (void)state;
    struct buf out = buf_in(arena, 1 << 20);
    struct json_writer w = json_writer_text(&out);
    json_write_int(&w, 7);
    assert_slice(buf_slice(&out), "7");
    const struct json *tree = NULL;
    assert_ok(json_parse(arena, SLICE("\"x\""), &tree));
    buf_clear(&out);
    w = json_writer_text(&out);
    json_write_tree(&w, tree);
    assert_slice(buf_slice(&out), "\"x\"");
    w = json_writer_tree(arena);
    json_write_string(&w, SLICE("x"));
    assert_true(json_equal(w.root, tree));
}

static void deep_arrays_fit(void **state) {
    (void)state;
    struct buf out = buf_in(arena, 1 << 20);
    struct json_writer modes[] = {json_writer_text(&out), json_writer_tree(arena)};
    for (size_t m = 0; m < 2; m++) {
        for (int i = 0; i < JSON_WRITER_DEPTH / 2; i++) {
            json_write_array_begin(&modes[m]);
            json_write_object_begin(&modes[m]);
            json_write_name(&modes[m], SLICE("a"));
        }
        json_write_int(&modes[m], 1);
        for (int i = 0; i < JSON_WRITER_DEPTH / 2; i++) {
            json_write_object_end(&modes[m]);
            json_write_array_end(&modes[m]);
        }
    }
    const struct json *parsed;
    assert_ok(json_parse(arena, buf_slice(&out), &parsed));
    assert_true(json_equal(parsed, modes[1].root));
}

static void a_text_past_the_ceiling_is_seen(void **state) {
    (void)state;
    for (size_t ceiling = 0; ceiling < sizeof all - 1; ceiling++) {
        struct buf out = buf_in(arena, ceiling);
        struct json_writer w = json_writer_text(&out);
        write_all(&w);
        assert_false(buf_ok(&out));
        assert_true(out.len <= ceiling);
    }
    struct buf out = buf_in(arena, sizeof all - 1);
    struct json_writer w = json_writer_text(&out);
    write_all(&w);
    assert_true(buf_ok(&out));
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

UNIT_TESTS(TEST(text_has_its_commas), TEST(a_tree_is_the_same_as_the_text),
           TEST(a_tree_copies_what_is_not_borrowed), TEST(a_scalar_can_be_the_root),
           TEST(deep_arrays_fit), TEST(a_text_past_the_ceiling_is_seen))
