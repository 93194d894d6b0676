#include "http/chunked.h"

#include "unit.h"

/* Decodes in pieces of `step` bytes; false when malformed or not at its end.  `rest` is what
 * follows. */
static bool decode(const char *text, size_t step, char *out, size_t *out_len, size_t *rest) {
    struct chunked c = {.state = CHUNKED_SIZE};
    size_t len = strlen(text);
    *out_len = 0;
    for (size_t at = 0; at < len; at += step) {
        struct slice in = {text + at, len - at < step ? len - at : step}, data;
        enum chunked_step s;
        while ((s = chunked_next(&c, &in, &data)) == CHUNKED_STEP_DATA) {
            memcpy(out + *out_len, data.ptr, data.len);
            *out_len += data.len;
        }
        *rest = len - (size_t)(in.ptr - text);
        if (s != CHUNKED_STEP_MORE)
            return s == CHUNKED_STEP_END;
    }
    return false;
}

static void chunks_in_pieces_of_any_size(void **state) {
    (void)state;
    const char *text = "5\r\nhello\r\n1;x=y\r\n,\r\n00b \t\r\n wide world\r\n0\r\nA: b\r\n\r\nGET";
    for (size_t step = 1; step <= strlen(text); step++) {
        char out[64];
        size_t len, rest;
        assert_true(decode(text, step, out, &len, &rest));
        assert_int_equal(len, 17);
        assert_memory_equal(out, "hello, wide world", 17);
    }
    char out[64];
    size_t len, rest;
    assert_true(decode(text, strlen(text), out, &len, &rest));
    assert_int_equal(rest, 3);
}

static void what_is_malformed_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "\r\n\r\n",
        ";x\r\n\r\n",
        " 5\r\nhello\r\n0\r\n\r\n",
        "-1\r\n",
        "0x5\r\nhello\r\n0\r\n\r\n",
        "5\nhello\r\n0\r\n\r\n",
        "5\rhello\r\n0\r\n\r\n",
        "5\r\nhello\n0\r\n\r\n",
        "5\r\nhello0\r\n\r\n",
        "5\r\nhello!\r\n0\r\n\r\n",
        "0\r\n\n",
        "0\r\n\rX",
        "0\r\nA: b\n\r\n",
        "fffffffffffffffff\r\n",
        "1000000000000000\r\n",
    };
    char out[64];
    size_t len, rest;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        for (size_t step = 1; step < 8; step++)
            if (decode(bad[i], step, out, &len, &rest))
                fail_msg("read: %s", bad[i]);
}

static void what_ends_too_early_wants_more(void **state) {
    (void)state;
    const char *text = "5\r\nhello\r\n0\r\n\r\n";
    for (size_t len = 0; len < strlen(text); len++) {
        struct chunked c = {.state = CHUNKED_SIZE};
        struct slice in = {text, len}, data;
        enum chunked_step s;
        while ((s = chunked_next(&c, &in, &data)) == CHUNKED_STEP_DATA)
            ;
        assert_int_equal(s, CHUNKED_STEP_MORE);
    }
}

UNIT_TESTS(cmocka_unit_test(chunks_in_pieces_of_any_size),
           cmocka_unit_test(what_is_malformed_is_refused),
           cmocka_unit_test(what_ends_too_early_wants_more))
