/*
 * A row:  SPACE_COUNTS · space (u64)  →  version (1) · items (u64) · bytes (u64)
 *
 * Bytes are DynamoDB's (item sizes, or the sizes of an index's entries), not the disk's.  An absent
 * row is zero.
 */
#include "engine/counts.h"

#include "base/buf.h"
#include "base/reader.h"
#include "engine/keyspace.h"

enum { COUNTS_VERSION = 1, COUNTS_BYTES = 17 };

struct slice counts_encode(struct arena *a, struct table_counts counts) {
    struct buf row = buf_in(a, COUNTS_BYTES);
    buf_add_char(&row, COUNTS_VERSION);
    buf_add_u64(&row, counts.items);
    buf_add_u64(&row, counts.bytes);
    return buf_slice(&row);
}

bool counts_decode(struct slice bytes, struct table_counts *out) {
    struct reader r = reader_of(bytes);
    uint8_t version;
    struct table_counts counts;
    if (!reader_u8(&r, &version) || version != COUNTS_VERSION || !reader_u64(&r, &counts.items) ||
        !reader_u64(&r, &counts.bytes) || reader_left(&r))
        return false;
    *out = counts;
    return true;
}

static struct slice counts_key(struct arena *a, uint64_t space) {
    struct buf suffix = buf_in(a, 8);
    buf_add_u64(&suffix, space);
    return keyspace_key(a, SPACE_COUNTS, buf_slice(&suffix));
}

static void counts_stage_cell(struct write_view *v, uint64_t space, const struct count_cell *cell) {
    if (cell->pending_items == 0 && cell->pending_bytes == 0)
        return;
    struct table_counts next = {atomic_load(&cell->items) + (uint64_t)cell->pending_items,
                                atomic_load(&cell->bytes) + (uint64_t)cell->pending_bytes};
    write_view_put_unseen(v, counts_key(v->arena, space), counts_encode(v->arena, next));
}

void counts_stage(struct write_view *v, struct table *t) {
    counts_stage_cell(v, t->schema->space, &t->state->counts);
    for (size_t i = 0; i < t->schema->index_count; i++)
        counts_stage_cell(v, t->schema->indexes[i].space, t->index_counts[i]);
}

static void counts_settle_cell(struct count_cell *cell, bool committed) {
    if (committed) {
        atomic_fetch_add(&cell->items, (uint64_t)cell->pending_items);
        atomic_fetch_add(&cell->bytes, (uint64_t)cell->pending_bytes);
    }
    cell->pending_items = cell->pending_bytes = 0;
}

void counts_settle(struct table *t, bool committed) {
    counts_settle_cell(&t->state->counts, committed);
    for (size_t i = 0; i < t->schema->index_count; i++)
        counts_settle_cell(t->index_counts[i], committed);
}

void counts_stage_removal(struct write_view *v, const uint64_t *spaces, size_t count) {
    for (size_t i = 0; i < count; i++)
        write_view_delete_unseen(v, counts_key(v->arena, spaces[i]));
}

static struct error *counts_load_cell(struct store *s, struct arena *a, uint64_t space,
                                      struct count_cell *cell) {
    struct slice row;
    bool found;
    struct table_counts counts = {0};
    TRY(store_get(s, NULL, a, counts_key(a, space), &row, &found));
    if (found && !counts_decode(row, &counts))
        return error_new(a, ERR_INTERNAL, "the counts of space %llu are malformed",
                         (unsigned long long)space);
    atomic_store(&cell->items, counts.items);
    atomic_store(&cell->bytes, counts.bytes);
    return NULL;
}

struct error *counts_load(struct store *s, struct arena *a, struct table *t) {
    TRY(counts_load_cell(s, a, t->schema->space, &t->state->counts));
    for (size_t i = 0; i < t->schema->index_count; i++)
        TRY(counts_load_cell(s, a, t->schema->indexes[i].space, t->index_counts[i]));
    return NULL;
}
