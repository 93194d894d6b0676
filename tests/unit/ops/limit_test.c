/*
 * Limits whose requests are too large for a file of cases, and reads in steps.
 */
#include "unit.h"

#include <stdlib.h>

#include "ops/op.h"
#include "json/json_writer.h"

enum { TEXT_BYTES = 64 * 1024 * 1024 };

static struct arena *arena;
static struct engine *engine;
static struct buf request;

/* One operation; the reply's text. */
static struct error *call(const char *operation, struct slice body, struct slice *reply) {
    const struct json *json;
    struct buf text = buf_in(arena, TEXT_BYTES);
    struct json_writer w = json_writer_text(&text);
    TRY(json_parse(arena, body, &json));
    TRY(op_call_whole(engine, arena, op_find(slice_of(operation)), json, &w));
    *reply = buf_slice(&text);
    return NULL;
}

static int set_up(void **state) {
    (void)state;
    struct engine_options options = {.sync = SYNC_NONE};
    struct slice reply;
    arena = arena_create();
    request = buf_in(arena, TEXT_BYTES);
    assert_ok(store_open_mem(arena, &options.store));
    assert_ok(engine_open(arena, &options, &engine));
    assert_ok(
        call("CreateTable",
             SLICE("{\"TableName\":\"tab\",\"AttributeDefinitions\":[{\"AttributeName\":\"p\","
                   "\"AttributeType\":\"S\"},{\"AttributeName\":\"s\",\"AttributeType\":\"N\"}"
                   "],\"KeySchema\":[{\"AttributeName\":\"p\",\"KeyType\":\"HASH\"},"
                   "{\"AttributeName\":\"s\",\"KeyType\":\"RANGE\"}],"
                   "\"BillingMode\":\"PAY_PER_REQUEST\"}"),
             &reply));
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    engine_close(engine);
    arena_destroy(arena);
    return 0;
}

static void add_letters(struct buf *out, size_t count) {
    memset(buf_extend(out, count), 'x', count);
}

/* {"p":…,"s":…,"d":"xxx"} of exactly `size` bytes as DynamoDB counts, with sort key `s` (1 to 99).
 */
static void add_item(struct buf *out, unsigned s, size_t size) {
    size_t keys = strlen("p") + strlen("a") + strlen("s") + 2 + strlen("d");
    buf_printf(out, "{\"p\":{\"S\":\"a\"},\"s\":{\"N\":\"%u\"},\"d\":{\"S\":\"", s);
    add_letters(out, size - keys);
    buf_add_text(out, "\"}}");
}

static struct error *put(unsigned s, size_t size) {
    struct slice reply;
    buf_clear(&request);
    buf_add_text(&request, "{\"TableName\":\"tab\",\"Item\":");
    add_item(&request, s, size);
    buf_add_text(&request, "}");
    return call("PutItem", buf_slice(&request), &reply);
}

static void an_item_may_have_400_kb_and_no_byte_more(void **state) {
    (void)state;
    assert_ok(put(1, LIMIT_ITEM_BYTES));
    assert_error(put(1, LIMIT_ITEM_BYTES + 1), ERR_VALIDATION,
                 "Item size has exceeded the maximum allowed size");
}

static void an_update_may_not_make_a_larger_item(void **state) {
    (void)state;
    struct slice reply;
    assert_ok(put(2, LIMIT_ITEM_BYTES - 10));
    assert_error(
        call("UpdateItem",
             SLICE("{\"TableName\":\"tab\",\"Key\":{\"p\":{\"S\":\"a\"},\"s\":{\"N\":\"2\"}},"
                   "\"UpdateExpression\":\"SET e = :e\",\"ExpressionAttributeValues\":{\":e\":"
                   "{\"S\":\"0123456789\"}}}"),
             &reply),
        ERR_VALIDATION, "Item size to update has exceeded the maximum allowed size");
}

