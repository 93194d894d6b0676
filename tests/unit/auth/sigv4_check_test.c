#include "auth/sigv4.h"
#include "unit.h"

/* 2013-06-09 09:52:04.789 UTC */
#define NOW 1370771524789

#define SCOPE "20130609/us-east-1/dynamodb/aws4_request"
#define GOOD                                                                                       \
    "AWS4-HMAC-SHA256 Credential=AKID/" SCOPE ", SignedHeaders=host;x-amz-date, Signature=b5"

static struct arena *arena;
static struct sigv4_caller caller;

/* Checks a request with the two headers (NULL: without) and the query. */
static struct error *check_at(int64_t now_ms, const char *authorization, const char *date,
                              const char *query) {
    if (!arena)
        arena = arena_create();
    arena_reset(arena);
    struct sigv4_header headers[4] = {{SLICE("host"), SLICE("localhost:8000")}};
    size_t count = 1;
    if (authorization)
        headers[count++] = (struct sigv4_header){SLICE("authorization"), slice_of(authorization)};
    if (date)
        headers[count++] = (struct sigv4_header){SLICE("x-amz-date"), slice_of(date)};
    struct sigv4_request r = {SLICE("POST"), SLICE("/"), slice_of(query),
                              headers,       count,      SLICE("{}")};
    caller = (struct sigv4_caller){.region = SLICE("untouched")};
    return sigv4_check(arena, &r, now_ms, &caller);
}

static struct error *check(const char *authorization) {
    return check_at(NOW, authorization, "20130609T095204Z", "");
}

static struct error *check_scope_text(const char *credential) {
    static char text[256];
    snprintf(text, sizeof text, "AWS4-HMAC-SHA256 Credential=%s,SignedHeaders=Host,Signature=b",
             credential);
    return check(text);
}

static void a_good_signature_names_the_caller(void **state) {
    (void)state;
    assert_ok(check(GOOD));
    assert_slice(caller.access_key, "AKID");
    assert_slice(caller.region, "us-east-1");
    assert_slice(caller.service, "dynamodb");
}

static void any_region_and_key_will_do(void **state) {
    (void)state;
    assert_ok(check_scope_text("dummy/20130609/local/dynamodb/aws4_request"));
    assert_slice(caller.region, "local");
    assert_ok(check_scope_text("/20130609/my_Region-9/dynamodb/aws4_request"));
    assert_slice(caller.access_key, "");
    assert_ok(check_scope_text("a/20130609/x/dynamodb/aws4_request///"));
}

static void parts_may_come_in_any_order_and_spacing(void **state) {
    (void)state;
    assert_ok(check("  AWS4-HMAC-SHA256   Signature=b ,,SignedHeaders=a;HOST Credential=k/" SCOPE
                    ",Other=1 "));
    assert_ok(check("AWS4-HMAC-SHA256 Signature=b==,SignedHeaders=host,Credential=k/" SCOPE));
}

static void a_missing_signature(void **state) {
    (void)state;
    const char *text = "Request is missing Authentication Token";
    assert_error(check(NULL), ERR_MISSING_AUTHENTICATION_TOKEN, text);
    assert_error(check(""), ERR_MISSING_AUTHENTICATION_TOKEN, text);
    assert_error(check("AWS4"), ERR_MISSING_AUTHENTICATION_TOKEN, text);
    assert_error(check("Bearer x"), ERR_MISSING_AUTHENTICATION_TOKEN, text);
    assert_error(check_at(NOW, "X", NULL, "X-Amz-Algorith"), ERR_MISSING_AUTHENTICATION_TOKEN,
                 text);
    assert_error(
        check_at(NOW, NULL, NULL, "X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-SignedHeaders=c"),
        ERR_MISSING_AUTHENTICATION_TOKEN, text);
    assert_slice(caller.region, "untouched");
}

static void both_header_and_query(void **state) {
    (void)state;
    assert_error(check_at(NOW, "X", NULL, "X-Amz-Algorithm"), ERR_INVALID_SIGNATURE,
                 "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as "
                 "HTTP header.");
}

