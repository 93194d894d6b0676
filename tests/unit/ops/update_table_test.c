/*
 * UpdateTable where time matters, which files of cases cannot show: indexes while they are filled,
 * and afterwards.
 */
#include "unit.h"

#include "engine/catalogue.h"
#include "engine/job.h"
#include "ops/op.h"
#include "json/json_writer.h"

static struct arena *arena;
static struct engine *engine;
static const struct json *reply;

static struct error *call(const char *operation, const char *text) {
    const struct json *body;
    struct json_writer w = json_writer_tree(arena);
    TRY(json_parse(arena, slice_of(text), &body));
    TRY(op_call_whole(engine, arena, op_find(slice_of(operation)), body, &w));
    reply = w.root;
    return NULL;
}

static int set_up(void **state) {
    (void)state;
    arena = arena_create();
    struct engine_options options = {.sync = SYNC_NONE};
    assert_ok(store_open_mem(arena, &options.store));
    assert_ok(engine_open(arena, &options, &engine));
    assert_ok(call("CreateTable", "{\"TableName\":\"tab\",\"AttributeDefinitions\":[{"
                                  "\"AttributeName\":\"pk\",\"AttributeType\":\"S\"}],"
                                  "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}],"
                                  "\"BillingMode\":\"PAY_PER_REQUEST\"}"));
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    engine_close(engine);
    arena_destroy(arena);
    return 0;
}

/* The member at the end of the path, "Table.GlobalSecondaryIndexes.0.IndexStatus". */
static const struct json *at(const char *path) {
    const struct json *j = reply;
    while (*path && j) {
        size_t len = strcspn(path, ".");
        struct slice step = {path, len};
        uint64_t n;
        path += len + (path[len] == '.');
        if (j->kind == JSON_ARRAY && slice_to_u64(step, &n)) {
            for (j = j->first; j && n; n--)
                j = j->next;
            continue;
        }
        j = json_member(j, step);
    }
    return j;
}

static void expect_text(const char *path, const char *text) {
    const struct json *j = at(path);
    if (!j || !slice_is(j->text, text))
        fail_msg("%s is %.*s, not %s", path, j ? (int)j->text.len : 7, j ? j->text.ptr : "nothing",
                 text);
}

static void put(unsigned n, const char *group) {
    assert_ok(call("PutItem", arena_printf(arena,
                                           "{\"TableName\":\"tab\",\"Item\":{\"pk\":{\"S\":\"%u\"},"
                                           "\"g\":{\"S\":\"%s\"}}}",
                                           n, group)
                                  .ptr));
}

static const char *create_index(const char *name, const char *attribute) {
    return arena_printf(arena,
                        "{\"TableName\":\"tab\",\"AttributeDefinitions\":[{\"AttributeName\":"
                        "\"%s\",\"AttributeType\":\"S\"}],\"GlobalSecondaryIndexUpdates\":[{"
                        "\"Create\":{\"IndexName\":\"%s\",\"KeySchema\":[{\"AttributeName\":\"%s\","
                        "\"KeyType\":\"HASH\"}],\"Projection\":{\"ProjectionType\":\"ALL\"}}}]}",
                        attribute, name, attribute)
        .ptr;
}

static const char *delete_index(const char *name) {
    return arena_printf(arena,
                        "{\"TableName\":\"tab\",\"GlobalSecondaryIndexUpdates\":[{\"Delete\":{"
                        "\"IndexName\":\"%s\"}}]}",
                        name)
        .ptr;
}

static const char *query_index(const char *group) {
    return arena_printf(arena,
                        "{\"TableName\":\"tab\",\"IndexName\":\"gsi\",\"KeyConditionExpression\":"
                        "\"g = :g\",\"ExpressionAttributeValues\":{\":g\":{\"S\":\"%s\"}}}",
                        group)
        .ptr;
}

struct marking {
    struct writer_task task;
    struct slice index;
    enum table_status status;
};

