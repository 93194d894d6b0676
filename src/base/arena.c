/*
 * Chunks in a list, the newest first.  The first chunk (ARENA_FIRST) is part of the arena and
 * survives a reset; later ones double up to ARENA_CHUNK_MAX, and a block that would not fit gets a
 * chunk of its own size.
 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISON 1
#endif
#endif
#ifdef ARENA_POISON
#include <sanitizer/asan_interface.h>
#define arena_poison(p, n) ASAN_POISON_MEMORY_REGION(p, n)
#define arena_unpoison(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
#else
#define arena_poison(p, n) ((void)(p), (void)(n))
#define arena_unpoison(p, n) ((void)(p), (void)(n))
#endif

enum { ARENA_FIRST = 16 * 1024, ARENA_CHUNK_MAX = 1024 * 1024 };

struct chunk {
    struct chunk *older;
    size_t size; /* bytes after the header */
    size_t used;
    alignas(max_align_t) char bytes[];
};

struct arena {
    struct chunk *newest;
    struct chunk *first;
    size_t held;
};

static void *arena_system(size_t size) {
    void *p = malloc(size);
    if (!p) {
        fputs("stator: out of memory\n", stderr);
        abort();
    }
    return p;
}

static struct chunk *arena_add_chunk(struct arena *a, size_t size) {
    struct chunk *c = arena_system(sizeof *c + size);
    c->older = a->newest;
    c->size = size;
    c->used = 0;
    arena_poison(c->bytes, size);
    a->newest = c;
    a->held += sizeof *c + size;
    return c;
}

struct arena *arena_create(void) {
    struct arena *a = arena_system(sizeof *a);
    *a = (struct arena){0};
    a->first = arena_add_chunk(a, ARENA_FIRST);
    return a;
}

static void arena_drop_chunks(struct arena *a, const struct chunk *until) {
    while (a->newest != until) {
        struct chunk *older = a->newest->older;
        arena_unpoison(a->newest->bytes, a->newest->size);
        free(a->newest);
        a->newest = older;
    }
}

void arena_reset(struct arena *a) {
    arena_drop_chunks(a, a->first);
    a->first->used = 0;
    arena_poison(a->first->bytes, a->first->size);
    a->held = sizeof(struct chunk) + a->first->size;
}

void arena_destroy(struct arena *a) {
    if (!a)
        return;
    arena_drop_chunks(a, NULL);
    free(a);
}

static size_t arena_next_size(const struct arena *a, size_t wanted) {
    size_t size = a->newest->size * 2;
    if (size > ARENA_CHUNK_MAX)
        size = ARENA_CHUNK_MAX;
    return wanted > size ? wanted : size;
}

static char *arena_take(struct arena *a, size_t size, size_t align) {
    if (size > SIZE_MAX / 4)
        arena_system(SIZE_MAX / 2);
    struct chunk *c = a->newest;
    size_t at = (c->used + align - 1) & ~(align - 1);
    if (at > c->size || c->size - at < size) {
        c = arena_add_chunk(a, arena_next_size(a, size));
        at = 0;
    }
    c->used = at + size;
    arena_unpoison(c->bytes + at, size);
    return c->bytes + at;
}

void *arena_alloc(struct arena *a, size_t size) {
    void *p = arena_take(a, size, alignof(max_align_t));
    return memset(p, 0, size);
}

void *arena_array(struct arena *a, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    return arena_alloc(a, bytes);
}

char *arena_bytes(struct arena *a, size_t size) {
    return arena_take(a, size, 1);
}

static bool arena_is_last(const struct chunk *c, const char *ptr, size_t size) {
    return ptr >= c->bytes && ptr <= c->bytes + c->used && ptr + size == c->bytes + c->used;
}

char *arena_grow(struct arena *a, char *ptr, size_t old_size, size_t new_size) {
    struct chunk *c = a->newest;
    if (ptr && new_size >= old_size && arena_is_last(c, ptr, old_size) &&
        c->size - c->used >= new_size - old_size) {
        arena_unpoison(c->bytes + c->used, new_size - old_size);
        c->used += new_size - old_size;
        return ptr;
    }
    char *moved = arena_bytes(a, new_size);
    if (old_size)
        memcpy(moved, ptr, old_size < new_size ? old_size : new_size);
    return moved;
}

struct slice arena_copy(struct arena *a, struct slice s) {
    char *p = arena_bytes(a, s.len);
    if (s.len)
        memcpy(p, s.ptr, s.len);
    return (struct slice){p, s.len};
}

char *arena_string(struct arena *a, struct slice s) {
    char *p = arena_bytes(a, s.len + 1);
    if (s.len)
        memcpy(p, s.ptr, s.len);
    p[s.len] = '\0';
    return p;
}

struct slice arena_vprintf(struct arena *a, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    if (len < 0)
        len = 0;
    char *text = arena_bytes(a, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    return (struct slice){text, (size_t)len};
}

struct slice arena_printf(struct arena *a, const char *format, ...) {
    va_list args;
    va_start(args, format);
    struct slice s = arena_vprintf(a, format, args);
    va_end(args);
    return s;
}

size_t arena_held(const struct arena *a) {
    return a->held;
}
