#include "unit.h"

#include "schema/table_schema.h"

static const struct slice included[] = {SLICE_INIT("grade")};

static const struct table_schema school = {
    .name = SLICE_INIT("school"),
    .key = {.hash = {{SLICE_INIT("PK"), VALUE_S}},
            .hash_count = 1,
            .range = {{SLICE_INIT("SK"), VALUE_S}},
            .range_count = 1},
    .indexes = &(const struct index_schema){.name = SLICE_INIT("GSI1"),
                                            .global = true,
                                            .key = {.hash = {{SLICE_INIT("GSI1PK"), VALUE_S}},
                                                    .hash_count = 1},
                                            .projection = PROJECTION_INCLUDE,
                                            .non_key_attributes = included,
                                            .non_key_count = 1},
    .index_count = 1,
};

static void an_index_is_found_by_its_name(void **state) {
    (void)state;
    assert_ptr_equal(table_schema_find_index(&school, SLICE("GSI1")), &school.indexes[0]);
    assert_null(table_schema_find_index(&school, SLICE("GSI2")));
}

static void a_key_attribute_knows_its_role(void **state) {
    (void)state;
    bool hash = false;
    assert_non_null(key_schema_find(&school.key, SLICE("PK"), &hash));
    assert_true(hash);
    assert_non_null(key_schema_find(&school.key, SLICE("SK"), &hash));
    assert_false(hash);
    assert_null(key_schema_find(&school.key, SLICE("P"), &hash));
}

static void keys_of_table_and_index_are_always_projected(void **state) {
    (void)state;
    const struct index_schema *index = &school.indexes[0];
    assert_true(index_schema_projects(&school, index, SLICE("PK")));
    assert_true(index_schema_projects(&school, index, SLICE("SK")));
    assert_true(index_schema_projects(&school, index, SLICE("GSI1PK")));
    assert_true(index_schema_projects(&school, index, SLICE("grade")));
    assert_false(index_schema_projects(&school, index, SLICE("enrolledOn")));
}

static void a_table_is_named_by_name_or_arn(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct slice arn = table_schema_arn(a, SLICE("eu-west-1"), SLICE("school"));
    assert_slice(arn, "arn:aws:dynamodb:eu-west-1:000000000000:table/school");
    assert_slice(table_name_from_arn(arn), "school");
    assert_slice(table_name_from_arn(SLICE("school")), "school");
    assert_slice(table_name_from_arn(SLICE("arn:aws:dynamodb:x:1:table/a/index/b")), "a");
    assert_slice(table_name_from_arn(SLICE("arn:no table")), "arn:no table");
    arena_destroy(a);
}

UNIT_TESTS(cmocka_unit_test(an_index_is_found_by_its_name),
           cmocka_unit_test(a_key_attribute_knows_its_role),
           cmocka_unit_test(keys_of_table_and_index_are_always_projected),
           cmocka_unit_test(a_table_is_named_by_name_or_arn))
