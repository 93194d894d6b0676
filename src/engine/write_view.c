#include "engine/write_view.h"

#include "engine/counts.h"
#include "engine/engine_int.h"
#include "engine/table_names.h"

enum { OVERLAY_FIRST = 256 };

void write_view_begin(struct write_view *v) {
    arena_reset(v->arena);
    store_batch_clear(v->batch);
    v->overlay_room = OVERLAY_FIRST;
    v->overlay = arena_array(v->arena, v->overlay_room, sizeof *v->overlay);
    v->overlay_count = 0;
    v->touched = v->created = v->removed = v->revised = NULL;
    v->jobs_staged = false;
}

/* FNV-1a; most keys carry 16 bytes of SHA-256 already. */
static size_t overlay_hash(struct slice key) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < key.len; i++)
        h = (h ^ (uint8_t)key.ptr[i]) * 0x100000001b3u;
    return (size_t)(h ^ h >> 32);
}

/* The entry of the key, or the free place for it. */
static struct overlay_entry *overlay_place(struct overlay_entry *entries, size_t room,
                                           struct slice key) {
    size_t at = overlay_hash(key) & (room - 1);
    while (entries[at].key.ptr && !slice_equal(entries[at].key, key))
        at = (at + 1) & (room - 1);
    return &entries[at];
}

static void overlay_grow(struct write_view *v) {
    size_t room = v->overlay_room * 2;
    struct overlay_entry *entries = arena_array(v->arena, room, sizeof *entries);
    for (size_t i = 0; i < v->overlay_room; i++)
        if (v->overlay[i].key.ptr)
            *overlay_place(entries, room, v->overlay[i].key) = v->overlay[i];
    v->overlay = entries;
    v->overlay_room = room;
}

static void overlay_set(struct write_view *v, struct slice key, struct slice value) {
    if (v->overlay_count * 2 >= v->overlay_room)
        overlay_grow(v);
    struct overlay_entry *entry = overlay_place(v->overlay, v->overlay_room, key);
    if (!entry->key.ptr) {
        entry->key = arena_copy(v->arena, key);
        v->overlay_count++;
    }
    entry->value = value;
}

struct error *write_view_get(struct write_view *v, struct arena *a, struct slice key,
                             struct slice *value, bool *found) {
    const struct overlay_entry *entry = overlay_place(v->overlay, v->overlay_room, key);
    if (!entry->key.ptr)
        return store_get(v->store, NULL, a, key, value, found);
    *found = entry->value.ptr != NULL;
    if (*found)
        *value = arena_copy(a, entry->value);
    return NULL;
}

void write_view_remember(struct write_view *v, struct slice key, struct slice value) {
    overlay_set(v, key, arena_copy(v->arena, value));
}

struct slice write_view_recall(const struct write_view *v, struct slice key) {
    const struct overlay_entry *entry = overlay_place(v->overlay, v->overlay_room, key);
    return entry->value.ptr ? entry->value : SLICE("");
}

void write_view_put(struct write_view *v, struct slice key, struct slice value) {
    store_batch_put(v->batch, key, value);
    overlay_set(v, key, arena_copy(v->arena, value));
}

void write_view_delete(struct write_view *v, struct slice key) {
    store_batch_delete(v->batch, key);
    overlay_set(v, key, (struct slice){NULL, 0});
}

void write_view_put_unseen(struct write_view *v, struct slice key, struct slice value) {
    store_batch_put(v->batch, key, value);
}

void write_view_delete_unseen(struct write_view *v, struct slice key) {
    store_batch_delete(v->batch, key);
}

static void write_view_touch(struct write_view *v, struct table *t) {
    if (t->state->touched)
        return;
    table_hold(t);
    t->state->touched = true;
    t->state->next_touched = v->touched;
    v->touched = t;
}

void write_view_count(struct write_view *v, struct table *t, const struct index_schema *index,
                      int64_t items, int64_t bytes) {
    struct count_cell *cell = table_count_cell(t, index);
    cell->pending_items += items;
    cell->pending_bytes += bytes;
    write_view_touch(v, t);
}

void write_view_name(struct write_view *v, struct table *t, const struct item *item) {
    for (size_t i = 0; i < item->count; i++) {
        bool added;
        names_add(t->names, item->attributes[i].name, &added);
        if (added)
            write_view_touch(v, t);
    }
}

void write_view_seal(struct write_view *v) {
    for (struct table *t = v->touched; t; t = t->state->next_touched) {
        counts_stage(v, t);
        table_names_stage(v, t);
    }
}

static void write_view_settle_table(struct table *t, bool committed) {
    counts_settle(t, committed);
    if (committed)
        t->state->names_saved = t->state->names_staged;
    t->state->touched = false;
}

void write_view_end(struct write_view *v, bool committed) {
    for (struct table *t = v->touched, *next; t; t = next) {
        next = t->state->next_touched;
        write_view_settle_table(t, committed);
        table_let_go(t);
    }
    v->touched = NULL;
    if (v->removed && committed)
        catalogue_remove(&v->engine->catalogue, v->removed);
    if (v->created && committed)
        catalogue_add(&v->engine->catalogue, v->created);
    else if (v->created)
        table_let_go(v->created);
    if (v->revised && committed)
        catalogue_replace(&v->engine->catalogue, v->revised);
    else if (v->revised)
        table_discard(v->revised);
    v->created = v->removed = v->revised = NULL;
    if (v->jobs_staged && committed)
        job_wake(v->engine);
}