static struct error *marking_run(struct writer_task *task, struct write_view *view) {
    const struct marking *m = (struct marking *)task;
    struct table_schema revised = *catalogue_current(view, SLICE("tab"))->schema;
    struct index_schema *indexes = arena_array(arena, revised.index_count, sizeof *indexes);
    for (size_t i = 0; i < revised.index_count; i++) {
        indexes[i] = revised.indexes[i];
        if (slice_equal(indexes[i].name, m->index)) {
            indexes[i].status = m->status;
            indexes[i].backfilling = m->status == STATUS_CREATING;
        }
    }
    revised.indexes = indexes;
    const struct table_schema *stored;
    return catalogue_update(view, arena, &revised, &stored);
}

/* As if the job that fills the index took its time, or was done. */
static void mark_index(const char *index, enum table_status status) {
    struct marking m = {.task = {.arena = arena, .run = marking_run, .alone = true},
                        .index = slice_of(index),
                        .status = status};
    assert_ok(writer_run(engine, &m.task));
}

/* The table has the indexes "gsi" on g and "two" on t; "gsi" is not filled yet. */
static void make_unfinished_index(void) {
    assert_ok(call("UpdateTable", create_index("gsi", "g")));
    job_wait_idle(engine);
    assert_ok(call("UpdateTable", create_index("two", "t")));
    job_wait_idle(engine);
    mark_index("gsi", STATUS_CREATING);
}

static void a_new_index_is_filled(void **state) {
    (void)state;
    for (unsigned i = 0; i < 300; i++)
        put(i, i % 3 ? "a" : "b");
    assert_ok(call("UpdateTable", create_index("gsi", "g")));
    expect_text("TableDescription.TableStatus", "UPDATING");
    expect_text("TableDescription.GlobalSecondaryIndexes.0.IndexStatus", "CREATING");
    assert_int_equal(at("TableDescription.GlobalSecondaryIndexes.0.Backfilling")->kind, JSON_FALSE);
    job_wait_idle(engine);
    assert_ok(call("DescribeTable", "{\"TableName\":\"tab\"}"));
    expect_text("Table.TableStatus", "ACTIVE");
    expect_text("Table.GlobalSecondaryIndexes.0.IndexStatus", "ACTIVE");
    expect_text("Table.GlobalSecondaryIndexes.0.ItemCount", "300");
    assert_null(at("Table.GlobalSecondaryIndexes.0.Backfilling"));
    expect_text("Table.AttributeDefinitions.1.AttributeName", "g");
    assert_ok(call("Query", query_index("b")));
    expect_text("Count", "100");
}

/* What an index had is gone for the one that comes after it. */
static void an_index_of_the_same_name_begins_anew(void **state) {
    (void)state;
    put(1, "a");
    assert_ok(call("UpdateTable", create_index("gsi", "g")));
    job_wait_idle(engine);
    assert_ok(call("UpdateTable", delete_index("gsi")));
    expect_text("TableDescription.TableStatus", "UPDATING");
    expect_text("TableDescription.GlobalSecondaryIndexes.0.IndexStatus", "DELETING");
    expect_text("TableDescription.AttributeDefinitions.1.AttributeName", "g");
    assert_ok(call("DescribeTable", "{\"TableName\":\"tab\"}"));
    assert_null(at("Table.GlobalSecondaryIndexes"));
    assert_null(at("Table.AttributeDefinitions.1"));
    put(1, "b");
    assert_ok(call("UpdateTable", create_index("gsi", "g")));
    job_wait_idle(engine);
    assert_ok(call("Query", query_index("a")));
    expect_text("Count", "0");
    assert_ok(call("Query", query_index("b")));
    expect_text("Count", "1");
}

