/*
 * Batches too large for a file of cases, batches in steps, and scans that are forbidden.
 */
#include "unit.h"

#include "item/item_json.h"
#include "ops/op.h"

enum { TEXT_BYTES = 64 * 1024 * 1024, ITEMS = 45, ITEM_BYTES = 400000 };

static struct arena *arena;
static struct engine *engine;

static const struct json *json_of(struct slice text) {
    const struct json *json;
    assert_ok(json_parse(arena, text, &json));
    return json;
}

static struct op_call call_of(const char *operation, uint32_t max_rows) {
    return (struct op_call){.engine = engine,
                            .arena = arena,
                            .op = op_find(slice_of(operation)),
                            .region = SLICE(OP_DEFAULT_REGION),
                            .max_rows = max_rows,
                            .max_bytes = SIZE_MAX};
}

/* A read, in steps; the reply. */
static const struct json *read_in_steps(const char *operation, struct slice body, uint32_t max_rows,
                                        unsigned *steps) {
    struct op_call c = call_of(operation, max_rows);
    struct buf text = buf_in(arena, TEXT_BYTES);
    struct json_writer w = json_writer_text(&text);
    *steps = 0;
    assert_ok(op_call_prepare(&c, json_of(body)));
    do {
        assert_ok(op_call_run(&c));
        ++*steps;
    } while (c.again);
    assert_ok(op_call_reply(&c, &w));
    op_call_finish(&c);
    assert_true(buf_ok(&text));
    return json_of(buf_slice(&text));
}

static void run(const char *operation, struct slice body) {
    struct buf text = buf_in(arena, TEXT_BYTES);
    struct json_writer w = json_writer_text(&text);
    assert_ok(op_call_whole(engine, arena, op_find(slice_of(operation)), json_of(body), &w));
}

static int set_up(void **state) {
    (void)state;
    struct engine_options options = {.sync = SYNC_NONE};
    arena = arena_create();
    assert_ok(store_open_mem(arena, &options.store));
    assert_ok(engine_open(arena, &options, &engine));
    run("CreateTable",
        SLICE("{\"TableName\":\"tab\",\"AttributeDefinitions\":[{\"AttributeName\":\"p\","
              "\"AttributeType\":\"N\"}],\"KeySchema\":[{\"AttributeName\":\"p\",\"KeyType\":"
              "\"HASH\"}],\"BillingMode\":\"PAY_PER_REQUEST\"}"));
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    engine_close(engine);
    arena_destroy(arena);
    return 0;
}

/* `count` items of so many bytes, keys from 0, in batches. */
static void put_items(unsigned count, size_t bytes) {
    char *letters = arena_bytes(arena, bytes);
    memset(letters, 'x', bytes);
    for (unsigned first = 0; first < count; first += LIMIT_BATCH_WRITE_ITEMS) {
        struct buf body = buf_in(arena, TEXT_BYTES);
        buf_add_text(&body, "{\"RequestItems\":{\"tab\":[");
        for (unsigned i = first; i < count && i < first + LIMIT_BATCH_WRITE_ITEMS; i++)
            buf_printf(
                &body,
                "%s{\"PutRequest\":{\"Item\":{\"p\":{\"N\":\"%u\"},\"d\":{\"S\":\"%.*s\"}}}}",
                i == first ? "" : ",", i, (int)bytes, letters);
        buf_add_text(&body, "]}}");
        run("BatchWriteItem", buf_slice(&body));
    }
}

/* A batch of the first `count` keys. */
static struct slice get_body(unsigned count) {
    struct buf body = buf_in(arena, TEXT_BYTES);
    buf_add_text(&body, "{\"RequestItems\":{\"tab\":{\"ConsistentRead\":true,"
                        "\"ProjectionExpression\":\"#p\",\"ExpressionAttributeNames\":{\"#p\":"
                        "\"p\"},\"Keys\":[");
    for (unsigned i = 0; i < count; i++)
        buf_printf(&body, "%s{\"p\":{\"N\":\"%u\"}}", i ? "," : "", i);
    buf_add_text(&body, "]}},\"ReturnConsumedCapacity\":\"TOTAL\"}");
    return buf_slice(&body);
}

static size_t responses(const struct json *reply) {
    return json_member(json_member(reply, SLICE("Responses")), SLICE("tab"))->count;
}

