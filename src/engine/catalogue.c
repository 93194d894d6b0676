/*
 * Rows:
 *
 *   SPACE_CATALOGUE · table name  →  schema (schema/schema_stored.h)
 *   SPACE_META · "next-id"        →  the next id of a space or job (u64)
 */
#include "engine/catalogue.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/random.h"
#include "engine/engine_int.h"
#include "engine/keyspace.h"
#include "schema/schema_stored.h"

enum { CATALOGUE_ROW_BYTES = 16 * 1024 * 1024 };

static struct slice catalogue_key(struct arena *a, struct slice name) {
    return keyspace_key(a, SPACE_CATALOGUE, name);
}

uint64_t engine_new_id(struct write_view *v) {
    uint64_t id = v->engine->next_id++;
    struct buf next = buf_in(v->arena, 8);
    buf_add_u64(&next, v->engine->next_id);
    write_view_put_unseen(v, keyspace_key(v->arena, SPACE_META, SLICE("next-id")),
                          buf_slice(&next));
    return id;
}

static struct slice catalogue_new_table_id(struct arena *a) {
    char *id = arena_bytes(a, RANDOM_UUID_CHARS);
    random_uuid(id);
    return (struct slice){id, RANDOM_UUID_CHARS};
}

/* The schema with what the engine gives: id, spaces, status, time. */
static struct table_schema *catalogue_complete(struct write_view *view, struct arena *a,
                                               const struct table_schema *schema) {
    struct table_schema *t = arena_alloc(a, sizeof *t);
    *t = *schema;
    t->id = catalogue_new_table_id(a);
    t->space = engine_new_id(view);
    t->change_space = engine_new_id(view);
    t->status = STATUS_ACTIVE;
    t->created_ms = clock_wall_ms();
    struct index_schema *indexes = arena_array(a, schema->index_count, sizeof *indexes);
    for (size_t i = 0; i < schema->index_count; i++) {
        indexes[i] = schema->indexes[i];
        indexes[i].space = engine_new_id(view);
        indexes[i].status = STATUS_ACTIVE;
        indexes[i].backfilling = false;
    }
    t->indexes = indexes;
    return t;
}

struct error *catalogue_create(struct write_view *view, struct arena *a,
                               const struct table_schema *schema, const struct table_schema **out) {
    struct engine *e = view->engine;
    struct table *existing = catalogue_find(&e->catalogue, schema->name);
    if (existing) {
        table_let_go(existing);
        return error_new(a, ERR_RESOURCE_IN_USE, "Table already exists: %.*s",
                         SLICE_ARG(schema->name));
    }
    if (engine_table_count(e) >= LIMIT_TABLES)
        return error_new(a, ERR_LIMIT_EXCEEDED,
                         "Subscriber limit exceeded: There is a limit of %d tables per subscriber",
                         LIMIT_TABLES);
    const struct table_schema *complete = catalogue_complete(view, a, schema);
    struct buf row = buf_in(a, CATALOGUE_ROW_BYTES);
    schema_encode(&row, complete);
    write_view_put_unseen(view, catalogue_key(a, schema->name), buf_slice(&row));
    view->created = table_create(complete);
    view->created->state->next_change = 1;
    *out = complete;
    return NULL;
}

struct table *catalogue_current(struct write_view *view, struct slice name) {
    struct table *t = catalogue_find(&view->engine->catalogue, name);
    table_let_go(t); /* only the writer can take it from the catalogue */
    return t;
}

static bool catalogue_has_space(const struct table_schema *t, uint64_t space) {
    for (size_t i = 0; i < t->index_count; i++)
        if (t->indexes[i].space == space)
            return true;
    return false;
}

static void catalogue_drop_indexes(struct write_view *view, const struct table_schema *before,
                                   const struct table_schema *after) {
    for (size_t i = 0; i < before->index_count; i++)
        if (!catalogue_has_space(after, before->indexes[i].space))
            job_stage_drop(view, &before->indexes[i].space, 1);
}

/* The revised schema with a space for each new index, and the jobs that fill them. */
static const struct table_schema *catalogue_complete_update(struct write_view *view,
                                                            struct arena *a,
                                                            const struct table_schema *revised) {
    struct table_schema *t = arena_alloc(a, sizeof *t);
    struct index_schema *indexes = arena_array(a, revised->index_count, sizeof *indexes);
    *t = *revised;
    t->indexes = indexes;
    for (size_t i = 0; i < revised->index_count; i++) {
        indexes[i] = revised->indexes[i];
        if (indexes[i].space)
            continue;
        indexes[i].space = engine_new_id(view);
        indexes[i].status = STATUS_CREATING;
        indexes[i].backfilling = true;
        job_stage_backfill(view, t->name, indexes[i].space);
    }
    return t;
}

struct error *catalogue_update(struct write_view *view, struct arena *a,
                               const struct table_schema *revised,
                               const struct table_schema **out) {
    struct table *t = catalogue_current(view, revised->name);
    if (!t)
        return error_new(a, ERR_RESOURCE_NOT_FOUND,
                         "Requested resource not found: Table: %.*s not found",
                         SLICE_ARG(revised->name));
    const struct table_schema *complete = catalogue_complete_update(view, a, revised);
    struct buf row = buf_in(a, CATALOGUE_ROW_BYTES);
    schema_encode(&row, complete);
    write_view_put_unseen(view, catalogue_key(a, revised->name), buf_slice(&row));
    catalogue_drop_indexes(view, t->schema, complete);
    view->revised = table_revise(t, complete);
    *out = complete;
    return NULL;
}

/* All the spaces of a table, its own first. */
static uint64_t *catalogue_spaces(struct arena *a, const struct table_schema *t, size_t *count) {
    *count = 2 + t->index_count;
    uint64_t *spaces = arena_array(a, *count, sizeof *spaces);
    spaces[0] = t->space;
    spaces[1] = t->change_space;
    for (size_t i = 0; i < t->index_count; i++)
        spaces[2 + i] = t->indexes[i].space;
    return spaces;
}

struct error *catalogue_drop(struct write_view *view, struct arena *a, struct slice name,
                             const struct table_schema **out, struct table_counts *counts) {
    struct table *t = catalogue_find(&view->engine->catalogue, name);
    if (!t)
        return error_new(a, ERR_RESOURCE_NOT_FOUND,
                         "Requested resource not found: Table: %.*s not found", SLICE_ARG(name));
    const struct table_schema *copy = table_schema_copy(a, t->schema);
    *counts = table_counts(t);
    table_let_go(t); /* the catalogue holds it until the group's end */
    if (copy->deletion_protection)
        return error_new(a, ERR_VALIDATION,
                         "Resource cannot be deleted as it is currently protected against "
                         "deletion. Disable deletion protection first.");
    *out = copy;
    write_view_delete_unseen(view, catalogue_key(a, name));
    size_t count;
    const uint64_t *spaces = catalogue_spaces(a, copy, &count);
    job_stage_drop(view, spaces, count);
    view->removed = t;
    return NULL;
}
