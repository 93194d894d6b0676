/*
 * The example tables of `serve --demo`, in the program as bytes.
 */
#ifndef CLI_EXAMPLE_H
#define CLI_EXAMPLE_H

#include "base/slice.h"

struct example {
    const char *name;
    struct slice table;    /* the JSON input of CreateTable */
    struct slice requests; /* a JSON array of {"operation": …, "input": …} */
};

/* Made from examples/ by embed.py. */
extern const struct example example_list[];
extern const size_t example_count;

#endif
