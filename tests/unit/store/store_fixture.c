#include "store_fixture.h"

#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

enum fixture_kind fixture_kinds[3] = {FIXTURE_MEM, FIXTURE_FOLDER, FIXTURE_ROCKS_MEMORY};

struct error *fixture_open_buffered(struct fixture *f, const char *path, size_t write_buffer_bytes,
                                    struct store **out) {
    struct store_options options = {.path = path, .write_buffer_bytes = write_buffer_bytes};
    return store_open_rocks(f->arena, &options, out);
}

struct error *fixture_open(struct fixture *f, const char *path, struct store **out) {
    return fixture_open_buffered(f, path, 1024 * 1024, out);
}

char *fixture_path(struct fixture *f, const char *name) {
    return arena_string(f->arena, arena_printf(f->arena, "%s/%s", f->parent, name));
}

int fixture_setup(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    const char *tmp = getenv("TMPDIR");
    assert_non_null(f);
    f->kind = *(enum fixture_kind *)*state;
    f->arena = arena_create();
    f->parent =
        arena_string(f->arena, arena_printf(f->arena, "%s/store-XXXXXX", tmp ? tmp : "/tmp"));
    assert_non_null(mkdtemp(f->parent));
    f->path = fixture_path(f, "data");
    if (f->kind == FIXTURE_MEM)
        assert_ok(store_open_mem(f->arena, &f->store));
    else
        assert_ok(fixture_open(f, fixture_on_folder(f) ? f->path : NULL, &f->store));
    *state = f;
    return 0;
}

int fixture_teardown(void **state) {
    struct fixture *f = *state;
    store_close(f->store);
    umount2(fixture_path(f, "disk"), MNT_DETACH); /* of a test that failed half way */
    fixture_remove_tree(f->parent);
    arena_destroy(f->arena);
    free(f);
    return 0;
}

void fixture_open_again(struct fixture *f) {
    store_close(f->store);
    f->store = NULL;
    assert_ok(fixture_open(f, f->path, &f->store));
}

void fixture_put(struct fixture *f, struct slice key, struct slice value) {
    struct store_batch *b = store_batch_create(f->store);
    store_batch_put(b, key, value);
    assert_ok(store_commit(f->store, f->arena, b, false));
    store_batch_destroy(b);
}

void fixture_delete(struct fixture *f, struct slice key) {
    struct store_batch *b = store_batch_create(f->store);
    store_batch_delete(b, key);
    assert_ok(store_commit(f->store, f->arena, b, false));
    store_batch_destroy(b);
}

struct slice fixture_number(struct fixture *f, uint64_t n) {
    char *bytes = arena_bytes(f->arena, 8);
    for (int i = 0; i < 8; i++)
        bytes[i] = (char)(n >> (56 - 8 * i));
    return (struct slice){bytes, 8};
}

void fixture_fill(struct fixture *f, uint64_t first, uint64_t count, size_t value_len) {
    struct store_batch *b = store_batch_create(f->store);
    uint64_t seed = first + 1;
    for (uint64_t i = 0; i < count; i++) {
        store_batch_put(b, fixture_number(f, first + i), fixture_random_bytes(f, &seed, value_len));
        if (store_batch_bytes(b) > 256 * 1024 || i + 1 == count) {
            assert_ok(store_commit(f->store, f->arena, b, true));
            store_batch_clear(b);
        }
    }
    store_batch_destroy(b);
}

size_t fixture_count(struct fixture *f, struct slice lower, struct slice upper) {
    struct store_range range = {.lower = lower, .upper = upper};
    struct store_iterator *it;
    struct slice key, value;
    bool found = false;
    size_t count = 0;
    assert_ok(store_iterate(f->store, NULL, f->arena, &range, &it));
    for (;; count++) {
        assert_ok(store_iterator_next(it, f->arena, &key, &value, &found));
        if (!found)
            break;
    }
    store_iterator_close(it);
    return count;
}

bool fixture_has(struct fixture *f, struct slice key) {
    struct slice value;
    bool found = false;
    assert_ok(store_get(f->store, NULL, f->arena, key, &value, &found));
    return found;
}

uint64_t fixture_random(uint64_t *seed) {
    uint64_t z = *seed += 0x9e3779b97f4a7c15U; /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

struct slice fixture_random_bytes(struct fixture *f, uint64_t *seed, size_t len) {
    char *bytes = arena_bytes(f->arena, len + 8);
    for (size_t i = 0; i < len; i += 8) {
        uint64_t n = fixture_random(seed);
        memcpy(bytes + i, &n, 8);
    }
    return (struct slice){bytes, len};
}

int fixture_start_child(const char *mode, const char *path, int *in, int *out) {
    const char *program = getenv("STORE_CHILD");
    if (!program)
        fail_msg("STORE_CHILD does not name the child program; run this through meson test");
    int to[2], from[2];
    pid_t pid;
    char *mode_arg = strdup(mode), *path_arg = strdup(path), *program_arg = strdup(program);
    char *args[] = {program_arg, mode_arg, path_arg, NULL};
    posix_spawn_file_actions_t actions;
    assert_int_equal(pipe2(to, O_CLOEXEC), 0);
    assert_int_equal(pipe2(from, O_CLOEXEC), 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    assert_int_equal(posix_spawn(&pid, program, &actions, NULL, args, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    free(mode_arg), free(path_arg), free(program_arg);
    *in = to[1];
    *out = from[0];
    return pid;
}

static int fixture_remove_one(const char *path, const struct stat *about, int kind,
                              struct FTW *where) {
    (void)about, (void)kind, (void)where;
    return remove(path);
}

void fixture_remove_tree(const char *path) {
    nftw(path, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
