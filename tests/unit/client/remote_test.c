#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/clock.h"
#include "client/client.h"
#include "scripted_server.h"
#include "unit.h"
#include "json/json_writer.h"

#define GOOD "{\"TableNames\":[]}"
#define THROTTLED                                                                                  \
    "{\"__type\":\"com.amazon.coral.availability#ThrottlingException\",\"message\":\"slow\"}"

static struct arena *arena;
static struct script_step steps[SCRIPT_STEPS];
static size_t step_count;
static struct scripted_server *server;
static struct client *client;
static const struct script_request *requests;

static int begin(void **state) {
    (void)state;
    arena = arena_create();
    step_count = 0;
    unsetenv("AWS_ACCESS_KEY_ID");
    unsetenv("AWS_SECRET_ACCESS_KEY");
    unsetenv("AWS_SESSION_TOKEN");
    unsetenv("AWS_REGION");
    unsetenv("AWS_DEFAULT_REGION");
    return 0;
}

static int end(void **state) {
    (void)state;
    client_close(client);
    client = NULL;
    if (server)
        scripted_server_destroy(server);
    server = NULL;
    arena_destroy(arena);
    return 0;
}

/* --- The script ------------------------------------------------------------------------------- */

static void add_step(enum script_kind kind, struct slice bytes) {
    steps[step_count++] = (struct script_step){kind, bytes};
}

static void answer_with(unsigned status, const char *headers, struct slice body) {
    struct buf b = buf_in(arena, 1024 * 1024);
    buf_printf(&b, "HTTP/1.1 %u X\r\nContent-Length: %zu\r\n%s\r\n", status, body.len, headers);
    buf_add(&b, body);
    add_step(SCRIPT_ANSWER, buf_slice(&b));
}

static void answer(unsigned status, const char *body) {
    answer_with(status, "", slice_of(body));
}

static const char *crc_header(struct slice body) {
    return arena_printf(arena, "x-amz-crc32: %lu\r\n",
                        crc32(0, (const Bytef *)body.ptr, (uInt)body.len))
        .ptr;
}

static struct slice packed(const char *text) {
    char *out = arena_bytes(arena, 64 * 1024);
    z_stream z = {.next_in = (Bytef *)arena_string(arena, slice_of(text)),
                  .avail_in = (uInt)strlen(text),
                  .next_out = (Bytef *)out,
                  .avail_out = 64 * 1024};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return (struct slice){out, z.total_out};
}

/* --- The client ------------------------------------------------------------------------------- */

static void start(struct client_remote_options options) {
    server = scripted_server_start(steps, step_count);
    options.endpoint = arena_printf(arena, "http://127.0.0.1:%u", scripted_server_port(server));
    assert_ok(client_remote(arena, &options, &client));
}

static struct error *call_with(const char *operation, const char *input, const struct json **out) {
    const struct json *tree = NULL;
    if (input)
        assert_ok(json_parse(arena, slice_of(input), &tree));
    return client_call(client, arena, slice_of(operation), tree, out);
}

static struct error *call(const struct json **out) {
    return call_with("ListTables", "{}", out);
}

static size_t stop(void) {
    return scripted_server_stop(server, &requests);
}

/* --- Requests --------------------------------------------------------------------------------- */