/* 16 MB are 41 of these; the projection does not count. What is left is the next request. */
static void a_batch_ends_at_16_mb_and_gives_back_the_rest(void **state) {
    (void)state;
    unsigned steps;
    put_items(ITEMS, ITEM_BYTES);
    const struct json *reply = read_in_steps("BatchGetItem", get_body(ITEMS), UINT32_MAX, &steps);
    size_t fit = LIMIT_BATCH_GET_BYTES / ITEM_BYTES;
    assert_int_equal(responses(reply), fit);
    const struct json *rest = json_member(reply, SLICE("UnprocessedKeys"));
    const struct json *table = json_member(rest, SLICE("tab"));
    assert_int_equal(json_member(table, SLICE("Keys"))->count, ITEMS - fit);
    assert_int_equal(json_member(table, SLICE("ConsistentRead"))->kind, JSON_TRUE);
    assert_slice(json_member(table, SLICE("ProjectionExpression"))->text, "#p");

    struct buf next = buf_in(arena, TEXT_BYTES);
    buf_add_text(&next, "{\"RequestItems\":");
    json_print(&next, rest, 0);
    buf_add_text(&next, "}");
    reply = read_in_steps("BatchGetItem", buf_slice(&next), UINT32_MAX, &steps);
    assert_int_equal(responses(reply), ITEMS - fit);
    assert_int_equal(json_member(reply, SLICE("UnprocessedKeys"))->count, 0);
}

static void a_batch_in_steps_is_the_same_batch(void **state) {
    (void)state;
    unsigned one, many;
    put_items(30, 100);
    const struct json *whole = read_in_steps("BatchGetItem", get_body(40), UINT32_MAX, &one);
    const struct json *stepped = read_in_steps("BatchGetItem", get_body(40), 3, &many);
    assert_int_equal(one, 1);
    assert_int_equal(many, 14);
    assert_int_equal(responses(whole), 30);
    assert_true(json_equal(whole, stepped));
}

static void a_scan_in_steps_is_the_same_scan(void **state) {
    (void)state;
    unsigned one, many;
    put_items(30, 100);
    struct slice body = SLICE("{\"TableName\":\"tab\",\"Limit\":25}");
    const struct json *whole = read_in_steps("Scan", body, UINT32_MAX, &one);
    const struct json *stepped = read_in_steps("Scan", body, 4, &many);
    assert_int_equal(one, 1);
    assert_true(many >= 6);
    assert_true(json_equal(whole, stepped));
}

/* Each item is in one segment, and in one only. */
static void segments_share_out_a_table(void **state) {
    (void)state;
    enum { SEGMENTS = 37, COUNT = 200 };
    bool seen[COUNT] = {false};
    unsigned steps;
    put_items(COUNT, 10);
    for (unsigned s = 0; s < SEGMENTS; s++) {
        struct slice body =
            arena_printf(arena, "{\"TableName\":\"tab\",\"Segment\":%u,\"TotalSegments\":%u}", s,
                         (unsigned)SEGMENTS);
        const struct json *items =
            json_member(read_in_steps("Scan", body, UINT32_MAX, &steps), SLICE("Items"));
        for (const struct json *i = items->first; i; i = i->next) {
            uint64_t p;
            assert_true(
                slice_to_u64(json_member(json_member(i, SLICE("p")), SLICE("N"))->text, &p));
            assert_false(seen[p]);
            seen[p] = true;
        }
    }
    for (unsigned i = 0; i < COUNT; i++)
        assert_true(seen[i]);
}

static void a_scan_is_noted_and_may_be_forbidden(void **state) {
    (void)state;
    const struct json *body = json_of(SLICE("{\"TableName\":\"tab\"}"));
    struct op_call c = call_of("Scan", UINT32_MAX);
    assert_ok(op_call_prepare(&c, body));
    assert_slice(c.notice, "Scan of table tab");
    op_call_finish(&c);

    c = call_of("Scan", UINT32_MAX);
    c.forbid_scan = true;
    assert_error(op_call_prepare(&c, body), ERR_VALIDATION,
                 "Scan of table tab is forbidden: this server was started with --forbid-scan. Use "
                 "Query with the table's key or an index's");
    assert_slice(c.notice, "Scan of table tab");
    op_call_finish(&c);

    /* Other faults come first. */
    c = call_of("Scan", UINT32_MAX);
    c.forbid_scan = true;
    assert_error(op_call_prepare(&c, json_of(SLICE("{\"TableName\":\"nowhere\"}"))),
                 ERR_RESOURCE_NOT_FOUND, "Requested resource not found");
    assert_int_equal(c.notice.len, 0);
    op_call_finish(&c);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

UNIT_TESTS(TEST(a_batch_ends_at_16_mb_and_gives_back_the_rest),
           TEST(a_batch_in_steps_is_the_same_batch), TEST(a_scan_in_steps_is_the_same_scan),
           TEST(segments_share_out_a_table), TEST(a_scan_is_noted_and_may_be_forbidden))
