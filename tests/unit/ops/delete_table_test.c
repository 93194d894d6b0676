/*
 * Tables that may not be deleted: a file of cases could not clean up after them.
 */
#include "unit.h"

#include "ops/op.h"
#include "json/json_writer.h"

static struct error *call(struct engine *e, struct arena *a, const char *operation,
                          const char *text, const struct json **reply) {
    const struct json *body;
    struct json_writer w = json_writer_tree(a);
    TRY(json_parse(a, slice_of(text), &body));
    TRY(op_call_whole(e, a, op_find(slice_of(operation)), body, &w));
    *reply = w.root;
    return NULL;
}

static void a_protected_table_stays(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct engine_options options = {.sync = SYNC_NONE};
    struct engine *e;
    const struct json *reply;
    assert_ok(store_open_mem(a, &options.store));
    assert_ok(engine_open(a, &options, &e));
    assert_ok(call(e, a, "CreateTable",
                   "{\"TableName\":\"kept\",\"AttributeDefinitions\":[{\"AttributeName\":\"a\","
                   "\"AttributeType\":\"S\"}],\"KeySchema\":[{\"AttributeName\":\"a\",\"KeyType\":"
                   "\"HASH\"}],\"BillingMode\":\"PAY_PER_REQUEST\","
                   "\"DeletionProtectionEnabled\":true}",
                   &reply));
    const struct json *description = json_member(reply, SLICE("TableDescription"));
    assert_int_equal(json_member(description, SLICE("DeletionProtectionEnabled"))->kind, JSON_TRUE);
    assert_error(call(e, a, "DeleteTable", "{\"TableName\":\"kept\"}", &reply), ERR_VALIDATION,
                 "Resource cannot be deleted as it is currently protected against deletion. "
                 "Disable deletion protection first.");
    assert_ok(call(e, a, "ListTables", "{}", &reply));
    assert_int_equal(json_member(reply, SLICE("TableNames"))->count, 1);
    engine_close(e);
    arena_destroy(a);
}

UNIT_TESTS(cmocka_unit_test(a_protected_table_stays))
