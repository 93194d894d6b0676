#include "client/exchange.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "client/inflate.h"

enum { EXCHANGE_CONNECT_MS = 5000, EXCHANGE_HEADERS = 8 };

/* --- The handle ------------------------------------------------------------------------------- */

static size_t exchange_take_body(char *bytes, size_t size, size_t count, void *context) {
    struct buf *body = context;
    buf_add(body, (struct slice){bytes, size * count});
    return buf_ok(body) ? size * count : 0;
}

struct error *exchange_open(struct arena *a, const struct curl_library *library,
                            const struct endpoint *endpoint, const struct sigv4_key *key,
                            unsigned timeout_ms, struct exchange *out) {
    CURL *handle = library->easy_init();
    if (!handle)
        return error_new(a, ERR_LOCAL, "libcurl gives no handle");
    *out = (struct exchange){library, handle, endpoint, key};
    library->easy_setopt(handle, CURLOPT_URL, arena_string(a, endpoint->url));
    library->easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    library->easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    library->easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    library->easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    library->easy_setopt(handle, CURLOPT_PATH_AS_IS, 1L);
    library->easy_setopt(handle, CURLOPT_TIMEOUT_MS, (long)timeout_ms);
    library->easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, (long)EXCHANGE_CONNECT_MS);
    library->easy_setopt(handle, CURLOPT_WRITEFUNCTION, exchange_take_body);
    if (endpoint->loopback) /* a proxy named in the environment is not for this machine */
        library->easy_setopt(handle, CURLOPT_PROXY, "");
    return NULL;
}

void exchange_close(struct exchange *x) {
    if (x->handle)
        x->library->easy_cleanup(x->handle);
    x->handle = NULL;
}

/* --- The request ------------------------------------------------------------------------------ */

/* The headers that are signed, sorted by name. */
static size_t exchange_headers(const struct exchange *x, struct arena *a, struct slice target,
                               struct sigv4_header *out) {
    size_t count = 0;
    out[count++] =
        (struct sigv4_header){SLICE("content-type"), SLICE("application/x-amz-json-1.0")};
    out[count++] = (struct sigv4_header){SLICE("host"), x->endpoint->host};
    out[count++] = (struct sigv4_header){SLICE("x-amz-date"), sigv4_date(a, clock_wall_ms())};
    if (x->key->session_token.len)
        out[count++] = (struct sigv4_header){SLICE("x-amz-security-token"), x->key->session_token};
    out[count++] = (struct sigv4_header){SLICE("x-amz-target"), target};
    return count;
}

static void exchange_add_header(const struct curl_library *library, struct curl_slist **list,
                                const char *line) {
    struct curl_slist *longer = library->slist_append(*list, line);
    if (!longer)
        abort();
    *list = longer;
}

static struct curl_slist *exchange_header_list(struct exchange *x, struct arena *a,
                                               struct slice target, struct slice body) {
    struct sigv4_header headers[EXCHANGE_HEADERS];
    const struct sigv4_request request = {
        .method = SLICE("POST"),
        .path = x->endpoint->path,
        .headers = headers,
        .header_count = exchange_headers(x, a, target, headers),
        .body = body,
    };
    struct slice authorization = sigv4_sign(a, &request, x->key);
    struct curl_slist *list = NULL;
    for (size_t i = 0; i < request.header_count; i++)
        exchange_add_header(
            x->library, &list,
            arena_printf(a, "%.*s: %.*s", SLICE_ARG(headers[i].name), SLICE_ARG(headers[i].value))
                .ptr);
    exchange_add_header(x->library, &list,
                        arena_printf(a, "authorization: %.*s", SLICE_ARG(authorization)).ptr);
    exchange_add_header(x->library, &list, "accept-encoding: gzip");
    exchange_add_header(x->library, &list, "user-agent: stator");
    exchange_add_header(x->library, &list, "expect:"); /* not sent: no waiting for a 100 */
    return list;
}

/* --- The reply -------------------------------------------------------------------------------- */

