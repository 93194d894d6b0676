#include "unit.h"

static void an_error_knows_its_wire_form(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct error *e = error_new(a, ERR_VALIDATION, "bad %s", "key");
    assert_slice(e->message, "bad key");
    assert_slice(e->type, "com.amazon.coral.validate#ValidationException");
    assert_slice(error_short_type(e), "ValidationException");
    assert_int_equal(error_status(e), 400);
    assert_string_equal(error_text_member(e), "message");
    assert_string_equal(error_text_member(error_bare(a, ERR_SERIALIZATION)), "Message");
    assert_null(error_bare(a, ERR_SERIALIZATION)->message.ptr);
    arena_destroy(a);
}

UNIT_TESTS(cmocka_unit_test(an_error_knows_its_wire_form))