static void an_unfinished_index_is_not_read(void **state) {
    (void)state;
    make_unfinished_index();
    put(1, "a");
    assert_error(call("Query", query_index("a")), ERR_VALIDATION,
                 "Cannot read from backfilling global secondary index: gsi");
    assert_error(call("Scan", "{\"TableName\":\"tab\",\"IndexName\":\"gsi\"}"), ERR_VALIDATION,
                 "Cannot read from backfilling global secondary index: gsi");
    assert_ok(call("DescribeTable", "{\"TableName\":\"tab\"}"));
    expect_text("Table.TableStatus", "ACTIVE");
    expect_text("Table.GlobalSecondaryIndexes.0.IndexStatus", "CREATING");
    assert_int_equal(at("Table.GlobalSecondaryIndexes.0.Backfilling")->kind, JSON_TRUE);
    mark_index("gsi", STATUS_ACTIVE);
    assert_ok(call("Query", query_index("a")));
    expect_text("Count", "1");
}

static void one_index_at_a_time(void **state) {
    (void)state;
    static const char one[] = "Subscriber limit exceeded: Only 1 online index can be created or "
                              "deleted simultaneously per table";
    make_unfinished_index();
    assert_error(call("UpdateTable", create_index("three", "h")), ERR_LIMIT_EXCEEDED, one);
    assert_error(call("UpdateTable", delete_index("two")), ERR_LIMIT_EXCEEDED, one);
    assert_error(call("UpdateTable", create_index("gsi", "g")), ERR_RESOURCE_IN_USE,
                 "Attempt to change a resource which is still in use: Index is being created.  "
                 "Table: tab Index: gsi");
}

static void an_unfinished_index_can_be_deleted(void **state) {
    (void)state;
    make_unfinished_index();
    assert_ok(call("UpdateTable", delete_index("gsi")));
    expect_text("TableDescription.GlobalSecondaryIndexes.0.IndexStatus", "DELETING");
    assert_null(at("TableDescription.GlobalSecondaryIndexes.0.Backfilling"));
    expect_text("TableDescription.GlobalSecondaryIndexes.1.IndexStatus", "ACTIVE");
    assert_ok(call("UpdateTable", create_index("three", "h")));
    job_wait_idle(engine);
}

static void a_table_with_an_unfinished_index_is_not_deleted(void **state) {
    (void)state;
    make_unfinished_index();
    assert_error(call("DeleteTable", "{\"TableName\":\"tab\"}"), ERR_RESOURCE_IN_USE,
                 "Attempt to change a resource which is still in use: Cannot delete table while "
                 "indexes are being created, updated, or deleted.");
    mark_index("gsi", STATUS_ACTIVE);
    assert_ok(call("DeleteTable", "{\"TableName\":\"tab\"}"));
}

/* Everything else goes on. */
static void a_table_with_an_unfinished_index_can_be_changed(void **state) {
    (void)state;
    make_unfinished_index();
    assert_ok(call("UpdateTable", "{\"TableName\":\"tab\",\"DeletionProtectionEnabled\":true}"));
    assert_ok(call("UpdateTable", "{\"TableName\":\"tab\",\"GlobalSecondaryIndexUpdates\":[{"
                                  "\"Update\":{\"IndexName\":\"two\",\"OnDemandThroughput\":{"
                                  "\"MaxReadRequestUnits\":7}}}]}"));
    expect_text("TableDescription.TableStatus", "ACTIVE");
    expect_text("TableDescription.GlobalSecondaryIndexes.0.IndexStatus", "CREATING");
    assert_int_equal(at("TableDescription.GlobalSecondaryIndexes.0.Backfilling")->kind, JSON_TRUE);
    expect_text("TableDescription.GlobalSecondaryIndexes.1.IndexStatus", "UPDATING");
    assert_ok(call("DescribeTable", "{\"TableName\":\"tab\"}"));
    expect_text("Table.GlobalSecondaryIndexes.0.IndexStatus", "CREATING");
    expect_text("Table.GlobalSecondaryIndexes.1.IndexStatus", "ACTIVE");
}

