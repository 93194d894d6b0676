#include "unit.h"

#include "model/key_id.h"

static struct slice escape(struct arena *a, struct slice id) {
    struct buf out = buf_in(a, 4096);
    key_id_escape(&out, id);
    return buf_slice(&out);
}

static void escapes_only_what_keys_are_made_of(void **state) {
    (void)state;
    struct arena *a = arena_create();
    assert_slice(escape(a, SLICE("bob")), "bob");
    assert_slice(escape(a, SLICE("bob#1")), "bob%231");
    assert_slice(escape(a, SLICE("100%")), "100%25");
    assert_slice(escape(a, SLICE("%23")), "%2523");
    assert_slice(escape(a, SLICE("J\xc3\xb6rg a/b{c}")), "J\xc3\xb6rg a/b{c}");
    arena_destroy(a);
}

static void every_id_comes_back(void **state) {
    (void)state;
    struct arena *a = arena_create();
    const struct slice ids[] = {SLICE("a"),       SLICE("#"),    SLICE("%"),
                                SLICE("%%##%25"), SLICE("a\0b"), SLICE("\xe6\xbc\xa2#")};
    for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
        struct slice back;
        assert_true(key_id_unescape(a, escape(a, ids[i]), &back));
        assert_true(slice_equal(back, ids[i]));
    }
    arena_destroy(a);
}

/* An id has one written form, so that two keys never stand for one edge. */
static void other_forms_are_no_ids(void **state) {
    (void)state;
    struct arena *a = arena_create();
    const char *wrong[] = {"", "a#b", "%", "a%2", "%20", "%2G", "%24x", "%%"};
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct slice id;
        assert_false(key_id_unescape(a, slice_of(wrong[i]), &id));
    }
    arena_destroy(a);
}

static void ids_are_utf8_and_not_empty(void **state) {
    (void)state;
    struct arena *a = arena_create();
    assert_ok(key_id_check(a, SLICE("a\0\xf0\x9f\x98\x80\xed\x9f\xbf")));
    assert_error(key_id_check(a, SLICE("")), ERR_VALIDATION, "an id must not be empty");
    assert_error(key_id_check(a, SLICE("ab\xff")), ERR_VALIDATION,
                 "an id must be UTF-8: byte 3 is not");
    const char *wrong[] = {"\xc0\x80",         "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                           "\xf0\x80\x80\x80", "\x80",         "\xe6\xbc",     "\xf5\x80\x80\x80"};
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        assert_error(key_id_check(a, slice_of(wrong[i])), ERR_VALIDATION,
                     "an id must be UTF-8: byte 1 is not");
    arena_destroy(a);
}

UNIT_TESTS(cmocka_unit_test(escapes_only_what_keys_are_made_of),
           cmocka_unit_test(every_id_comes_back), cmocka_unit_test(other_forms_are_no_ids),
           cmocka_unit_test(ids_are_utf8_and_not_empty))
