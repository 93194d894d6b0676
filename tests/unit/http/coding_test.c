#include "http/coding.h"

#include <stdlib.h>

#include "unit.h"

static struct body_budget budget = {.limit = 1000000};
static struct coder coder;

static void names_of_codings(void **state) {
    (void)state;
    enum coding c;
    assert_true(coding_read(SLICE(""), &c) && c == CODING_IDENTITY);
    assert_true(coding_read(SLICE(" Identity"), &c) && c == CODING_IDENTITY);
    assert_true(coding_read(SLICE("GZIP"), &c) && c == CODING_GZIP);
    assert_true(coding_read(SLICE("x-gzip"), &c) && c == CODING_GZIP);
    assert_true(coding_read(SLICE("deflate "), &c) && c == CODING_DEFLATE);
    assert_false(coding_read(SLICE("gzip, gzip"), &c));
    assert_false(coding_read(SLICE("br"), &c));
    assert_false(coding_read(SLICE("*"), &c));
}

static void what_a_client_accepts(void **state) {
    (void)state;
    static const struct {
        const char *header;
        enum coding coding;
    } cases[] = {
        {"", CODING_IDENTITY},
        {"identity", CODING_IDENTITY},
        {"br, zstd", CODING_IDENTITY},
        {"gzip", CODING_GZIP},
        {"gzip, deflate, br", CODING_GZIP},
        {"deflate, gzip", CODING_GZIP},
        {"deflate", CODING_DEFLATE},
        {"gzip;q=0.5, deflate;q=0.501", CODING_DEFLATE},
        {"gzip ; q=0.3 , deflate ; Q=0.2", CODING_GZIP},
        {"gzip;q=0", CODING_IDENTITY},
        {"gzip;q=0.000, deflate;q=0", CODING_IDENTITY},
        {"gzip;q=0, *", CODING_DEFLATE},
        {"*", CODING_GZIP},
        {"*;q=0", CODING_IDENTITY},
        {"*;q=0, deflate;q=0.1", CODING_DEFLATE},
        {"gzip;q=1.000", CODING_GZIP},
        {"gzip;q=x", CODING_IDENTITY},
        {"gzip;q=", CODING_IDENTITY},
        {"gzip;q=0.5x", CODING_IDENTITY},
        {"gzip;level=1", CODING_GZIP},
        {",,;,gzip", CODING_GZIP},
        {"gzipped", CODING_IDENTITY},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (coding_accepted(slice_of(cases[i].header)) != cases[i].coding)
            fail_msg("%s", cases[i].header);
}

static void replies_come_back_the_same(void **state) {
    (void)state;
    static char text[60000];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = "abcdefghijklmnop"[(i * i) % 16];
    for (size_t len = 200; len < sizeof text; len = len * 3)
        for (int coding = CODING_GZIP; coding <= CODING_DEFLATE; coding++) {
            struct slice coded =
                coder_deflate(&coder, (enum coding)coding, (struct slice){text, len});
            assert_non_null(coded.ptr);
            assert_true(coded.len < len);
            struct body out = {.ceiling = sizeof text, .budget = &budget};
            assert_null(coding_inflate((enum coding)coding, coded, &out));
            assert_int_equal(out.len, len);
            assert_memory_equal(out.ptr, text, len);
            body_release(&out);
            free((void *)(uintptr_t)coded.ptr);
        }
    assert_int_equal(atomic_load(&budget.used), 0);
}

static void what_does_not_shrink_is_left_alone(void **state) {
    (void)state;
    assert_null(coder_deflate(&coder, CODING_GZIP, SLICE("x")).ptr);
    assert_null(coder_deflate(&coder, CODING_DEFLATE, SLICE("xy")).ptr);
    coder_finish(&coder);
}

#define HELLO_GZIP                                                                                 \
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36\x05"     \
    "\x00\x00\x00"

static const struct http_fault *inflate_text(enum coding coding, struct slice s, size_t ceiling,
                                             const char *want) {
    struct body out = {.ceiling = ceiling, .budget = &budget};
    const struct http_fault *fault = coding_inflate(coding, s, &out);
    if (want)
        assert_slice(((struct slice){out.ptr, out.len}), want);
    body_release(&out);
    assert_int_equal(atomic_load(&budget.used), 0);
    return fault;
}

static void forms_of_coded_bodies(void **state) {
    (void)state;
    assert_null(inflate_text(CODING_GZIP, SLICE(HELLO_GZIP), 100, "hello"));
    assert_null(inflate_text(CODING_GZIP, SLICE(HELLO_GZIP HELLO_GZIP), 100, "hellohello"));
    assert_null(inflate_text(CODING_DEFLATE, SLICE("\xcb\x48\xcd\xc9\xc9\x07\x00"), 100, "hello"));
    assert_null(inflate_text(CODING_DEFLATE, SLICE("\x78\x9c\x03\x00\x00\x00\x00\x01"), 0, ""));
}

static void the_ceiling_holds_to_the_byte(void **state) {
    (void)state;
    assert_null(inflate_text(CODING_GZIP, SLICE(HELLO_GZIP), 5, "hello"));
    assert_ptr_equal(inflate_text(CODING_GZIP, SLICE(HELLO_GZIP), 4, NULL), &body_too_large);
    assert_ptr_equal(inflate_text(CODING_GZIP, SLICE(HELLO_GZIP HELLO_GZIP), 9, NULL),
                     &body_too_large);
}

static void what_is_malformed_is_refused(void **state) {
    (void)state;
    char bytes[] = HELLO_GZIP;
    size_t len = sizeof bytes - 1;
    for (size_t i = 0; i < len; i++)
        assert_int_equal(inflate_text(CODING_GZIP, (struct slice){bytes, i}, 100, NULL)->status,
                         400);
    bytes[len - 1] ^= 1; /* the length's check */
    assert_int_equal(inflate_text(CODING_GZIP, (struct slice){bytes, len}, 100, NULL)->status, 400);
    assert_int_equal(inflate_text(CODING_GZIP, SLICE(HELLO_GZIP "junk"), 100, NULL)->status, 400);
    assert_int_equal(inflate_text(CODING_DEFLATE, SLICE("\xff\xff"), 100, NULL)->status, 400);
}

UNIT_TESTS(cmocka_unit_test(names_of_codings), cmocka_unit_test(what_a_client_accepts),
           cmocka_unit_test(replies_come_back_the_same),
           cmocka_unit_test(what_does_not_shrink_is_left_alone),
           cmocka_unit_test(forms_of_coded_bodies), cmocka_unit_test(the_ceiling_holds_to_the_byte),
           cmocka_unit_test(what_is_malformed_is_refused))
