/*
 * What is there after a process was killed, after the power failed, after the disk was full.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store_fixture.h"

/* --- Kills ------------------------------------------------------------------------------------ */

/* The last number of the lines that come from `fd` until it ends. */
static unsigned last_number(int fd) {
    FILE *lines = fdopen(fd, "r");
    char line[32];
    unsigned last = 1; /* which was waited for */
    while (fgets(line, sizeof line, lines))
        if (strchr(line, '\n'))
            last = (unsigned)strtoul(line, NULL, 10);
    fclose(lines);
    return last;
}

/* Rows 1 to at least `acknowledged` are there with both of their keys, and nothing with one. */
static unsigned check_rows(struct fixture *f, struct store *s, unsigned acknowledged) {
    struct fixture child = {.arena = f->arena, .store = s};
    size_t a = fixture_count(&child, SLICE("a"), SLICE("b"));
    size_t b = fixture_count(&child, SLICE("b"), SLICE("c"));
    assert_int_equal(a, b);
    assert_true(a >= acknowledged);
    if (a > 0) {
        struct slice last = arena_printf(f->arena, "b%08u", (unsigned)a);
        assert_true(fixture_has(&child, last)); /* no gap: the rows are 1 to a */
    }
    return (unsigned)a;
}

static void kill_while_it_writes(struct fixture *f, const char *mode) {
    const char *path = fixture_path(f, mode);
    uint64_t seed = 21;
    unsigned before = 0;
    for (int round = 0; round < 5; round++) {
        int in, out;
        pid_t pid = fixture_start_child(mode, path, &in, &out);
        char first[3] = "";
        assert_int_equal(read(out, first, 2), 2);
        assert_string_equal(first, "1\n");
        usleep((useconds_t)(fixture_random(&seed) % 100000));
        kill(pid, SIGKILL);
        unsigned acknowledged = last_number(out);
        waitpid(pid, NULL, 0);
        close(in);

        struct store *s = NULL;
        assert_ok(fixture_open(f, path, &s));
        if (acknowledged < before)
            acknowledged = before; /* the child begins again at row 1 */
        before = check_rows(f, s, acknowledged);
        store_close(s);
    }
    assert_true(before > 0);
}

static void a_kill_loses_no_synced_commit(void **state) {
    kill_while_it_writes(*state, "sync");
}

static void a_kill_loses_no_commit_that_reached_the_system(void **state) {
    kill_while_it_writes(*state, "write");
}

/* --- Power failures --------------------------------------------------------------------------- */

/* The write-ahead log: the file whose name ends in .log, the newest one. */
static const char *log_name(struct fixture *f) {
    DIR *dir = opendir(fixture_path(f, "data/rocks"));
    char newest[256] = "";
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && strcmp(dot, ".log") == 0 && strcmp(entry->d_name, newest) > 0)
            snprintf(newest, sizeof newest, "%s", entry->d_name);
    }
    closedir(dir);
    return arena_printf(f->arena, "%s", newest).ptr;
}

static off_t log_size(struct fixture *f) {
    struct stat about;
    const char *path = arena_printf(f->arena, "%s/rocks/%s", f->path, log_name(f)).ptr;
    assert_int_equal(stat(path, &about), 0);
    return about.st_size;
}

/* What a disk may hold after the power failed: everything up to `synced`, then any of the rest. */
enum damage { DAMAGE_CUT, DAMAGE_ZEROS, DAMAGE_NOISE, DAMAGE_HOLE, DAMAGE_KINDS };

static void damage_log(struct fixture *f, const char *path, enum damage kind, off_t synced,
                       off_t size, uint64_t *seed) {
    int fd = open(arena_printf(f->arena, "%s/rocks/%s", path, log_name(f)).ptr, O_RDWR);
    assert_true(fd >= 0);
    off_t at = synced + (off_t)(fixture_random(seed) % (uint64_t)(size - synced));
    off_t end = kind == DAMAGE_HOLE ? at + (size - at) / 2 : size;
    struct slice noise = fixture_random_bytes(f, seed, (size_t)(end - at));
    struct slice zeros = {arena_alloc(f->arena, (size_t)(end - at) + 1), (size_t)(end - at)};
    struct slice bytes = kind == DAMAGE_NOISE ? noise : zeros;
    if (kind == DAMAGE_CUT)
        assert_int_equal(ftruncate(fd, at), 0);
    else
        assert_int_equal(pwrite(fd, bytes.ptr, bytes.len, at), (ssize_t)bytes.len);
    close(fd);
}

