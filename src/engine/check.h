/*
 * Checking a store: is everything that the engine promises about it true?
 *
 * Every item decodes, is under its own key and has the size it says; every index holds exactly the
 * entries of the items (none missing, none left over, each with the right projection); counts equal
 * what is there.  Reads all of the data; run on an engine that nobody writes to.  What the jobs
 * have left to do is done first; an index that cannot be filled now may lack entries.
 */
#ifndef ENGINE_CHECK_H
#define ENGINE_CHECK_H

#include "engine/engine.h"

struct check_report {
    uint64_t tables;
    uint64_t items;
    uint64_t entries; /* of indexes */
    uint64_t faults;
};

/* Calls `say` with one line for each fault (the first CHECK_FAULTS_SAID of each table). */
enum { CHECK_FAULTS_SAID = 20 };
MUST_CHECK struct error *engine_check(struct engine *e, struct arena *a,
                                      void (*say)(void *context, struct slice line), void *context,
                                      struct check_report *out);

#endif
