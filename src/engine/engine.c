#include "engine/engine_int.h"

#include <stdlib.h>

#include "base/reader.h"
#include "engine/change.h"
#include "engine/counts.h"
#include "engine/keyspace.h"
#include "engine/table_names.h"
#include "schema/schema_stored.h"

static struct error *engine_load_next_id(struct engine *e, struct arena *a) {
    struct slice value;
    bool found;
    TRY(store_get(e->store, NULL, a, keyspace_key(a, SPACE_META, SLICE("next-id")), &value,
                  &found));
    struct reader r = reader_of(found ? value : SLICE(""));
    uint64_t next = SPACE_FIRST_TABLE;
    if (found && !reader_u64(&r, &next))
        return error_new(a, ERR_INTERNAL, "the next id is malformed");
    e->next_id = next;
    return NULL;
}

static struct error *engine_load_table_rows(struct engine *e, struct arena *a, struct table *t) {
    TRY(counts_load(e->store, a, t));
    return change_load(e->store, a, t);
}

/* A table that is on disk: new in memory, or already there with the same id. */
static struct error *engine_load_table(struct engine *e, struct arena *a,
                                       const struct table_schema *schema) {
    struct table *known = catalogue_find(&e->catalogue, schema->name);
    if (known && slice_equal(known->schema->id, schema->id)) {
        table_let_go(known); /* the catalogue holds it */
        known = table_revise(known, schema);
        catalogue_replace(&e->catalogue, known);
        return engine_load_table_rows(e, a, known);
    }
    if (known) {
        catalogue_remove(&e->catalogue, known);
        table_let_go(known);
    }
    struct table *t = table_create(schema);
    struct error *error = table_names_load(e->store, a, t);
    if (!error)
        error = engine_load_table_rows(e, a, t);
    if (error)
        table_let_go(t);
    else
        catalogue_add(&e->catalogue, t);
    return error;
}

/* Drops from memory what is not on disk: a table of a group that failed. */
static struct error *engine_forget_missing(struct engine *e, struct arena *a) {
    for (size_t i = e->catalogue.count; i-- > 0;) {
        struct table *t = e->catalogue.tables[i];
        struct slice row;
        bool found;
        TRY(store_get(e->store, NULL, a, keyspace_key(a, SPACE_CATALOGUE, t->schema->name), &row,
                      &found));
        if (!found)
            catalogue_remove(&e->catalogue, t);
    }
    return NULL;
}

struct error *engine_load(struct engine *e, struct arena *a) {
    TRY(engine_load_next_id(e, a));
    TRY(engine_forget_missing(e, a));
    struct store_range range = {.lower = keyspace_first(a, SPACE_CATALOGUE),
                                .upper = keyspace_end(a, SPACE_CATALOGUE)};
    CLEANUP(store_iterator_release) struct store_iterator *it = NULL;
    TRY(store_iterate(e->store, NULL, a, &range, &it));
    for (;;) {
        struct slice key, value;
        bool found;
        TRY(store_iterator_next(it, a, &key, &value, &found));
        if (!found)
            return NULL;
        struct table_schema schema;
        if (!schema_decode(a, value, &schema))
            return error_new(a, ERR_INTERNAL,
                             "the catalogue row of table %.*s is malformed or of a newer version",
                             SLICE_ARG(((struct slice){key.ptr + 8, key.len - 8})));
        TRY(engine_load_table(e, a, &schema));
    }
}

static struct error *engine_start(struct engine *e, struct arena *a, unsigned gsi_lag_ms) {
    TRY(engine_load(e, a));
    TRY(lag_start(e, a, gsi_lag_ms));
    TRY(writer_start(e, a));
    return job_start(e, a);
}

static void engine_stop(struct engine *e) {
    job_stop(e);
    writer_stop(e);
    lag_stop(e);
    catalogue_finish(&e->catalogue);
    gate_finish(&e->readers);
}

struct error *engine_open(struct arena *a, const struct engine_options *options,
                          struct engine **out) {
    struct engine *e = calloc(1, sizeof *e);
    if (!e)
        abort();
    e->store = options->store;
    e->sync = options->sync;
    gate_init(&e->readers);
    catalogue_init(&e->catalogue);
    struct error *error = engine_start(e, a, options->gsi_lag_ms);
    if (error) {
        engine_stop(e);
        free(e);
        return error;
    }
    *out = e;
    return NULL;
}

void engine_close(struct engine *e) {
    if (!e)
        return;
    engine_stop(e);
    store_close(e->store);
    free(e);
}

void engine_stats(struct engine *e, struct engine_stats *out) {
    *out = (struct engine_stats){
        .groups = e->groups, .writes = e->writes, .refused = e->refused, .reopened = e->reopened};
}
