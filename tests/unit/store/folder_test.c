/*
 * The folder: locked, ours, of a format we read; and what is in it after close, copy and load.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store_fixture.h"

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static struct slice read_file(struct fixture *f, const char *path) {
    FILE *file = fopen(path, "r");
    char text[256];
    assert_non_null(file);
    size_t len = fread(text, 1, sizeof text, file);
    fclose(file);
    return arena_copy(f->arena, (struct slice){text, len});
}

static bool exists(const char *path) {
    struct stat about;
    return stat(path, &about) == 0;
}

#define assert_refused(f, path, ...)                                                               \
    do {                                                                                           \
        struct store *refused_ = NULL;                                                             \
        assert_error(fixture_open(f, path, &refused_), ERR_LOCAL,                                  \
                     arena_printf((f)->arena, __VA_ARGS__).ptr);                                   \
        assert_null(refused_);                                                                     \
    } while (0)

/* --- Life ------------------------------------------------------------------------------------- */

static void everything_is_there_after_a_close(void **state) {
    struct fixture *f = *state;
    fixture_fill(f, 0, 3000, 500);
    fixture_put(f, SLICE("unsynced"), SLICE("too"));
    fixture_open_again(f);
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 3001);
    fixture_open_again(f);
    assert_value(f, SLICE("unsynced"), "too");
}

static void only_the_last_folder_of_a_path_is_made(void **state) {
    struct fixture *f = *state;
    const char *deep = fixture_path(f, "none/data");
    assert_refused(f, deep, "cannot make the folder %s: No such file or directory", deep);
    assert_false(exists(fixture_path(f, "none")));
}

static void a_file_is_not_a_folder(void **state) {
    struct fixture *f = *state;
    const char *path = fixture_path(f, "file");
    write_file(path, "text");
    struct store *s = NULL;
    struct error *e = fixture_open(f, path, &s);
    assert_non_null(e);
    assert_int_equal(e->kind, ERR_LOCAL);
    assert_true(slice_contains(e->message, slice_of(path)));
    assert_true(slice_contains(e->message, SLICE("Not a directory")));
}

/* --- LOCK ------------------------------------------------------------------------------------- */

static void a_second_store_of_the_process_is_refused(void **state) {
    struct fixture *f = *state;
    assert_refused(f, f->path, "the folder %s is in use by another process (%d)", f->path,
                   (int)getpid());
    fixture_put(f, SLICE("a"), SLICE("1")); /* and the first one is well */
    assert_value(f, SLICE("a"), "1");
}

static void a_second_process_is_refused(void **state) {
    struct fixture *f = *state;
    const char *path = fixture_path(f, "held");
    char line[16] = "";
    int in, out;
    pid_t pid = fixture_start_child("hold", path, &in, &out);
    assert_int_equal(read(out, line, 6), 6);
    assert_string_equal(line, "ready\n");
    assert_refused(f, path, "the folder %s is in use by another process (%d)", path, (int)pid);

    /* The lock goes with the process, however it ends. */
    struct store *s = NULL;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(in), close(out);
    assert_ok(fixture_open(f, path, &s));
    store_close(s);
}

static void the_lock_is_kept_over_a_reopen(void **state) {
    struct fixture *f = *state;
    assert_ok(store_reopen(f->store, f->arena));
    assert_refused(f, f->path, "the folder %s is in use by another process (%d)", f->path,
                   (int)getpid());
}

/* --- FORMAT ----------------------------------------------------------------------------------- */