/* A transaction of `count` puts of items of `size`. */
static struct error *transact(unsigned count, size_t size) {
    struct slice reply;
    buf_clear(&request);
    buf_add_text(&request, "{\"TransactItems\":[");
    for (unsigned i = 0; i < count; i++) {
        buf_add_text(&request, i ? ",{\"Put\":{\"TableName\":\"tab\",\"Item\":"
                                 : "{\"Put\":{\"TableName\":\"tab\",\"Item\":");
        add_item(&request, i + 1, size);
        buf_add_text(&request, "}}");
    }
    buf_add_text(&request, "]}");
    return call("TransactWriteItems", buf_slice(&request), &reply);
}

static void a_transaction_may_have_100_actions(void **state) {
    (void)state;
    assert_ok(transact(LIMIT_TRANSACTION_ITEMS, 20));
    struct error *e = transact(LIMIT_TRANSACTION_ITEMS + 1, 20);
    assert_non_null(e);
    assert_int_equal(e->kind, ERR_VALIDATION);
    assert_true(slice_starts_with(
        e->message, SLICE("1 validation error detected: Value '[TransactWriteItem(conditionCheck="
                          "null, put=Put(item={")));
    assert_true(slice_contains(e->message,
                               SLICE("]' at 'transactItems' failed to satisfy constraint: Member "
                                     "must have length less than or equal to 100")));
}

static void a_transaction_may_have_4_mb(void **state) {
    (void)state;
    assert_ok(transact(10, 350000));
    struct error *e = transact(12, 350000);
    assert_non_null(e);
    assert_int_equal(e->kind, ERR_VALIDATION);
}

static int64_t reply_int(struct slice reply, const char *name) {
    const struct json *json;
    assert_ok(json_parse(arena, reply, &json));
    const struct json *member = json_member(json, slice_of(name));
    assert_non_null(member);
    return strtoll(arena_string(arena, member->text), NULL, 10);
}

static void a_page_ends_at_1_mb_read(void **state) {
    (void)state;
    struct slice reply;
    for (unsigned s = 1; s <= 4; s++)
        assert_ok(put(s, 400000));
    assert_ok(call("Query",
                   SLICE("{\"TableName\":\"tab\",\"KeyConditionExpression\":\"p = :p\","
                         "\"FilterExpression\":\"attribute_not_exists(d)\","
                         "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"a\"}}}"),
                   &reply));
    assert_int_equal(reply_int(reply, "Count"), 0);
    assert_int_equal(reply_int(reply, "ScannedCount"), 3);
    assert_true(slice_contains(reply, SLICE("\"LastEvaluatedKey\":")));
}

/* A query run in steps of `rows`; the reply, and how many steps it took. */
static struct slice query_in_steps(uint32_t rows, unsigned *steps) {
    const struct json *body;
    struct buf text = buf_in(arena, TEXT_BYTES);
    struct json_writer w = json_writer_text(&text);
    struct op_call c = {.engine = engine,
                        .arena = arena,
                        .op = op_find(SLICE("Query")),
                        .region = SLICE(OP_DEFAULT_REGION),
                        .max_rows = rows,
                        .max_bytes = SIZE_MAX};
    assert_ok(json_parse(arena,
                         SLICE("{\"TableName\":\"tab\",\"KeyConditionExpression\":\"p = :p\","
                               "\"Limit\":17,\"ReturnConsumedCapacity\":\"TOTAL\","
                               "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"a\"}}}"),
                         &body));
    assert_ok(op_call_prepare(&c, body));
    *steps = 0;
    do {
        assert_ok(op_call_run(&c));
        (*steps)++;
    } while (c.again);
    assert_ok(op_call_reply(&c, &w));
    op_call_finish(&c);
    return buf_slice(&text);
}

static void a_read_in_steps_is_the_same_read(void **state) {
    (void)state;
    unsigned one, many;
    for (unsigned s = 1; s <= 20; s++)
        assert_ok(put(s, 100));
    struct slice whole = query_in_steps(UINT32_MAX, &one);
    struct slice stepped = query_in_steps(2, &many);
    assert_int_equal(one, 1);
    assert_true(many >= 8);
    assert_true(slice_equal(whole, stepped));
    assert_int_equal(reply_int(whole, "Count"), 17);
}

