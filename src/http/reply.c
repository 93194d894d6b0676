/*
 * Replies: compressed where that helps, head and body in one write.
 */
#include <assert.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/limits.h"
#include "http/http_int.h"

static struct slice reason_of(int status) {
    switch (status) {
    case 200:
        return SLICE("OK");
    case 204:
        return SLICE("No Content");
    case 304:
        return SLICE("Not Modified");
    case 400:
        return SLICE("Bad Request");
    case 403:
        return SLICE("Forbidden");
    case 404:
        return SLICE("Not Found");
    case 405:
        return SLICE("Method Not Allowed");
    case 408:
        return SLICE("Request Timeout");
    case 413:
        return SLICE("Content Too Large");
    case 415:
        return SLICE("Unsupported Media Type");
    case 417:
        return SLICE("Expectation Failed");
    case 431:
        return SLICE("Request Header Fields Too Large");
    case 500:
        return SLICE("Internal Server Error");
    case 501:
        return SLICE("Not Implemented");
    case 503:
        return SLICE("Service Unavailable");
    case 505:
        return SLICE("HTTP Version Not Supported");
    default:
        return SLICE("Status");
    }
}

static bool reply_has_body(int status) {
    return status >= 200 && status != 204 && status != 304;
}

/* --- Writing the head */

static char *put(char *at, struct slice s) {
    memcpy(at, s.ptr, s.len);
    return at + s.len;
}

static char *put_number(char *at, uint64_t n) {
    char digits[20];
    size_t len = 0;
    do
        digits[len++] = (char)('0' + n % 10);
    while (n /= 10);
    while (len > 0)
        *at++ = digits[--len];
    return at;
}

static char *put_header(char *at, struct slice name, struct slice value) {
    at = put(at, name);
    at = put(at, SLICE(": "));
    at = put(at, value);
    return put(at, SLICE("\r\n"));
}

/* All a head has besides the handler's headers: under 256 bytes. */
enum { FIXED_HEAD_BYTES = 512 };

static char *head_room(struct http_request *r, const struct http_header *headers, size_t count) {
    size_t need = FIXED_HEAD_BYTES;
    if (r->loop->server->options.crc_header)
        need += strlen(r->loop->server->options.crc_header);
    for (size_t i = 0; i < count; i++)
        need += headers[i].name.len + headers[i].value.len + 4;
    if (need <= sizeof r->small_out)
        return r->small_out;
    r->out = malloc(need);
    if (!r->out)
        abort();
    return r->out;
}

static char *put_status(char *at, int status) {
    at = put(at, SLICE("HTTP/1.1 "));
    at = put_number(at, (uint64_t)status);
    *at++ = ' ';
    at = put(at, reason_of(status));
    return put(at, SLICE("\r\n"));
}

static char *put_crc(char *at, const char *name, struct slice body) {
    at = put(at, slice_of(name));
    at = put(at, SLICE(": "));
    at = put_number(at, crc32(0, (const Bytef *)body.ptr, (uInt)body.len));
    return put(at, SLICE("\r\n"));
}

static char *put_framing(char *at, struct http_request *r, enum coding coding, struct slice body) {
    static const struct slice names[] = {SLICE_INIT(""), SLICE_INIT("gzip"), SLICE_INIT("deflate")};
    const char *crc_header = r->loop->server->options.crc_header;
    if (coding != CODING_IDENTITY)
        at = put_header(at, SLICE("Content-Encoding"), names[coding]);
    if (crc_header)
        at = put_crc(at, crc_header, body);
    at = put(at, SLICE("Content-Length: "));
    at = put_number(at, body.len);
    return put(at, SLICE("\r\n"));
}

/* HTTP/1.1 keeps connections unless told; HTTP/1.0 the other way round. */
static char *put_connection(char *at, const struct http_request *r) {
    if (r->close)
        return put(at, SLICE("Connection: close\r\n"));
    return r->head.http_1_1 ? at : put(at, SLICE("Connection: keep-alive\r\n"));
}

/* --- The reply */

static bool names_coding(const struct http_header *headers, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (slice_equal(headers[i].name, SLICE("content-encoding")))
            return true;
    return false;
}

static enum coding reply_compress(struct http_request *r, const struct http_header *headers,
                                  size_t count, struct slice *body) {
    if (body->len <= LIMIT_COMPRESS_BYTES || r->head.accept_encoding.len == 0 ||
        slice_equal(r->head.method, SLICE("HEAD")) || names_coding(headers, count))
        return CODING_IDENTITY;
    enum coding coding = coding_accepted(r->head.accept_encoding);
    if (coding == CODING_IDENTITY)
        return coding;
    r->coded = coder_deflate(&r->loop->coder, coding, *body);
    if (!r->coded.ptr)
        return CODING_IDENTITY;
    *body = r->coded;
    return coding;
}

static bool reply_closes(const struct http_request *r) {
    return r->refused || r->head.asks_close || r->loop->stopping ||
           (!r->head.http_1_1 && !r->head.asks_keep_alive);
}

static void reply_send(struct http_request *r, int status, const struct http_header *headers,
                       size_t count, struct slice body) {
    enum coding coding = reply_compress(r, headers, count, &body);
    r->close = reply_closes(r);
    char *start = head_room(r, headers, count), *at = put_status(start, status);
    at = put_header(at, SLICE("Date"), (struct slice){loop_date(r->loop), 29});
    for (size_t i = 0; i < count; i++)
        at = put_header(at, headers[i].name, headers[i].value);
    if (reply_has_body(status))
        at = put_framing(at, r, coding, body);
    at = put_connection(at, r);
    at = put(at, SLICE("\r\n"));

    bool sends_body =
        body.len > 0 && reply_has_body(status) && !slice_equal(r->head.method, SLICE("HEAD"));
    h2o_iovec_t bufs[2] = {{start, (size_t)(at - start)}, {(char *)(uintptr_t)body.ptr, body.len}};
    connection_write(r->connection, bufs, sends_body ? 2 : 1);
}

void http_reply(struct http_request *r, int status, const struct http_header *headers, size_t count,
                struct slice body) {
    assert(!r->replied);
    r->replied = true;
    if (r->connection->socket)
        reply_send(r, status, headers, count, body);
    else
        connection_forget(r->connection);
}

void reply_fault(struct http_request *r, const struct http_fault *fault) {
    static const struct http_header text[] = {
        {SLICE_INIT("content-type"), SLICE_INIT("text/plain")}};
    r->refused = true;
    if (fault == &body_over_budget && r->loop->server->options.over_budget.len > 0)
        http_reply(r, fault->status, NULL, 0, r->loop->server->options.over_budget);
    else
        http_reply(r, fault->status, text, 1, slice_of(fault->text));
}
