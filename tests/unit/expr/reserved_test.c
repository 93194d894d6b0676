/* Every word of the list is found, in any case, and nothing else is. */
#include "unit.h"

#include <ctype.h>

#include "expr/expr_int.h"

static void reserved_word_ignores_case(void **state) {
    (void)state;
    assert_true(reserved_word(SLICE("STATUS")));
    assert_true(reserved_word(SLICE("status")));
    assert_true(reserved_word(SLICE("sTaTuS")));
}

static void reserved_word_is_the_whole_word(void **state) {
    (void)state;
    assert_false(reserved_word(SLICE("STATUSES")));
    assert_false(reserved_word(SLICE("STATU")));
    assert_false(reserved_word(SLICE("")));
    assert_false(reserved_word((struct slice){"", 0}));
    assert_false(reserved_word((struct slice){"STATUS", 5}));
    assert_false(reserved_word(SLICE("ST\\TUS")));
}

static void reserved_word_count_is_aws_s(void **state) {
    (void)state;
    assert_int_equal(reserved_word_count(), 573);
}

static void reserved_word_finds_each_line(void **state) {
    (void)state;
    char line[256];
    int sections = 0, words = 0;
    FILE *in = fopen(RESERVED_FILE, "r");
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        struct slice word = {line, strcspn(line, "\n")};
        sections += slice_is(word, "%%");
        if (sections != 1 || slice_is(word, "%%"))
            continue;
        words++;
        assert_true(reserved_word(word));
        for (size_t i = 0; i < word.len; i++)
            line[i] = (char)tolower((unsigned char)line[i]);
        assert_true(reserved_word(word));
    }
    fclose(in);
    assert_int_equal(words, 573);
}

UNIT_TESTS(cmocka_unit_test(reserved_word_ignores_case),
           cmocka_unit_test(reserved_word_is_the_whole_word),
           cmocka_unit_test(reserved_word_count_is_aws_s),
           cmocka_unit_test(reserved_word_finds_each_line))