static void parts_missing_in_the_header(void **state) {
    (void)state;
    assert_error(check_at(NOW, "AWS4-", NULL, ""), ERR_INCOMPLETE_SIGNATURE,
                 "Authorization header requires 'Credential' parameter. Authorization header "
                 "requires 'Signature' parameter. Authorization header requires 'SignedHeaders' "
                 "parameter. Authorization header requires existence of either a 'X-Amz-Date' or a "
                 "'Date' header. Authorization=AWS4-");
    assert_error(check("AWS4- Signature=b, Credential=a"), ERR_INCOMPLETE_SIGNATURE,
                 "Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- "
                 "Signature=b, Credential=a");
    assert_error(check("AWS4- Signature=b,Credential=,SignedHeaders="), ERR_INCOMPLETE_SIGNATURE,
                 "Authorization header requires 'Credential' parameter. Authorization=AWS4- "
                 "Signature=b,Credential=,SignedHeaders=");
    assert_error(check("AWS4-HMAC-SHA256 Signature=b,    Credential,    SignedHeaders"),
                 ERR_INCOMPLETE_SIGNATURE,
                 "'Credential' not a valid key=value pair (missing equal-sign) in Authorization "
                 "header: 'AWS4-HMAC-SHA256 Signature=b,    Credential,    SignedHeaders'.");
}

static void the_date_header_will_do_too(void **state) {
    (void)state;
    struct sigv4_header headers[] = {{SLICE("authorization"), SLICE(GOOD)},
                                     {SLICE("date"), SLICE("20130609T095204Z")}};
    struct sigv4_request r = {.headers = headers, .header_count = 2};
    assert_ok(sigv4_check(arena, &r, NOW, &caller));
}

static void parts_missing_in_the_query(void **state) {
    (void)state;
    assert_error(check_at(NOW, NULL, NULL, "X-Amz-Algorithm"), ERR_INCOMPLETE_SIGNATURE,
                 "AWS query-string parameters must include 'X-Amz-Algorithm'. AWS query-string "
                 "parameters must include 'X-Amz-Credential'. AWS query-string parameters must "
                 "include 'X-Amz-Signature'. AWS query-string parameters must include "
                 "'X-Amz-SignedHeaders'. AWS query-string parameters must include 'X-Amz-Date'. "
                 "Re-examine the query-string parameters.");
    assert_error(check_at(NOW, NULL, NULL,
                          "X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&X-Amz-Date=d"),
                 ERR_INCOMPLETE_SIGNATURE,
                 "AWS query-string parameters must include 'X-Amz-SignedHeaders'. Re-examine the "
                 "query-string parameters.");
}

static void a_signed_query_names_the_caller(void **state) {
    (void)state;
    assert_ok(check_at(NOW, NULL, NULL,
                       "Action=x&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AK%2f20130609%"
                       "2Feu-west-1%2Fdynamodb%2Faws4_request&X-Amz-Date=20130609T095204Z&X-Amz-"
                       "SignedHeaders=a%3Bhost&X-Amz-Signature=b"));
    assert_slice(caller.access_key, "AK");
    assert_slice(caller.region, "eu-west-1");
}

static void the_date_has_one_form(void **state) {
    (void)state;
    assert_error(check_at(NOW, GOOD, "201", ""), ERR_INCOMPLETE_SIGNATURE,
                 "Date must be in ISO-8601 'basic format'. Got '201'. See "
                 "http://en.wikipedia.org/wiki/ISO_8601");
    assert_error(check_at(NOW, GOOD, "20130631T000000Z", ""), ERR_INCOMPLETE_SIGNATURE,
                 "Date must be in ISO-8601 'basic format'. Got '20130631T000000Z'. See "
                 "http://en.wikipedia.org/wiki/ISO_8601");
}

static void the_date_is_within_fifteen_minutes(void **state) {
    (void)state;
    assert_ok(check_at(NOW, GOOD, "20130609T093704Z", ""));
    assert_ok(check_at(NOW, GOOD, "20130609T100704Z", ""));
    assert_error(check_at(NOW, GOOD, "20130609T093703Z", ""), ERR_INVALID_SIGNATURE,
                 "Signature expired: 20130609T093703Z is now earlier than 20130609T093704Z "
                 "(20130609T095204Z - 15 min.)");
    assert_error(check_at(NOW, GOOD, "20130609T100705Z", ""), ERR_INVALID_SIGNATURE,
                 "Signature not yet current: 20130609T100705Z is still later than "
                 "20130609T100704Z (20130609T095204Z + 15 min.)");
}

