/*
 * Signatures as clients send them.  Lines: the Authorization header, the x-amz-date, the query;
 * then the same request is signed, which must not fall over its path and query either.
 */
#include <stdlib.h>

#include "auth/sigv4.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const int64_t now = 1796055788000; /* 20261130T162308Z */

static struct slice next_line(struct slice *rest) {
    const char *end = rest->len > 0 ? memchr(rest->ptr, '\n', rest->len) : NULL;
    size_t len = end ? (size_t)(end - rest->ptr) : rest->len, taken = len + (end ? 1 : 0);
    struct slice line = {rest->ptr, len};
    *rest = (struct slice){rest->ptr + taken, rest->len - taken};
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena *a = arena_create();
    struct slice rest = {(const char *)data, size};
    struct sigv4_header headers[] = {{SLICE("host"), SLICE("localhost")},
                                     {SLICE("authorization"), next_line(&rest)},
                                     {SLICE("x-amz-date"), next_line(&rest)}};
    struct slice query = next_line(&rest);
    struct sigv4_request r = {SLICE("POST"), rest, query, headers, 3, rest};
    struct sigv4_caller caller = {.region = {NULL, 0}};
    struct error *error = sigv4_check(a, &r, now, &caller);
    if (error ? error->message.len == 0 : caller.region.len == 0)
        abort();

    struct sigv4_key key = {SLICE("k"), SLICE("s"), SLICE(""), SLICE("local"), SLICE("dynamodb")};
    struct slice signed_headers = headers[1].value;
    if (sigv4_signature(a, &r, &key, headers[2].value, signed_headers).len != 64)
        abort();
    (void)sigv4_sign(a, &r, &key);
    arena_destroy(a);
    return 0;
}