/* A call that is given up between two steps lets go of what it holds. */
static void a_read_may_be_given_up(void **state) {
    (void)state;
    const struct json *body;
    struct op_call c = {.engine = engine,
                        .arena = arena,
                        .op = op_find(SLICE("Query")),
                        .max_rows = 1,
                        .max_bytes = SIZE_MAX};
    for (unsigned s = 1; s <= 3; s++)
        assert_ok(put(s, 100));
    assert_ok(json_parse(arena,
                         SLICE("{\"TableName\":\"tab\",\"KeyConditionExpression\":\"p = :p\","
                               "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"a\"}}}"),
                         &body));
    assert_ok(op_call_prepare(&c, body));
    assert_ok(op_call_run(&c));
    assert_true(c.again);
    op_call_finish(&c);
    op_call_finish(&c);
}

/* Lists that are far too long end in an error, and soon. */
static void far_too_long_lists_are_refused_at_once(void **state) {
    (void)state;
    static const char *const lists[][2] = {
        {"AttributeDefinitions", "{\"AttributeName\":\"a%u\",\"AttributeType\":\"S\"}"},
        {"Tags", "{\"Key\":\"k%u\",\"Value\":\"\"}"},
        {"LocalSecondaryIndexes",
         "{\"IndexName\":\"i%u00\",\"KeySchema\":[{\"AttributeName\":\"a1\",\"KeyType\":\"HASH\"},"
         "{\"AttributeName\":\"a2\",\"KeyType\":\"RANGE\"}],\"Projection\":{\"ProjectionType\":"
         "\"ALL\"}}"},
        {"GlobalSecondaryIndexes",
         "{\"IndexName\":\"i%u00\",\"KeySchema\":[{\"AttributeName\":\"a1\",\"KeyType\":\"HASH\"}],"
         "\"Projection\":{\"ProjectionType\":\"ALL\"}}"},
    };
    for (size_t k = 0; k < ARRAY_LEN(lists); k++) {
        struct slice reply;
        buf_clear(&request);
        buf_add_text(&request, "{\"TableName\":\"long\",\"BillingMode\":\"PAY_PER_REQUEST\","
                               "\"KeySchema\":[{\"AttributeName\":\"a1\",\"KeyType\":\"HASH\"},"
                               "{\"AttributeName\":\"a2\",\"KeyType\":\"RANGE\"}],");
        if (k)
            buf_add_text(&request,
                         "\"AttributeDefinitions\":[{\"AttributeName\":\"a1\",\"AttributeType\":"
                         "\"S\"},{\"AttributeName\":\"a2\",\"AttributeType\":\"S\"}],");
        buf_printf(&request, "\"%s\":[", lists[k][0]);
        for (unsigned i = 0; i < 50000; i++) {
            if (i)
                buf_add_char(&request, ',');
            const char *at = strstr(lists[k][1], "%u");
            buf_add(&request, (struct slice){lists[k][1], (size_t)(at - lists[k][1])});
            buf_printf(&request, "%u%s", i + 1, at + 2);
        }
        buf_add_text(&request, "]}");
        struct error *e = call("CreateTable", buf_slice(&request), &reply);
        assert_non_null(e);
        assert_int_equal(e->kind, ERR_VALIDATION);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

UNIT_TESTS(TEST(an_item_may_have_400_kb_and_no_byte_more),
           TEST(an_update_may_not_make_a_larger_item), TEST(a_transaction_may_have_100_actions),
           TEST(a_transaction_may_have_4_mb), TEST(a_page_ends_at_1_mb_read),
           TEST(a_read_in_steps_is_the_same_read), TEST(a_read_may_be_given_up),
           TEST(far_too_long_lists_are_refused_at_once))
