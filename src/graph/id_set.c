#include "graph/id_set.h"

enum { ID_SET_ROOM = 256 };

struct id_set id_set_create(struct arena *a) {
    return (struct id_set){.arena = a,
                           .rows = arena_array(a, ID_SET_ROOM, sizeof(struct id_set_row)),
                           .row_room = ID_SET_ROOM,
                           .slots = arena_array(a, 2 * ID_SET_ROOM, sizeof(uint32_t)),
                           .slot_count = 2 * ID_SET_ROOM};
}

static size_t id_set_slot(const struct id_set *s, struct slice id) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < id.len; i++)
        hash = (hash ^ (unsigned char)id.ptr[i]) * 0x100000001b3u;
    size_t at = (hash ^ hash >> 29) & (s->slot_count - 1);
    while (s->slots[at] && !slice_equal(s->rows[s->slots[at] - 1].id, id))
        at = (at + 1) & (s->slot_count - 1);
    return at;
}

/* Twice the room; the order of the rows stays. */
static void id_set_grow(struct id_set *s) {
    struct id_set_row *rows = arena_array(s->arena, 2 * s->row_room, sizeof *rows);
    memcpy(rows, s->rows, s->count * sizeof *rows);
    s->rows = rows;
    s->row_room *= 2;
    s->slot_count *= 2;
    s->slots = arena_array(s->arena, s->slot_count, sizeof *s->slots);
    for (size_t i = 0; i < s->count; i++)
        s->slots[id_set_slot(s, s->rows[i].id)] = (uint32_t)i + 1;
}

bool id_set_add(struct id_set *s, struct slice id, uint32_t from, uint32_t depth, uint32_t *row) {
    if (id_set_find(s, id, row))
        return false;
    if (s->count == s->row_room)
        id_set_grow(s);
    *row = (uint32_t)s->count++;
    s->rows[*row] = (struct id_set_row){arena_copy(s->arena, id), from, depth};
    s->slots[id_set_slot(s, id)] = *row + 1;
    return true;
}

bool id_set_find(const struct id_set *s, struct slice id, uint32_t *row) {
    uint32_t slot = s->slots[id_set_slot(s, id)];
    if (slot)
        *row = slot - 1;
    return slot != 0;
}
