#include "unit.h"

#include "base/slice.h"

static void slices_compare_as_unsigned_bytes(void **state) {
    (void)state;
    assert_true(slice_compare(SLICE("a"), SLICE("b")) < 0);
    assert_true(slice_compare(SLICE("\xff"), SLICE("a")) > 0);
    assert_true(slice_compare(SLICE("ab"), SLICE("a")) > 0);
    assert_int_equal(slice_compare(SLICE(""), SLICE("")), 0);
    assert_true(slice_equal((struct slice){NULL, 0}, SLICE("")));
}

static void a_number_is_the_whole_slice(void **state) {
    (void)state;
    uint64_t n = 7;
    assert_true(slice_to_u64(SLICE("18446744073709551615"), &n));
    assert_true(n == UINT64_MAX);
    assert_false(slice_to_u64(SLICE("18446744073709551616"), &n));
    assert_false(slice_to_u64(SLICE(""), &n));
    assert_false(slice_to_u64(SLICE("-1"), &n));
    assert_false(slice_to_u64(SLICE("1 "), &n));
}

static void contains_and_prefix(void **state) {
    (void)state;
    assert_true(slice_contains(SLICE("abc"), SLICE("bc")));
    assert_true(slice_contains(SLICE("abc"), SLICE("")));
    assert_false(slice_contains(SLICE("a"), SLICE("ab")));
    assert_true(slice_starts_with(SLICE("TARGET#bob"), SLICE("TARGET#")));
    assert_false(slice_starts_with(SLICE("T"), SLICE("TA")));
    assert_slice(slice_trim(SLICE(" \ta b\t ")), "a b");
}

UNIT_TESTS(cmocka_unit_test(slices_compare_as_unsigned_bytes),
           cmocka_unit_test(a_number_is_the_whole_slice), cmocka_unit_test(contains_and_prefix))
