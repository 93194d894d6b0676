#include "auth/auth_int.h"
#include "unit.h"

static int64_t date_of(const char *text) {
    int64_t ms = -1;
    return sigv4_date_read(slice_of(text), &ms) ? ms : INT64_MIN;
}

static void dates_are_read(void **state) {
    (void)state;
    assert_int_equal(date_of("19700101T000000Z"), 0);
    assert_int_equal(date_of("20150830T123600Z"), 1440938160000);
    assert_int_equal(date_of("20000229T235959Z"), 951868799000);
    assert_int_equal(date_of("20240301T000000Z"), 1709251200000);
    assert_int_equal(date_of("19691231T235959Z"), -1000);
    assert_int_equal(date_of("99991231T235959Z"), 253402300799000);
}

static void what_is_no_date_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",
        "201",
        "20150830T123600",
        "20150830T123600z",
        "20150830 123600Z",
        "20150830T123600ZZ",
        "2015-08-30T12:36:00Z",
        "20151330T123600Z",
        "20150030T123600Z",
        "20150832T123600Z",
        "20150229T123600Z",
        "19000229T000000Z",
        "20150830T243600Z",
        "20150830T126000Z",
        "2015083AT123600Z",
        "-0150830T123600Z",
        "Sun, 30 Aug 2015 12:36:00 GMT",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_true(date_of(bad[i]) == INT64_MIN);
}

static void every_day_survives_the_round_trip(void **state) {
    (void)state;
    struct arena *a = arena_create();
    for (int64_t day = 0; day < 60000; day += 7) {
        int64_t ms = day * 86400000 + 3723000, back;
        assert_true(sigv4_date_read(sigv4_date(a, ms), &back));
        assert_int_equal(back, ms);
    }
    arena_destroy(a);
}

UNIT_TESTS(cmocka_unit_test(dates_are_read), cmocka_unit_test(what_is_no_date_is_refused),
           cmocka_unit_test(every_day_survives_the_round_trip))
