/* The engine's forms on disk, byte for byte: a change here is a change of a format. */
#include "unit.h"

#include "engine/change.h"
#include "engine/collection.h"
#include "engine/counts.h"
#include "engine/job.h"
#include "engine/keyspace.h"
#include "engine/token_int.h"
#include "item/value.h"

static struct arena *arena;

static int setup(void **state) {
    (void)state;
    arena = arena_create();
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_destroy(arena);
    return 0;
}

static void assert_hex(struct slice s, const char *hex) {
    struct buf text = buf_in(arena, 64 * 1024);
    for (size_t i = 0; i < s.len; i++)
        buf_printf(&text, "%02x", (unsigned)(uint8_t)s.ptr[i]);
    assert_slice(buf_slice(&text), hex);
}

static struct attribute text_attribute(const char *name, const char *text) {
    return (struct attribute){slice_of(name), {.type = VALUE_S, .bytes = slice_of(text)}};
}

static const struct table_schema follow = {
    .name = SLICE_INIT("follow"),
    .space = 1024,
    .key = {.hash = {{SLICE_INIT("PK"), VALUE_S}},
            .hash_count = 1,
            .range = {{SLICE_INIT("SK"), VALUE_S}},
            .range_count = 1},
};
static const struct index_schema inverted = {.name = SLICE_INIT("GSI1"),
                                             .global = true,
                                             .key = {.hash = {{SLICE_INIT("SK"), VALUE_S}},
                                                     .hash_count = 1,
                                                     .range = {{SLICE_INIT("PK"), VALUE_S}},
                                                     .range_count = 1},
                                             .space = 1026};
static const struct index_schema local = {.name = SLICE_INIT("LSI1"),
                                          .key = {.hash = {{SLICE_INIT("PK"), VALUE_S}},
                                                  .hash_count = 1,
                                                  .range = {{SLICE_INIT("n"), VALUE_S}},
                                                  .range_count = 1},
                                          .space = 1027};

/* The hashes were made by another implementation of SHA-256. */
static void keys_are_space_hash_and_tail(void **state) {
    (void)state;
    const struct attribute attributes[] = {text_attribute("PK", "a"), text_attribute("SK", "b"),
                                           text_attribute("n", "c")};
    const struct item item = {attributes, 3};
    struct slice key = keyspace_item(arena, &follow, &item), global, locally;
    assert_memory_equal(key.ptr, "\0\0\0\0\0\0\4\0", 8);
    assert_int_equal(key.len, 8 + 16 + 4);
    assert_true(keyspace_index_entry(arena, &inverted, &item, key, &global));
    assert_memory_equal(global.ptr, "\0\0\0\0\0\0\4\2", 8);
    /* hash of SK, component of PK, then the item's hash and sort key. */
    assert_int_equal(global.len, 8 + 16 + 4 + 16 + 4);
    assert_memory_equal(global.ptr + 28, key.ptr + 8, 20);
    assert_true(keyspace_index_entry(arena, &local, &item, key, &locally));
    assert_int_equal(locally.len, 8 + 16 + 4 + 4);
    assert_memory_equal(locally.ptr + 8, key.ptr + 8, 16);
    assert_memory_equal(locally.ptr + 28, key.ptr + 24, 4);
    assert_hex(key, "000000000000040014aa39545a757530d2a89729914e981053620001");
    assert_hex(global, "0000000000000402b4d733e76b8f27ecf1346b96f62bd0f75361000114aa39545a757530d2a"
                       "89729914e981053620001");
    assert_hex(locally, "000000000000040314aa39545a757530d2a89729914e98105363000153620001");
}

static void an_item_without_the_index_key_has_no_entry(void **state) {
    (void)state;
    const struct attribute attributes[] = {text_attribute("PK", "a"), text_attribute("SK", "b")};
    const struct item item = {attributes, 2};
    struct slice out;
    assert_false(
        keyspace_index_entry(arena, &local, &item, keyspace_item(arena, &follow, &item), &out));
}

