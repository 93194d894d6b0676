/*
 * Filling a new global index with the items that are already there.
 *
 * Live writes keep the index from the moment it exists.  The job goes through the table in chunks;
 * a chunk is a task of the writer that reads each item as it is now and puts its entry unless it is
 * there, so it does not matter what was written, deleted or done twice meanwhile.  The key it has
 * come to is kept in the job's row: a kill costs one chunk.
 */
#ifndef ENGINE_BACKFILL_H
#define ENGINE_BACKFILL_H

#include "engine/job.h"

/* Runs until the index is filled and ACTIVE, the index or table is gone, or the engine stops. */
MUST_CHECK struct error *backfill_run(struct engine *e, struct arena *a, struct job *job);

#endif
