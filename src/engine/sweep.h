/*
 * Removing what has expired: tokens after ten minutes, change records after a day.
 */
#ifndef ENGINE_SWEEP_H
#define ENGINE_SWEEP_H

#include "engine/engine.h"

/* One pass, in chunks of the writer's low queue.  Called by the job thread; a kill loses nothing.
 */
MUST_CHECK struct error *sweep_expired(struct engine *e, struct arena *a, int64_t now_ms);

#endif
