/*
 * A request's head: the request line and the headers, read strictly.
 *
 * Whoever stands between the client and us must not be able to read the same bytes differently, so
 * everything that is known to be read in two ways is refused: lines that end in LF alone, folded
 * lines, space before a colon, control characters, doubled Host or Content-Length, a length that
 * is not digits, Transfer-Encoding with Content-Length or in HTTP/1.0.
 *
 * The slices point into the bytes that were read.
 */
#ifndef HTTP_HEAD_H
#define HTTP_HEAD_H

#include "http/fault.h"
#include "http/http.h"

enum {
    HEAD_MAX_HEADERS = 100,
};

struct head {
    struct slice method;
    struct slice path;
    struct slice query; /* without '?' */
    struct slice host;
    struct slice content_encoding;
    struct slice accept_encoding;
    uint64_t content_length;
    size_t header_count;
    bool has_length;
    bool has_host;
    bool chunked;
    bool http_1_1;
    bool asks_close;
    bool asks_keep_alive;
    bool expects_continue;
    bool expects_other; /* an expectation we do not know */
    struct http_header headers[HEAD_MAX_HEADERS];
};

/*
 * The length of the head at the start of `bytes`, blank line included, or 0 when its end is not
 * there yet.  `seen` says how many bytes an earlier call has already looked at.
 */
size_t head_length(struct slice bytes, size_t seen);

/* Whether the beginning of a head can still become a good one: tells those who speak something
 * else (TLS, say) at once. */
const struct http_fault *head_begin_check(struct slice bytes);

/* Reads a whole head of `len` bytes (as head_length says); header names become lower case in
 * place. */
const struct http_fault *head_read(char *bytes, size_t len, struct head *out);

#endif
