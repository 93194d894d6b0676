/*
 * Reading: their world in, our world out.  A get holds nothing when it returns; a snapshot and an
 * iterator hold RocksDB's handle and the read options that go with it.
 */
#include <stdlib.h>

#include "store/rocks/rocks_int.h"

/* Of a large scan: blocks are read ahead in pieces of this size. */
enum { ROCKS_READAHEAD_BYTES = 512 * 1024 };

struct rocks_snapshot {
    const rocksdb_snapshot_t *handle; /* NULL when the store was closed */
    rocksdb_readoptions_t *read;      /* made once, used by every get on the snapshot */
};

/* RocksDB keeps pointers to the options and the bounds, so they live as long as the iterator. */
struct rocks_iterator {
    struct store_iterator iterator;
    struct rocks *rocks;
    pthread_t thread; /* that made it, and what that thread had skipped by then */
    uint64_t skipped;
    rocksdb_iterator_t *handle;
    rocksdb_readoptions_t *read;
    bool backward;
    bool started;
    size_t lower_len;
    size_t upper_len;
    char bounds[]; /* lower, then upper */
};

static void rocks_pin_release(rocksdb_pinnableslice_t **pin) {
    if (*pin)
        rocksdb_pinnableslice_destroy(*pin);
}

struct store_snapshot *rocks_snapshot(struct store *s) {
    struct rocks *r = rocks_of(s);
    struct rocks_snapshot *snapshot = store_memory(sizeof *snapshot);
    snapshot->read = rocksdb_readoptions_create();
    if (r->db) {
        snapshot->handle = rocksdb_create_snapshot(r->db);
        rocksdb_readoptions_set_snapshot(snapshot->read, snapshot->handle);
    }
    return (struct store_snapshot *)snapshot;
}

void rocks_snapshot_release(struct store *s, struct store_snapshot *handle) {
    struct rocks *r = rocks_of(s);
    struct rocks_snapshot *snapshot = (struct rocks_snapshot *)handle;
    if (r->db && snapshot->handle)
        rocksdb_release_snapshot(r->db, snapshot->handle);
    rocksdb_readoptions_destroy(snapshot->read);
    free(snapshot);
}

struct error *rocks_get(struct store *s, const struct store_snapshot *snapshot, struct arena *a,
                        struct slice key, struct slice *value, bool *found) {
    struct rocks *r = rocks_of(s);
    TRY(rocks_check_open(r, a));
    const rocksdb_readoptions_t *read =
        snapshot ? ((const struct rocks_snapshot *)snapshot)->read : r->read;
    CLEANUP(rocks_text_release) char *fault = NULL;
    CLEANUP(rocks_pin_release)
    rocksdb_pinnableslice_t *pin = rocksdb_get_pinned(r->db, read, key.ptr, key.len, &fault);
    TRY(rocks_fault(a, "read", fault));
    *found = pin != NULL;
    if (pin) {
        size_t len;
        const char *bytes = rocksdb_pinnableslice_value(pin, &len);
        *value = arena_copy(a, (struct slice){bytes, len});
    }
    return NULL;
}

static void rocks_iterator_bounds(struct rocks_iterator *it, const struct store_range *range) {
    it->lower_len = range->lower.len;
    it->upper_len = range->upper.len;
    char *upper = it->bounds + range->lower.len;
    if (range->lower.len)
        memcpy(it->bounds, range->lower.ptr, range->lower.len);
    if (range->upper.len)
        memcpy(upper, range->upper.ptr, range->upper.len);
    rocksdb_readoptions_set_iterate_lower_bound(it->read, it->bounds, range->lower.len);
    rocksdb_readoptions_set_iterate_upper_bound(it->read, upper, range->upper.len);
}

struct error *rocks_iterate(struct store *s, const struct store_snapshot *snapshot, struct arena *a,
                            const struct store_range *range, struct store_iterator **out) {
    struct rocks *r = rocks_of(s);
    TRY(rocks_check_open(r, a));
    struct rocks_iterator *it = store_memory(sizeof *it + range->lower.len + range->upper.len);
    it->iterator.ops = s->ops;
    it->rocks = r;
    it->thread = pthread_self();
    it->skipped = rocks_tidy_skipped();
    it->backward = range->backward;
    it->read = rocksdb_readoptions_create();
    rocks_iterator_bounds(it, range);
    if (snapshot)
        rocksdb_readoptions_set_snapshot(it->read,
                                         ((const struct rocks_snapshot *)snapshot)->handle);
    if (range->large) {
        rocksdb_readoptions_set_fill_cache(it->read, 0);
        rocksdb_readoptions_set_readahead_size(it->read, ROCKS_READAHEAD_BYTES);
    }
    it->handle = rocksdb_create_iterator(r->db, it->read);
    *out = &it->iterator;
    return NULL;
}

static void rocks_iterator_start(struct rocks_iterator *it) {
    it->started = true;
    if (it->backward)
        rocksdb_iter_seek_to_last(it->handle);
    else
        rocksdb_iter_seek(it->handle, it->bounds, it->lower_len);
}

/* RocksDB asserts on a step from nowhere: past the end it stays where it is. */
static void rocks_iterator_step(struct rocks_iterator *it) {
    if (!rocksdb_iter_valid(it->handle))
        return;
    if (it->backward)
        rocksdb_iter_prev(it->handle);
    else
        rocksdb_iter_next(it->handle);
}

struct error *rocks_iterator_next(struct store_iterator *handle, struct arena *a, struct slice *key,
                                  struct slice *value, bool *found) {
    struct rocks_iterator *it = (struct rocks_iterator *)handle;
    if (it->started)
        rocks_iterator_step(it);
    else
        rocks_iterator_start(it);
    if (rocksdb_iter_valid(it->handle)) {
        key->ptr = rocksdb_iter_key(it->handle, &key->len);
        value->ptr = rocksdb_iter_value(it->handle, &value->len);
        *found = true;
        return NULL;
    }
    CLEANUP(rocks_text_release) char *fault = NULL;
    rocksdb_iter_get_error(it->handle, &fault);
    TRY(rocks_fault(a, "read on", fault));
    *found = false;
    return NULL;
}

void rocks_iterator_close(struct store_iterator *handle) {
    struct rocks_iterator *it = (struct rocks_iterator *)handle;
    rocksdb_iter_destroy(it->handle);
    if (pthread_equal(it->thread, pthread_self())) /* the count is the thread's */
        rocks_tidy_after(it->rocks, rocks_tidy_skipped() - it->skipped,
                         (struct slice){it->bounds, it->lower_len},
                         (struct slice){it->bounds + it->lower_len, it->upper_len});
    rocksdb_readoptions_destroy(it->read);
    free(it);
}