/* What of the reply's head is looked at. */
struct exchange_head {
    bool packed;
    bool has_crc;
    uint64_t crc;
};

static void exchange_read_header(struct exchange_head *head, struct slice line) {
    const char *colon = line.len ? memchr(line.ptr, ':', line.len) : NULL;
    if (slice_starts_with(line, SLICE("HTTP/"))) /* a 100 or a proxy's head came before */
        *head = (struct exchange_head){0};
    if (!colon)
        return;
    struct slice name = {line.ptr, (size_t)(colon - line.ptr)};
    struct slice value =
        slice_trim((struct slice){colon + 1, (size_t)(line.ptr + line.len - colon - 1)});
    if (slice_equal_ignore_case(name, SLICE("content-encoding")))
        head->packed = !slice_equal_ignore_case(value, SLICE("identity"));
    if (slice_equal_ignore_case(name, SLICE("x-amz-crc32")))
        head->has_crc = slice_to_u64(value, &head->crc);
}

static size_t exchange_take_header(char *bytes, size_t size, size_t count, void *context) {
    struct slice line = {bytes, size * count};
    while (line.len && (line.ptr[line.len - 1] == '\n' || line.ptr[line.len - 1] == '\r'))
        line.len--;
    exchange_read_header(context, line);
    return size * count;
}

static uint64_t exchange_crc(struct slice body) {
    return crc32(0, (const Bytef *)body.ptr, (uInt)body.len);
}

/* AWS: the checksum is of the bytes as sent, so of the compressed ones (SDK for Java,
 * calculateCRC32FromCompressedData).  A proxy that compresses leaves the one of the plain bytes. */
static struct error *exchange_finish(struct arena *a, const struct exchange_head *head,
                                     struct slice sent, struct slice *body) {
    struct slice plain = sent;
    if (head->packed)
        TRY(inflate_whole(a, sent, LIMIT_REPLY_BYTES, &plain));
    if (head->has_crc && head->crc != exchange_crc(sent) && head->crc != exchange_crc(plain))
        return error_new(a, ERR_LOCAL, "the reply was damaged on the way: its checksum is wrong");
    *body = plain;
    return NULL;
}

static struct error *exchange_failed(const struct exchange *x, struct arena *a, CURLcode code,
                                     const char *detail) {
    return error_new(a, ERR_LOCAL, "no answer from %.*s: %s", SLICE_ARG(x->endpoint->url),
                     *detail ? detail : x->library->easy_strerror(code));
}

struct error *exchange_run(struct exchange *x, struct arena *a, struct slice target,
                           struct slice body, struct exchange_reply *out) {
    const struct curl_library *l = x->library;
    char detail[CURL_ERROR_SIZE] = "";
    struct exchange_head head = {0};
    struct buf received = buf_in(a, LIMIT_REPLY_BYTES);
    struct curl_slist *headers = exchange_header_list(x, a, target, body);
    l->easy_setopt(x->handle, CURLOPT_ERRORBUFFER, detail);
    l->easy_setopt(x->handle, CURLOPT_HTTPHEADER, headers);
    l->easy_setopt(x->handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.len);
    l->easy_setopt(x->handle, CURLOPT_POSTFIELDS, body.ptr);
    l->easy_setopt(x->handle, CURLOPT_WRITEDATA, &received);
    l->easy_setopt(x->handle, CURLOPT_HEADERFUNCTION, exchange_take_header);
    l->easy_setopt(x->handle, CURLOPT_HEADERDATA, &head);
    CURLcode code = l->easy_perform(x->handle);
    l->easy_setopt(x->handle, CURLOPT_ERRORBUFFER, NULL);
    l->slist_free_all(headers);
    if (code != CURLE_OK)
        return exchange_failed(x, a, code, detail);
    long status = 0;
    l->easy_getinfo(x->handle, CURLINFO_RESPONSE_CODE, &status);
    TRY(exchange_finish(a, &head, buf_slice(&received), &out->body));
    out->status = (int)status;
    return NULL;
}
