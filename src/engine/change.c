/*
 * A record:
 *
 *   change space (u64) · sequence (u64)  →  version (1) · time (u64, ms) · old (sized) · new
 * (sized)
 *
 * Old and new are stored forms of the item (item/stored.h), empty when there was none.  Sequence
 * numbers of a table start at 1 and rise; a failed commit leaves a gap.  The newest record of a
 * table is never trimmed, because it says where the numbers go on.
 */
#include "engine/change.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/reader.h"
#include "engine/keyspace.h"

enum { CHANGE_VERSION = 1, CHANGE_BYTES = 4 * LIMIT_ITEM_BYTES };

static void change_add_sized(struct buf *row, struct slice s) {
    buf_add_varint(row, s.len);
    buf_add(row, s);
}

struct slice change_encode(struct arena *a, const struct change *change) {
    struct buf row = buf_in(a, CHANGE_BYTES);
    buf_add_char(&row, CHANGE_VERSION);
    buf_add_u64(&row, (uint64_t)change->time_ms);
    change_add_sized(&row, change->old_stored);
    change_add_sized(&row, change->new_stored);
    return buf_slice(&row);
}

bool change_decode(struct slice bytes, struct change *out) {
    struct reader r = reader_of(bytes);
    uint8_t version;
    uint64_t time;
    struct change change;
    if (!reader_u8(&r, &version) || version != CHANGE_VERSION || !reader_u64(&r, &time) ||
        !reader_sized(&r, &change.old_stored) || !reader_sized(&r, &change.new_stored) ||
        reader_left(&r))
        return false;
    change.time_ms = (int64_t)time;
    *out = change;
    return true;
}

struct slice change_key(struct arena *a, uint64_t space, uint64_t sequence) {
    struct buf key = buf_in(a, 16);
    buf_add_u64(&key, space);
    buf_add_u64(&key, sequence);
    return buf_slice(&key);
}

void change_stage(struct write_view *v, struct table *t, const struct change *change) {
    uint64_t sequence = t->state->next_change++;
    write_view_put_unseen(v, change_key(v->arena, t->schema->change_space, sequence),
                          change_encode(v->arena, change));
}

struct error *change_load(struct store *s, struct arena *a, struct table *t) {
    struct store_range range = {.lower = keyspace_first(a, t->schema->change_space),
                                .upper = keyspace_end(a, t->schema->change_space),
                                .backward = true};
    CLEANUP(store_iterator_release) struct store_iterator *it = NULL;
    struct slice key, value;
    bool found;
    uint64_t last = 0;
    TRY(store_iterate(s, NULL, a, &range, &it));
    TRY(store_iterator_next(it, a, &key, &value, &found));
    if (found) {
        struct reader r = {key.ptr + 8, key.ptr + key.len};
        if (key.len != 16 || !reader_u64(&r, &last))
            return error_new(a, ERR_INTERNAL, "the change records of table %.*s are malformed",
                             SLICE_ARG(t->schema->name));
    }
    t->state->next_change = last + 1;
    return NULL;
}
