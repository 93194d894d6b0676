#include "engine/sweep.h"

#include "base/limits.h"
#include "base/reader.h"
#include "engine/change.h"
#include "engine/engine_int.h"
#include "engine/keyspace.h"
#include "engine/token_int.h"

enum { SWEEP_CHANGE_HOURS = 24 };

/* What is swept: when an entry is old enough, and how it goes. */
struct sweep_kind {
    bool (*expired)(struct slice key, struct slice value, int64_t now_ms);
    struct error *(*remove)(struct write_view *view, struct arena *a, struct slice key);
    bool keep_newest;
};

/* Entries to remove in one group. */
struct sweep_chunk {
    struct writer_task task;
    const struct sweep_kind *kind;
    struct slice keys[LIMIT_JOB_CHUNK_KEYS];
    size_t count;
};

static struct error *sweep_chunk_run(struct writer_task *task, struct write_view *view) {
    const struct sweep_chunk *chunk = (struct sweep_chunk *)task;
    for (size_t i = 0; i < chunk->count; i++)
        TRY(chunk->kind->remove(view, task->arena, chunk->keys[i]));
    return NULL;
}

static struct error *sweep_submit(struct engine *e, struct sweep_chunk *chunk) {
    if (chunk->count == 0)
        return NULL;
    chunk->task.run = sweep_chunk_run;
    return writer_run_low(e, &chunk->task);
}

/* Gathers the expired entries at the start of the range: the first that is not ends it. */
static struct error *sweep_gather(struct engine *e, struct arena *a,
                                  const struct store_range *range, int64_t now_ms,
                                  struct sweep_chunk *chunk) {
    CLEANUP(store_iterator_release) struct store_iterator *it = NULL;
    TRY(store_iterate(e->store, NULL, a, range, &it));
    while (chunk->count < LIMIT_JOB_CHUNK_KEYS) {
        struct slice key, value;
        bool found;
        TRY(store_iterator_next(it, a, &key, &value, &found));
        if (!found && chunk->kind->keep_newest && chunk->count)
            chunk->count--;
        if (!found || !chunk->kind->expired(key, value, now_ms))
            return NULL;
        chunk->keys[chunk->count++] = arena_copy(a, key);
    }
    return NULL;
}

static struct error *sweep_range(struct engine *e, struct arena *a, const struct store_range *range,
                                 const struct sweep_kind *kind, int64_t now_ms) {
    for (;;) {
        struct sweep_chunk *chunk = arena_alloc(a, sizeof *chunk);
        chunk->task.arena = a;
        chunk->kind = kind;
        gate_enter(&e->readers);
        struct error *error = sweep_gather(e, a, range, now_ms, chunk);
        gate_leave(&e->readers);
        TRY(error);
        TRY(sweep_submit(e, chunk));
        if (chunk->count < LIMIT_JOB_CHUNK_KEYS)
            return NULL;
    }
}

/* --- Tokens ----------------------------------------------------------------------------------- */

static bool sweep_token_key(struct slice key, int64_t *used_ms, struct slice *name) {
    struct reader r = {key.ptr + 8, key.ptr + key.len};
    uint64_t used;
    if (!reader_u64(&r, &used))
        return false;
    *used_ms = (int64_t)used;
    *name = (struct slice){r.at, reader_left(&r)};
    return true;
}

static bool sweep_token_expired(struct slice key, struct slice value, int64_t now_ms) {
    (void)value;
    int64_t used_ms;
    struct slice name;
    return sweep_token_key(key, &used_ms, &name) &&
           now_ms - used_ms >= LIMIT_TOKEN_SECONDS * 1000LL;
}

static struct error *sweep_token_remove(struct write_view *view, struct arena *a,
                                        struct slice key) {
    int64_t used_ms;
    struct slice name;
    if (!sweep_token_key(key, &used_ms, &name))
        return NULL;
    return token_stage_removal(view, a, used_ms, name);
}

static const struct sweep_kind sweep_tokens = {sweep_token_expired, sweep_token_remove, false};

/* --- Change records --------------------------------------------------------------------------- */

static bool sweep_change_expired(struct slice key, struct slice value, int64_t now_ms) {
    (void)key;
    struct change change;
    return change_decode(value, &change) &&
           now_ms - change.time_ms >= SWEEP_CHANGE_HOURS * 3600 * 1000LL;
}

static struct error *sweep_change_remove(struct write_view *view, struct arena *a,
                                         struct slice key) {
    (void)a;
    write_view_delete_unseen(view, key);
    return NULL;
}

static const struct sweep_kind sweep_change_records = {sweep_change_expired, sweep_change_remove,
                                                       true};

static struct error *sweep_changes(struct engine *e, struct arena *a, struct slice name,
                                   int64_t now_ms) {
    struct table *t = engine_find_table(e, name);
    if (!t)
        return NULL;
    struct store_range range = {.lower = keyspace_first(a, t->schema->change_space),
                                .upper = keyspace_end(a, t->schema->change_space)};
    struct error *error = sweep_range(e, a, &range, &sweep_change_records, now_ms);
    table_release(e, t);
    return error;
}

struct error *sweep_expired(struct engine *e, struct arena *a, int64_t now_ms) {
    struct store_range tokens = {.lower = keyspace_first(a, SPACE_TOKEN_EXPIRY),
                                 .upper = keyspace_end(a, SPACE_TOKEN_EXPIRY)};
    TRY(sweep_range(e, a, &tokens, &sweep_tokens, now_ms));
    size_t count;
    bool more;
    struct slice *names = engine_list_tables(e, a, SLICE(""), LIMIT_TABLES, &count, &more);
    for (size_t i = 0; i < count; i++)
        TRY(sweep_changes(e, a, names[i], now_ms));
    return NULL;
}
