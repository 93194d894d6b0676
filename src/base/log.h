/*
 * The log: one line an event, on standard error.
 *
 * A line that standard error has no room for is dropped; the next one tells how many were.
 * Only programs log (`server`, `cli`, the engine's own threads); rooms return errors.  A line is
 * written by one write(2), so lines of several threads do not mix.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/compiler.h"

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* Lines above this level are dropped.  The start is LOG_INFO.  Set before threads start. */
void log_set_level(enum log_level level);

void log_line(enum log_level level, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
