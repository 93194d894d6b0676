#include "client/client.h"
#include "engine/engine.h"
#include "unit.h"

static struct arena *arena;
static struct engine *engine;
static struct client *client;

static int begin(void **state) {
    (void)state;
    arena = arena_create();
    struct engine_options options = {.sync = SYNC_NONE};
    assert_ok(store_open_mem(arena, &options.store));
    assert_ok(engine_open(arena, &options, &engine));
    client = client_in_process(engine);
    return 0;
}

static int end(void **state) {
    (void)state;
    client_close(client);
    engine_close(engine);
    arena_destroy(arena);
    return 0;
}

static struct error *call(const char *operation, const char *input, const struct json **out) {
    const struct json *tree;
    assert_ok(json_parse(arena, slice_of(input), &tree));
    return client_call(client, arena, slice_of(operation), tree, out);
}

static void create_table(void) {
    const struct json *reply;
    assert_ok(call("CreateTable",
                   "{\"TableName\":\"things\",\"BillingMode\":\"PAY_PER_REQUEST\","
                   "\"AttributeDefinitions\":[{\"AttributeName\":\"id\",\"AttributeType\":\"S\"}],"
                   "\"KeySchema\":[{\"AttributeName\":\"id\",\"KeyType\":\"HASH\"}]}",
                   &reply));
}

static void in_process_runs_operations(void **state) {
    (void)state;
    const struct json *reply;
    create_table();
    assert_ok(call("PutItem",
                   "{\"TableName\":\"things\",\"Item\":{\"id\":{\"S\":\"a\"},\"n\":{\"N\":\"1\"}}}",
                   &reply));
    assert_int_equal(reply->kind, JSON_OBJECT);
    assert_ok(call("GetItem", "{\"TableName\":\"things\",\"Key\":{\"id\":{\"S\":\"a\"}}}", &reply));
    const struct json *item = json_member(reply, SLICE("Item"));
    assert_slice(json_member(json_member(item, SLICE("n")), SLICE("N"))->text, "1");
}

static void in_process_hands_errors_up(void **state) {
    (void)state;
    const struct json *reply = NULL;
    create_table();
    struct error *e =
        call("GetItem", "{\"TableName\":\"none\",\"Key\":{\"id\":{\"S\":\"a\"}}}", &reply);
    assert_error(e, ERR_RESOURCE_NOT_FOUND, "Requested resource not found");
    const char *put = "{\"TableName\":\"things\",\"Item\":{\"id\":{\"S\":\"a\"}},"
                      "\"ConditionExpression\":\"attribute_not_exists(id)\","
                      "\"ReturnValuesOnConditionCheckFailure\":\"ALL_OLD\"}";
    assert_ok(call("PutItem", put, &reply));
    reply = NULL;
    e = call("PutItem", put, &reply);
    assert_error(e, ERR_CONDITIONAL_CHECK_FAILED, "The conditional request failed");
    assert_slice(e->details, "\"Item\":{\"id\":{\"S\":\"a\"}}");
    assert_null(reply);
}

static void in_process_does_not_know_every_name(void **state) {
    (void)state;
    const struct json *reply;
    struct error *e = call("getitem", "{}", &reply);
    assert_non_null(e);
    assert_int_equal(e->kind, ERR_UNKNOWN_OPERATION);
}

static void client_close_takes_null(void **state) {
    (void)state;
    client_close(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

UNIT_TESTS(TEST(in_process_runs_operations), TEST(in_process_hands_errors_up),
           TEST(in_process_does_not_know_every_name), cmocka_unit_test(client_close_takes_null))
