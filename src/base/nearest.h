/*
 * The name that somebody may have meant.
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "base/slice.h"

/* The nearest of a set of names; begin with {.word = …}, offer each name, look at `name`. */
struct nearest {
    struct slice word;
    const char *name; /* NULL: none is near enough to be a slip of the finger */
    size_t distance;
};

/* Case does not count.  Names and words beyond 64 bytes are never near. */
void nearest_offer(struct nearest *n, const char *name);

#endif
