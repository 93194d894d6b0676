#include "unit.h"

#include "schema/schema_stored.h"

static const struct slice included[] = {SLICE_INIT("grade")};
static const struct key_attribute attributes[] = {
    {SLICE_INIT("PK"), VALUE_S}, {SLICE_INIT("n"), VALUE_N}, {SLICE_INIT("b"), VALUE_B}};
static const struct tag tags[] = {{SLICE_INIT("team"), SLICE_INIT("graph \"1\"")}};
static const struct index_schema indexes[] = {{.name = SLICE_INIT("by-n"),
                                               .global = true,
                                               .key = {.hash = {{SLICE_INIT("n"), VALUE_N}},
                                                       .hash_count = 1,
                                                       .range = {{SLICE_INIT("b"), VALUE_B}},
                                                       .range_count = 1},
                                               .projection = PROJECTION_INCLUDE,
                                               .non_key_attributes = included,
                                               .non_key_count = 1,
                                               .throughput = {3, 4},
                                               .on_demand = {-1, -1},
                                               .warm = {12000, 4000},
                                               .status = STATUS_ACTIVE,
                                               .backfilling = true,
                                               .space = 1026}};
static const struct table_schema full = {
    .name = SLICE_INIT("follow"),
    .id = SLICE_INIT("0b6fbb0e-0000-4000-8000-000000000000"),
    .space = 1024,
    .change_space = 1025,
    .status = STATUS_ACTIVE,
    .created_ms = 1764518400000,
    .key = {.hash = {{SLICE_INIT("PK"), VALUE_S}}, .hash_count = 1},
    .attributes = attributes,
    .attribute_count = 3,
    .indexes = indexes,
    .index_count = 1,
    .billing = BILLING_PAY_PER_REQUEST,
    .billing_changed_ms = 1764518400001,
    .throughput = {1, 2},
    .on_demand = {-1, 500},
    .warm = {12000, 4000},
    .stream = STREAM_BOTH,
    .stream_label = SLICE_INIT("2026-11-30T16:00:00.000"),
    .deletion_protection = true,
    .table_class = CLASS_STANDARD_INFREQUENT_ACCESS,
    .table_class_given = true,
    .sse_kms = true,
    .sse_key = SLICE_INIT("arn:aws:kms:us-east-1:000000000000:key/k"),
    .ttl_attribute = SLICE_INIT("expires"),
    .tags = tags,
    .tag_count = 1,
    .resource_policy = SLICE_INIT("{}"),
};

/* The bytes on disk: a change here is a change of the format and needs a new version. */
static const char golden[] =
    "\x01{\"name\":\"follow\",\"id\":\"0b6fbb0e-0000-4000-8000-000000000000\",\"space\":1024,"
    "\"changeSpace\":1025,\"status\":\"ACTIVE\",\"created\":1764518400000,"
    "\"key\":{\"hash\":[[\"PK\",\"S\"]],\"range\":[]},"
    "\"attributes\":[[\"PK\",\"S\"],[\"n\",\"N\"],[\"b\",\"B\"]],"
    "\"indexes\":[{\"name\":\"by-n\",\"global\":true,\"space\":1026,"
    "\"key\":{\"hash\":[[\"n\",\"N\"]],\"range\":[[\"b\",\"B\"]]},"
    "\"projection\":\"INCLUDE\",\"nonKey\":[\"grade\"],\"throughput\":[3,4],\"onDemand\":[-1,-1],"
    "\"warm\":[12000,4000],\"status\":\"ACTIVE\",\"backfilling\":true}],"
    "\"billing\":\"PAY_PER_REQUEST\",\"billingChanged\":1764518400001,\"throughput\":[1,2],"
    "\"onDemand\":[-1,500],\"warm\":[12000,4000],\"stream\":\"NEW_AND_OLD_IMAGES\","
    "\"streamLabel\":\"2026-11-30T16:00:00.000\",\"protected\":true,"
    "\"class\":\"STANDARD_INFREQUENT_ACCESS\",\"sse\":true,"
    "\"sseKey\":\"arn:aws:kms:us-east-1:000000000000:key/k\",\"ttl\":\"expires\","
    "\"policy\":\"{}\",\"tags\":[[\"team\",\"graph \\\"1\\\"\"]]}";

static struct slice encode(struct arena *a, const struct table_schema *t) {
    struct buf row = buf_in(a, 1 << 20);
    schema_encode(&row, t);
    return buf_slice(&row);
}

static void the_bytes_are_golden(void **state) {
    (void)state;
    struct arena *a = arena_create();
    assert_slice(encode(a, &full), golden);
    arena_destroy(a);
}

static void every_member_comes_back(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct table_schema t;
    assert_true(schema_decode(a, encode(a, &full), &t));
    assert_slice(encode(a, &t), golden);
    assert_int_equal(t.key.hash_count, 1);
    assert_int_equal(t.key.range_count, 0);
    assert_int_equal(t.indexes[0].key.range[0].type, VALUE_B);
    assert_int_equal(t.on_demand.max_read_units, -1);
    assert_true(t.stream == STREAM_BOTH);
    assert_slice(t.tags[0].value, "graph \"1\"");
    assert_slice(encode(a, table_schema_copy(a, &full)), golden);
    arena_destroy(a);
}

static void what_is_malformed_is_refused(void **state) {
    (void)state;
    struct arena *a = arena_create();
    const struct slice bad[] = {
        SLICE_INIT(""),
        SLICE_INIT("\x01"),
        SLICE_INIT("\x02{}"),
        SLICE_INIT("\x01{}"),
        SLICE_INIT("\x01[]"),
        SLICE_INIT("\x01{\"name\":\"t\",\"space\":1024}"),
        SLICE_INIT("\x01{\"name\":\"t\",\"space\":-1,\"key\":{\"hash\":[[\"a\",\"S\"]]}}"),
        SLICE_INIT("\x01{\"name\":\"t\",\"space\":1024,\"key\":{\"hash\":[[\"a\",\"X\"]]}}"),
        SLICE_INIT("\x01{\"name\":\"t\",\"space\":1024,\"key\":{\"hash\":[[\"a\"]]}}"),
        SLICE_INIT("\x01{\"name\":\"t\",\"space\":1024,\"key\":{\"hash\":[[\"a\",\"S\"]]},"
                   "\"billing\":\"FREE\"}"),
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct table_schema t = {.space = 7};
        assert_false(schema_decode(a, bad[i], &t));
        assert_int_equal(t.space, 7);
    }
    arena_destroy(a);
}

static void unknown_members_of_the_same_version_are_ignored(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct table_schema t;
    assert_true(schema_decode(a,
                              SLICE("\x01{\"name\":\"t\",\"space\":1024,\"later\":[1],"
                                    "\"key\":{\"hash\":[[\"a\",\"S\"]]}}"),
                              &t));
    assert_slice(t.name, "t");
    arena_destroy(a);
}

UNIT_TESTS(cmocka_unit_test(the_bytes_are_golden), cmocka_unit_test(every_member_comes_back),
           cmocka_unit_test(what_is_malformed_is_refused),
           cmocka_unit_test(unknown_members_of_the_same_version_are_ignored))
