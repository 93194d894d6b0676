/* docs/settings.md says what the tables say.  SETTINGS_PAGE_WRITE=1 writes it anew. */
#include "cli/settings_page.h"

#include <stdlib.h>

#include "unit.h"

enum { PAGE_BYTES = 1024 * 1024 };

static FILE *open_page(const char *mode) {
    const char *path = getenv("SETTINGS_PAGE");
    assert_non_null(path);
    FILE *file = fopen(path, mode);
    assert_non_null(file);
    return file;
}

static void settings_page_is_the_file(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct slice page = settings_page(a);
    if (getenv("SETTINGS_PAGE_WRITE")) {
        FILE *out = open_page("w");
        fwrite(page.ptr, 1, page.len, out);
        fclose(out);
    }
    FILE *file = open_page("r");
    char *text = arena_bytes(a, PAGE_BYTES);
    struct slice there = {text, fread(text, 1, PAGE_BYTES, file)};
    fclose(file);
    if (!slice_equal(page, there))
        fail_msg("docs/settings.md is not what the tables say: run this test with "
                 "SETTINGS_PAGE_WRITE=1");
    arena_destroy(a);
}

static void settings_page_names_everything(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct slice page = settings_page(a);
    assert_true(slice_contains(
        page, SLICE("| `--sync commit\\|interval` | `STATOR_SYNC` | yes | `commit` | ")));
    assert_true(slice_contains(page, SLICE("| `-dbPath` | `--data` |")));
    assert_true(slice_contains(page, SLICE("| 4 | ")));
    arena_destroy(a);
}

UNIT_TESTS(cmocka_unit_test(settings_page_is_the_file),
           cmocka_unit_test(settings_page_names_everything))
