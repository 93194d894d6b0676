/*
 * The form and the date of a signature, checked in AWS's order with AWS's texts.
 *
 * AWS: the texts and their order are dynalite's captures (its connection tests and the notes in its
 * request handler), except where a comment says otherwise.  What is not checked: that the region
 * is one of AWS's (any name is served), that the key exists, and the signature itself.
 */
#include "auth/auth_int.h"
#include "base/buf.h"

enum {
    SKEW_MS = 15 * 60 * 1000,
    MESSAGE_BYTES = 64 * 1024 + 1024, /* a message quotes a header; a head has at most 64 KB */
};

/* The parts of a signature as the client sent them; ptr is NULL where it sent none. */
struct claim {
    struct slice algorithm;
    struct slice credential;
    struct slice signature;
    struct slice signed_headers;
    struct slice date;
};

/* The next part of `rest` up to one of the two separators; empty parts are passed over. */
static bool next_part(struct slice *rest, char one, char other, struct slice *part) {
    const char *at = rest->ptr, *end = rest->ptr + rest->len;
    while (at < end && (*at == one || *at == other))
        at++;
    const char *start = at;
    while (at < end && *at != one && *at != other)
        at++;
    *part = (struct slice){start, (size_t)(at - start)};
    *rest = (struct slice){at, (size_t)(end - at)};
    return part->len > 0;
}

/* --- In the Authorization header */

/* AWS: an unknown name is passed over; `Credential=` is as good as none, `SignedHeaders=` is not.
 */
static void claim_take(struct claim *c, struct slice name, struct slice value) {
    if (slice_equal(name, SLICE("SignedHeaders")))
        c->signed_headers = value;
    else if (value.len == 0)
        return;
    else if (slice_equal(name, SLICE("Credential")))
        c->credential = value;
    else if (slice_equal(name, SLICE("Signature")))
        c->signature = value;
}

static struct error *claim_read_header(struct arena *a, struct slice header, struct claim *c) {
    struct slice rest = slice_trim(header), part;
    if (next_part(&rest, ' ', ',', &part))
        c->algorithm = part;
    while (next_part(&rest, ' ', ',', &part)) {
        const char *equal = memchr(part.ptr, '=', part.len);
        if (!equal)
            return error_new(a, ERR_INCOMPLETE_SIGNATURE,
                             "'%.*s' not a valid key=value pair (missing equal-sign) in "
                             "Authorization header: '%.*s'.",
                             SLICE_ARG(part), SLICE_ARG(header));
        size_t name = (size_t)(equal - part.ptr);
        claim_take(c, (struct slice){part.ptr, name},
                   (struct slice){equal + 1, part.len - name - 1});
    }
    return NULL;
}

static struct error *claim_need_header(struct arena *a, const struct claim *c,
                                       struct slice header) {
    if (c->credential.ptr && c->signature.ptr && c->signed_headers.ptr && c->date.ptr)
        return NULL;
    struct buf b = buf_in(a, MESSAGE_BYTES);
    if (!c->credential.ptr)
        buf_add_text(&b, "Authorization header requires 'Credential' parameter. ");
    if (!c->signature.ptr)
        buf_add_text(&b, "Authorization header requires 'Signature' parameter. ");
    if (!c->signed_headers.ptr)
        buf_add_text(&b, "Authorization header requires 'SignedHeaders' parameter. ");
    if (!c->date.ptr)
        buf_add_text(&b, "Authorization header requires existence of either a 'X-Amz-Date' or a "
                         "'Date' header. ");
    return error_new(a, ERR_INCOMPLETE_SIGNATURE, "%.*sAuthorization=%.*s",
                     SLICE_ARG(buf_slice(&b)), SLICE_ARG(header));
}

/* --- In the query */

/* A query value without its %XX. */
static struct slice query_decode(struct arena *a, struct slice s) {
    if (s.len == 0 || !memchr(s.ptr, '%', s.len))
        return s;
    char *out = arena_bytes(a, s.len);
    size_t len = 0;
    for (size_t at = 0; at < s.len;)
        out[len++] = sigv4_unquote(s, &at);
    return (struct slice){out, len};
}

static void claim_take_query(struct arena *a, struct claim *c, struct slice name,
                             struct slice value) {
    struct slice *field = slice_equal(name, SLICE("X-Amz-Algorithm"))       ? &c->algorithm
                          : slice_equal(name, SLICE("X-Amz-Credential"))    ? &c->credential
                          : slice_equal(name, SLICE("X-Amz-Signature"))     ? &c->signature
                          : slice_equal(name, SLICE("X-Amz-SignedHeaders")) ? &c->signed_headers
                          : slice_equal(name, SLICE("X-Amz-Date"))          ? &c->date
                                                                            : NULL;
    if (field)
        *field = query_decode(a, value);
}