/* Twenty, and not one more, whatever the way. */
static void an_index_too_many(void **state) {
    (void)state;
    for (unsigned i = 0; i < LIMIT_GLOBAL_INDEXES; i++) {
        assert_ok(call("UpdateTable", create_index(arena_printf(arena, "gsi%u", i).ptr, "g")));
        job_wait_idle(engine);
    }
    assert_error(call("UpdateTable", create_index("more", "g")), ERR_LIMIT_EXCEEDED,
                 "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table "
                 "limit of 20");
    assert_ok(call("UpdateTable", delete_index("gsi7")));
    job_wait_idle(engine);
    assert_ok(call("UpdateTable", create_index("more", "g")));
    job_wait_idle(engine);
}

/* A request that fails changes nothing, though half of it was well. */
static void nothing_changes_by_halves(void **state) {
    (void)state;
    make_unfinished_index();
    mark_index("gsi", STATUS_ACTIVE);
    assert_error(call("UpdateTable",
                      "{\"TableName\":\"tab\",\"GlobalSecondaryIndexUpdates\":[{\"Update\":{"
                      "\"IndexName\":\"two\",\"OnDemandThroughput\":{\"MaxReadRequestUnits\":7}}},"
                      "{\"Delete\":{\"IndexName\":\"ghost\"}}]}"),
                 ERR_RESOURCE_NOT_FOUND, "Requested resource not found: Index ghost for table tab");
    assert_ok(call("DescribeTable", "{\"TableName\":\"tab\"}"));
    assert_null(at("Table.GlobalSecondaryIndexes.1.OnDemandThroughput"));
}

/* `count` updates of indexes of different names, and one more element. */
static const char *many_updates(unsigned count, const char *last) {
    struct buf text = buf_in(arena, 16 * 1024 * 1024);
    buf_add_text(&text, "{\"TableName\":\"tab\",\"GlobalSecondaryIndexUpdates\":[");
    for (unsigned i = 0; i < count; i++)
        buf_printf(&text,
                   "{\"Update\":{\"IndexName\":\"gsi%u\",\"OnDemandThroughput\":{"
                   "\"MaxReadRequestUnits\":1}}},",
                   i);
    buf_add_text(&text, last);
    buf_add_text(&text, "]}");
    return arena_string(arena, buf_slice(&text));
}

static void far_too_many_updates_are_refused(void **state) {
    (void)state;
    enum { MANY = 50000 };
    assert_error(call("UpdateTable", many_updates(MANY, "{\"Delete\":{\"IndexName\":\"gsi1\"}}")),
                 ERR_RESOURCE_NOT_FOUND, "Requested resource not found: Index gsi0 for table tab");
    assert_error(call("UpdateTable", many_updates(MANY, "{}")), ERR_VALIDATION,
                 "One or more parameter values were invalid: One of "
                 "GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                 "GlobalSecondaryIndexUpdate.Delete must not be null");
    assert_error(call("UpdateTable", many_updates(MANY, "null")), ERR_VALIDATION,
                 "One or more parameter values were invalid: One of "
                 "GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                 "GlobalSecondaryIndexUpdate.Delete must not be null");
    assert_error(call("UpdateTable", many_updates(5, "{\"Delete\":{\"IndexName\":\"gsi3\"}}")),
                 ERR_VALIDATION,
                 "One or more parameter values were invalid: Only one global secondary index "
                 "update per index is allowed simultaneously. Index: gsi3");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
UNIT_TESTS(TEST(a_new_index_is_filled), TEST(an_index_of_the_same_name_begins_anew),
           TEST(an_unfinished_index_is_not_read), TEST(one_index_at_a_time),
           TEST(an_unfinished_index_can_be_deleted),
           TEST(a_table_with_an_unfinished_index_is_not_deleted),
           TEST(a_table_with_an_unfinished_index_can_be_changed), TEST(an_index_too_many),
           TEST(nothing_changes_by_halves), TEST(far_too_many_updates_are_refused))
