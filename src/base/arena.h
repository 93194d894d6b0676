/*
 * An arena: memory that is given back all at once.
 *
 * Each request has one; everything made for the request lives in it and nothing below frees
 * anything.  One thread at a time may use an arena, and handing a request to another thread hands
 * over its arena.  Running out of memory ends the process, so no caller checks for NULL.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>

#include "base/compiler.h"
#include "base/slice.h"

struct arena;

struct arena *arena_create(void);
void arena_destroy(struct arena *a); /* takes NULL */

/* Everything handed out is gone; the first chunk is kept for the next request. */
void arena_reset(struct arena *a);

/* Zeroed memory, aligned for any type. */
void *arena_alloc(struct arena *a, size_t size);

/* The same for `count` things of `size`; ends the process if the product overflows. */
void *arena_array(struct arena *a, size_t count, size_t size);

/* Memory that is not zeroed, not aligned: for bytes about to be written. */
char *arena_bytes(struct arena *a, size_t size);

/* Makes the block `ptr` of `old_size`, handed out by arena_bytes, `new_size` long: in place when
 * it is the newest block, else as a copy.  `ptr` may be NULL with `old_size` 0. */
char *arena_grow(struct arena *a, char *ptr, size_t old_size, size_t new_size);

struct slice arena_copy(struct arena *a, struct slice s);

/* Formatted text; a NUL follows the slice, so `ptr` may be used as a C string too. */
struct slice arena_printf(struct arena *a, const char *format, ...) PRINTF_LIKE(2, 3);
struct slice arena_vprintf(struct arena *a, const char *format, va_list args) PRINTF_LIKE(2, 0);

/* The slice as a NUL-ended string. */
char *arena_string(struct arena *a, struct slice s);

/* Bytes held from the system, for the memory budget. */
size_t arena_held(const struct arena *a);

#endif
