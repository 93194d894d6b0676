/*
 * What the program says when something is wrong, and the exit code that goes with it.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "base/error.h"
#include "cli/exit_list.h"

/* `stator: message` on standard error; gives the code back. */
enum exit_code report_failure(const struct error *e, enum exit_code code);

/* The same for a command line that is not understood: EXIT_USAGE, with a pointer to --help.
 * `verb` may be NULL. */
enum exit_code report_usage(const struct error *e, const char *verb);

/* An error of the API: `ValidationException: message`, then its details as JSON. */
enum exit_code report_refusal(const struct error *e);

/* Writes out what is left of standard output: EXIT_OUTPUT when that fails, else `code`. */
enum exit_code report_flushed(enum exit_code code);

#endif
