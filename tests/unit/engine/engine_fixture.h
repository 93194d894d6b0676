/*
 * An engine on the small memory store, with one table that has every kind of index.
 */
#ifndef TESTS_ENGINE_FIXTURE_H
#define TESTS_ENGINE_FIXTURE_H

#include "engine/catalogue.h"
#include "engine/item_read.h"
#include "engine/item_write.h"
#include "engine/query.h"

struct fixture {
    struct arena *arena;
    struct engine *engine;
};

struct fixture fixture_open(unsigned gsi_lag_ms);
void fixture_close(struct fixture *f);

/* Table "t": PK, SK (S); global "inverted" SK/PK, all; global "sparse" g (N), keys only; local
 * "local" PK/l (S), includes "x". */
struct table *fixture_create_table(struct fixture *f, const char *name);
struct error *fixture_drop_table(struct fixture *f, const char *name);

/* Adds the global index "by-x" on x (S), and removes an index. */
struct error *fixture_add_index(struct fixture *f, const char *table);
struct error *fixture_remove_index(struct fixture *f, const char *table, const char *index);

/* {"PK":{"S":"a"},…} as an item in the fixture's arena. */
struct item fixture_item(struct fixture *f, const char *json);

/* Runs one write through the writer. */
struct error *fixture_write(struct fixture *f, struct item_write *w);
struct error *fixture_put(struct fixture *f, struct table *t, const char *json);
struct error *fixture_delete(struct fixture *f, struct table *t, const char *key);

/* Writes another size into the row of the item's collection. */
struct error *fixture_forge_collection(struct fixture *f, struct table *t, const char *key,
                                       uint64_t bytes);

/* engine_check's faults. */
uint64_t fixture_faults(struct fixture *f);

/* "a/b c/d": the PK/SK of the rows that a query gives, all pages of `limit`. */
struct slice fixture_query(struct fixture *f, struct table *t, const char *index,
                           const char *condition, const char *values, bool backward,
                           uint32_t limit);

#endif