static void the_format_is_written_once(void **state) {
    struct fixture *f = *state;
    const char *format = fixture_path(f, "data/FORMAT");
    struct stat before, after;
    assert_slice(read_file(f, format), "stator 1\n");
    assert_int_equal(stat(format, &before), 0);
    fixture_open_again(f);
    assert_int_equal(stat(format, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    assert_false(exists(fixture_path(f, "data/FORMAT.new")));
}

static void a_newer_format_is_refused(void **state) {
    struct fixture *f = *state;
    const char *format = fixture_path(f, "data/FORMAT");
    fixture_put(f, SLICE("a"), SLICE("1"));
    store_close(f->store);
    f->store = NULL;
    write_file(format, "stator 2\n");
    assert_refused(f, f->path,
                   "the folder %s was made by a newer version of Stator: its format is 2, this "
                   "program reads up to 1",
                   f->path);
    write_file(format, "stator 1\n");
    assert_ok(fixture_open(f, f->path, &f->store));
    assert_value(f, SLICE("a"), "1");
}

static void a_damaged_format_is_refused(void **state) {
    struct fixture *f = *state;
    static const char *const texts[] = {"",
                                        "stator",
                                        "stator \n",
                                        "stator 0\n",
                                        "stator 1",
                                        "stator -1\n",
                                        "stator 1x\n",
                                        "Stator 1\n",
                                        "stator 1\n\n"};
    store_close(f->store);
    f->store = NULL;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        write_file(fixture_path(f, "data/FORMAT"), texts[i]);
        assert_refused(f, f->path, "the file %s/FORMAT is damaged", f->path);
    }
}

static void a_folder_of_others_is_refused_and_left_alone(void **state) {
    struct fixture *f = *state;
    const char *path = fixture_path(f, "photos");
    mkdir(path, 0777);
    write_file(fixture_path(f, "photos/cat.jpg"), "meow");
    assert_refused(f, path,
                   "the folder %s is not a Stator folder: it has files (such as cat.jpg) but no "
                   "FORMAT; name a new or an empty folder",
                   path);
    assert_false(exists(fixture_path(f, "photos/LOCK")));
    assert_false(exists(fixture_path(f, "photos/FORMAT")));
    assert_slice(read_file(f, fixture_path(f, "photos/cat.jpg")), "meow");
}

static void a_folder_that_was_begun_is_finished(void **state) {
    struct fixture *f = *state;
    const char *path = fixture_path(f, "begun");
    struct store *s = NULL;
    mkdir(path, 0777);
    mkdir(fixture_path(f, "begun/lost+found"), 0700);
    write_file(fixture_path(f, "begun/LOCK"), "999999999");
    write_file(fixture_path(f, "begun/FORMAT.new"), "sta");
    assert_ok(fixture_open(f, path, &s));
    store_close(s);
    assert_slice(read_file(f, fixture_path(f, "begun/FORMAT")), "stator 1\n");
}

static void lost_data_is_not_taken_for_a_new_store(void **state) {
    struct fixture *f = *state;
    fixture_put(f, SLICE("a"), SLICE("1"));
    store_close(f->store);
    f->store = NULL;
    assert_int_equal(unlink(fixture_path(f, "data/rocks/CURRENT")), 0);
    struct error *e = fixture_open(f, f->path, &f->store);
    assert_non_null(e);
    assert_int_equal(e->kind, ERR_INTERNAL);
    assert_true(slice_contains(e->message, SLICE("CURRENT")));
}

/* --- Copies and loads ------------------------------------------------------------------------- */

static void a_checkpoint_can_be_opened(void **state) {
    struct fixture *f = *state;
    const char *path = fixture_path(f, "copy");
    fixture_fill(f, 0, 3000, 500);
    fixture_put(f, SLICE("a"), SLICE("then"));
    assert_ok(store_checkpoint(f->store, f->arena, path));
    fixture_put(f, SLICE("a"), SLICE("now"));
    fixture_delete(f, fixture_number(f, 7));

    struct fixture copy = *f;
    assert_ok(fixture_open(f, path, &copy.store));
    assert_value(&copy, SLICE("a"), "then");
    assert_int_equal(fixture_count(&copy, SLICE(""), SLICE("\xff")), 3001);
    fixture_put(&copy, SLICE("a"), SLICE("copy's own"));
    assert_value(f, SLICE("a"), "now");
    assert_false(fixture_has(f, fixture_number(f, 7)));
    store_close(copy.store);
}

static void a_checkpoint_needs_a_new_folder(void **state) {
    struct fixture *f = *state;
    const char *path = fixture_path(f, "copy"), *deep = fixture_path(f, "none/copy");
    mkdir(path, 0777);
    assert_error(store_checkpoint(f->store, f->arena, path), ERR_LOCAL,
                 arena_printf(f->arena, "%s exists already; a copy needs a new folder", path).ptr);
    assert_error(
        store_checkpoint(f->store, f->arena, deep), ERR_LOCAL,
        arena_printf(f->arena, "cannot make the folder %s: No such file or directory", deep).ptr);
    assert_true(exists(path));
}

/* Without FORMAT a copy that was cut short is not taken for a whole one. */
static void half_a_checkpoint_is_refused(void **state) {
    struct fixture *f = *state;
    const char *path = fixture_path(f, "copy");
    assert_ok(store_checkpoint(f->store, f->arena, path));
    assert_int_equal(unlink(fixture_path(f, "copy/FORMAT")), 0);
    assert_refused(f, path,
                   "the folder %s is not a Stator folder: it has files (such as rocks) but no "
                   "FORMAT; name a new or an empty folder",
                   path);
}

static void what_a_killed_load_left_is_removed(void **state) {
    struct fixture *f = *state;
    const char *left = fixture_path(f, "data/rocks/load-0");
    fixture_put(f, SLICE("a"), SLICE("1"));
    write_file(left, "half a file");
    fixture_open_again(f);
    assert_false(exists(left));
    assert_value(f, SLICE("a"), "1");
}

struct load {
    struct fixture *f;
    uint64_t next;
    uint64_t seed;
};

static struct error *load_next(void *context, struct arena *a, struct slice *key,
                               struct slice *value, bool *found) {
    struct load *l = context;
    struct fixture scratch = {.arena = a};
    *found = l->next < 900;
    *key = fixture_number(&scratch, l->next++);
    *value = fixture_random_bytes(&scratch, &l->seed, 100 * 1000);
    return NULL;
}

static void a_load_may_be_of_several_files(void **state) {
    struct fixture *f = *state;
    struct load load = {f, 0, 1};
    assert_ok(store_ingest(f->store, f->arena, (struct store_source){load_next, &load}));
    assert_false(exists(fixture_path(f, "data/rocks/load-0")));
    assert_false(exists(fixture_path(f, "data/rocks/load-1")));
    fixture_open_again(f);
    assert_int_equal(fixture_count(f, SLICE(""), SLICE("\xff")), 900);
    assert_true(arena_held(f->arena) < 20 * 1000 * 1000); /* not all of the source at once */
}

UNIT_TESTS(ON_FOLDER(everything_is_there_after_a_close),
           ON_FOLDER(only_the_last_folder_of_a_path_is_made), ON_FOLDER(a_file_is_not_a_folder),
           ON_FOLDER(a_second_store_of_the_process_is_refused),
           ON_FOLDER(a_second_process_is_refused), ON_FOLDER(the_lock_is_kept_over_a_reopen),
           ON_FOLDER(the_format_is_written_once), ON_FOLDER(a_newer_format_is_refused),
           ON_FOLDER(a_damaged_format_is_refused),
           ON_FOLDER(a_folder_of_others_is_refused_and_left_alone),
           ON_FOLDER(a_folder_that_was_begun_is_finished),
           ON_FOLDER(lost_data_is_not_taken_for_a_new_store), ON_FOLDER(a_checkpoint_can_be_opened),
           ON_FOLDER(a_checkpoint_needs_a_new_folder), ON_FOLDER(half_a_checkpoint_is_refused),
           ON_FOLDER(what_a_killed_load_left_is_removed), ON_FOLDER(a_load_may_be_of_several_files))
