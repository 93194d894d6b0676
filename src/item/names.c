/*
 * A table of two arrays: the names by number, and a hash table of numbers (open addressing, half
 * full at most).  A full table is followed by one twice as large, which is built aside and then
 * published; older tables are kept until the end because a reader may still be in one (together
 * they are no larger than the newest).
 *
 * Order of memory: what a name or a table consists of is written before the slot, the count or the
 * pointer that leads to it (release); readers take these first (acquire).
 */
#include "item/names.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"

enum { NAMES_FIRST = 8 };

struct name {
    uint32_t hash;
    uint32_t len;
    char text[];
};

struct name_table {
    struct name_table *older;
    uint32_t room;             /* of names */
    uint32_t mask;             /* of slots: twice the room */
    const struct name **names; /* by number - 1 */
    _Atomic uint16_t slots[];  /* numbers by hash, 0 is free */
};

struct names {
    struct name_table *_Atomic table;
    _Atomic uint32_t count;
};

static void *names_memory(size_t size) {
    void *p = calloc(1, size);
    if (!p) {
        fputs("stator: out of memory\n", stderr);
        abort();
    }
    return p;
}

static struct name_table *name_table_create(uint32_t room, struct name_table *older) {
    uint32_t slots = 2 * room;
    struct name_table *t = names_memory(sizeof *t + slots * sizeof t->slots[0]);
    t->names = names_memory(room * sizeof *t->names);
    t->older = older;
    t->room = room;
    t->mask = slots - 1;
    return t;
}

struct names *names_create(void) {
    struct names *n = names_memory(sizeof *n);
    atomic_init(&n->table, name_table_create(NAMES_FIRST, NULL));
    return n;
}

static void name_table_destroy(struct name_table *t) {
    free(t->names);
    free(t);
}

void names_destroy(struct names *n) {
    if (!n)
        return;
    struct name_table *t = atomic_load(&n->table);
    for (uint32_t i = 0; i < atomic_load(&n->count); i++)
        free((void *)(uintptr_t)t->names[i]);
    while (t) {
        struct name_table *older = t->older;
        name_table_destroy(t);
        t = older;
    }
    free(n);
}

static uint32_t name_hash(struct slice name) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < name.len; i++)
        hash = (hash ^ (uint8_t)name.ptr[i]) * 16777619u;
    return hash;
}

/* The name's number, or 0 and the slot it would take. */
static uint32_t name_table_find(struct name_table *t, struct slice text, uint32_t hash,
                                uint32_t *slot) {
    for (uint32_t at = hash & t->mask;; at = (at + 1) & t->mask) {
        uint32_t id = atomic_load_explicit(&t->slots[at], memory_order_acquire);
        *slot = at;
        if (id == 0)
            return 0;
        const struct name *name = t->names[id - 1];
        if (name->hash == hash && slice_equal((struct slice){name->text, name->len}, text))
            return id;
    }
}

uint32_t names_find(const struct names *n, struct slice name) {
    struct name_table *t = atomic_load_explicit(&n->table, memory_order_acquire);
    uint32_t slot;
    return name_table_find(t, name, name_hash(name), &slot);
}

bool names_get(const struct names *n, uint32_t id, struct slice *out) {
    if (id == 0 || id > names_count(n))
        return false;
    const struct name_table *t = atomic_load_explicit(&n->table, memory_order_acquire);
    const struct name *name = t->names[id - 1];
    *out = (struct slice){name->text, name->len};
    return true;
}

uint32_t names_count(const struct names *n) {
    return atomic_load_explicit(&n->count, memory_order_acquire);
}

static void name_table_put(struct name_table *t, const struct name *name, uint32_t id) {
    uint32_t at = name->hash & t->mask;
    while (atomic_load_explicit(&t->slots[at], memory_order_relaxed))
        at = (at + 1) & t->mask;
    t->names[id - 1] = name;
    atomic_store_explicit(&t->slots[at], (uint16_t)id, memory_order_release);
}

/* The table with room for one more. */
static struct name_table *names_room(struct names *n, uint32_t count) {
    struct name_table *t = atomic_load_explicit(&n->table, memory_order_relaxed);
    if (count < t->room)
        return t;
    struct name_table *larger = name_table_create(2 * t->room, t);
    for (uint32_t id = 1; id <= count; id++)
        name_table_put(larger, t->names[id - 1], id);
    atomic_store_explicit(&n->table, larger, memory_order_release);
    return larger;
}

static struct name *name_create(struct slice text, uint32_t hash) {
    struct name *name = names_memory(sizeof *name + text.len);
    name->hash = hash;
    name->len = (uint32_t)text.len;
    if (text.len)
        memcpy(name->text, text.ptr, text.len);
    return name;
}

uint32_t names_add(struct names *n, struct slice name, bool *added) {
    *added = false;
    uint32_t id = names_find(n, name);
    uint32_t count = names_count(n);
    if (id || count == LIMIT_NAME_IDS || name.len > NAMES_TEXT_MAX)
        return id;
    struct name_table *t = names_room(n, count);
    name_table_put(t, name_create(name, name_hash(name)), count + 1);
    atomic_store_explicit(&n->count, count + 1, memory_order_release);
    *added = true;
    return count + 1;
}
