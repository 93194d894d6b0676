#include "http/body.h"

#include "unit.h"

static struct body_budget budget;

static struct body body_of(size_t ceiling, size_t limit) {
    budget.limit = limit;
    assert_int_equal(atomic_load(&budget.used), 0);
    return (struct body){.ceiling = ceiling, .budget = &budget};
}

static void a_body_grows_to_its_ceiling(void **state) {
    (void)state;
    struct body b = body_of(100000, 1000000);
    for (int i = 0; i < 10000; i++)
        assert_null(body_add(&b, SLICE("0123456789")));
    assert_int_equal(b.len, 100000);
    assert_memory_equal(b.ptr + 99990, "0123456789", 10);
    assert_ptr_equal(body_add(&b, SLICE("x")), &body_too_large);
    assert_null(body_add(&b, SLICE("")));
    assert_int_equal(b.len, 100000);
    assert_true(atomic_load(&budget.used) <= 100000);
    body_release(&b);
    assert_int_equal(atomic_load(&budget.used), 0);
}

static void bodies_share_a_budget(void **state) {
    (void)state;
    struct body a = body_of(100000, 50000), b = a;
    assert_null(body_admit(&a, 30000));
    assert_ptr_equal(body_admit(&b, 20001), &body_over_budget);
    assert_null(body_admit(&b, 20000));
    assert_ptr_equal(body_admit(&b, 1), &body_over_budget);
    body_release(&a);
    assert_int_equal(atomic_load(&budget.used), 20000);
    assert_null(body_reserve(&a, 20000));
    assert_ptr_equal(body_reserve(&a, 40000), &body_over_budget);
    body_release(&a);
    body_release(&b);
    assert_int_equal(atomic_load(&budget.used), 0);
    assert_ptr_equal(body_admit(&a, SIZE_MAX), &body_over_budget);
    assert_int_equal(atomic_load(&budget.used), 0);
}

UNIT_TESTS(cmocka_unit_test(a_body_grows_to_its_ceiling), cmocka_unit_test(bodies_share_a_budget))
