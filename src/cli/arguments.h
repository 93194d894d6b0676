/*
 * Reading a command line: flags of a verb's table, DynamoDB Local's flags, words.
 */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include "cli/verb.h"

struct arguments {
    bool help;                 /* --help, -h, -help: nothing else counts */
    const struct slice *notes; /* to be said once: flags that change nothing, near slips */
    size_t note_count;
};

/*
 * `argv` are the words after the verb.  Fills `command` (settings from flags, environment and file)
 * and `out`.  ERR_LOCAL, with a suggestion where there is one, when they are not understood.
 */
MUST_CHECK struct error *arguments_read(struct arena *a, const struct verb *verb, char *const *argv,
                                        char *const *environment, struct command *command,
                                        struct arguments *out);

#endif
