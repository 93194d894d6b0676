/*
 * The program from its command line to its exit code.
 */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include "cli/exit_list.h"

/* `argv` and `environment` are NULL-ended. */
enum exit_code program_run(char *const *argv, char *const *environment);

#endif
