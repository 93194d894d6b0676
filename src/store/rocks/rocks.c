/*
 * The RocksDB back end: life, sizes, and the table of functions.
 *
 * One database with its default column family only, so that there are no handles to destroy before
 * a close (Debian's build of RocksDB asserts on a forgotten one).
 */
#include "store/rocks/rocks_int.h"

#include <stdlib.h>

enum { ROCKS_OPEN_BYTES = 16 * 1024 * 1024 }; /* the manifest, the options, a first log */

struct error *rocks_check_open(const struct rocks *r, struct arena *a) {
    if (UNLIKELY(!r->db))
        return error_new(a, ERR_INTERNAL, "the store is closed: it could not be opened again");
    return NULL;
}

struct error *rocks_fault(struct arena *a, const char *doing, const char *fault) {
    if (UNLIKELY(fault != NULL))
        return error_new(a, ERR_INTERNAL, "rocksdb cannot %s: %s", doing, fault);
    return NULL;
}

/* After a write that failed RocksDB refuses the next ones, but not everything else: a sync of a log
 * whose last append failed is an assertion in Debian's build, and ends the process. */
struct error *rocks_check_writable(const struct rocks *r, struct arena *a) {
    TRY(rocks_check_open(r, a));
    if (UNLIKELY(atomic_load(&r->failed)))
        return error_new(a, ERR_INTERNAL, "an earlier write failed: the store must be reopened");
    return NULL;
}

struct error *rocks_write_fault(struct rocks *r, struct arena *a, const char *doing,
                                const char *fault) {
    if (UNLIKELY(fault != NULL))
        atomic_store(&r->failed, true);
    return rocks_fault(a, doing, fault);
}

/* Opening moves what is in the log into table files.  On a full disk Debian's RocksDB ends the
 * process by an assertion (any file it appends to after an error), so it is not let near one. */
static struct error *rocks_check_room(const struct rocks *r, struct arena *a) {
    uint64_t wanted = folder_log_bytes(&r->folder) + ROCKS_OPEN_BYTES;
    uint64_t room = folder_free_bytes(&r->folder);
    if (room >= wanted)
        return NULL;
    return error_new(
        a, ERR_LOCAL, "the disk of %s is full: %llu MB are free, opening the store needs %llu MB",
        r->folder.path, (unsigned long long)(room >> 20), (unsigned long long)(wanted >> 20));
}

static struct error *rocks_open_database(struct rocks *r, struct arena *a) {
    if (!r->in_memory)
        TRY(rocks_check_room(r, a));
    bool create = r->in_memory || folder_is_new(&r->folder);
    rocksdb_options_set_create_if_missing(r->options, create);
    CLEANUP(rocks_text_release) char *fault = NULL;
    r->db = rocksdb_open(r->options, rocks_path(r), &fault);
    atomic_store(&r->failed, false);
    return rocks_fault(a, "open the store", fault);
}

/*
 * RocksDB insists on a log of its own for people to read, and in Debian's build a line that follows
 * one which could not be written is an assertion.  On a full disk that would end the process, so
 * the log is not on the disk: it is begun in shared memory and unlinked once it is open.  Nobody
 * misses it: it has the options and little else (rocks_options.c), and faults come back as errors.
 * Where there is no shared memory it stays in the folder.
 */
static struct error *rocks_open(struct rocks *r, struct arena *a) {
    char log[] = "/dev/shm/stator-XXXXXX";
    bool elsewhere = !r->in_memory && mkdtemp(log);
    rocksdb_options_set_db_log_dir(r->options, elsewhere ? log : "");
    struct error *e = rocks_open_database(r, a);
    if (elsewhere)
        folder_remove(log);
    return e;
}

static void rocks_close_database(struct rocks *r) {
    if (!r->db)
        return;
    rocks_tidy_stop(r);
    rocksdb_close(r->db);
    r->db = NULL;
}

