#include "engine/backfill.h"

#include "base/limits.h"
#include "engine/catalogue.h"
#include "engine/engine_int.h"
#include "engine/index_entry.h"
#include "engine/keyspace.h"
#include "item/stored.h"

/* One chunk: the keys of some items, and what follows from them. */
struct backfill_chunk {
    struct writer_task task;
    struct job *job;
    struct slice keys[LIMIT_JOB_CHUNK_KEYS];
    size_t count;
    bool last; /* nothing follows: the index becomes ACTIVE */
    bool gone; /* the table or the index is no more */
};

static const struct index_schema *backfill_index(const struct table *t, uint64_t space) {
    for (size_t i = 0; i < t->schema->index_count; i++)
        if (t->schema->indexes[i].space == space)
            return &t->schema->indexes[i];
    return NULL;
}

static void backfill_put(struct write_view *view, struct table *t, const struct index_schema *index,
                         const struct index_entry *entry) {
    struct buf stored = buf_in(view->arena, 4 * LIMIT_ITEM_BYTES);
    write_view_name(view, t, &entry->projected);
    stored_encode(&stored, &entry->projected, t->names);
    write_view_put_unseen(view, entry->key, buf_slice(&stored));
    write_view_count(view, t, index, 1, (int64_t)entry->size);
}

/* An entry that is there is right: whoever wrote it last, wrote the item in the same group. */
static struct error *backfill_item(struct write_view *view, struct table *t,
                                   const struct index_schema *index, struct slice key) {
    struct arena *a = view->arena;
    struct slice stored;
    struct item item;
    bool found;
    TRY(write_view_get(view, a, key, &stored, &found));
    if (!found)
        return NULL;
    if (!stored_decode(a, stored, t->names, &item))
        return error_new(a, ERR_INTERNAL, "an item of table %.*s is malformed",
                         SLICE_ARG(t->schema->name));
    struct index_entry entry = index_entry_of(a, t->schema, index, &item, key);
    if (!entry.present)
        return NULL;
    TRY(store_get(view->store, NULL, a, entry.key, &stored, &found));
    if (!found)
        backfill_put(view, t, index, &entry);
    return NULL;
}

static struct error *backfill_activate(struct write_view *view, struct arena *a,
                                       const struct table *t, uint64_t space) {
    struct table_schema revised = *t->schema;
    struct index_schema *indexes = arena_array(a, revised.index_count, sizeof *indexes);
    memcpy(indexes, revised.indexes, revised.index_count * sizeof *indexes);
    for (size_t i = 0; i < revised.index_count; i++)
        if (indexes[i].space == space) {
            indexes[i].status = STATUS_ACTIVE;
            indexes[i].backfilling = false;
        }
    revised.indexes = indexes;
    const struct table_schema *out;
    return catalogue_update(view, a, &revised, &out);
}

static struct error *backfill_chunk_run(struct writer_task *task, struct write_view *view) {
    struct backfill_chunk *chunk = (struct backfill_chunk *)task;
    struct job *job = chunk->job;
    struct table *t = catalogue_current(view, job->table);
    const struct index_schema *index = t ? backfill_index(t, job->index_space) : NULL;
    chunk->gone = index == NULL;
    if (chunk->gone) {
        job_stage_end(view, job);
        return NULL;
    }
    for (size_t i = 0; i < chunk->count; i++)
        TRY(backfill_item(view, t, index, chunk->keys[i]));
    if (chunk->last) {
        job_stage_end(view, job);
        return backfill_activate(view, task->arena, t, job->index_space);
    }
    job->cursor = chunk->keys[chunk->count - 1];
    job_stage_progress(view, job);
    return NULL;
}

/* The keys of the next items after the job's cursor. */
static struct error *backfill_gather(struct engine *e, struct arena *a, uint64_t space,
                                     struct backfill_chunk *chunk) {
    struct store_range range = {
        .lower = keyspace_first(a, space), .upper = keyspace_end(a, space), .large = true};
    if (chunk->job->cursor.len) {
        struct buf after = buf_in(a, chunk->job->cursor.len + 1);
        buf_add(&after, chunk->job->cursor);
        buf_add_char(&after, '\0');
        range.lower = buf_slice(&after);
    }
    CLEANUP(store_iterator_release) struct store_iterator *it = NULL;
    TRY(store_iterate(e->store, NULL, a, &range, &it));
    for (size_t bytes = 0; chunk->count < LIMIT_JOB_CHUNK_KEYS && bytes < LIMIT_JOB_CHUNK_BYTES;) {
        struct slice key, value;
        bool found;
        TRY(store_iterator_next(it, a, &key, &value, &found));
        chunk->last = !found;
        if (!found)
            return NULL;
        chunk->keys[chunk->count++] = arena_copy(a, key);
        bytes += value.len;
    }
    return NULL;
}

static struct error *backfill_step(struct engine *e, struct arena *a, struct job *job, bool *done) {
    struct backfill_chunk *chunk = arena_alloc(a, sizeof *chunk);
    chunk->task = (struct writer_task){.arena = a, .run = backfill_chunk_run, .alone = true};
    chunk->job = job;
    struct table *t = engine_find_table(e, job->table);
    gate_enter(&e->readers);
    struct error *error = t ? backfill_gather(e, a, t->schema->space, chunk) : NULL;
    gate_leave(&e->readers);
    table_release(e, t);
    TRY(error);
    TRY(writer_run_low(e, &chunk->task));
    *done = chunk->last || chunk->gone;
    return NULL;
}

struct error *backfill_run(struct engine *e, struct arena *a, struct job *job) {
    struct arena *step = arena_create();
    struct error *error = NULL;
    for (bool done = false; !done && !error && !job_is_stopping(e);) {
        error = backfill_step(e, step, job, &done);
        job->cursor = arena_copy(a, job->cursor);
        if (!error)
            arena_reset(step);
    }
    if (error)
        error = error_new(a, error->kind, "%.*s", SLICE_ARG(error->message));
    arena_destroy(step);
    return error;
}
