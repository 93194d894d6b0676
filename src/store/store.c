/*
 * The thin wrappers, and the checks that every back end relies on.
 */
#include "store/store_backend.h"

#include <stdio.h>
#include <stdlib.h>

void *store_memory(size_t bytes) {
    void *p = calloc(1, bytes);
    if (!p) {
        fputs("stator: out of memory\n", stderr);
        abort();
    }
    return p;
}

void store_close(struct store *s) {
    if (s)
        s->ops->close(s);
}

struct error *store_reopen(struct store *s, struct arena *a) {
    return s->ops->reopen ? s->ops->reopen(s, a) : NULL;
}

struct store_snapshot *store_snapshot(struct store *s) {
    return s->ops->snapshot(s);
}

void store_snapshot_release(struct store *s, struct store_snapshot *snapshot) {
    if (snapshot)
        s->ops->snapshot_release(s, snapshot);
}

struct error *store_get(struct store *s, const struct store_snapshot *snapshot, struct arena *a,
                        struct slice key, struct slice *value, bool *found) {
    return s->ops->get(s, snapshot, a, key, value, found);
}

struct error *store_iterate(struct store *s, const struct store_snapshot *snapshot, struct arena *a,
                            const struct store_range *range, struct store_iterator **out) {
    struct store_range sane = *range;
    if (slice_compare(sane.lower, sane.upper) > 0)
        sane.upper = sane.lower;
    return s->ops->iterate(s, snapshot, a, &sane, out);
}

struct error *store_iterator_next(struct store_iterator *it, struct arena *a, struct slice *key,
                                  struct slice *value, bool *found) {
    return it->ops->iterator_next(it, a, key, value, found);
}

void store_iterator_close(struct store_iterator *it) {
    if (it)
        it->ops->iterator_close(it);
}

void store_iterator_release(struct store_iterator **it) {
    store_iterator_close(*it);
}

struct store_batch *store_batch_create(struct store *s) {
    return s->ops->batch_create(s);
}

void store_batch_destroy(struct store_batch *b) {
    if (b)
        b->ops->batch_destroy(b);
}

void store_batch_clear(struct store_batch *b) {
    b->ops->batch_clear(b);
}

void store_batch_put(struct store_batch *b, struct slice key, struct slice value) {
    b->ops->batch_put(b, key, value);
}

void store_batch_delete(struct store_batch *b, struct slice key) {
    b->ops->batch_delete(b, key);
}

size_t store_batch_count(const struct store_batch *b) {
    return b->ops->batch_count(b);
}

size_t store_batch_bytes(const struct store_batch *b) {
    return b->ops->batch_bytes(b);
}

struct error *store_commit(struct store *s, struct arena *a, struct store_batch *b, bool sync) {
    if (store_batch_count(b) == 0)
        return sync ? store_sync(s, a) : NULL;
    return s->ops->commit(s, a, b, sync);
}

struct error *store_sync(struct store *s, struct arena *a) {
    return s->ops->sync ? s->ops->sync(s, a) : NULL;
}

struct error *store_drop_range(struct store *s, struct arena *a, struct slice lower,
                               struct slice upper) {
    if (slice_compare(lower, upper) >= 0)
        return NULL;
    return s->ops->drop_range(s, a, lower, upper);
}

struct error *store_checkpoint(struct store *s, struct arena *a, const char *path) {
    if (!s->ops->checkpoint)
        return error_new(a, ERR_LOCAL, "a store in memory cannot be copied to a folder");
    return s->ops->checkpoint(s, a, path);
}

/* Stands between a source and a back end: sees to the order, and keeps what the source allocates
 * for one entry from piling up over a load of millions. */
struct ordered_source {
    struct store_source from;
    struct arena *scratch; /* what `next` of `from` gets; emptied before each entry */
    struct arena *kept;    /* the last key */
    char *last;
    size_t last_len;
    size_t last_room;
    bool any;
};

static struct error *ordered_source_failed(struct arena *a, const struct error *e) {
    struct error *copy = error_bare(a, e->kind);
    copy->type = arena_copy(a, e->type);
    copy->details = arena_copy(a, e->details);
    if (e->message.ptr)
        copy->message = arena_copy(a, e->message);
    return copy;
}

static void ordered_source_keep(struct ordered_source *o, struct slice key) {
    if (key.len > o->last_room) {
        o->last = arena_grow(o->kept, o->last, o->last_room, key.len * 2);
        o->last_room = key.len * 2;
    }
    if (key.len)
        memcpy(o->last, key.ptr, key.len);
    o->last_len = key.len;
    o->any = true;
}

static struct error *ordered_source_next(void *context, struct arena *a, struct slice *key,
                                         struct slice *value, bool *found) {
    struct ordered_source *o = context;
    arena_reset(o->scratch);
    struct error *e = o->from.next(o->from.context, o->scratch, key, value, found);
    if (e)
        return ordered_source_failed(a, e);
    if (!*found)
        return NULL;
    if (o->any && slice_compare(*key, (struct slice){o->last, o->last_len}) <= 0)
        return error_new(a, ERR_INTERNAL, "a bulk load gave its keys out of order");
    ordered_source_keep(o, *key);
    return NULL;
}

struct error *store_ingest(struct store *s, struct arena *a, struct store_source source) {
    struct ordered_source ordered = {
        .from = source, .scratch = arena_create(), .kept = arena_create()};
    struct error *e = s->ops->ingest(s, a, (struct store_source){ordered_source_next, &ordered});
    arena_destroy(ordered.scratch);
    arena_destroy(ordered.kept);
    return e;
}

uint64_t store_range_bytes(struct store *s, struct slice lower, struct slice upper) {
    if (slice_compare(lower, upper) >= 0)
        return 0;
    return s->ops->range_bytes(s, lower, upper);
}

void store_stats(struct store *s, struct store_stats *out) {
    *out = (struct store_stats){0};
    s->ops->stats(s, out);
    out->free_bytes = store_free_bytes(s);
    out->reserve_bytes = store_reserve_bytes(s);
}

uint64_t store_free_bytes(struct store *s) {
    return s->ops->free_bytes ? s->ops->free_bytes(s) : UINT64_MAX;
}

uint64_t store_reserve_bytes(struct store *s) {
    return s->ops->reserve_bytes ? s->ops->reserve_bytes(s) : 0;
}
