/*
 * Writing: a batch is RocksDB's own, and a commit is one record of its log.
 */
#include "store/rocks/rocks_int.h"

#include <stdlib.h>

struct rocks_batch {
    struct store_batch batch;
    rocksdb_writebatch_t *handle;
};

static rocksdb_writebatch_t *rocks_batch_handle(const struct store_batch *b) {
    return ((const struct rocks_batch *)b)->handle;
}

struct store_batch *rocks_batch_create(struct store *s) {
    struct rocks_batch *b = store_memory(sizeof *b);
    b->batch.ops = s->ops;
    b->handle = rocksdb_writebatch_create();
    return &b->batch;
}

void rocks_batch_destroy(struct store_batch *b) {
    rocksdb_writebatch_destroy(rocks_batch_handle(b));
    free(b);
}

void rocks_batch_clear(struct store_batch *b) {
    rocksdb_writebatch_clear(rocks_batch_handle(b));
}

void rocks_batch_put(struct store_batch *b, struct slice key, struct slice value) {
    rocksdb_writebatch_put(rocks_batch_handle(b), key.ptr, key.len, value.ptr, value.len);
}

void rocks_batch_delete(struct store_batch *b, struct slice key) {
    rocksdb_writebatch_delete(rocks_batch_handle(b), key.ptr, key.len);
}

size_t rocks_batch_count(const struct store_batch *b) {
    return (size_t)rocksdb_writebatch_count(rocks_batch_handle(b));
}

size_t rocks_batch_bytes(const struct store_batch *b) {
    size_t bytes;
    rocksdb_writebatch_data(rocks_batch_handle(b), &bytes);
    return bytes;
}

struct error *rocks_commit(struct store *s, struct arena *a, struct store_batch *b, bool sync) {
    struct rocks *r = rocks_of(s);
    TRY(rocks_check_writable(r, a));
    CLEANUP(rocks_text_release) char *fault = NULL;
    rocksdb_write(r->db, sync ? r->write_sync : r->write, rocks_batch_handle(b), &fault);
    return rocks_write_fault(r, a, "write", fault);
}

struct error *rocks_sync(struct store *s, struct arena *a) {
    struct rocks *r = rocks_of(s);
    TRY(rocks_check_writable(r, a));
    if (r->in_memory)
        return NULL;
    CLEANUP(rocks_text_release) char *fault = NULL;
    rocksdb_flush_wal(r->db, 1, &fault);
    return rocks_write_fault(r, a, "sync its log", fault);
}
