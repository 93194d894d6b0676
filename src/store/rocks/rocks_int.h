/*
 * What the files of the RocksDB back end share; nobody else includes this.
 */
#ifndef STORE_ROCKS_ROCKS_INT_H
#define STORE_ROCKS_ROCKS_INT_H

#include <pthread.h>
#include <rocksdb/c.h>
#include <stdatomic.h>

#include "store/rocks/folder.h"
#include "store/store_backend.h"

struct rocks {
    struct store store;
    rocksdb_t *db; /* NULL after a reopen that failed */
    bool in_memory;
    struct folder folder; /* unless in memory */
    rocksdb_env_t *env;   /* in memory only: the files live in it, over a reopen too */
    rocksdb_cache_t *cache;
    rocksdb_options_t *options;
    rocksdb_readoptions_t *read; /* the newest state */
    rocksdb_writeoptions_t *write;
    rocksdb_writeoptions_t *write_sync;
    size_t write_buffer_bytes;
    atomic_bool failed;    /* a write went wrong: no more of them before a reopen */
    atomic_uint loads;     /* files of bulk loads so far, for their names */
    atomic_int tidy_state; /* rocks_tidy.c */
    _Atomic int64_t tidy_again_ns;
    pthread_t tidy_thread;
};

static inline struct rocks *rocks_of(struct store *s) {
    return (struct rocks *)s;
}

/* RocksDB gives its errors as text that must be freed with its own function. */
static inline void rocks_text_release(char **text) {
    if (*text)
        rocksdb_free(*text);
}

/* Where RocksDB keeps its files. */
static inline const char *rocks_path(const struct rocks *r) {
    return r->in_memory ? "/stator" : r->folder.rocks;
}

/* An error when the store is closed after a failed reopen. */
MUST_CHECK struct error *rocks_check_open(const struct rocks *r, struct arena *a);

/* The same, and when a write has failed since the last open. */
MUST_CHECK struct error *rocks_check_writable(const struct rocks *r, struct arena *a);

/* NULL when `fault` is; the second one closes the store for writes too. */
MUST_CHECK struct error *rocks_fault(struct arena *a, const char *doing, const char *fault);
MUST_CHECK struct error *rocks_write_fault(struct rocks *r, struct arena *a, const char *doing,
                                           const char *fault);

/* rocks_options.c */
void rocks_options_create(struct rocks *r, const struct store_options *options);
void rocks_options_destroy(struct rocks *r);

/* rocks_read.c */
struct store_snapshot *rocks_snapshot(struct store *s);
void rocks_snapshot_release(struct store *s, struct store_snapshot *snapshot);
struct error *rocks_get(struct store *s, const struct store_snapshot *snapshot, struct arena *a,
                        struct slice key, struct slice *value, bool *found);
struct error *rocks_iterate(struct store *s, const struct store_snapshot *snapshot, struct arena *a,
                            const struct store_range *range, struct store_iterator **out);
struct error *rocks_iterator_next(struct store_iterator *it, struct arena *a, struct slice *key,
                                  struct slice *value, bool *found);
void rocks_iterator_close(struct store_iterator *it);

/* rocks_write.c */
struct store_batch *rocks_batch_create(struct store *s);
void rocks_batch_destroy(struct store_batch *b);
void rocks_batch_clear(struct store_batch *b);
void rocks_batch_put(struct store_batch *b, struct slice key, struct slice value);
void rocks_batch_delete(struct store_batch *b, struct slice key);
size_t rocks_batch_count(const struct store_batch *b);
size_t rocks_batch_bytes(const struct store_batch *b);
struct error *rocks_commit(struct store *s, struct arena *a, struct store_batch *b, bool sync);
struct error *rocks_sync(struct store *s, struct arena *a);

/* rocks_tidy.c: how many deletions this thread has stepped over so far; what to do after an
 * iterator has stepped over some; to be called before the database is closed. */
uint64_t rocks_tidy_skipped(void);
void rocks_tidy_after(struct rocks *r, uint64_t skipped, struct slice lower, struct slice upper);
void rocks_tidy_stop(struct rocks *r);

/* rocks_drop.c, rocks_load.c */
struct error *rocks_drop_range(struct store *s, struct arena *a, struct slice lower,
                               struct slice upper);
/* Rewrites what lies in the range. */
void rocks_compact(struct rocks *r, struct slice lower, struct slice upper);
struct error *rocks_ingest(struct store *s, struct arena *a, struct store_source source);
struct error *rocks_checkpoint(struct store *s, struct arena *a, const char *path);

#endif
