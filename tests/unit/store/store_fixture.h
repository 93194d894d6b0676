/*
 * What the tests of the store share: a store on each back end, temporary folders, short forms.
 *
 *   ON_EACH(get_finds_what_was_put)   the test on memory, on a folder, on RocksDB's memory
 *
 * The test's state is a `struct fixture` with the store open and empty.
 */
#ifndef TESTS_UNIT_STORE_FIXTURE_H
#define TESTS_UNIT_STORE_FIXTURE_H

#include "unit.h"

#include "store/store.h"

enum fixture_kind { FIXTURE_MEM, FIXTURE_FOLDER, FIXTURE_ROCKS_MEMORY };

extern enum fixture_kind fixture_kinds[3];

struct fixture {
    enum fixture_kind kind;
    struct arena *arena;
    struct store *store; /* with small write buffers, so that files come about */
    char *parent;        /* a temporary folder */
    char *path;          /* of the store, in it */
};

int fixture_setup(void **state);
int fixture_teardown(void **state);

#define ON(which, test)                                                                            \
    { #test " on " #which, test, fixture_setup, fixture_teardown, &fixture_kinds[which] }
#define ON_FOLDER(test) ON(FIXTURE_FOLDER, test)
#define ON_EACH(test) ON(FIXTURE_MEM, test), ON_FOLDER(test), ON(FIXTURE_ROCKS_MEMORY, test)

static inline bool fixture_on_folder(const struct fixture *f) {
    return f->kind == FIXTURE_FOLDER;
}

/* Closes a folder's store and opens it again. */
void fixture_open_again(struct fixture *f);

struct error *fixture_open(struct fixture *f, const char *path, struct store **out);
struct error *fixture_open_buffered(struct fixture *f, const char *path, size_t write_buffer_bytes,
                                    struct store **out);

/* parent/name */
char *fixture_path(struct fixture *f, const char *name);

void fixture_put(struct fixture *f, struct slice key, struct slice value);
void fixture_delete(struct fixture *f, struct slice key);

/* A big-endian number of eight bytes, in the fixture's arena. */
struct slice fixture_number(struct fixture *f, uint64_t n);

/* `count` rows from fixture_number(first) on, in synced batches, with values of `value_len` bytes
 * that do not compress. */
void fixture_fill(struct fixture *f, uint64_t first, uint64_t count, size_t value_len);

/* Entries between the bounds, newest state. */
size_t fixture_count(struct fixture *f, struct slice lower, struct slice upper);

bool fixture_has(struct fixture *f, struct slice key);

#define assert_value(f, key, text)                                                                 \
    do {                                                                                           \
        struct slice value_ = {0};                                                                 \
        bool found_ = false;                                                                       \
        assert_ok(store_get((f)->store, NULL, (f)->arena, key, &value_, &found_));                 \
        assert_true(found_);                                                                       \
        assert_slice(value_, text);                                                                \
    } while (0)

/* Pseudo-random from a fixed seed, so that a failure comes again. */
uint64_t fixture_random(uint64_t *seed);
struct slice fixture_random_bytes(struct fixture *f, uint64_t *seed, size_t len);

/* Runs the child program, as a process of its own: its standard output comes from `*out`. */
int fixture_start_child(const char *mode, const char *path, int *in, int *out);

void fixture_remove_tree(const char *path);

#endif
