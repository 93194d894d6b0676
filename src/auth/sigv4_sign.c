/*
 * Making signatures.
 *
 *   canonical request   METHOD \n path \n query \n name:value\n… \n names \n hex(SHA-256(body))
 *   string to sign      AWS4-HMAC-SHA256 \n date \n day/region/service/aws4_request
 *                       \n hex(SHA-256(canonical request))
 *   signature           hex(HMAC(key, string to sign)), where
 *   key                 HMAC(HMAC(HMAC(HMAC("AWS4" secret, day), region), service), aws4_request)
 */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <stdlib.h>

#include "auth/auth_int.h"
#include "base/buf.h"

enum { CANONICAL_BYTES = 32 * 1024 * 1024 }; /* a query and headers, each byte as three */

struct digest {
    unsigned char bytes[SHA256_DIGEST_LENGTH];
};

static struct digest hash_of(struct slice s) {
    struct digest d;
    SHA256((const unsigned char *)s.ptr, s.len, d.bytes);
    return d;
}

static struct digest hmac_of(struct slice key, struct slice s) {
    struct digest d;
    HMAC(EVP_sha256(), key.ptr, (int)key.len, (const unsigned char *)s.ptr, s.len, d.bytes, NULL);
    return d;
}

static struct slice digest_slice(const struct digest *d) {
    return (struct slice){(const char *)d->bytes, sizeof d->bytes};
}

static void add_hex(struct buf *b, const struct digest *d) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < sizeof d->bytes; i++) {
        buf_add_char(b, digits[d->bytes[i] >> 4]);
        buf_add_char(b, digits[d->bytes[i] & 15]);
    }
}

/* --- The canonical request */

static bool is_unreserved(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == '~';
}

static void add_encoded(struct buf *b, char c) {
    static const char digits[] = "0123456789ABCDEF";
    if (is_unreserved(c)) {
        buf_add_char(b, c);
        return;
    }
    buf_add_char(b, '%');
    buf_add_char(b, digits[(unsigned char)c >> 4]);
    buf_add_char(b, digits[(unsigned char)c & 15]);
}

/* Takes the last segment of `b` off, with its slash. */
static void drop_segment(struct buf *b) {
    while (b->len > 0 && b->ptr[--b->len] != '/')
        ;
}

/* The path without `.`, `..` and doubled slashes, each segment encoded once more: every service but
 * S3 has it so. */
static void add_path(struct buf *b, struct slice path) {
    size_t start = b->len, i = 0;
    while (i < path.len) {
        size_t from = i;
        while (i < path.len && path.ptr[i] != '/')
            i++;
        struct slice segment = {path.ptr + from, i++ - from};
        if (slice_equal(segment, SLICE("..")) && b->len > start)
            drop_segment(b);
        if (segment.len == 0 || slice_is(segment, ".") || slice_is(segment, ".."))
            continue;
        buf_add_char(b, '/');
        for (size_t k = 0; k < segment.len; k++)
            add_encoded(b, segment.ptr[k]);
    }
    bool directory = path.len == 0 || path.ptr[path.len - 1] == '/';
    if (b->len == start || directory)
        buf_add_char(b, '/');
}

/* One name or value of a query: decoded, then encoded as the rules want it. */
static struct slice recode(struct arena *a, struct slice s) {
    struct buf b = buf_in(a, CANONICAL_BYTES);
    for (size_t at = 0; at < s.len;)
        add_encoded(&b, sigv4_unquote(s, &at));
    return buf_slice(&b);
}

struct parameter {
    struct slice name;
    struct slice value;
};

static int parameter_compare(const void *x, const void *y) {
    const struct parameter *a = x, *b = y;
    int order = slice_compare(a->name, b->name);
    return order ? order : slice_compare(a->value, b->value);
}

static size_t read_parameters(struct arena *a, struct slice query, struct parameter *out) {
    size_t count = 0;
    const char *at = query.ptr, *end = at + query.len;
    while (at < end) {
        const char *stop = memchr(at, '&', (size_t)(end - at));
        stop = stop ? stop : end;
        const char *equal = memchr(at, '=', (size_t)(stop - at));
        const char *name_end = equal ? equal : stop;
        const char *value = equal ? equal + 1 : stop;
        struct parameter p = {recode(a, (struct slice){at, (size_t)(name_end - at)}),
                              recode(a, (struct slice){value, (size_t)(stop - value)})};
        if (p.name.len > 0 && !slice_is(p.name, "X-Amz-Signature"))
            out[count++] = p;
        at = stop + 1;
    }
    return count;
}

static void add_query(struct arena *a, struct buf *b, struct slice query) {
    if (query.len == 0)
        return;
    size_t most = 1;
    for (size_t i = 0; i < query.len; i++)
        most += query.ptr[i] == '&';
    struct parameter *p = arena_array(a, most, sizeof *p);
    size_t count = read_parameters(a, query, p);
    qsort(p, count, sizeof *p, parameter_compare);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            buf_add_char(b, '&');
        buf_add(b, p[i].name);
        buf_add_char(b, '=');
        buf_add(b, p[i].value);
    }
}

