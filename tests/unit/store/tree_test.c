#include "unit.h"

#include "store/mem/tree.h"

enum { TREE_ROWS = 1000 };

static struct slice row_key(char text[8], unsigned n) {
    snprintf(text, 8, "%06u", n);
    return slice_of(text);
}

/* The rows of a tree that held 0 to TREE_ROWS in steps: each found, in order from both sides. */
static void check_rows(const struct tree *t, unsigned step) {
    char text[8];
    struct tree_entry entry;
    for (unsigned n = 0; n < TREE_ROWS; n += step) {
        assert_true(tree_find(t, row_key(text, n), &entry));
        assert_true(slice_equal(entry.value, row_key(text, n)));
        bool more = n + step < TREE_ROWS;
        assert_int_equal(tree_find_above(t, row_key(text, n), true, &entry), more);
        if (more)
            assert_true(slice_equal(entry.key, row_key(text, n + step)));
        assert_int_equal(tree_find_below(t, row_key(text, n), &entry), n > 0);
        if (n > 0)
            assert_true(slice_equal(entry.key, row_key(text, n - step)));
    }
}

static void rows_in_any_order_come_back_in_order(void **state) {
    (void)state;
    static const unsigned strides[] = {1, 999, 7, 333, 501}; /* prime to 1000, or downwards */
    for (size_t i = 0; i < ARRAY_LEN(strides); i++) {
        struct tree *t = NULL;
        char text[8];
        for (unsigned n = 0, at = 0; n < TREE_ROWS; n++, at = (at + strides[i]) % TREE_ROWS)
            t = tree_put(t, row_key(text, at), row_key(text, at));
        check_rows(t, 1);
        for (unsigned n = 0; n < TREE_ROWS; n++)
            if (n % 10)
                t = tree_delete(t, row_key(text, n));
        check_rows(t, 10);
        tree_release(t);
    }
}

static void an_old_tree_stays_as_it_was(void **state) {
    (void)state;
    char text[8];
    struct tree *old = NULL;
    struct tree_entry entry;
    for (unsigned n = 0; n < TREE_ROWS; n++)
        old = tree_put(old, row_key(text, n), row_key(text, n));
    struct tree *t = tree_retain(old);
    for (unsigned n = 0; n < TREE_ROWS; n += 2)
        t = tree_delete(t, row_key(text, n));
    t = tree_put(t, SLICE("000001"), SLICE("changed"));
    check_rows(old, 1);
    assert_false(tree_find(t, SLICE("000002"), &entry));
    assert_true(tree_find(t, SLICE("000001"), &entry));
    assert_slice(entry.value, "changed");
    tree_release(old);
    assert_true(tree_find(t, SLICE("000003"), &entry));
    tree_release(t);
}

static void the_empty_tree_is_null(void **state) {
    (void)state;
    struct tree_entry entry;
    assert_false(tree_find(NULL, SLICE("a"), &entry));
    assert_false(tree_find_above(NULL, SLICE(""), false, &entry));
    assert_false(tree_find_below(NULL, SLICE("\xff"), &entry));
    assert_null(tree_delete(NULL, SLICE("a")));
    struct tree *t = tree_put(NULL, SLICE(""), SLICE("empty key"));
    assert_true(tree_find(t, SLICE(""), &entry));
    assert_null(tree_delete(t, SLICE("")));
    tree_release(NULL);
}

/* Rows in ascending order would make a list of a tree that does not balance itself, and releasing
 * it would run out of stack. */
static void half_a_million_ascending_rows_do_not_make_a_list(void **state) {
    (void)state;
    char text[8];
    struct tree *t = NULL;
    for (unsigned n = 0; n < 500 * 1000; n++)
        t = tree_put(t, row_key(text, n), SLICE(""));
    struct tree_entry entry;
    assert_true(tree_find(t, SLICE("499999"), &entry));
    tree_release(t);
}

UNIT_TESTS(cmocka_unit_test(rows_in_any_order_come_back_in_order),
           cmocka_unit_test(an_old_tree_stays_as_it_was), cmocka_unit_test(the_empty_tree_is_null),
           cmocka_unit_test(half_a_million_ascending_rows_do_not_make_a_list))