static void rocks_close(struct store *s) {
    struct rocks *r = rocks_of(s);
    rocks_close_database(r);
    rocks_options_destroy(r);
    if (!r->in_memory)
        folder_close(&r->folder);
    free(r);
}

/* The folder's own lock is kept meanwhile, so no other process can slip in.  In memory the close
 * flushes what has no log into the environment's files, where the open finds it. */
static struct error *rocks_reopen(struct store *s, struct arena *a) {
    struct rocks *r = rocks_of(s);
    rocks_close_database(r);
    return rocks_open(r, a);
}

static uint64_t rocks_property(struct rocks *r, const char *name) {
    uint64_t value = 0;
    if (!r->db || rocksdb_property_int(r->db, name, &value) != 0)
        return 0;
    return value;
}

static uint64_t rocks_range_bytes(struct store *s, struct slice lower, struct slice upper) {
    struct rocks *r = rocks_of(s);
    CLEANUP(rocks_text_release) char *fault = NULL;
    uint64_t bytes = 0;
    if (r->db)
        rocksdb_approximate_sizes(r->db, 1, &lower.ptr, &lower.len, &upper.ptr, &upper.len, &bytes,
                                  &fault);
    return fault ? 0 : bytes;
}

static uint64_t rocks_free_bytes(struct store *s) {
    struct rocks *r = rocks_of(s);
    return r->in_memory ? UINT64_MAX : folder_free_bytes(&r->folder);
}

/* Room for flushing what is in memory while the log still holds it, and for a compaction's next
 * file.  Below it a write could fail half way, which costs a reopen. */
static uint64_t rocks_reserve_bytes(struct store *s) {
    struct rocks *r = rocks_of(s);
    return r->in_memory ? 0 : 2 * (uint64_t)r->write_buffer_bytes + 64 * 1024 * 1024;
}

static void rocks_stats(struct store *s, struct store_stats *out) {
    struct rocks *r = rocks_of(s);
    out->disk_bytes = r->in_memory ? 0 : folder_bytes(&r->folder);
    out->memory_bytes = rocksdb_cache_get_usage(r->cache) +
                        rocks_property(r, "rocksdb.cur-size-all-mem-tables") +
                        rocks_property(r, "rocksdb.estimate-table-readers-mem");
    if (r->in_memory)
        out->memory_bytes += rocks_property(r, "rocksdb.total-sst-files-size");
}

static const struct store_ops rocks_ops = {
    .close = rocks_close,
    .reopen = rocks_reopen,
    .snapshot = rocks_snapshot,
    .snapshot_release = rocks_snapshot_release,
    .get = rocks_get,
    .iterate = rocks_iterate,
    .iterator_next = rocks_iterator_next,
    .iterator_close = rocks_iterator_close,
    .batch_create = rocks_batch_create,
    .batch_destroy = rocks_batch_destroy,
    .batch_clear = rocks_batch_clear,
    .batch_put = rocks_batch_put,
    .batch_delete = rocks_batch_delete,
    .batch_count = rocks_batch_count,
    .batch_bytes = rocks_batch_bytes,
    .commit = rocks_commit,
    .sync = rocks_sync,
    .drop_range = rocks_drop_range,
    .checkpoint = rocks_checkpoint,
    .ingest = rocks_ingest,
    .range_bytes = rocks_range_bytes,
    .stats = rocks_stats,
    .free_bytes = rocks_free_bytes,
    .reserve_bytes = rocks_reserve_bytes,
};

struct error *store_open_rocks(struct arena *a, const struct store_options *options,
                               struct store **out) {
    struct folder folder = {.lock = -1};
    if (options->path)
        TRY(folder_open(a, options->path, &folder));

    struct rocks *r = store_memory(sizeof *r);
    r->store.ops = &rocks_ops;
    r->in_memory = options->path == NULL;
    r->folder = folder;
    rocks_options_create(r, options);
    struct error *e = rocks_open(r, a);
    if (e) {
        rocks_close(&r->store);
        return e;
    }
    *out = &r->store;
    return NULL;
}