static void copy_tree(const char *from, const char *to) {
    char *from_arg = strdup(from), *to_arg = strdup(to);
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        execlp("cp", "cp", "-r", from_arg, to_arg, (char *)NULL);
        _exit(127);
    }
    assert_true(pid > 0);
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
    free(from_arg), free(to_arg);
}

/* Rows 0 to `count` in batches of two, as one commit each. */
static void commit_rows(struct fixture *f, uint64_t first, uint64_t count, bool sync) {
    struct store_batch *b = store_batch_create(f->store);
    uint64_t seed = first;
    for (uint64_t i = first; i < first + count; i++) {
        store_batch_clear(b);
        store_batch_put(b, fixture_number(f, 2 * i), fixture_random_bytes(f, &seed, 700));
        store_batch_put(b, fixture_number(f, 2 * i + 1), fixture_random_bytes(f, &seed, 700));
        assert_ok(store_commit(f->store, f->arena, b, sync));
    }
    store_batch_destroy(b);
}

/* Opens, has all synced rows, and of the others whole batches from the first on. */
static void check_after_power_failure(struct fixture *f, const char *path, uint64_t synced) {
    struct fixture after = *f;
    after.store = NULL;
    assert_ok(fixture_open(f, path, &after.store));
    size_t count = fixture_count(&after, SLICE(""), SLICE("\xff"));
    assert_true(count >= 2 * synced);
    assert_int_equal(count % 2, 0);
    if (count)
        assert_true(fixture_has(&after, fixture_number(f, count - 1)));

    /* And it goes on from there: what is written now survives the next open. */
    fixture_put(&after, SLICE("\xfe"), SLICE("goes on"));
    store_close(after.store);
    assert_ok(fixture_open(f, path, &after.store));
    assert_value(&after, SLICE("\xfe"), "goes on");
    assert_int_equal(fixture_count(&after, SLICE(""), SLICE("\xff")), count + 1);
    store_close(after.store);
}

static void a_torn_log_keeps_what_was_synced(void **state) {
    struct fixture *f = *state;
    uint64_t seed = 31;
    commit_rows(f, 0, 40, true);
    off_t synced = log_size(f);
    commit_rows(f, 40, 150, false);
    off_t size = log_size(f);
    assert_true(size > synced + 150 * 1400);
    for (int round = 0; round < 24; round++) {
        const char *path = fixture_path(f, "after");
        copy_tree(f->path, path);
        damage_log(f, path, (enum damage)(round % DAMAGE_KINDS), synced, size, &seed);
        check_after_power_failure(f, path, 40);
        fixture_remove_tree(path);
    }
}

/* store_sync is as good as a synced commit. */
static void a_torn_log_keeps_what_store_sync_covered(void **state) {
    struct fixture *f = *state;
    uint64_t seed = 32;
    commit_rows(f, 0, 60, false);
    assert_ok(store_sync(f->store, f->arena));
    off_t synced = log_size(f);
    commit_rows(f, 60, 60, false);
    const char *path = fixture_path(f, "after");
    copy_tree(f->path, path);
    damage_log(f, path, DAMAGE_CUT, synced, log_size(f), &seed);
    check_after_power_failure(f, path, 60);
}

static void rot_in_a_table_file_is_an_error_and_no_wrong_answer(void **state) {
    struct fixture *f = *state;
    fixture_fill(f, 0, 1000, 900);
    assert_ok(store_reopen(f->store, f->arena));
    store_close(f->store);
    f->store = NULL;
    DIR *dir = opendir(fixture_path(f, "data/rocks"));
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".sst") != 0)
            continue;
        int fd = openat(dirfd(dir), entry->d_name, O_WRONLY);
        assert_int_equal(pwrite(fd, "rot", 3, 5000), 3);
        close(fd);
    }
    closedir(dir);
    assert_ok(fixture_open(f, f->path, &f->store));
    size_t failed = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        struct slice value;
        bool found = false;
        struct error *e = store_get(f->store, NULL, f->arena, fixture_number(f, i), &value, &found);
        failed += e != NULL;
        assert_true(e || found);
    }
    assert_in_range(failed, 1, 100);

    struct store_range range = {SLICE(""), SLICE("\xff"), false, false};
    CLEANUP(store_iterator_release) struct store_iterator *it = NULL;
    struct slice key, value;
    bool found = true;
    assert_ok(store_iterate(f->store, NULL, f->arena, &range, &it));
    struct error *e = NULL;
    while (found && !e)
        e = store_iterator_next(it, f->arena, &key, &value, &found);
    assert_non_null(e);
    assert_int_equal(e->kind, ERR_INTERNAL);
    assert_non_null(store_iterator_next(it, f->arena, &key, &value, &found)); /* each time */
}