static void the_host_is_signed(void **state) {
    (void)state;
    const char *text = "'Host' must be a 'SignedHeader' in the AWS Authorization.";
    assert_error(check("AWS4-HMAC-SHA256 Credential=a,SignedHeaders=,Signature=b"),
                 ERR_INVALID_SIGNATURE, text);
    assert_error(check("AWS4-HMAC-SHA256 Credential=a,SignedHeaders=hosts;xhost,Signature=b"),
                 ERR_INVALID_SIGNATURE, text);
}

static void one_algorithm(void **state) {
    (void)state;
    assert_error(check("AWS4-HMAC-SHA25 Credential=a,SignedHeaders=host,Signature=b"),
                 ERR_INCOMPLETE_SIGNATURE,
                 "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA25' (only AWS4-HMAC-SHA256 for now). "
                 "");
}

static void the_credential_has_five_parts(void **state) {
    (void)state;
    assert_error(check_scope_text("a/b/c/d"), ERR_INCOMPLETE_SIGNATURE,
                 "Credential must have exactly 5 slash-delimited elements, e.g. "
                 "keyid/date/region/service/term, got 'a/b/c/d'");
    assert_error(check_scope_text("a/b/c/d/e/f"), ERR_INCOMPLETE_SIGNATURE,
                 "Credential must have exactly 5 slash-delimited elements, e.g. "
                 "keyid/date/region/service/term, got 'a/b/c/d/e/f'");
    assert_error(check_scope_text("////"), ERR_INCOMPLETE_SIGNATURE,
                 "Credential must have exactly 5 slash-delimited elements, e.g. "
                 "keyid/date/region/service/term, got '////'");
}

static void all_that_is_wrong_with_the_scope_is_said_at_once(void **state) {
    (void)state;
    assert_error(check_scope_text("a/b/!/d/e"), ERR_INVALID_SIGNATURE,
                 "Credential should be scoped to a valid region, not '!'. Credential should be "
                 "scoped to correct service: 'dynamodb'. Credential should be scoped with a valid "
                 "terminator: 'aws4_request', not 'e'. Date in Credential scope does not match "
                 "YYYYMMDD from ISO-8601 version of date from HTTP: 'b' != '20130609', from "
                 "'20130609T095204Z'.");
    assert_error(check_scope_text("a/20130609/us-east-1/s3/aws4_request"), ERR_INVALID_SIGNATURE,
                 "Credential should be scoped to correct service: 'dynamodb'.");
    assert_error(check_scope_text("a/20130608/us-east-1/dynamodb/aws4_request"),
                 ERR_INVALID_SIGNATURE,
                 "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date "
                 "from HTTP: '20130608' != '20130609', from '20130609T095204Z'.");
    assert_error(check_scope_text("a/20130609//dynamodb/aws4_request"), ERR_INVALID_SIGNATURE,
                 "Credential should be scoped to a valid region, not ''.");
}

UNIT_TESTS(cmocka_unit_test(a_good_signature_names_the_caller),
           cmocka_unit_test(any_region_and_key_will_do),
           cmocka_unit_test(parts_may_come_in_any_order_and_spacing),
           cmocka_unit_test(a_missing_signature), cmocka_unit_test(both_header_and_query),
           cmocka_unit_test(parts_missing_in_the_header),
           cmocka_unit_test(the_date_header_will_do_too),
           cmocka_unit_test(parts_missing_in_the_query),
           cmocka_unit_test(a_signed_query_names_the_caller),
           cmocka_unit_test(the_date_has_one_form),
           cmocka_unit_test(the_date_is_within_fifteen_minutes),
           cmocka_unit_test(the_host_is_signed), cmocka_unit_test(one_algorithm),
           cmocka_unit_test(the_credential_has_five_parts),
           cmocka_unit_test(all_that_is_wrong_with_the_scope_is_said_at_once))
