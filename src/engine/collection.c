/*
 * A row:
 *
 *   SPACE_COLLECTIONS · table's space (u64) · hash (16)  →  version (1) · bytes (u64)
 *
 * Bytes are DynamoDB's: the items' sizes and those of their entries in local indexes.  An empty
 * collection has no row.
 */
#include "engine/collection.h"

#include "base/buf.h"
#include "base/reader.h"
#include "engine/keyspace.h"

enum { COLLECTION_VERSION = 1, COLLECTION_ROW_BYTES = 9 };

bool collection_is_kept(const struct table_schema *t) {
    for (size_t i = 0; i < t->index_count; i++)
        if (!t->indexes[i].global)
            return true;
    return false;
}

static struct slice collection_space_key(struct arena *a, uint64_t space, struct slice hash) {
    struct buf key = buf_in(a, 16 + hash.len);
    buf_add_u64(&key, SPACE_COLLECTIONS);
    buf_add_u64(&key, space);
    buf_add(&key, hash);
    return buf_slice(&key);
}

struct slice collection_key(struct arena *a, uint64_t space, struct slice item_key) {
    return collection_space_key(a, space, (struct slice){item_key.ptr + 8, KEYSPACE_HASH_BYTES});
}

void collection_range(struct arena *a, uint64_t space, struct slice *lower, struct slice *upper) {
    *lower = collection_space_key(a, space, SLICE(""));
    *upper = collection_space_key(a, space + 1, SLICE(""));
}

struct slice collection_encode(struct arena *a, uint64_t bytes) {
    struct buf row = buf_in(a, COLLECTION_ROW_BYTES);
    buf_add_char(&row, COLLECTION_VERSION);
    buf_add_u64(&row, bytes);
    return buf_slice(&row);
}

bool collection_decode(struct slice row, uint64_t *bytes) {
    struct reader r = reader_of(row);
    uint8_t version;
    return reader_u8(&r, &version) && version == COLLECTION_VERSION && reader_u64(&r, bytes) &&
           reader_left(&r) == 0;
}

struct error *collection_size(struct write_view *view, struct arena *a,
                              const struct table_schema *t, struct slice item_key,
                              uint64_t *bytes) {
    struct slice key = collection_key(a, t->space, item_key), row;
    bool found;
    TRY(write_view_get(view, a, key, &row, &found));
    *bytes = 0;
    if (found && !collection_decode(row, bytes))
        return error_new(a, ERR_INTERNAL, "an item collection of table %.*s is malformed",
                         SLICE_ARG(t->name));
    write_view_remember(view, key, collection_encode(view->arena, *bytes));
    return NULL;
}

uint64_t collection_change(struct write_view *view, const struct table_schema *t,
                           struct slice item_key, int64_t bytes) {
    struct slice key = collection_key(view->arena, t->space, item_key);
    uint64_t size = 0;
    collection_decode(write_view_recall(view, key), &size);
    size += (uint64_t)bytes;
    if (size)
        write_view_put(view, key, collection_encode(view->arena, size));
    else
        write_view_delete(view, key);
    return size;
}
