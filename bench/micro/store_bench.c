/*
 * What the store costs: store_bench [FOLDER [ROWS]]
 *
 * Makes a store in FOLDER (default: a new one below the current folder, removed afterwards) with
 * ROWS rows (default 300,000) of 34 bytes of key and 250 of value, half of which compress, and
 * prints one line a measurement.  Times are CPU microseconds of the calling thread, medians of five
 * rounds; rates are by wall clock, beside the disk's own rate of fdatasync.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/store.h"

enum { KEY_BYTES = 34, VALUE_BYTES = 250, ROUNDS = 5, SCAN_ROWS = 100 };

struct bench {
    struct store *store;
    struct arena *arena;
    uint64_t rows;
    uint64_t seed;
};

static void check(struct error *e) {
    if (!e)
        return;
    fprintf(stderr, "%.*s\n", SLICE_ARG(e->message));
    exit(1);
}

static uint64_t random_number(struct bench *b) {
    uint64_t z = b->seed += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    return z ^ (z >> 27);
}

static int64_t cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Space, a hash of the partition (100 rows each), a number: as the engine's keys are. */
static struct slice row_key(char key[KEY_BYTES], uint64_t space, uint64_t n) {
    uint64_t hash = (n / SCAN_ROWS + 1) * 0x9e3779b97f4a7c15U;
    memset(key, 0, KEY_BYTES);
    key[7] = (char)space;
    for (int i = 0; i < 8; i++)
        key[8 + i] = key[16 + i] = (char)(hash >> (56 - 8 * i));
    for (int i = 0; i < 10; i++)
        key[KEY_BYTES - 1 - i] =
            (char)('0' + n /
                             (uint64_t[]){1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
                                          100000000, 1000000000}[i] %
                             10);
    return (struct slice){key, KEY_BYTES};
}

