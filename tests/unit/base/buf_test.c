#include "unit.h"

#include "base/buf.h"

static void a_buffer_stops_at_its_ceiling(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct buf b = buf_in(a, 5);
    buf_add_text(&b, "abc");
    assert_true(buf_ok(&b));
    buf_add_text(&b, "def");
    assert_false(buf_ok(&b));
    assert_slice(buf_slice(&b), "abc");
    buf_add_text(&b, "d");
    assert_false(buf_ok(&b));
    buf_clear(&b);
    buf_add_text(&b, "12345");
    assert_true(buf_ok(&b));
    assert_slice(buf_slice(&b), "12345");
    arena_destroy(a);
}

static void integers_are_big_endian(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct buf b = buf_in(a, 100);
    buf_add_u16(&b, 0x0102);
    buf_add_u32(&b, 0x03040506);
    buf_add_u64(&b, 0x0708090a0b0c0d0e);
    assert_memory_equal(b.ptr, "\1\2\3\4\5\6\7\x8\x9\xa\xb\xc\xd\xe", 14);
    arena_destroy(a);
}

UNIT_TESTS(cmocka_unit_test(a_buffer_stops_at_its_ceiling),
           cmocka_unit_test(integers_are_big_endian))