static void counts_come_back(void **state) {
    (void)state;
    struct table_counts c = {258, 65536}, back;
    struct slice row = counts_encode(arena, c);
    assert_hex(row, "0100000000000001020000000000010000");
    assert_true(counts_decode(row, &back));
    assert_int_equal(back.items, 258);
    assert_int_equal(back.bytes, 65536);
    assert_false(counts_decode((struct slice){row.ptr, row.len - 1}, &back));
    assert_false(counts_decode(SLICE(""), &back));
}

static void collections_come_back(void **state) {
    (void)state;
    uint64_t bytes;
    struct slice row = collection_encode(arena, 258);
    assert_hex(row, "010000000000000102");
    assert_true(collection_decode(row, &bytes));
    assert_int_equal(bytes, 258);
    assert_false(collection_decode((struct slice){row.ptr, 8}, &bytes));
    char item_key[24] = "\0\0\0\0\0\0\4\0hash of 16 bytes";
    assert_hex(collection_key(arena, 1024, (struct slice){item_key, 24}),
               "00000000000000080000000000000400"
               "68617368206f66203136206279746573");
}

static void changes_come_back(void **state) {
    (void)state;
    struct change c = {0x0102, SLICE(""), SLICE("new")}, back;
    struct slice row = change_encode(arena, &c);
    assert_hex(row, "01000000000000010200036e6577");
    assert_true(change_decode(row, &back));
    assert_int_equal(back.time_ms, 0x0102);
    assert_int_equal(back.old_stored.len, 0);
    assert_slice(back.new_stored, "new");
    assert_false(change_decode(SLICE("\x02"), &back));
    assert_hex(change_key(arena, 1025, 7), "00000000000004010000000000000007");
}

static void tokens_come_back(void **state) {
    (void)state;
    struct token t = {.used_ms = 255, .replay = SLICE("r")}, back;
    memset(t.fingerprint, 0xab, sizeof t.fingerprint);
    struct slice row = token_encode(arena, &t);
    assert_hex(row, "0100000000000000ff"
                    "abababababababababababababababababababababababababababababababab72");
    assert_true(token_decode(row, &back));
    assert_int_equal(back.used_ms, 255);
    assert_slice(back.replay, "r");
    assert_false(token_decode((struct slice){row.ptr, 20}, &back));
    assert_hex(token_key(arena, SLICE("t")), "000000000000000574");
    assert_hex(token_expiry_key(arena, 255, SLICE("t")), "000000000000000600000000000000ff74");
}

static void jobs_come_back(void **state) {
    (void)state;
    const uint64_t spaces[] = {1024, 1025};
    struct job job = {.kind = JOB_DROP, .spaces = spaces, .space_count = 2}, back = {0};
    struct slice row = job_encode(arena, &job);
    assert_hex(row, "01010200000000000004000000000000000401");
    assert_true(job_decode(arena, row, &back));
    assert_int_equal(back.space_count, 2);
    assert_int_equal(back.spaces[1], 1025);
    struct job fill = {.kind = JOB_BACKFILL, .table = SLICE("tab"), .index_space = 1026};
    fill.cursor = SLICE("k");
    struct slice fill_row = job_encode(arena, &fill);
    assert_hex(fill_row, "010203746162000000000000040201"
                         "6b");
    assert_true(job_decode(arena, fill_row, &back));
    assert_slice(back.table, "tab");
    assert_slice(back.cursor, "k");
    assert_false(job_decode(arena, (struct slice){row.ptr, row.len - 1}, &back));
    assert_false(job_decode(arena, SLICE("\x01\x09\x00"), &back));
    assert_false(job_decode(arena, SLICE("\x01\x01\xff\xff\xff\xff\x0f"), &back));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
UNIT_TESTS(TEST(keys_are_space_hash_and_tail), TEST(an_item_without_the_index_key_has_no_entry),
           TEST(counts_come_back), TEST(collections_come_back), TEST(changes_come_back),
           TEST(tokens_come_back), TEST(jobs_come_back))