/* Reads the query's claim; false when X-Amz-Algorithm is not among its names. */
static bool claim_read_query(struct arena *a, struct slice query, struct claim *c) {
    struct slice part;
    while (next_part(&query, '&', '&', &part)) {
        const char *equal = memchr(part.ptr, '=', part.len);
        size_t name = equal ? (size_t)(equal - part.ptr) : part.len;
        struct slice value = {part.ptr + name + (equal ? 1 : 0), part.len - name - (equal ? 1 : 0)};
        claim_take_query(a, c, (struct slice){part.ptr, name}, value);
    }
    return c->algorithm.ptr != NULL;
}

static struct error *claim_need_query(struct arena *a, const struct claim *c) {
    const struct {
        struct slice value;
        const char *name;
    } needs[] = {{c->algorithm, "X-Amz-Algorithm"},
                 {c->credential, "X-Amz-Credential"},
                 {c->signature, "X-Amz-Signature"},
                 {c->signed_headers, "X-Amz-SignedHeaders"},
                 {c->date, "X-Amz-Date"}};
    struct buf b = buf_in(a, MESSAGE_BYTES);
    for (size_t i = 0; i < ARRAY_LEN(needs); i++)
        if (needs[i].value.len == 0)
            buf_printf(&b, "AWS query-string parameters must include '%s'. ", needs[i].name);
    if (b.len == 0)
        return NULL;
    return error_new(a, ERR_INCOMPLETE_SIGNATURE, "%.*sRe-examine the query-string parameters.",
                     SLICE_ARG(buf_slice(&b)));
}

/* --- Reading */

struct auth_headers {
    struct slice authorization;
    struct slice amz_date;
    struct slice date;
};

static struct auth_headers find_headers(const struct sigv4_request *r) {
    struct auth_headers h = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    for (size_t i = 0; i < r->header_count; i++) {
        struct slice name = r->headers[i].name;
        if (name.len == 13 && memcmp(name.ptr, "authorization", 13) == 0)
            h.authorization = r->headers[i].value;
        else if (name.len == 10 && memcmp(name.ptr, "x-amz-date", 10) == 0)
            h.amz_date = r->headers[i].value;
        else if (name.len == 4 && memcmp(name.ptr, "date", 4) == 0)
            h.date = r->headers[i].value;
    }
    return h;
}

static struct error *claim_read(struct arena *a, const struct sigv4_request *r, struct claim *c) {
    struct auth_headers h = find_headers(r);
    bool in_query = r->query.len > 0 && claim_read_query(a, r->query, c);
    if (h.authorization.len > 0 && in_query)
        return error_new(a, ERR_INVALID_SIGNATURE,
                         "Found both 'X-Amz-Algorithm' as a query-string param and "
                         "'Authorization' as HTTP header.");
    if (in_query)
        return claim_need_query(a, c);
    if (!slice_starts_with(slice_trim(h.authorization), SLICE("AWS4-")))
        return error_new(a, ERR_MISSING_AUTHENTICATION_TOKEN,
                         "Request is missing Authentication Token");
    *c = (struct claim){.date = h.amz_date.len > 0 ? h.amz_date : h.date};
    if (c->date.len == 0)
        c->date.ptr = NULL;
    TRY(claim_read_header(a, h.authorization, c));
    return claim_need_header(a, c, h.authorization);
}

/* --- Checking */

static struct error *check_date(struct arena *a, const struct claim *c, int64_t now_ms) {
    int64_t at;
    if (!sigv4_date_read(c->date, &at))
        return error_new(a, ERR_INCOMPLETE_SIGNATURE,
                         "Date must be in ISO-8601 'basic format'. Got '%.*s'. See "
                         "http://en.wikipedia.org/wiki/ISO_8601",
                         SLICE_ARG(c->date));
    int64_t second = now_ms - now_ms % 1000;
    if (at < second - SKEW_MS)
        return error_new(a, ERR_INVALID_SIGNATURE,
                         "Signature expired: %.*s is now earlier than %.*s (%.*s - 15 min.)",
                         SLICE_ARG(c->date), SLICE_ARG(sigv4_date(a, second - SKEW_MS)),
                         SLICE_ARG(sigv4_date(a, second)));
    /* AWS: the text as AWS's forums and SDK issue trackers quote it. */
    if (at > second + SKEW_MS)
        return error_new(a, ERR_INVALID_SIGNATURE,
                         "Signature not yet current: %.*s is still later than %.*s (%.*s + 15 "
                         "min.)",
                         SLICE_ARG(c->date), SLICE_ARG(sigv4_date(a, second + SKEW_MS)),
                         SLICE_ARG(sigv4_date(a, second)));
    return NULL;
}