/* A header's value without spaces around it and with single ones within. */
static void add_header_value(struct buf *b, struct slice value) {
    value = slice_trim(value);
    for (size_t i = 0; i < value.len; i++)
        if (value.ptr[i] != ' ' || value.ptr[i - 1] != ' ')
            buf_add_char(b, value.ptr[i]);
}

/* `name:` and the values of all headers of that name, in the order they were sent. */
static void add_header(struct buf *b, const struct sigv4_request *r, struct slice name) {
    buf_add(b, name);
    buf_add_char(b, ':');
    bool first = true;
    for (size_t i = 0; i < r->header_count; i++) {
        if (!slice_equal(r->headers[i].name, name))
            continue;
        if (!first)
            buf_add_char(b, ',');
        first = false;
        add_header_value(b, r->headers[i].value);
    }
    buf_add_char(b, '\n');
}

static struct slice canonical_request(struct arena *a, const struct sigv4_request *r,
                                      struct slice signed_headers) {
    struct buf b = buf_in(a, CANONICAL_BYTES);
    buf_add(&b, r->method);
    buf_add_char(&b, '\n');
    add_path(&b, r->path);
    buf_add_char(&b, '\n');
    add_query(a, &b, r->query);
    buf_add_char(&b, '\n');
    const char *at = signed_headers.ptr, *end = at + signed_headers.len;
    while (at < end) {
        const char *stop = memchr(at, ';', (size_t)(end - at));
        stop = stop ? stop : end;
        add_header(&b, r, (struct slice){at, (size_t)(stop - at)});
        at = stop + 1;
    }
    buf_add_char(&b, '\n');
    buf_add(&b, signed_headers);
    buf_add_char(&b, '\n');
    struct digest body = hash_of(r->body);
    add_hex(&b, &body);
    return buf_slice(&b);
}

/* --- The signature */

static struct slice date_day(struct slice date) {
    return (struct slice){date.ptr, date.len < SIGV4_DAY_LEN ? date.len : SIGV4_DAY_LEN};
}

static struct slice scope_of(struct arena *a, const struct sigv4_key *key, struct slice date) {
    return arena_printf(a, "%.*s/%.*s/%.*s/aws4_request", SLICE_ARG(date_day(date)),
                        SLICE_ARG(key->region), SLICE_ARG(key->service));
}

static struct digest signing_key(struct arena *a, const struct sigv4_key *key, struct slice date) {
    struct slice secret = arena_printf(a, "AWS4%.*s", SLICE_ARG(key->secret_key));
    struct digest day = hmac_of(secret, date_day(date));
    struct digest region = hmac_of(digest_slice(&day), key->region);
    struct digest service = hmac_of(digest_slice(&region), key->service);
    return hmac_of(digest_slice(&service), SLICE("aws4_request"));
}

struct slice sigv4_signature(struct arena *a, const struct sigv4_request *request,
                             const struct sigv4_key *key, struct slice date,
                             struct slice signed_headers) {
    struct digest canonical = hash_of(canonical_request(a, request, signed_headers));
    struct buf text = buf_in(a, CANONICAL_BYTES);
    buf_printf(&text, "AWS4-HMAC-SHA256\n%.*s\n%.*s\n", SLICE_ARG(date),
               SLICE_ARG(scope_of(a, key, date)));
    add_hex(&text, &canonical);

    struct digest signer = signing_key(a, key, date);
    struct digest signature = hmac_of(digest_slice(&signer), buf_slice(&text));
    struct buf hex = buf_in(a, 2 * sizeof signature);
    add_hex(&hex, &signature);
    return buf_slice(&hex);
}

static int name_compare(const void *x, const void *y) {
    return slice_compare(*(const struct slice *)x, *(const struct slice *)y);
}

static struct slice header_names(struct arena *a, const struct sigv4_request *r) {
    struct slice *names = arena_array(a, r->header_count + 1, sizeof *names);
    for (size_t i = 0; i < r->header_count; i++)
        names[i] = r->headers[i].name;
    qsort(names, r->header_count, sizeof *names, name_compare);
    struct buf b = buf_in(a, CANONICAL_BYTES);
    for (size_t i = 0; i < r->header_count; i++) {
        if (i > 0 && slice_equal(names[i], names[i - 1]))
            continue;
        if (i > 0)
            buf_add_char(&b, ';');
        buf_add(&b, names[i]);
    }
    return buf_slice(&b);
}

static struct slice request_date(const struct sigv4_request *r) {
    for (size_t i = 0; i < r->header_count; i++)
        if (slice_is(r->headers[i].name, "x-amz-date"))
            return slice_trim(r->headers[i].value);
    return SLICE("");
}

struct slice sigv4_sign(struct arena *a, const struct sigv4_request *request,
                        const struct sigv4_key *key) {
    struct slice date = request_date(request), names = header_names(a, request);
    struct slice signature = sigv4_signature(a, request, key, date, names);
    return arena_printf(a,
                        "AWS4-HMAC-SHA256 Credential=%.*s/%.*s, SignedHeaders=%.*s, "
                        "Signature=%.*s",
                        SLICE_ARG(key->access_key), SLICE_ARG(scope_of(a, key, date)),
                        SLICE_ARG(names), SLICE_ARG(signature));
}

bool sigv4_equal(struct slice a, struct slice b) {
    return a.len == b.len && CRYPTO_memcmp(a.ptr, b.ptr, a.len) == 0;
}
