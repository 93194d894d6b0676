/*
 * Signatures against AWS's published test suite ("aws-sig-v4-test-suite") and against what botocore
 * 1.29 signs.
 */
#include "auth/sigv4.h"
#include "unit.h"

#define SECRET "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

struct vector {
    const char *name;
    const char *method;
    const char *path;
    const char *query;
    const char *headers[4][2]; /* besides host and x-amz-date */
    const char *body;
    const char *signature;
};

static const struct vector suite[] = {
    {"get-vanilla",
     "GET",
     "/",
     "",
     {{0}},
     "",
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-slash-dot-slash",
     "GET",
     "/./",
     "",
     {{0}},
     "",
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-relative-relative",
     "GET",
     "/example1/example2/../..",
     "",
     {{0}},
     "",
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-vanilla-query-order-key-case",
     "GET",
     "/",
     "Param2=value2&Param1=value1",
     {{0}},
     "",
     "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
    {"get-unreserved",
     "GET",
     "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
     "",
     {{0}},
     "",
     "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"},
    {"get-utf8",
     "GET",
     "/\xe1\x88\xb4",
     "",
     {{0}},
     "",
     "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"},
    {"get-space",
     "GET",
     "/example space/",
     "",
     {{0}},
     "",
     "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"},
    {"get-vanilla-utf8-query",
     "GET",
     "/",
     "\xe1\x88\xb4=bar",
     {{0}},
     "",
     "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"},
    {"get-header-key-duplicate",
     "GET",
     "/",
     "",
     {{"my-header1", "value2"}, {"my-header1", "value2"}, {"my-header1", "value1"}},
     "",
     "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"},
    {"get-header-value-trim",
     "GET",
     "/",
     "",
     {{"my-header1", " value1"}, {"my-header2", " \"a   b   c\""}},
     "",
     "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
    {"post-vanilla",
     "POST",
     "/",
     "",
     {{0}},
     "",
     "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
    {"post-vanilla-query",
     "POST",
     "/",
     "Param1=value1",
     {{0}},
     "",
     "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"},
    {"post-x-www-form-urlencoded",
     "POST",
     "/",
     "",
     {{"content-type", "application/x-www-form-urlencoded"}},
     "Param1=value1",
     "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
};

static struct slice sign(struct arena *a, const struct vector *v, const struct sigv4_key *key,
                         const char *host, const char *date) {
    struct sigv4_header headers[6] = {{SLICE("host"), slice_of(host)},
                                      {SLICE("x-amz-date"), slice_of(date)}};
    size_t count = 2;
    for (size_t i = 0; i < ARRAY_LEN(v->headers) && v->headers[i][0]; i++)
        headers[count++] =
            (struct sigv4_header){slice_of(v->headers[i][0]), slice_of(v->headers[i][1])};
    struct sigv4_request r = {
        slice_of(v->method), slice_of(v->path), slice_of(v->query), headers, count,
        slice_of(v->body)};
    return sigv4_sign(a, &r, key);
}

static void the_published_vectors(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct sigv4_key key = {SLICE("AKIDEXAMPLE"), SLICE(SECRET), SLICE(""), SLICE("us-east-1"),
                            SLICE("service")};
    for (size_t i = 0; i < ARRAY_LEN(suite); i++) {
        struct slice s = sign(a, &suite[i], &key, "example.amazonaws.com", "20150830T123600Z");
        struct slice tail = {s.ptr + s.len - 64, 64};
        if (!slice_is(tail, suite[i].signature))
            fail_msg("%s: %.*s", suite[i].name, SLICE_ARG(s));
    }
    assert_slice(sign(a, &suite[0], &key, "example.amazonaws.com", "20150830T123600Z"),
                 "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                 "SignedHeaders=host;x-amz-date, Signature="
                 "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
    arena_destroy(a);
}

static const struct vector botocore[] = {
    {"us-east-1",
     "POST",
     "/",
     "",
     {{"x-amz-target", "DynamoDB_20120810.GetItem"},
      {"content-type", "application/x-amz-json-1.0"}},
     "{\"TableName\": \"Follow\", \"Key\": {\"PK\": {\"S\": \"USER#ann\"}, \"SK\": {\"S\": "
     "\"PROFILE\"}}}",
     "92e85eb69e75e525fb930fcbecab3146a5770d32e62a73ddebceaacf53abc772"},
    {"eu-central-1",
     "POST",
     "/",
     "",
     {{"x-amz-target", "DynamoDB_20120810.ListTables"},
      {"content-type", "application/x-amz-json-1.0"},
      {"x-amz-security-token", "FQoGZXIvYXdzEXAMPLE/token=="}},
     "{}",
     "9c9b639cd7183249333a112d4fcd72c77558f04a789b8dd1b111b172cb1ccc0d"},
    {"local",
     "POST",
     "/",
     "",
     {{"x-amz-target", "DynamoDB_20120810.PutItem"},
      {"content-type", "application/x-amz-json-1.0"}},
     "{\"TableName\": \"K\xc3\xb6rbe\", \"Item\": {\"id\": {\"S\": \"\xe1\x88\xb4\"}}}",
     "e1b7459f6d5f516195de27fae0b8f4ac344a12dec0e3a24e7c7bd24faed99f19"},
};

static void the_same_as_botocore(void **state) {
    (void)state;
    static const char *const hosts[] = {"127.0.0.1:8000", "dynamodb.eu-central-1.amazonaws.com",
                                        "localhost:8000"};
    struct arena *a = arena_create();
    for (size_t i = 0; i < ARRAY_LEN(botocore); i++) {
        struct sigv4_key key = {SLICE("AKIDEXAMPLE"), SLICE(SECRET), SLICE(""),
                                slice_of(botocore[i].name), SLICE("dynamodb")};
        struct slice s = sign(a, &botocore[i], &key, hosts[i], "20261130T162308Z");
        struct slice tail = {s.ptr + s.len - 64, 64};
        if (!slice_is(tail, botocore[i].signature))
            fail_msg("%s: %.*s", botocore[i].name, SLICE_ARG(s));
    }
    arena_destroy(a);
}

static void what_is_signed_passes_the_check(void **state) {
    (void)state;
    struct arena *a = arena_create();
    int64_t now = 1796054400000;
    struct sigv4_header headers[] = {{SLICE("host"), SLICE("localhost:8000")},
                                     {SLICE("x-amz-date"), sigv4_date(a, now)},
                                     {SLICE("authorization"), SLICE("")}};
    struct sigv4_request r = {SLICE("POST"), SLICE("/"), SLICE(""), headers, 2, SLICE("{}")};
    struct sigv4_key key = {SLICE("k"), SLICE("s"), SLICE(""), SLICE("local"), SLICE("dynamodb")};
    headers[2].value = sigv4_sign(a, &r, &key);
    r.header_count = 3;
    struct sigv4_caller caller;
    assert_ok(sigv4_check(a, &r, now, &caller));
    assert_slice(caller.access_key, "k");

    struct slice again = sigv4_signature(a, &r, &key, headers[1].value, SLICE("host;x-amz-date"));
    struct slice sent = headers[2].value;
    assert_true(sigv4_equal(again, (struct slice){sent.ptr + sent.len - 64, 64}));
    r.body = SLICE("{ }");
    struct slice other = sigv4_signature(a, &r, &key, headers[1].value, SLICE("host;x-amz-date"));
    assert_false(sigv4_equal(again, other));
    assert_false(sigv4_equal(again, SLICE("")));
    arena_destroy(a);
}

UNIT_TESTS(cmocka_unit_test(the_published_vectors), cmocka_unit_test(the_same_as_botocore),
           cmocka_unit_test(what_is_signed_passes_the_check))