static struct error *check_host_signed(struct arena *a, const struct claim *c) {
    struct slice rest = c->signed_headers, name;
    while (next_part(&rest, ';', ';', &name))
        if (slice_equal_ignore_case(name, SLICE("host")))
            return NULL;
    return error_new(a, ERR_INVALID_SIGNATURE,
                     "'Host' must be a 'SignedHeader' in the AWS Authorization.");
}

static struct error *check_algorithm(struct arena *a, const struct claim *c) {
    if (slice_equal(c->algorithm, SLICE("AWS4-HMAC-SHA256")))
        return NULL;
    return error_new(a, ERR_INCOMPLETE_SIGNATURE,
                     "Unsupported AWS 'algorithm': '%.*s' (only AWS4-HMAC-SHA256 for now). ",
                     SLICE_ARG(c->algorithm));
}

enum { KEY_ID, DAY, REGION, SERVICE, TERMINATOR, CREDENTIAL_PARTS };

/* AWS: slashes at the end are ignored. */
static struct error *split_credential(struct arena *a, struct slice credential,
                                      struct slice parts[CREDENTIAL_PARTS]) {
    struct slice rest = credential;
    while (rest.len > 0 && rest.ptr[rest.len - 1] == '/')
        rest.len--;
    size_t count = 0;
    for (const char *slash = rest.ptr; slash && count < CREDENTIAL_PARTS; count++) {
        slash = rest.len > 0 ? memchr(rest.ptr, '/', rest.len) : NULL;
        size_t len = slash ? (size_t)(slash - rest.ptr) : rest.len;
        parts[count] = (struct slice){rest.ptr, len};
        size_t taken = slash ? len + 1 : len;
        rest = (struct slice){rest.ptr + taken, rest.len - taken};
    }
    if (count == CREDENTIAL_PARTS && rest.len == 0)
        return NULL;
    return error_new(a, ERR_INCOMPLETE_SIGNATURE,
                     "Credential must have exactly 5 slash-delimited elements, e.g. "
                     "keyid/date/region/service/term, got '%.*s'",
                     SLICE_ARG(credential));
}

/* Any region is served, if it can be a region's name at all. */
static bool is_region(struct slice s) {
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i], lower = (char)(c | 0x20);
        if (!(lower >= 'a' && lower <= 'z') && !(c >= '0' && c <= '9') && c != '-' && c != '_')
            return false;
    }
    return s.len > 0;
}

/* AWS: all that is wrong with the scope, in one message. */
static struct error *scope_error(struct arena *a, const struct claim *c,
                                 const struct slice p[CREDENTIAL_PARTS], struct slice day) {
    struct buf b = buf_in(a, MESSAGE_BYTES);
    if (!is_region(p[REGION]))
        buf_printf(&b, " Credential should be scoped to a valid region, not '%.*s'.",
                   SLICE_ARG(p[REGION]));
    if (!slice_equal(p[SERVICE], SLICE("dynamodb")))
        buf_add_text(&b, " Credential should be scoped to correct service: 'dynamodb'.");
    if (!slice_equal(p[TERMINATOR], SLICE("aws4_request")))
        buf_printf(&b,
                   " Credential should be scoped with a valid terminator: 'aws4_request', not "
                   "'%.*s'.",
                   SLICE_ARG(p[TERMINATOR]));
    if (!slice_equal(p[DAY], day))
        buf_printf(&b,
                   " Date in Credential scope does not match YYYYMMDD from ISO-8601 version of "
                   "date from HTTP: '%.*s' != '%.*s', from '%.*s'.",
                   SLICE_ARG(p[DAY]), SLICE_ARG(day), SLICE_ARG(c->date));
    return error_new(a, ERR_INVALID_SIGNATURE, "%.*s", (int)b.len - 1, b.ptr + 1);
}

static struct error *check_scope(struct arena *a, const struct claim *c, struct sigv4_caller *out) {
    struct slice p[CREDENTIAL_PARTS];
    TRY(split_credential(a, c->credential, p));
    struct slice day = {c->date.ptr, SIGV4_DAY_LEN};
    if (!is_region(p[REGION]) || !slice_equal(p[SERVICE], SLICE("dynamodb")) ||
        !slice_equal(p[TERMINATOR], SLICE("aws4_request")) || !slice_equal(p[DAY], day))
        return scope_error(a, c, p, day);
    *out =
        (struct sigv4_caller){.access_key = p[KEY_ID], .region = p[REGION], .service = p[SERVICE]};
    return NULL;
}

struct error *sigv4_check(struct arena *a, const struct sigv4_request *request, int64_t now_ms,
                          struct sigv4_caller *out) {
    struct claim claim = {.algorithm = {NULL, 0}};
    TRY(claim_read(a, request, &claim));
    TRY(check_date(a, &claim, now_ms));
    TRY(check_host_signed(a, &claim));
    TRY(check_algorithm(a, &claim));
    return check_scope(a, &claim, out);
}
