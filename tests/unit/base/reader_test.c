#include "unit.h"

#include "base/buf.h"
#include "base/reader.h"

static void varints_come_back(void **state) {
    (void)state;
    struct arena *a = arena_create();
    const uint64_t numbers[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct buf b = buf_in(a, 100);
        buf_add_varint(&b, numbers[i]);
        struct reader r = reader_of(buf_slice(&b));
        uint64_t n = 0;
        assert_true(reader_varint(&r, &n));
        assert_true(n == numbers[i]);
        assert_int_equal(reader_left(&r), 0);
    }
    arena_destroy(a);
}

static void malformed_varints_do_not_move_the_reader(void **state) {
    (void)state;
    const struct slice bad[] = {SLICE_INIT(""), SLICE_INIT("\x80"), SLICE_INIT("\x80\x00"),
                                SLICE_INIT("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02")};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct reader r = reader_of(bad[i]);
        uint64_t n;
        assert_false(reader_varint(&r, &n));
        assert_int_equal(reader_left(&r), bad[i].len);
    }
}

static void a_sized_slice_needs_all_its_bytes(void **state) {
    (void)state;
    struct reader r = reader_of(SLICE("\x03"
                                      "ab"));
    struct slice s;
    assert_false(reader_sized(&r, &s));
    assert_int_equal(reader_left(&r), 3);
    r = reader_of(SLICE("\x02"
                        "abc"));
    assert_true(reader_sized(&r, &s));
    assert_slice(s, "ab");
    assert_int_equal(reader_left(&r), 1);
}

UNIT_TESTS(cmocka_unit_test(varints_come_back),
           cmocka_unit_test(malformed_varints_do_not_move_the_reader),
           cmocka_unit_test(a_sized_slice_needs_all_its_bytes))
