/*
 * The memory back end: the newest root of a persistent tree behind a mutex.
 *
 * For tests: it is small enough to be believed, and the contract suite compares RocksDB with it.
 * A snapshot or an iterator holds the root of its moment.  Nothing survives the process.
 */
#include <pthread.h>
#include <stdlib.h>

#include "store/mem/tree.h"
#include "store/store_backend.h"

struct mem_store {
    struct store store;
    pthread_mutex_t mutex; /* over `root`, and over making the next one */
    struct tree *root;
};

/* What a snapshot points to is the tree itself, but an empty tree is NULL. */
struct mem_snapshot {
    struct tree *root;
};

struct mem_iterator {
    struct store_iterator iterator;
    struct tree *root;
    bool backward;
    bool moved;       /* `at` is an entry that was given out */
    struct slice at;  /* where the next step starts: a bound, or a key within the tree */
    struct slice end; /* the bound it runs to */
    char bounds[];
};

/* One step of a batch; the key's bytes, then the value's, follow it. */
struct mem_step {
    struct mem_step *next;
    bool put;
    struct slice key;
    struct slice value;
};

struct mem_batch {
    struct store_batch batch;
    struct arena *arena;
    struct mem_step *first;
    struct mem_step **last;
    size_t count;
    size_t bytes;
};

static struct mem_store *mem_of(struct store *s) {
    return (struct mem_store *)s;
}

static struct tree *mem_root(struct mem_store *m) {
    pthread_mutex_lock(&m->mutex);
    struct tree *root = tree_retain(m->root);
    pthread_mutex_unlock(&m->mutex);
    return root;
}

