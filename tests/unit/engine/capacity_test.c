#include "unit.h"

#include "engine/capacity.h"

static void reads_round_up_to_4_kb(void **state) {
    (void)state;
    assert_true(capacity_read_units(0, false) == 0.5);
    assert_true(capacity_read_units(0, true) == 1);
    assert_true(capacity_read_units(4096, true) == 1);
    assert_true(capacity_read_units(4097, true) == 2);
    assert_true(capacity_read_units(4097, false) == 1);
}

static void writes_take_the_larger_image(void **state) {
    (void)state;
    assert_true(capacity_write_units(0, 0) == 1);
    assert_true(capacity_write_units(1024, 1) == 1);
    assert_true(capacity_write_units(1025, 1) == 2);
    assert_true(capacity_write_units(1, 3000) == 3);
}

/* The table of numbers that AWS was measured by. */
static void index_arms_follow_the_entry(void **state) {
    (void)state;
    static const struct {
        size_t before, after;
        bool same_key, same_entry;
        double units;
        bool used;
    } rows[] = {
        {0, 0, false, false, 0, false},     {0, 1500, false, false, 2, true},
        {1500, 0, false, false, 2, true},   {1500, 1500, true, true, 0, false},
        {100, 1500, true, false, 2, true},  {1500, 100, true, false, 2, true},
        {100, 1500, false, false, 3, true},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        bool used;
        assert_true(capacity_index_units(rows[i].before, rows[i].after, rows[i].same_key,
                                         rows[i].same_entry, &used) == rows[i].units);
        assert_int_equal(used, rows[i].used);
    }
}

static void sums_go_by_arm(void **state) {
    (void)state;
    struct capacity sum = {.table = 1}, more = {.table = 2, .index = {0, 3}};
    more.index_used[1] = true;
    capacity_add(&sum, &more);
    assert_true(sum.table == 3 && sum.index[1] == 3 && sum.index_used[1] && !sum.index_used[0]);
    assert_true(capacity_total(&sum) == 6);
}

UNIT_TESTS(cmocka_unit_test(reads_round_up_to_4_kb), cmocka_unit_test(writes_take_the_larger_image),
           cmocka_unit_test(index_arms_follow_the_entry), cmocka_unit_test(sums_go_by_arm))