static struct slice row_value(struct bench *b, char value[VALUE_BYTES]) {
    memset(value, 'v', VALUE_BYTES);
    for (int i = 0; i + 8 <= VALUE_BYTES / 2; i += 8) {
        uint64_t n = random_number(b);
        memcpy(value + i, &n, 8);
    }
    return (struct slice){value, VALUE_BYTES};
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median CPU microseconds of a call. */
static void time_calls(struct bench *b, const char *name, int calls, void (*call)(struct bench *)) {
    double times[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        int64_t start = cpu_ns();
        for (int i = 0; i < calls; i++)
            call(b);
        times[round] = (double)(cpu_ns() - start) / 1000 / calls;
    }
    qsort(times, ROUNDS, sizeof times[0], by_size);
    printf("%-40s %8.2f us\n", name, times[ROUNDS / 2]);
}

static void get(struct bench *b, const struct store_snapshot *snapshot, bool there) {
    char key[KEY_BYTES];
    struct slice row = row_key(key, 1, random_number(b) % b->rows), value;
    bool found = false;
    if (!there)
        key[KEY_BYTES - 1] = '~'; /* amid the keys that are */
    check(store_get(b->store, snapshot, b->arena, row, &value, &found));
    arena_reset(b->arena);
    if (found != there)
        check(error_new(b->arena, ERR_INTERNAL, "a row is missing, or one too many"));
}

static void get_hit(struct bench *b) {
    get(b, NULL, true);
}

static void get_miss(struct bench *b) {
    get(b, NULL, false);
}

static void get_on_snapshot(struct bench *b) {
    struct store_snapshot *snapshot = store_snapshot(b->store);
    get(b, snapshot, true);
    store_snapshot_release(b->store, snapshot);
}

static void scan(struct bench *b, uint64_t from, int rows, bool backward) {
    char lower[KEY_BYTES], upper[KEY_BYTES];
    struct store_range range = {.lower = row_key(lower, 1, from), .backward = backward};
    range.upper = row_key(upper, 1, from);
    memset(upper + 24, 0xff, KEY_BYTES - 24); /* the partition's end */
    struct store_iterator *it;
    struct slice key, value;
    bool found = true;
    check(store_iterate(b->store, NULL, b->arena, &range, &it));
    for (int i = 0; i < rows && found; i++)
        check(store_iterator_next(it, b->arena, &key, &value, &found));
    store_iterator_close(it);
    arena_reset(b->arena);
}

static uint64_t random_partition(struct bench *b) {
    return random_number(b) % (b->rows / SCAN_ROWS) * SCAN_ROWS;
}

static void scan_one(struct bench *b) {
    scan(b, random_partition(b), 1, false);
}

static void scan_many(struct bench *b) {
    scan(b, random_partition(b), SCAN_ROWS, false);
}

static void scan_many_backward(struct bench *b) {
    scan(b, random_partition(b), SCAN_ROWS, true);
}

static void snapshot_only(struct bench *b) {
    store_snapshot_release(b->store, store_snapshot(b->store));
}

static void load(struct bench *b) {
    struct store_batch *batch = store_batch_create(b->store);
    char key[KEY_BYTES], value[VALUE_BYTES];
    for (uint64_t n = 0; n < b->rows; n++) {
        store_batch_put(batch, row_key(key, 1, n), row_value(b, value));
        if (n % 1000 == 999 || n + 1 == b->rows) {
            check(store_commit(b->store, b->arena, batch, false));
            store_batch_clear(batch);
        }
    }
    store_batch_destroy(batch);
}

/* How often the disk takes so many more bytes of a file and an fdatasync, for a second. */
static double disk_rate(const char *folder, size_t len) {
    char path[512];
    char *bytes = calloc(1, len);
    snprintf(path, sizeof path, "%s/fdatasync", folder);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int64_t start = clock_monotonic_ns(), now = start;
    int count = 0;
    for (; fd >= 0 && now < start + 1000000000; now = clock_monotonic_ns(), count++)
        if (write(fd, bytes, len) < 0 || fdatasync(fd) != 0)
            break;
    if (fd >= 0)
        close(fd);
    free(bytes);
    unlink(path);
    return count / ((double)(now - start) / 1e9);
}

/* Commits by wall clock, for two seconds. */
static void time_commits(struct bench *b, int rows, bool sync, const char *folder) {
    struct store_batch *batch = store_batch_create(b->store);
    char key[KEY_BYTES], value[VALUE_BYTES];
    int64_t start = clock_monotonic_ns(), cpu = cpu_ns(), now = start;
    int commits = 0;
    for (; now < start + 2000000000; now = clock_monotonic_ns(), commits++) {
        store_batch_clear(batch);
        for (int i = 0; i < rows; i++)
            store_batch_put(batch, row_key(key, 2, random_number(b) % b->rows),
                            row_value(b, value));
        check(store_commit(b->store, b->arena, batch, sync));
    }
    double seconds = (double)(now - start) / 1e9;
    double rate = commits / seconds, cost = (double)(cpu_ns() - cpu) / 1000 / commits;
    char name[64];
    snprintf(name, sizeof name, "commit of %d rows%s", rows, sync ? ", synced" : "");
    printf("%-40s %8.0f /s %9.0f rows/s %8.2f us CPU", name, rate, rate * rows, cost);
    if (sync) {
        double disk = disk_rate(folder, (size_t)rows * (KEY_BYTES + VALUE_BYTES));
        printf("   %.2f of the disk's %.0f", rate / disk, disk);
    }
    putchar('\n');
    store_batch_destroy(batch);
}

static double resident_mb(void) {
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &pages, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / (1024 * 1024);
}

/* A queue's pattern: what a range costs whose first rows were all deleted. */
static void time_tombstones(struct bench *b) {
    struct store_batch *batch = store_batch_create(b->store);
    char key[KEY_BYTES];
    for (uint64_t n = 0; n < b->rows; n++) {
        store_batch_delete(batch, row_key(key, 1, n));
        if (n % 1000 == 999 || n + 1 == b->rows) {
            check(store_commit(b->store, b->arena, batch, false));
            store_batch_clear(batch);
        }
    }
    store_batch_destroy(batch);
    char lower[KEY_BYTES], upper[KEY_BYTES];
    memset(lower, 0, KEY_BYTES);
    memset(upper, 0xff, KEY_BYTES);
    lower[7] = upper[7] = 1;
    memset(upper, 0, 7);
    for (int i = 0; i < 3; i++) {
        struct store_range range = {{lower, KEY_BYTES}, {upper, KEY_BYTES}, false, false};
        struct store_iterator *it;
        struct slice row, value;
        bool found = true;
        int64_t start = cpu_ns();
        check(store_iterate(b->store, NULL, b->arena, &range, &it));
        check(store_iterator_next(it, b->arena, &row, &value, &found));
        store_iterator_close(it);
        printf("%-40s %8.2f us\n", "first step over a range all deleted",
               (double)(cpu_ns() - start) / 1000);
        sleep(2);
    }
}

int main(int count, char **args) {
    char made[] = "store-bench-XXXXXX";
    const char *folder = count > 1 ? args[1] : mkdtemp(made);
    struct bench b = {.arena = arena_create(), .rows = 300000, .seed = 1};
    if (count > 2)
        b.rows = strtoull(args[2], NULL, 10) / SCAN_ROWS * SCAN_ROWS;
    if (!folder || b.rows == 0)
        return 2;
    double before = resident_mb();
    int64_t start = clock_monotonic_ns();
    check(store_open_rocks(b.arena, &(struct store_options){.path = folder}, &b.store));
    printf("%-40s %8.2f ms, %.1f MB more resident\n", "open an empty folder",
           (double)(clock_monotonic_ns() - start) / 1e6, resident_mb() - before);

    printf("%-40s %8.0f /s\n", "the disk's fdatasync of 512 bytes", disk_rate(folder, 512));
    for (int rows = 1; rows <= 128; rows = rows == 1 ? 32 : rows * 4)
        time_commits(&b, rows, true, folder);
    time_commits(&b, 1, false, folder);
    load(&b);
    time_calls(&b, "get", 20000, get_hit);
    time_calls(&b, "get of what is not there", 20000, get_miss);
    time_calls(&b, "snapshot and release", 20000, snapshot_only);
    time_calls(&b, "snapshot, get, release", 20000, get_on_snapshot);
    time_calls(&b, "iterator: seek", 5000, scan_one);
    time_calls(&b, "iterator: seek and 99 next", 2000, scan_many);
    time_calls(&b, "iterator: seek and 99 back", 2000, scan_many_backward);
    start = clock_monotonic_ns();
    check(store_reopen(b.store, b.arena));
    printf("%-40s %8.2f ms\n", "reopen", (double)(clock_monotonic_ns() - start) / 1e6);
    time_calls(&b, "get, from files", 20000, get_hit);
    time_calls(&b, "get of what is not there, from files", 20000, get_miss);
    time_calls(&b, "iterator: seek and 99 next, from files", 2000, scan_many);
    time_tombstones(&b);

    struct store_stats stats;
    store_stats(b.store, &stats);
    printf("%-40s %8.1f MB on disk, %.1f MB of memory\n", "size", (double)stats.disk_bytes / 1e6,
           (double)stats.memory_bytes / 1e6);
    store_close(b.store);
    arena_destroy(b.arena);
    fflush(stdout);
    if (folder == made && execlp("rm", "rm", "-r", made, (char *)NULL) != 0)
        return 1;
    return 0;
}