static void remote_sends_a_signed_request(void **state) {
    (void)state;
    const struct json *reply;
    answer(200, GOOD);
    start((struct client_remote_options){.access_key = SLICE("AKID"),
                                         .secret_key = SLICE("secret"),
                                         .session_token = SLICE("token"),
                                         .region = SLICE("eu-west-1")});
    assert_ok(call_with("ListTables", "{\"Limit\": 1, \"ExclusiveStartTableName\": \"a\\u00e4\"}",
                        &reply));
    assert_true(json_member(reply, SLICE("TableNames"))->kind == JSON_ARRAY);
    assert_int_equal(stop(), 1);
    const char *head = requests[0].head;
    assert_non_null(strstr(head, "POST / HTTP/1.1\r\n"));
    assert_non_null(strcasestr(head, "\r\nx-amz-target: DynamoDB_20120810.ListTables\r\n"));
    assert_non_null(strcasestr(head, "\r\ncontent-type: application/x-amz-json-1.0\r\n"));
    assert_non_null(strcasestr(head, "\r\nx-amz-security-token: token\r\n"));
    assert_non_null(strcasestr(head, "\r\naccept-encoding: gzip\r\n"));
    assert_null(strcasestr(head, "\r\nexpect:"));
    assert_non_null(strstr(head, "AWS4-HMAC-SHA256 Credential=AKID/"));
    assert_non_null(strstr(head, "/eu-west-1/dynamodb/aws4_request, "));
    assert_non_null(strstr(
        head, "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, "));
    assert_string_equal(requests[0].body, "{\"Limit\":1,\"ExclusiveStartTableName\":\"a\u00e4\"}");
}

static void remote_local_endpoint_needs_no_key(void **state) {
    (void)state;
    const struct json *reply;
    answer(200, GOOD);
    start((struct client_remote_options){0});
    assert_ok(call_with("ListTables", NULL, &reply));
    assert_int_equal(stop(), 1);
    assert_non_null(strstr(requests[0].head, "Credential=local/"));
    assert_non_null(strstr(requests[0].head, "/us-east-1/dynamodb/aws4_request"));
    assert_string_equal(requests[0].body, "{}");
}

static void remote_streams_have_their_own_target(void **state) {
    (void)state;
    const struct json *reply;
    answer(200, "{}");
    start((struct client_remote_options){0});
    assert_ok(call_with("ListStreams", "{}", &reply));
    stop();
    assert_non_null(
        strcasestr(requests[0].head, "x-amz-target: DynamoDBStreams_20120810.ListStreams\r\n"));
}

static void remote_keeps_its_connection(void **state) {
    (void)state;
    const struct json *reply;
    for (int i = 0; i < 3; i++)
        answer(200, GOOD);
    start((struct client_remote_options){0});
    for (int i = 0; i < 3; i++)
        assert_ok(call(&reply));
    assert_int_equal(stop(), 3);
    assert_int_equal(requests[2].connection, 1);
}

static void remote_transaction_gets_one_token(void **state) {
    (void)state;
    const struct json *reply, *first, *second;
    answer(500, "{\"__type\":\"x#InternalServerError\"}");
    answer(200, "{}");
    answer(200, "{}");
    start((struct client_remote_options){0});
    assert_ok(call_with("TransactWriteItems", "{\"TransactItems\":[]}", &reply));
    assert_ok(call_with("TransactWriteItems", "{\"ClientRequestToken\":\"mine\"}", &reply));
    assert_int_equal(stop(), 3);
    assert_string_equal(requests[0].body, requests[1].body);
    assert_ok(json_parse(arena, slice_of(requests[0].body), &first));
    assert_int_equal(json_member(first, SLICE("ClientRequestToken"))->text.len, 36);
    assert_non_null(json_member(first, SLICE("TransactItems")));
    assert_ok(json_parse(arena, slice_of(requests[2].body), &second));
    assert_slice(json_member(second, SLICE("ClientRequestToken"))->text, "mine");
    assert_int_equal(second->count, 1);
}

/* --- Errors ----------------------------------------------------------------------------------- */

static void remote_error_has_kind_text_and_details(void **state) {
    (void)state;
    const struct json *reply = NULL;
    answer(400,
           "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException\","
           "\"Item\":{\"a\":{\"S\":\"\\\"\"}},\"message\":\"The conditional request failed\"}");
    start((struct client_remote_options){0});
    struct error *e = call(&reply);
    assert_null(reply);
    assert_error(e, ERR_CONDITIONAL_CHECK_FAILED, "The conditional request failed");
    assert_slice(e->type, "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException");
    assert_slice(e->details, "\"Item\":{\"a\":{\"S\":\"\\\"\"}}");
    assert_int_equal(stop(), 1);
}