/* --- A full disk ------------------------------------------------------------------------------ */

/* How the disk fills up: with small write buffers it is a table file that does not fit, with large
 * ones it is the log. */
enum { FLUSH_FAILS = 1024 * 1024, LOG_FAILS = 24 * 1024 * 1024 };

struct disk {
    const char *mount;
    bool mounted;
};

static void run(const char *command) {
    if (system(command) != 0)
        print_message("          (failed: %s)\n", command);
}

/* A file system of 96 MB of its own; skips the test where that is not allowed. */
static struct disk disk_mount(struct fixture *f, const char *kind) {
    struct disk d = {.mount = fixture_path(f, "disk")};
    mkdir(d.mount, 0777);
    if (strcmp(kind, "tmpfs") == 0) {
        d.mounted = mount("tmpfs", d.mount, "tmpfs", 0, "size=96m") == 0;
    } else {
        const char *image = fixture_path(f, "image");
        run(arena_printf(f->arena,
                         "truncate -s 96M %s && mkfs.ext4 -q -m 0 %s && mount -o loop %s %s", image,
                         image, image, d.mount)
                .ptr);
        struct stat outside, inside;
        d.mounted = stat(f->parent, &outside) == 0 && stat(d.mount, &inside) == 0 &&
                    outside.st_dev != inside.st_dev;
    }
    if (!d.mounted) {
        print_message("          skipped: cannot mount a small %s (needs root)\n", kind);
        skip();
    }
    return d;
}

static void disk_unmount(struct disk d) {
    assert_int_equal(umount(d.mount), 0);
}

/* Writes the file full until at most `left` bytes are free. */
static void fill_disk(struct fixture *f, struct store *s, const char *path, uint64_t left) {
    uint64_t free_bytes = store_free_bytes(s);
    int fd = open(path, O_WRONLY | O_CREAT, 0666);
    assert_true(fd >= 0);
    assert_true(free_bytes > left);
    assert_int_equal(posix_fallocate(fd, 0, (off_t)(free_bytes - left)), 0);
    close(fd);
    assert_true(store_free_bytes(s) <= left + 1024 * 1024);
    (void)f;
}

/* Not a byte more fits into any file. */
static void fill_to_the_last_byte(const char *path) {
    char bytes[4096] = "";
    int fd = open(path, O_WRONLY | O_CREAT, 0666);
    assert_true(fd >= 0);
    for (size_t size = sizeof bytes; size > 0; size /= 2)
        while (write(fd, bytes, size) == (ssize_t)size)
            ;
    assert_int_equal(errno, ENOSPC);
    close(fd);
}

/* Commits batches until one fails; gives the number of those that did not. */
static uint64_t write_until_full(struct fixture *f, bool sync) {
    struct store_batch *b = store_batch_create(f->store);
    uint64_t seed = 41, done = 0;
    struct error *e = NULL;
    while (!e && done < 4000) {
        store_batch_clear(b);
        store_batch_put(b, fixture_number(f, 2 * done), fixture_random_bytes(f, &seed, 20000));
        store_batch_put(b, fixture_number(f, 2 * done + 1), SLICE("second"));
        e = store_commit(f->store, f->arena, b, sync);
        done += e == NULL;
    }
    store_batch_destroy(b);
    assert_non_null(e);
    assert_int_equal(e->kind, ERR_INTERNAL);
    print_message("          full after %d commits: %.*s\n", (int)done, SLICE_ARG(e->message));
    return done;
}

#define assert_closed_for_writes(call)                                                             \
    assert_error(call, ERR_INTERNAL, "an earlier write failed: the store must be reopened")

/* None of these may touch the log again, and none may end the process. */
static void check_closed_for_writes(struct fixture *f) {
    struct store_batch *b = store_batch_create(f->store);
    store_batch_put(b, SLICE("x"), SLICE("y"));
    for (int i = 0; i < 3; i++) {
        assert_closed_for_writes(store_commit(f->store, f->arena, b, i % 2));
        assert_closed_for_writes(store_sync(f->store, f->arena));
    }
    store_batch_destroy(b);
    struct store_source none = {0};
    assert_closed_for_writes(store_drop_range(f->store, f->arena, SLICE("x"), SLICE("y")));
    assert_closed_for_writes(store_ingest(f->store, f->arena, none));
    assert_closed_for_writes(store_checkpoint(f->store, f->arena, fixture_path(f, "copy")));
}

