#include "server/server_int.h"

/* The Host header without its port. */
static struct slice access_host_name(struct slice host) {
    if (host.len && host.ptr[0] == '[') {
        const char *end = memchr(host.ptr, ']', host.len);
        return end ? (struct slice){host.ptr, (size_t)(end + 1 - host.ptr)} : host;
    }
    const char *colon = host.len ? memchr(host.ptr, ':', host.len) : NULL;
    return colon ? (struct slice){host.ptr, (size_t)(colon - host.ptr)} : host;
}

/* 127.x.y.z in digits and dots; 127.evil.example is a name of the web. */
static bool access_is_loopback_address(struct slice name) {
    if (!slice_starts_with(name, SLICE("127.")))
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] != '.' && (name.ptr[i] < '0' || name.ptr[i] > '9'))
            return false;
    return true;
}

bool access_host_is_loopback(struct slice name) {
    return slice_equal_ignore_case(name, SLICE("localhost")) || slice_equal(name, SLICE("[::1]")) ||
           slice_equal(name, SLICE("::1")) || access_is_loopback_address(name);
}

bool access_host_is_allowed(const struct server *s, struct slice host) {
    if (!s->loopback)
        return true;
    struct slice name = access_host_name(host);
    if (access_host_is_loopback(name))
        return true;
    for (size_t i = 0; i < s->allow_host_count; i++)
        if (slice_equal_ignore_case(name, s->allow_hosts[i]))
            return true;
    return false;
}

static bool access_origin_is_allowed(const struct server *s, struct slice origin) {
    return origin.len && s->cors_origin.len &&
           (slice_is(s->cors_origin, "*") || slice_equal(s->cors_origin, origin));
}

size_t access_cors_headers(const struct server *s, const struct http_request *http, bool preflight,
                           struct http_header *out) {
    struct slice origin = http_request_header(http, SLICE("origin"));
    if (!access_origin_is_allowed(s, origin))
        return 0;
    size_t count = 0;
    out[count++] = (struct http_header){SLICE("access-control-allow-origin"), s->cors_origin};
    if (!preflight) {
        out[count++] = (struct http_header){SLICE("access-control-expose-headers"),
                                            SLICE("x-amzn-requestid, x-amz-crc32")};
        return count;
    }
    struct slice asked = http_request_header(http, SLICE("access-control-request-headers"));
    out[count++] =
        (struct http_header){SLICE("access-control-allow-headers"), asked.len ? asked : SLICE("*")};
    out[count++] = (struct http_header){SLICE("access-control-allow-methods"), SLICE("POST")};
    out[count++] = (struct http_header){SLICE("access-control-max-age"), SLICE("172800")};
    return count;
}
