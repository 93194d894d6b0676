#include "graph/tally.h"

enum { TALLY_ROOM = 1024 };

struct tally tally_create(struct arena *a) {
    return (struct tally){a, arena_array(a, TALLY_ROOM, sizeof(struct tally_row)), TALLY_ROOM, 0};
}

static uint64_t tally_hash(struct slice key) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < key.len; i++)
        hash = (hash ^ (unsigned char)key.ptr[i]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

static struct tally_row *tally_slot(struct tally *t, struct slice key) {
    size_t at = tally_hash(key) & (t->room - 1);
    while (t->rows[at].key.ptr && !slice_equal(t->rows[at].key, key))
        at = (at + 1) & (t->room - 1);
    return &t->rows[at];
}

static void tally_grow(struct tally *t) {
    struct tally more = {t->arena, arena_array(t->arena, 2 * t->room, sizeof *t->rows), 2 * t->room,
                         t->count};
    for (size_t i = 0; i < t->room; i++)
        if (t->rows[i].key.ptr)
            *tally_slot(&more, t->rows[i].key) = t->rows[i];
    *t = more;
}

struct tally_row *tally_at(struct tally *t, const struct counter *c, struct slice id) {
    if (2 * t->count >= t->room)
        tally_grow(t);
    struct slice key = arena_printf(t->arena, "%.*s %d %d %.*s", SLICE_ARG(c->type->name),
                                    (int)c->direction, c->shard, SLICE_ARG(id));
    struct tally_row *row = tally_slot(t, key);
    if (!row->key.ptr) {
        *row = (struct tally_row){c->type, c->direction, c->shard, arena_copy(t->arena, id), 0,
                                  0,       key};
        t->count++;
    }
    return row;
}
