/*
 * The example tables of `serve --demo`.
 */
#ifndef CLI_DEMO_H
#define CLI_DEMO_H

#include "engine/engine.h"

/* Creates each example table that is missing and runs its requests; a table that is there is left
 * as it is.  `*created` counts the new ones. */
MUST_CHECK struct error *demo_load(struct arena *a, struct engine *engine, size_t *created);

#endif
