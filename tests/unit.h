/*
 * What every unit test includes: cmocka, and a main that ends with "N passed, N failed".
 *
 *   static void arena_alloc_is_zeroed(void **state) { … assert_int_equal(…); }
 *   UNIT_TESTS(cmocka_unit_test(arena_alloc_is_zeroed), …)
 *
 * One program a file; tests/unit/<room>/<file>_test.c tests src/<room>/<file>.c.
 */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/error.h"

#define UNIT_TESTS(...)                                                                            \
    int main(void) {                                                                               \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                           \
        int failed = cmocka_run_group_tests(tests, NULL, NULL);                                    \
        int count = (int)(sizeof tests / sizeof tests[0]);                                         \
        printf("%d passed, %d failed\n", count - failed, failed);                                  \
        return failed ? 1 : 0;                                                                     \
    }

#define assert_slice(actual, text)                                                                 \
    do {                                                                                           \
        struct slice slice_ = (actual);                                                            \
        assert_int_equal(slice_.len, strlen(text));                                                \
        assert_memory_equal(slice_.ptr, text, slice_.len);                                         \
    } while (0)

/* The call succeeds; else the test fails with the error's text. */
#define assert_ok(call)                                                                            \
    do {                                                                                           \
        struct error *error_ = (call);                                                             \
        if (error_)                                                                                \
            fail_msg("%.*s", SLICE_ARG(error_->message));                                          \
    } while (0)

/* The call fails with this kind and text. */
#define assert_error(call, wanted_kind, text)                                                      \
    do {                                                                                           \
        struct error *error_ = (call);                                                             \
        assert_non_null(error_);                                                                   \
        assert_int_equal(error_->kind, wanted_kind);                                               \
        if (!slice_is(error_->message, text))                                                      \
            fail_msg("got  %.*s\nwant %s", SLICE_ARG(error_->message), text);                      \
    } while (0)

#endif
