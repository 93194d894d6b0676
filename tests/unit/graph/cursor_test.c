#include "unit.h"

#include "graph/cursor.h"

static void a_cursor_comes_back(void **state) {
    (void)state;
    struct arena *a = arena_create();
    const struct slice keys[] = {SLICE("A"), SLICE("ACTOR#b\0b"), SLICE("\xff\xfe\xfd")};
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        struct slice key, text = cursor_write(a, 77, i & 1, keys[i]);
        assert_ok(cursor_read(a, text, 77, i & 1, &key));
        assert_true(slice_equal(key, keys[i]));
        for (size_t c = 0; c < text.len; c++)
            assert_non_null(memchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                   "-_",
                                   text.ptr[c], 64));
    }
    arena_destroy(a);
}

static void another_lists_cursor_is_refused(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct graph g = {.d = {.graph = SLICE("g")}};
    struct graph_list list = {.type = SLICE("T"), .id = SLICE("x"), .direction = GRAPH_IN};
    struct graph_list other = list;
    struct slice key, text = cursor_write(a, cursor_binding(&g, &list), false, SLICE("k"));
    other.direction = GRAPH_OUT;
    struct error *e = cursor_read(a, text, cursor_binding(&g, &other), false, &key);
    assert_int_equal(graph_error_code(e), GRAPH_CURSOR);
    other = (struct graph_list){.type = SLICE("Tx"), .id = SLICE(""), .direction = GRAPH_IN};
    e = cursor_read(a, text, cursor_binding(&g, &other), false, &key);
    assert_int_equal(graph_error_code(e), GRAPH_CURSOR);
    e = cursor_read(a, text, cursor_binding(&g, &list), true, &key);
    assert_int_equal(graph_error_code(e), GRAPH_CURSOR);
    arena_destroy(a);
}

/* Any one changed character, any cut, any text at all. */
static void damage_is_seen(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct slice key, text = cursor_write(a, 5, false, SLICE("ACTOR#alice"));
    for (size_t i = 0; i < text.len; i++) {
        char *bytes = arena_string(a, text);
        bytes[i] = bytes[i] == 'A' ? 'B' : 'A';
        struct error *e = cursor_read(a, slice_of(bytes), 5, false, &key);
        /* The last digit carries bits that no byte has. */
        if (!e)
            assert_true(i == text.len - 1 && slice_is(key, "ACTOR#alice"));
        e = cursor_read(a, (struct slice){text.ptr, i}, 5, false, &key);
        assert_non_null(e);
    }
    const char *wrong[] = {"", "A", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAAA", "a b", "=", "\x01"};
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        assert_non_null(cursor_read(a, slice_of(wrong[i]), 5, false, &key));
    arena_destroy(a);
}

UNIT_TESTS(cmocka_unit_test(a_cursor_comes_back), cmocka_unit_test(another_lists_cursor_is_refused),
           cmocka_unit_test(damage_is_seen))
