#include "unit.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/log.h"

/* Standard error is a pipe for the time of a test. */
static int pipe_for_stderr(int *kept) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    *kept = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return ends[0];
}

static void give_stderr_back(int kept) {
    dup2(kept, STDERR_FILENO);
    close(kept);
}

static void a_line_has_time_level_and_text(void **state) {
    (void)state;
    int kept, from = pipe_for_stderr(&kept);
    log_line(LOG_WARN, "%d of %s", 3, "four");
    log_line(LOG_DEBUG, "not said");
    give_stderr_back(kept);
    char text[256];
    ssize_t len = read(from, text, sizeof text);
    close(from);
    assert_int_equal(len, strlen("2026-11-30T16:00:00Z warn: 3 of four\n"));
    assert_memory_equal(text + 20, " warn: 3 of four\n", 17);
}

static void a_pipe_that_nobody_empties_holds_up_nobody(void **state) {
    (void)state;
    int kept, from = pipe_for_stderr(&kept);
    for (int i = 0; i < 10000; i++)
        log_line(LOG_INFO, "a line of some length, number %d", i);
    char text[4096];
    while (read(from, text, sizeof text) > 0)
        ;
    log_line(LOG_INFO, "there is room again");
    ssize_t len = read(from, text, sizeof text);
    give_stderr_back(kept);
    close(from);
    assert_true(len > 0);
    assert_true(
        slice_contains((struct slice){text, (size_t)len}, SLICE(" lines dropped) there is")));
}

UNIT_TESTS(cmocka_unit_test(a_line_has_time_level_and_text),
           cmocka_unit_test(a_pipe_that_nobody_empties_holds_up_nobody))
