/*
 * A data folder opened by this process: the store and the engine on it.
 */
#ifndef CLI_DATA_H
#define CLI_DATA_H

#include "engine/engine.h"

/* ERR_LOCAL when the folder is in use, not ours, of a newer format.  `path` NULL: in memory. */
MUST_CHECK struct error *data_open(struct arena *a, const char *path,
                                   const struct engine_options *options, struct engine **out);

/* For verbs that look at what is there: ERR_LOCAL when there is no data folder at `path`, which
 * opening would make. */
MUST_CHECK struct error *data_must_exist(struct arena *a, const char *path);

#endif
