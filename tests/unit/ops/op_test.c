#include "unit.h"

#include "ops/op.h"

enum { OPERATIONS = 66 };

static void there_is_a_row_for_every_operation(void **state) {
    (void)state;
    size_t count;
    op_list(&count);
    assert_int_equal(count, OPERATIONS);
}

static void rows_are_in_order_and_found_by_name(void **state) {
    (void)state;
    size_t count;
    const struct op *const *ops = op_list(&count);
    for (size_t i = 0; i < count; i++) {
        if (i)
            assert_true(strcmp(ops[i - 1]->name, ops[i]->name) < 0);
        assert_ptr_equal(op_find(slice_of(ops[i]->name)), ops[i]);
    }
    assert_null(op_find(SLICE("")));
    assert_null(op_find(SLICE("getItem")));
    assert_null(op_find(SLICE("GetItems")));
    assert_null(op_find(SLICE("AAA")));
    assert_null(op_find(SLICE("ZZZ")));
}

static void a_target_names_service_and_operation(void **state) {
    (void)state;
    assert_string_equal(op_find_target(SLICE("DynamoDB_20120810.GetItem"))->name, "GetItem");
    assert_string_equal(op_find_target(SLICE("DynamoDBStreams_20120810.GetRecords"))->name,
                        "GetRecords");
    assert_null(op_find_target(SLICE("DynamoDB_20120810.GetRecords")));
    assert_null(op_find_target(SLICE("DynamoDBStreams_20120810.GetItem")));
    assert_null(op_find_target(SLICE("DynamoDB_20111205.GetItem")));
    assert_null(op_find_target(SLICE("DynamoDB_20120810.")));
    assert_null(op_find_target(SLICE("GetItem")));
    assert_null(op_find_target(SLICE("")));
}

static void a_row_that_is_not_built_is_refused_by_name(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct op_call call = {.arena = a, .op = op_find(SLICE("CreateBackup"))};
    struct json body = {.kind = JSON_OBJECT};
    assert_error(op_call_prepare(&call, &body), ERR_UNKNOWN_OPERATION,
                 "Stator does not have the operation CreateBackup yet");
    arena_destroy(a);
}

/* A built row is whole. */
static void built_rows_have_all_they_need(void **state) {
    (void)state;
    size_t count;
    const struct op *const *ops = op_list(&count);
    for (size_t i = 0; i < count; i++) {
        if (ops[i]->kind == OP_REFUSED)
            continue;
        assert_true(ops[i]->fields || ops[i]->field_count == 0);
        assert_true(ops[i]->input_size > 0);
        assert_non_null(ops[i]->run);
        assert_non_null(ops[i]->reply);
    }
}

UNIT_TESTS(cmocka_unit_test(there_is_a_row_for_every_operation),
           cmocka_unit_test(rows_are_in_order_and_found_by_name),
           cmocka_unit_test(a_target_names_service_and_operation),
           cmocka_unit_test(a_row_that_is_not_built_is_refused_by_name),
           cmocka_unit_test(built_rows_have_all_they_need))
