#include "base/nearest.h"

#include "unit.h"

static const char *nearest_of(const char *word) {
    static const char *const names[] = {"serve", "call", "check", "completion", "man", "help"};
    struct nearest n = {.word = slice_of(word)};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        nearest_offer(&n, names[i]);
    return n.name;
}

static void nearest_finds_slips(void **state) {
    (void)state;
    assert_string_equal(nearest_of("sreve"), "serve");
    assert_string_equal(nearest_of("SERVE"), "serve");
    assert_string_equal(nearest_of("chek"), "check");
    assert_string_equal(nearest_of("calll"), "call");
    assert_string_equal(nearest_of("completions"), "completion");
    assert_string_equal(nearest_of("mab"), "man");
}

static void nearest_does_not_guess(void **state) {
    (void)state;
    assert_null(nearest_of("import"));
    assert_null(nearest_of("xyz"));
    assert_null(nearest_of("serverless"));
    assert_null(nearest_of(""));
}

static void nearest_takes_the_nearest(void **state) {
    (void)state;
    struct nearest n = {.word = SLICE("GetItems")};
    nearest_offer(&n, "PutItem");
    nearest_offer(&n, "GetItem");
    nearest_offer(&n, "PutItems");
    assert_string_equal(n.name, "GetItem");
}

static void nearest_is_bounded(void **state) {
    (void)state;
    char word[4096];
    memset(word, 'a', sizeof word);
    struct nearest n = {.word = {word, sizeof word}};
    nearest_offer(&n, "aaaa");
    assert_null(n.name);
    word[65] = 0;
    n.word = SLICE("aaaa");
    nearest_offer(&n, word);
    assert_null(n.name);
}

UNIT_TESTS(cmocka_unit_test(nearest_finds_slips), cmocka_unit_test(nearest_does_not_guess),
           cmocka_unit_test(nearest_takes_the_nearest), cmocka_unit_test(nearest_is_bounded))
