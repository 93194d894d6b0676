#include "http/head.h"

#include "base/limits.h"
#include "unit.h"

static struct head head;

/* Reads a head; the fault's text, or NULL. */
static const char *read_head(const char *text) {
    static char bytes[256 * 1024];
    size_t len = strlen(text);
    memcpy(bytes, text, len);
    assert_int_equal(head_length((struct slice){bytes, len}, 0), len);
    const struct http_fault *fault = head_read(bytes, len, &head);
    return fault ? fault->text : NULL;
}

static void a_head_and_its_parts(void **state) {
    (void)state;
    assert_null(read_head("POST /a/b?c=d HTTP/1.1\r\nHost: localhost:8000\r\n"
                          "X-Amz-Target:  DynamoDB_20120810.GetItem \r\nAccept-Encoding: gzip\r\n"
                          "Content-Encoding: deflate\r\nContent-Length: 12\r\n\r\n"));
    assert_slice(head.method, "POST");
    assert_slice(head.path, "/a/b");
    assert_slice(head.query, "c=d");
    assert_slice(head.host, "localhost:8000");
    assert_slice(head.accept_encoding, "gzip");
    assert_slice(head.content_encoding, "deflate");
    assert_int_equal(head.content_length, 12);
    assert_int_equal(head.header_count, 5);
    assert_slice(head.headers[1].name, "x-amz-target");
    assert_slice(head.headers[1].value, "DynamoDB_20120810.GetItem");
    assert_true(head.http_1_1 && head.has_length && head.has_host);
    assert_false(head.chunked || head.asks_close || head.expects_continue);
}

static void what_an_earlier_head_said_is_forgotten(void **state) {
    (void)state;
    assert_null(read_head("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                          "Connection: close\r\nExpect: 100-continue\r\n\r\n"));
    assert_true(head.chunked && head.asks_close && head.expects_continue);
    assert_null(read_head("GET / HTTP/1.1\r\nHost: y\r\n\r\n"));
    assert_false(head.chunked || head.asks_close || head.expects_continue || head.has_length);
    assert_int_equal(head.header_count, 1);
}

static void the_end_is_found_where_it_is(void **state) {
    (void)state;
    struct slice s = SLICE("GET / HTTP/1.1\r\nHost: x\r\n\r\nPOST");
    assert_int_equal(head_length(s, 0), s.len - 4);
    for (size_t len = 0; len < s.len - 4; len++)
        assert_int_equal(head_length((struct slice){s.ptr, len}, 0), 0);
    for (size_t seen = 0; seen < s.len - 4; seen++)
        assert_int_equal(head_length(s, seen), s.len - 4);
}

static void what_cannot_become_a_head_is_told_at_once(void **state) {
    (void)state;
    assert_null(head_begin_check(SLICE("")));
    assert_null(head_begin_check(SLICE("G")));
    assert_null(head_begin_check(SLICE("GET / HTTP/1.1\r\nHost")));
    assert_null(head_begin_check(SLICE("\r")));
    assert_non_null(head_begin_check(SLICE("\x16\x03\x01")));
    assert_non_null(head_begin_check(SLICE("\n")));
    assert_non_null(head_begin_check(SLICE("GET / HTTP/1.1\n")));
    static char large[LIMIT_HEAD_BYTES + 1];
    memset(large, 'a', sizeof large);
    assert_null(head_begin_check((struct slice){large, LIMIT_HEAD_BYTES}));
    assert_int_equal(head_begin_check((struct slice){large, sizeof large})->status, 431);
}

static void every_control_character_is_refused(void **state) {
    (void)state;
    for (int c = 0; c < 256; c++)
        for (size_t at = 0; at < 20; at++) {
            char bytes[] = "GET / HTTP/1.1\r\nHost: abcdefghijklmnopqrst\r\n\r\n";
            size_t len = sizeof bytes - 1;
            bytes[22 + at] = (char)c;
            bool refused = head_read(bytes, len, &head) != NULL;
            bool control = (c < 0x20 && c != '\t') || c == 0x7f;
            assert_int_equal(refused, control);
        }
}

static void names_are_tokens(void **state) {
    (void)state;
    const char *good = ":!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"
                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (int c = 1; c < 256; c++) {
        char bytes[] = "GET / HTTP/1.1\r\nHost: x\r\nX?Y: z\r\n\r\n";
        bytes[26] = (char)c;
        bool read = head_read(bytes, sizeof bytes - 1, &head) == NULL;
        assert_int_equal(read, strchr(good, c) != NULL);
    }
}

static void request_lines_that_are_none(void **state) {
    (void)state;
    static const char *const bad[] = {
        "GET\r\n\r\n",
        "GET /\r\n\r\n",
        " GET / HTTP/1.1\r\n\r\n",
        "G@T / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1 \r\nHost: x\r\n\r\n",
        "GET / HTTP/1.\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.10\r\nHost: x\r\n\r\n",
        "GET / http/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/x.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/2.0\r\nHost: x\r\n\r\n",
        "GET /a\tb HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET a HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET http:// HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET http:///a HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET ** HTTP/1.1\r\nHost: x\r\n\r\n",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (!read_head(bad[i]))
            fail_msg("read: %s", bad[i]);
}

static void an_absolute_target_names_the_host(void **state) {
    (void)state;
    assert_null(read_head("GET HTTP://b:1/c?d HTTP/1.1\r\nHost: a\r\n\r\n"));
    assert_slice(head.host, "b:1");
    assert_slice(head.path, "/c");
    assert_slice(head.query, "d");
    assert_null(read_head("GET http://b HTTP/1.1\r\nHost: a\r\n\r\n"));
    assert_slice(head.path, "/");
    assert_slice(head.query, "");
}

static void a_hundred_headers_and_no_more(void **state) {
    (void)state;
    char text[4096] = "GET / HTTP/1.1\r\nHost: x\r\n";
    for (int i = 0; i < 99; i++)
        strcat(text, "a: b\r\n");
    char *end = text + strlen(text);
    strcpy(end, "\r\n");
    assert_null(read_head(text));
    assert_int_equal(head.header_count, HEAD_MAX_HEADERS);
    strcpy(end, "c:d\r\n\r\n");
    assert_string_equal(read_head(text), "too many headers");
}

UNIT_TESTS(cmocka_unit_test(a_head_and_its_parts),
           cmocka_unit_test(what_an_earlier_head_said_is_forgotten),
           cmocka_unit_test(the_end_is_found_where_it_is),
           cmocka_unit_test(what_cannot_become_a_head_is_told_at_once),
           cmocka_unit_test(every_control_character_is_refused), cmocka_unit_test(names_are_tokens),
           cmocka_unit_test(request_lines_that_are_none),
           cmocka_unit_test(an_absolute_target_names_the_host),
           cmocka_unit_test(a_hundred_headers_and_no_more))
