#include "unit.h"

static void memory_is_zeroed_also_after_a_reset(void **state) {
    (void)state;
    struct arena *a = arena_create();
    for (int round = 0; round < 3; round++) {
        unsigned char *p = arena_alloc(a, 4000);
        for (int i = 0; i < 4000; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xee, 4000);
        arena_reset(a);
    }
    arena_destroy(a);
}

static void large_blocks_get_their_own_chunk_and_go_at_reset(void **state) {
    (void)state;
    struct arena *a = arena_create();
    size_t before = arena_held(a);
    memset(arena_bytes(a, 5 << 20), 1, 5 << 20);
    assert_true(arena_held(a) >= before + (5 << 20));
    arena_reset(a);
    assert_int_equal(arena_held(a), before);
    arena_destroy(a);
}

static void the_newest_block_grows_in_place(void **state) {
    (void)state;
    struct arena *a = arena_create();
    char *p = arena_bytes(a, 10);
    memcpy(p, "0123456789", 10);
    assert_ptr_equal(arena_grow(a, p, 10, 20), p);
    arena_bytes(a, 1);
    char *moved = arena_grow(a, p, 20, 40);
    assert_ptr_not_equal(moved, p);
    assert_memory_equal(moved, "0123456789", 10);
    arena_destroy(a);
}

static void printf_gives_a_terminated_slice(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct slice s = arena_printf(a, "%s-%d", "x", 42);
    assert_slice(s, "x-42");
    assert_int_equal(s.ptr[s.len], 0);
    arena_destroy(a);
}

UNIT_TESTS(cmocka_unit_test(memory_is_zeroed_also_after_a_reset),
           cmocka_unit_test(large_blocks_get_their_own_chunk_and_go_at_reset),
           cmocka_unit_test(the_newest_block_grows_in_place),
           cmocka_unit_test(printf_gives_a_terminated_slice))