static void check_acknowledged(struct fixture *f, uint64_t done) {
    size_t count = fixture_count(f, SLICE(""), SLICE("\xff"));
    assert_true(count >= 2 * done);
    assert_int_equal(count % 2, 0);
    for (uint64_t i = 0; i < done; i++)
        assert_value(f, fixture_number(f, 2 * i + 1), "second");
}

/* Full, read on, freed, reopened, written on; nothing acknowledged is lost at any point. */
static void survive_a_full_disk(struct fixture *f, const char *kind, size_t buffer, bool sync) {
    struct disk d = disk_mount(f, kind);
    const char *ballast = arena_printf(f->arena, "%s/ballast", d.mount).ptr;
    store_close(f->store);
    f->store = NULL;
    f->path = arena_string(f->arena, arena_printf(f->arena, "%s/data", d.mount));
    assert_ok(fixture_open_buffered(f, f->path, buffer, &f->store));
    fill_disk(f, f->store, ballast, 12 * 1024 * 1024);
    assert_true(store_free_bytes(f->store) < store_reserve_bytes(f->store));

    uint64_t done = write_until_full(f, sync);
    const char *rest = arena_printf(f->arena, "%s/rest", d.mount).ptr;
    fill_to_the_last_byte(rest);
    check_closed_for_writes(f);
    check_acknowledged(f, done); /* reads go on */
    sleep(1);                    /* and what RocksDB does by itself does no harm */

    /* Still full: the reopen may fail, and then everything says so; nothing is lost by it. */
    struct error *e = store_reopen(f->store, f->arena);
    print_message("          reopen while full: %s\n",
                  e ? arena_string(f->arena, e->message) : "well");
    if (e) {
        struct slice value;
        bool found = false;
        assert_error(store_get(f->store, NULL, f->arena, SLICE("a"), &value, &found), ERR_INTERNAL,
                     "the store is closed: it could not be opened again");
    }

    assert_int_equal(unlink(ballast), 0);
    assert_int_equal(unlink(rest), 0);
    assert_ok(store_reopen(f->store, f->arena));
    check_acknowledged(f, done);
    fixture_fill(f, 1000 * 1000, 500, 1000);
    assert_ok(store_reopen(f->store, f->arena));
    check_acknowledged(f, done);
    assert_int_equal(
        fixture_count(f, fixture_number(f, 1000 * 1000), fixture_number(f, 2 * 1000 * 1000)), 500);
    store_close(f->store);
    f->store = NULL;
    disk_unmount(d);
}

static void a_full_ext4_that_fails_a_flush_loses_nothing(void **state) {
    survive_a_full_disk(*state, "ext4", FLUSH_FAILS, true);
}

static void a_full_ext4_that_fails_the_log_loses_nothing(void **state) {
    survive_a_full_disk(*state, "ext4", LOG_FAILS, true);
}

static void a_full_ext4_loses_nothing_that_was_not_synced(void **state) {
    survive_a_full_disk(*state, "ext4", FLUSH_FAILS, false);
}

static void a_full_tmpfs_that_fails_a_flush_loses_nothing(void **state) {
    survive_a_full_disk(*state, "tmpfs", FLUSH_FAILS, true);
}

static void a_full_tmpfs_that_fails_the_log_loses_nothing(void **state) {
    survive_a_full_disk(*state, "tmpfs", LOG_FAILS, false);
}

UNIT_TESTS(ON_FOLDER(a_kill_loses_no_synced_commit),
           ON_FOLDER(a_kill_loses_no_commit_that_reached_the_system),
           ON_FOLDER(a_torn_log_keeps_what_was_synced),
           ON_FOLDER(a_torn_log_keeps_what_store_sync_covered),
           ON_FOLDER(rot_in_a_table_file_is_an_error_and_no_wrong_answer),
           ON_FOLDER(a_full_ext4_that_fails_a_flush_loses_nothing),
           ON_FOLDER(a_full_ext4_that_fails_the_log_loses_nothing),
           ON_FOLDER(a_full_ext4_loses_nothing_that_was_not_synced),
           ON_FOLDER(a_full_tmpfs_that_fails_a_flush_loses_nothing),
           ON_FOLDER(a_full_tmpfs_that_fails_the_log_loses_nothing))