static void remote_error_may_have_no_namespace(void **state) {
    (void)state;
    const struct json *reply;
    answer(400, "{\"__type\":\"TransactionCanceledException\",\"Message\":\"cancelled\"}");
    answer(400, "{\"__type\":\"ValidationException\"}");
    start((struct client_remote_options){0});
    struct error *e = call(&reply);
    assert_error(e, ERR_TRANSACTION_CANCELED, "cancelled");
    assert_int_equal(e->details.len, 0);
    e = call(&reply);
    assert_int_equal(e->kind, ERR_VALIDATION);
    assert_null(e->message.ptr);
}

static void remote_error_of_another_kind(void **state) {
    (void)state;
    const struct json *reply;
    answer(400, "{\"__type\":\"x#BackupInUseException\",\"message\":\"busy\"}");
    answer(400, "{\"__type\":\"x#LocalException\",\"message\":\"not ours\"}");
    start((struct client_remote_options){0});
    struct error *e = call(&reply);
    assert_error(e, ERR_REMOTE, "busy");
    assert_slice(error_short_type(e), "BackupInUseException");
    assert_error(call(&reply), ERR_REMOTE, "not ours");
}

static void remote_reply_that_is_not_dynamodb(void **state) {
    (void)state;
    const struct json *reply;
    answer(404, "");
    answer(404, "<html>");
    answer(200, "<html>");
    answer(200, "[]");
    answer(400, "{\"error\":\"x\"}");
    answer_with(302, "Location: http://127.0.0.1:1/\r\n", SLICE("{}"));
    start((struct client_remote_options){0});
    static const char *const types[] = {"HTTP 404", "HTTP 404", "HTTP 200",
                                        "HTTP 200", "HTTP 400", "HTTP 302"};
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        struct error *e = call(&reply);
        assert_error(e, ERR_REMOTE, "the reply is none of DynamoDB's");
        assert_slice(e->type, types[i]);
    }
    assert_int_equal(stop(), 6);
}

/* --- Attempts --------------------------------------------------------------------------------- */

static void remote_tries_again_when_throttled(void **state) {
    (void)state;
    const struct json *reply;
    answer(400, THROTTLED);
    answer(400, "{\"__type\":\"x#ProvisionedThroughputExceededException\"}");
    answer(200, GOOD);
    start((struct client_remote_options){0});
    assert_ok(call(&reply));
    assert_int_equal(stop(), 3);
}

static void remote_tries_again_after_a_broken_connection(void **state) {
    (void)state;
    const struct json *reply;
    add_step(SCRIPT_CUT, SLICE(""));
    add_step(SCRIPT_CUT, SLICE("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"));
    answer(200, GOOD);
    start((struct client_remote_options){0});
    assert_ok(call(&reply));
    assert_int_equal(stop(), 3);
    assert_string_equal(requests[0].body, requests[2].body);
}

static void remote_tries_again_after_a_server_error(void **state) {
    (void)state;
    const struct json *reply;
    answer(500, "{\"__type\":\"com.amazonaws.dynamodb.v20120810#InternalServerError\"}");
    answer(503, "<html>");
    answer(200, GOOD);
    start((struct client_remote_options){0});
    assert_ok(call(&reply));
    assert_int_equal(stop(), 3);
}

static void remote_gives_up_after_its_attempts(void **state) {
    (void)state;
    const struct json *reply;
    for (int i = 0; i < 6; i++)
        answer(400, THROTTLED);
    start((struct client_remote_options){.attempts = 2});
    struct error *e = call(&reply);
    assert_error(e, ERR_THROTTLING, "slow");
    assert_int_equal(stop(), 2);
}

static void remote_does_not_repeat_what_cannot_get_better(void **state) {
    (void)state;
    const struct json *reply;
    answer(400, "{\"__type\":\"x#ValidationException\",\"message\":\"no\"}");
    answer(200, GOOD);
    start((struct client_remote_options){0});
    assert_error(call(&reply), ERR_VALIDATION, "no");
    assert_int_equal(stop(), 1);
}

