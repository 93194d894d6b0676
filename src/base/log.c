#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { LOG_LINE_BYTES = 2048 };

static enum log_level log_level = LOG_INFO;

void log_set_level(enum log_level level) {
    log_level = level;
}

void log_line(enum log_level level, const char *format, ...) {
    static const char *const names[] = {"error", "warn", "info", "debug"};
    if (level > log_level)
        return;
    char line[LOG_LINE_BYTES];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    size_t len = strftime(line, sizeof line, "%Y-%m-%dT%H:%M:%SZ ", &utc);
    len += (size_t)snprintf(line + len, sizeof line - len, "%s: ", names[level]);
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
