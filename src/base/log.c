#include "base/log.h"

#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { LOG_LINE_BYTES = 2048 };

static enum log_level log_level = LOG_INFO;

void log_set_level(enum log_level level) {
    log_level = level;
}

/* A pipe that nobody empties must not hold up an event loop: such a line is dropped and counted. */
static bool log_has_room(void) {
    struct pollfd err = {.fd = STDERR_FILENO, .events = POLLOUT};
    return poll(&err, 1, 0) == 1 && (err.revents & POLLOUT);
}

void log_line(enum log_level level, const char *format, ...) {
    static const char *const names[] = {"error", "warn", "info", "debug"};
    if (level > log_level)
        return;
    static atomic_uint dropped;
    if (!log_has_room()) {
        atomic_fetch_add(&dropped, 1);
        return;
    }
    char line[LOG_LINE_BYTES];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    size_t len = strftime(line, sizeof line, "%Y-%m-%dT%H:%M:%SZ ", &utc);
    len += (size_t)snprintf(line + len, sizeof line - len, "%s: ", names[level]);
    unsigned lost = atomic_exchange(&dropped, 0);
    if (lost)
        len += (size_t)snprintf(line + len, sizeof line - len, "(%u lines dropped) ", lost);
    va_list args;
    va_start(args, format);
    int more = vsnprintf(line + len, sizeof line - len - 1, format, args);
    va_end(args);
    if (more > 0)
        len += (size_t)more < sizeof line - len - 1 ? (size_t)more : sizeof line - len - 2;
    line[len++] = '\n';
    if (write(STDERR_FILENO, line, len) < 0)
        return;
}
