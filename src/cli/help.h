/*
 * The help, made of the tables.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/verb.h"

struct slice help_of_program(struct arena *a);
struct slice help_of_verb(struct arena *a, const struct verb *verb);

#endif
