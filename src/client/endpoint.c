#include "client/endpoint.h"

#include <stdlib.h>

#include "ops/op.h"

/* --- URL -------------------------------------------------------------------------------------- */

static struct error *endpoint_refused(struct arena *a, struct slice url, const char *why) {
    return error_new(a, ERR_LOCAL, "the endpoint %.*s %s", SLICE_ARG(url), why);
}

static struct slice endpoint_rest(struct slice s, size_t from) {
    return (struct slice){s.ptr + from, s.len - from};
}

/* The host without port and brackets. */
static struct slice endpoint_name(struct slice authority) {
    const char *end =
        authority.len && authority.ptr[0] == '[' ? memchr(authority.ptr, ']', authority.len) : NULL;
    if (end)
        return (struct slice){authority.ptr + 1, (size_t)(end - authority.ptr - 1)};
    const char *colon = authority.len ? memchr(authority.ptr, ':', authority.len) : NULL;
    return colon ? (struct slice){authority.ptr, (size_t)(colon - authority.ptr)} : authority;
}

/* 127.x.y.z in digits and dots; 127.evil.example is a name of the web. */
static bool endpoint_is_loopback(struct slice name) {
    bool address = slice_starts_with(name, SLICE("127."));
    for (size_t i = 0; i < name.len; i++)
        address = address && (name.ptr[i] == '.' || (name.ptr[i] >= '0' && name.ptr[i] <= '9'));
    return address || slice_equal_ignore_case(name, SLICE("localhost")) || slice_is(name, "::1");
}

/* The port that the scheme has anyway is left out of Host, as libcurl and the SDKs do. */
static struct slice endpoint_host(struct slice authority, const char *usual_port) {
    size_t len = strlen(usual_port);
    struct slice end = {authority.ptr + authority.len - len, len};
    if (authority.len > len && slice_is(end, usual_port))
        return (struct slice){authority.ptr, authority.len - len};
    return authority;
}

struct error *endpoint_read(struct arena *a, struct slice url, struct endpoint *out) {
    bool secure = slice_starts_with(url, SLICE("https://"));
    if (!secure && !slice_starts_with(url, SLICE("http://")))
        return endpoint_refused(a, url, "does not begin with http:// or https://");
    for (size_t i = 0; i < url.len; i++)
        if ((unsigned char)url.ptr[i] <= ' ' || strchr("@?#\\\177", url.ptr[i]))
            return endpoint_refused(a, url, "is not of the form http://HOST:PORT");
    struct slice rest = endpoint_rest(url, secure ? 8 : 7);
    const char *slash = rest.len ? memchr(rest.ptr, '/', rest.len) : NULL;
    struct slice authority = {rest.ptr, slash ? (size_t)(slash - rest.ptr) : rest.len};
    struct slice name = endpoint_name(authority);
    if (name.len == 0)
        return endpoint_refused(a, url, "names no host");
    *out = (struct endpoint){
        .url = arena_copy(a, url),
        .host = arena_copy(a, endpoint_host(authority, secure ? ":443" : ":80")),
        .path = slash ? arena_copy(a, endpoint_rest(rest, authority.len)) : SLICE("/"),
        .loopback = endpoint_is_loopback(name),
    };
    return NULL;
}

/* --- Credentials ------------------------------------------------------------------------------ */

static struct slice endpoint_variable(const char *name) {
    const char *value = getenv(name);
    return value ? slice_of(value) : SLICE("");
}

static struct slice endpoint_first(struct slice a, struct slice b) {
    return a.len ? a : b;
}

static struct slice endpoint_region(const struct client_remote_options *options) {
    struct slice named =
        endpoint_first(endpoint_variable("AWS_REGION"), endpoint_variable("AWS_DEFAULT_REGION"));
    return endpoint_first(endpoint_first(options->region, named), SLICE(OP_DEFAULT_REGION));
}

struct error *endpoint_key(struct arena *a, const struct endpoint *endpoint,
                           const struct client_remote_options *options, struct sigv4_key *out) {
    struct slice access = options->access_key, secret = options->secret_key;
    struct slice token = options->session_token;
    if (!access.len && !secret.len) {
        access = endpoint_variable("AWS_ACCESS_KEY_ID");
        secret = endpoint_variable("AWS_SECRET_ACCESS_KEY");
        token = endpoint_variable("AWS_SESSION_TOKEN");
    }
    if (!access.len && !secret.len && endpoint->loopback) {
        access = secret = SLICE("local");
        token = SLICE("");
    }
    if (!access.len || !secret.len)
        return error_new(a, ERR_LOCAL,
                         "%.*s needs a key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
                         SLICE_ARG(endpoint->url));
    *out = (struct sigv4_key){
        .access_key = arena_copy(a, access),
        .secret_key = arena_copy(a, secret),
        .session_token = arena_copy(a, token),
        .region = arena_copy(a, endpoint_region(options)),
        .service = SLICE("dynamodb"),
    };
    return NULL;
}