static void mem_close(struct store *s) {
    struct mem_store *m = mem_of(s);
    tree_release(m->root);
    pthread_mutex_destroy(&m->mutex);
    free(m);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static struct store_snapshot *mem_snapshot(struct store *s) {
    struct mem_snapshot *snapshot = store_memory(sizeof *snapshot);
    snapshot->root = mem_root(mem_of(s));
    return (struct store_snapshot *)snapshot;
}

static void mem_snapshot_release(struct store *s, struct store_snapshot *handle) {
    (void)s;
    struct mem_snapshot *snapshot = (struct mem_snapshot *)handle;
    tree_release(snapshot->root);
    free(snapshot);
}

static struct tree *mem_root_of(struct store *s, const struct store_snapshot *snapshot) {
    if (snapshot)
        return tree_retain(((const struct mem_snapshot *)snapshot)->root);
    return mem_root(mem_of(s));
}

static struct error *mem_get(struct store *s, const struct store_snapshot *snapshot,
                             struct arena *a, struct slice key, struct slice *value, bool *found) {
    struct tree *root = mem_root_of(s, snapshot);
    struct tree_entry entry;
    *found = tree_find(root, key, &entry);
    if (*found)
        *value = arena_copy(a, entry.value);
    tree_release(root);
    return NULL;
}

static struct slice mem_bound(char *room, struct slice bound) {
    if (bound.len)
        memcpy(room, bound.ptr, bound.len);
    return (struct slice){room, bound.len};
}

static struct error *mem_iterate(struct store *s, const struct store_snapshot *snapshot,
                                 struct arena *a, const struct store_range *range,
                                 struct store_iterator **out) {
    (void)a;
    struct mem_iterator *it = store_memory(sizeof *it + range->lower.len + range->upper.len);
    it->iterator.ops = s->ops;
    it->root = mem_root_of(s, snapshot);
    it->backward = range->backward;
    struct slice lower = mem_bound(it->bounds, range->lower);
    struct slice upper = mem_bound(it->bounds + lower.len, range->upper);
    it->at = range->backward ? upper : lower;
    it->end = range->backward ? lower : upper;
    *out = &it->iterator;
    return NULL;
}

static bool mem_iterator_step(const struct mem_iterator *it, struct tree_entry *entry) {
    if (it->backward)
        return tree_find_below(it->root, it->at, entry) && slice_compare(entry->key, it->end) >= 0;
    return tree_find_above(it->root, it->at, it->moved, entry) &&
           slice_compare(entry->key, it->end) < 0;
}

static struct error *mem_iterator_next(struct store_iterator *handle, struct arena *a,
                                       struct slice *key, struct slice *value, bool *found) {
    (void)a;
    struct mem_iterator *it = (struct mem_iterator *)handle;
    struct tree_entry entry;
    *found = mem_iterator_step(it, &entry);
    if (*found) {
        it->at = entry.key;
        it->moved = true;
        *key = entry.key;
        *value = entry.value;
    }
    return NULL;
}

static void mem_iterator_close(struct store_iterator *handle) {
    struct mem_iterator *it = (struct mem_iterator *)handle;
    tree_release(it->root);
    free(it);
}

/* --- Writing ---------------------------------------------------------------------------------- */

static struct store_batch *mem_batch_create(struct store *s) {
    struct mem_batch *b = store_memory(sizeof *b);
    b->batch.ops = s->ops;
    b->arena = arena_create();
    b->last = &b->first;
    return &b->batch;
}

static void mem_batch_destroy(struct store_batch *handle) {
    struct mem_batch *b = (struct mem_batch *)handle;
    arena_destroy(b->arena);
    free(b);
}

static void mem_batch_clear(struct store_batch *handle) {
    struct mem_batch *b = (struct mem_batch *)handle;
    arena_reset(b->arena);
    b->first = NULL;
    b->last = &b->first;
    b->count = 0;
    b->bytes = 0;
}

static void mem_batch_add(struct store_batch *handle, bool put, struct slice key,
                          struct slice value) {
    struct mem_batch *b = (struct mem_batch *)handle;
    struct mem_step *step = arena_alloc(b->arena, sizeof *step);
    *step = (struct mem_step){NULL, put, arena_copy(b->arena, key), arena_copy(b->arena, value)};
    *b->last = step;
    b->last = &step->next;
    b->count++;
    b->bytes += key.len + value.len;
}

static void mem_batch_put(struct store_batch *handle, struct slice key, struct slice value) {
    mem_batch_add(handle, true, key, value);
}

static void mem_batch_delete(struct store_batch *handle, struct slice key) {
    mem_batch_add(handle, false, key, SLICE(""));
}

static size_t mem_batch_count(const struct store_batch *handle) {
    return ((const struct mem_batch *)handle)->count;
}

static size_t mem_batch_bytes(const struct store_batch *handle) {
    return ((const struct mem_batch *)handle)->bytes;
}

static struct error *mem_commit(struct store *s, struct arena *a, struct store_batch *handle,
                                bool sync) {
    (void)a, (void)sync;
    struct mem_store *m = mem_of(s);
    const struct mem_batch *b = (const struct mem_batch *)handle;
    pthread_mutex_lock(&m->mutex);
    for (const struct mem_step *step = b->first; step; step = step->next)
        m->root =
            step->put ? tree_put(m->root, step->key, step->value) : tree_delete(m->root, step->key);
    pthread_mutex_unlock(&m->mutex);
    return NULL;
}

/* --- Large things ----------------------------------------------------------------------------- */

static struct error *mem_drop_range(struct store *s, struct arena *a, struct slice lower,
                                    struct slice upper) {
    (void)a;
    struct mem_store *m = mem_of(s);
    struct tree_entry entry;
    pthread_mutex_lock(&m->mutex);
    while (tree_find_above(m->root, lower, false, &entry) && slice_compare(entry.key, upper) < 0)
        m->root = tree_delete(m->root, entry.key);
    pthread_mutex_unlock(&m->mutex);
    return NULL;
}

/* A batch first, so that a source that fails half way has changed nothing. */
static struct error *mem_ingest(struct store *s, struct arena *a, struct store_source source) {
    struct store_batch *b = mem_batch_create(s);
    struct slice key, value;
    bool found = false;
    struct error *e;
    while (!(e = source.next(source.context, a, &key, &value, &found)) && found)
        mem_batch_put(b, key, value);
    if (!e)
        e = mem_commit(s, a, b, true);
    mem_batch_destroy(b);
    return e;
}

static uint64_t mem_range_bytes(struct store *s, struct slice lower, struct slice upper) {
    struct tree *root = mem_root(mem_of(s));
    struct tree_entry entry;
    uint64_t bytes = 0;
    bool more = tree_find_above(root, lower, false, &entry);
    while (more && slice_compare(entry.key, upper) < 0) {
        bytes += entry.key.len + entry.value.len;
        more = tree_find_above(root, entry.key, true, &entry);
    }
    tree_release(root);
    return bytes;
}

static void mem_stats(struct store *s, struct store_stats *out) {
    struct tree *root = mem_root(mem_of(s));
    struct tree_entry entry;
    bool more = tree_find_above(root, SLICE(""), false, &entry);
    while (more) {
        out->memory_bytes += entry.key.len + entry.value.len;
        more = tree_find_above(root, entry.key, true, &entry);
    }
    tree_release(root);
}

static const struct store_ops mem_ops = {
    .close = mem_close,
    .snapshot = mem_snapshot,
    .snapshot_release = mem_snapshot_release,
    .get = mem_get,
    .iterate = mem_iterate,
    .iterator_next = mem_iterator_next,
    .iterator_close = mem_iterator_close,
    .batch_create = mem_batch_create,
    .batch_destroy = mem_batch_destroy,
    .batch_clear = mem_batch_clear,
    .batch_put = mem_batch_put,
    .batch_delete = mem_batch_delete,
    .batch_count = mem_batch_count,
    .batch_bytes = mem_batch_bytes,
    .commit = mem_commit,
    .drop_range = mem_drop_range,
    .ingest = mem_ingest,
    .range_bytes = mem_range_bytes,
    .stats = mem_stats,
};

struct error *store_open_mem(struct arena *a, struct store **out) {
    (void)a;
    struct mem_store *m = store_memory(sizeof *m);
    m->store.ops = &mem_ops;
    pthread_mutex_init(&m->mutex, NULL);
    *out = &m->store;
    return NULL;
}
