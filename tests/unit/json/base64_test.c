#include "json/base64.h"

#include "unit.h"

static struct arena *arena;

static struct slice encoded(struct slice bytes) {
    struct buf out = buf_in(arena, 1 << 20);
    base64_encode(&out, bytes);
    assert_true(buf_ok(&out));
    return buf_slice(&out);
}

/* RFC 4648, section 10. */
static const char *const rfc_vectors[][2] = {
    {"f", "Zg=="},        {"fo", "Zm8="},        {"foo", "Zm9v"},
    {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"},
};

static void the_vectors_of_the_rfc_go_both_ways(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rfc_vectors); i++) {
        struct slice out;
        assert_slice(encoded(slice_of(rfc_vectors[i][0])), rfc_vectors[i][1]);
        assert_true(base64_decode(arena, slice_of(rfc_vectors[i][1]), &out));
        assert_slice(out, rfc_vectors[i][0]);
    }
}

static void nothing_is_nothing(void **state) {
    (void)state;
    struct slice out = {NULL, 9};
    assert_int_equal(encoded((struct slice){0}).len, 0);
    assert_true(base64_decode(arena, SLICE(""), &out));
    assert_int_equal(out.len, 0);
}

static void every_byte_at_every_place_comes_back(void **state) {
    (void)state;
    for (int c = 0; c < 256; c++) {
        for (size_t at = 0; at < 4; at++) {
            char bytes[4] = {(char)0xff, 0x00, (char)0xa5, 0x5a};
            bytes[at] = (char)c;
            struct slice out;
            assert_true(base64_decode(arena, encoded((struct slice){bytes, 4}), &out));
            assert_int_equal(out.len, 4);
            assert_memory_equal(out.ptr, bytes, 4);
        }
    }
}

static void what_is_not_base64_is_refused(void **state) {
    (void)state;
    static const char *const bad[] =
        {
            "Z",        "Zg",    "Zg=",  "Zg===", "====",     "Z===",     "=+/=",
            "Zg==Zg==", "Zm9v=", "Zm 9", "Zm9\n", "Zm9-",     "Zm9_",     "Zm\x80v",
            "Z=9v",     "Zm9vZ", "Zh==", /* spare bits that are not zero */
            "+/+=",     "Zm9=",  "=",    "Zg= =", "Zm9vZm9.", ".m9vZm9v", "Zm9vZ.9v",
        };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct slice out;
        if (base64_decode(arena, slice_of(bad[i]), &out) || base64_check(slice_of(bad[i])))
            fail_msg("taken: %s", bad[i]);
    }
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

UNIT_TESTS(TEST(the_vectors_of_the_rfc_go_both_ways), TEST(nothing_is_nothing),
           TEST(every_byte_at_every_place_comes_back), TEST(what_is_not_base64_is_refused))
