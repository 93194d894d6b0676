/*
 * How the program ends: the one table of exit codes.
 */
#ifndef CLI_EXIT_LIST_H
#define CLI_EXIT_LIST_H

#define EXIT_LIST(X)                                                                               \
    X(OK, 0, "done")                                                                               \
    X(REFUSED, 1, "the endpoint refused the request, or the check found faults")                   \
    X(USAGE, 2, "the command line, a setting or the input is not understood")                      \
    X(START, 3,                                                                                    \
      "cannot start: the port is taken, or the data folder is in use, damaged, of a newer format " \
      "or no data folder")                                                                         \
    X(UNREACHABLE, 4, "the endpoint does not answer")                                              \
    X(OUTPUT, 5, "the output could not be written")

enum exit_code {
#define X(name, code, meaning) EXIT_##name = code,
    EXIT_LIST(X)
#undef X
};

#endif
