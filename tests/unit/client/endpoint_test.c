#include "client/endpoint.h"

#include <stdlib.h>

#include "unit.h"

static struct arena *arena;
static struct endpoint endpoint;
static struct sigv4_key key;

static int begin(void **state) {
    (void)state;
    static const char *const names[] = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
                                        "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        unsetenv(names[i]);
    arena = arena_create();
    return 0;
}

static int end(void **state) {
    (void)state;
    arena_destroy(arena);
    return 0;
}

static struct error *read_url(const char *url) {
    return endpoint_read(arena, slice_of(url), &endpoint);
}

static struct error *find_key(const char *url, struct client_remote_options options) {
    assert_ok(read_url(url));
    return endpoint_key(arena, &endpoint, &options, &key);
}

static void endpoint_reads_urls(void **state) {
    (void)state;
    assert_ok(read_url("http://localhost:8000"));
    assert_slice(endpoint.host, "localhost:8000");
    assert_slice(endpoint.path, "/");
    assert_true(endpoint.loopback);
    assert_ok(read_url("https://dynamodb.eu-west-1.amazonaws.com/"));
    assert_slice(endpoint.host, "dynamodb.eu-west-1.amazonaws.com");
    assert_slice(endpoint.path, "/");
    assert_false(endpoint.loopback);
    assert_ok(read_url("https://example.org:443/a/b"));
    assert_slice(endpoint.host, "example.org");
    assert_slice(endpoint.path, "/a/b");
    assert_ok(read_url("http://[::1]:80"));
    assert_slice(endpoint.host, "[::1]");
    assert_true(endpoint.loopback);
    assert_ok(read_url("http://127.evil.example"));
    assert_false(endpoint.loopback);
}

static void endpoint_refuses_urls(void **state) {
    (void)state;
    assert_error(read_url("localhost:8000"), ERR_LOCAL,
                 "the endpoint localhost:8000 does not begin with http:// or https://");
    assert_error(read_url(""), ERR_LOCAL, "the endpoint  does not begin with http:// or https://");
    assert_error(read_url("http://"), ERR_LOCAL, "the endpoint http:// names no host");
    assert_error(read_url("http://:80"), ERR_LOCAL, "the endpoint http://:80 names no host");
    assert_error(read_url("http://a@b"), ERR_LOCAL,
                 "the endpoint http://a@b is not of the form http://HOST:PORT");
    assert_non_null(read_url("http://a/?b"));
    assert_non_null(read_url("http://a/#b"));
    assert_non_null(read_url("http://a\r\nx: y"));
}

static void endpoint_key_of_options(void **state) {
    (void)state;
    setenv("AWS_ACCESS_KEY_ID", "other", 1);
    setenv("AWS_SECRET_ACCESS_KEY", "other", 1);
    setenv("AWS_SESSION_TOKEN", "other", 1);
    assert_ok(find_key("https://example.org", (struct client_remote_options){
                                                  .access_key = SLICE("a"),
                                                  .secret_key = SLICE("s"),
                                                  .region = SLICE("r"),
                                              }));
    assert_slice(key.access_key, "a");
    assert_slice(key.secret_key, "s");
    assert_int_equal(key.session_token.len, 0);
    assert_slice(key.region, "r");
    assert_slice(key.service, "dynamodb");
}

static void endpoint_key_of_the_environment(void **state) {
    (void)state;
    setenv("AWS_ACCESS_KEY_ID", "a", 1);
    setenv("AWS_SECRET_ACCESS_KEY", "s", 1);
    setenv("AWS_SESSION_TOKEN", "t", 1);
    setenv("AWS_DEFAULT_REGION", "second", 1);
    assert_ok(find_key("http://localhost", (struct client_remote_options){0}));
    assert_slice(key.access_key, "a");
    assert_slice(key.session_token, "t");
    assert_slice(key.region, "second");
    setenv("AWS_REGION", "first", 1);
    assert_ok(find_key("http://localhost", (struct client_remote_options){0}));
    assert_slice(key.region, "first");
}

static void endpoint_key_is_made_up_only_for_loopback(void **state) {
    (void)state;
    assert_ok(find_key("http://127.0.0.1:8000", (struct client_remote_options){0}));
    assert_slice(key.access_key, "local");
    assert_slice(key.region, "us-east-1");
    assert_error(find_key("http://example.org", (struct client_remote_options){0}), ERR_LOCAL,
                 "http://example.org needs a key: set AWS_ACCESS_KEY_ID and "
                 "AWS_SECRET_ACCESS_KEY");
    setenv("AWS_ACCESS_KEY_ID", "half", 1);
    assert_non_null(find_key("http://127.0.0.1:8000", (struct client_remote_options){0}));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

UNIT_TESTS(TEST(endpoint_reads_urls), TEST(endpoint_refuses_urls), TEST(endpoint_key_of_options),
           TEST(endpoint_key_of_the_environment), TEST(endpoint_key_is_made_up_only_for_loopback))