static void remote_gives_up_a_late_reply(void **state) {
    (void)state;
    const struct json *reply;
    add_step(SCRIPT_HANG, SLICE(""));
    start((struct client_remote_options){.attempts = 1, .timeout_ms = 100});
    int64_t before = clock_monotonic_ns();
    struct error *e = call(&reply);
    assert_int_equal(e->kind, ERR_LOCAL);
    assert_true(slice_starts_with(e->message, SLICE("no answer from http://127.0.0.1:")));
    assert_true(clock_monotonic_ns() - before < 5000000000);
    assert_int_equal(stop(), 1);
}

static void remote_says_when_nobody_listens(void **state) {
    (void)state;
    const struct json *reply;
    assert_ok(client_remote(
        arena, &(struct client_remote_options){.endpoint = SLICE("http://127.0.0.1:1")}, &client));
    struct error *e = call(&reply);
    assert_int_equal(e->kind, ERR_LOCAL);
    assert_true(slice_contains(e->message, SLICE("http://127.0.0.1:1")));
}

/* --- Sound replies ---------------------------------------------------------------------------- */

static void remote_checks_the_checksum(void **state) {
    (void)state;
    const struct json *reply;
    answer_with(200, crc_header(SLICE("another")), SLICE(GOOD));
    answer_with(200, crc_header(SLICE(GOOD)), SLICE(GOOD));
    answer_with(200, crc_header(SLICE("another")), SLICE(GOOD));
    start((struct client_remote_options){.attempts = 2});
    assert_ok(call(&reply));
    struct error *e = call(&reply);
    assert_int_equal(e->kind, ERR_LOCAL);
    stop();
}

static void remote_reads_compressed_replies(void **state) {
    (void)state;
    const struct json *reply;
    struct slice body = packed(GOOD);
    const char *of_packed = crc_header(body), *of_plain = crc_header(SLICE(GOOD));
    answer_with(200, arena_printf(arena, "Content-Encoding: gzip\r\n%s", of_packed).ptr, body);
    answer_with(200, arena_printf(arena, "Content-Encoding: gzip\r\n%s", of_plain).ptr, body);
    start((struct client_remote_options){0});
    for (int i = 0; i < 2; i++) {
        assert_ok(call(&reply));
        assert_non_null(json_member(reply, SLICE("TableNames")));
    }
    assert_int_equal(stop(), 2);
}

static void remote_refuses_damaged_compression(void **state) {
    (void)state;
    const struct json *reply;
    struct slice body = packed(GOOD);
    answer_with(200, "Content-Encoding: gzip\r\n", SLICE("no gzip"));
    answer_with(200, "Content-Encoding: gzip\r\n", (struct slice){body.ptr, body.len - 4});
    start((struct client_remote_options){.attempts = 1});
    for (int i = 0; i < 2; i++)
        assert_error(call(&reply), ERR_LOCAL,
                     "the reply's compressed body is damaged or too large");
    stop();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

UNIT_TESTS(TEST(remote_sends_a_signed_request), TEST(remote_local_endpoint_needs_no_key),
           TEST(remote_streams_have_their_own_target), TEST(remote_keeps_its_connection),
           TEST(remote_transaction_gets_one_token), TEST(remote_error_has_kind_text_and_details),
           TEST(remote_error_may_have_no_namespace), TEST(remote_error_of_another_kind),
           TEST(remote_reply_that_is_not_dynamodb), TEST(remote_tries_again_when_throttled),
           TEST(remote_tries_again_after_a_broken_connection),
           TEST(remote_tries_again_after_a_server_error), TEST(remote_gives_up_after_its_attempts),
           TEST(remote_does_not_repeat_what_cannot_get_better), TEST(remote_gives_up_a_late_reply),
           TEST(remote_says_when_nobody_listens), TEST(remote_checks_the_checksum),
           TEST(remote_reads_compressed_replies), TEST(remote_refuses_damaged_compression))
