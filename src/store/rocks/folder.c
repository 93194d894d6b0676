#include "store/rocks/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/buf.h"

#define FOLDER_MARK "stator "

static void folder_fd_release(int *fd) {
    if (*fd >= 0)
        close(*fd);
}

static void folder_dir_release(DIR **dir) {
    if (*dir)
        closedir(*dir);
}

static struct error *folder_failed(struct arena *a, const char *doing, const char *path) {
    return error_new(a, ERR_LOCAL, "cannot %s %s: %s", doing, path, strerror(errno));
}

static const char *folder_join(struct arena *a, const char *path, const char *name) {
    return arena_printf(a, "%s/%s", path, name).ptr;
}

static struct error *folder_sync(struct arena *a, const char *path) {
    CLEANUP(folder_fd_release) int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || fsync(fd) != 0)
        return folder_failed(a, "sync the folder", path);
    return NULL;
}

/* The name of a new folder must survive a power loss too, so its parent is synced. */
static struct error *folder_make(struct arena *a, const char *path) {
    if (mkdir(path, 0777) != 0)
        return folder_failed(a, "make the folder", path);
    return folder_sync(a, folder_join(a, path, ".."));
}

/* --- FORMAT ----------------------------------------------------------------------------------- */

static struct error *folder_write_all(struct arena *a, const char *path, struct slice text) {
    CLEANUP(folder_fd_release) int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, text.ptr, text.len) != (ssize_t)text.len || fsync(fd) != 0)
        return folder_failed(a, "write", path);
    return NULL;
}

/* Under another name first: a FORMAT is never half written. */
static struct error *folder_write_format(struct arena *a, const char *path) {
    const char *fresh = folder_join(a, path, "FORMAT.new");
    const char *final = folder_join(a, path, "FORMAT");
    TRY(folder_write_all(a, fresh, arena_printf(a, FOLDER_MARK "%d\n", FOLDER_FORMAT)));
    if (rename(fresh, final) != 0)
        return folder_failed(a, "write", final);
    return folder_sync(a, path);
}

static struct error *folder_check_format(struct arena *a, const char *path, struct slice text) {
    struct slice mark = SLICE(FOLDER_MARK);
    uint64_t version = 0;
    bool whole =
        slice_starts_with(text, mark) && text.ptr[text.len - 1] == '\n' &&
        slice_to_u64((struct slice){text.ptr + mark.len, text.len - mark.len - 1}, &version) &&
        version > 0;
    if (!whole)
        return error_new(a, ERR_LOCAL, "the file %s/FORMAT is damaged", path);
    if (version > FOLDER_FORMAT)
        return error_new(a, ERR_LOCAL,
                         "the folder %s was made by a newer version of Stator: its format is "
                         "%llu, this program reads up to %d",
                         path, (unsigned long long)version, FOLDER_FORMAT);
    return NULL;
}

static struct error *folder_read_format(struct arena *a, const char *path, bool *found) {
    const char *name = folder_join(a, path, "FORMAT");
    CLEANUP(folder_fd_release) int fd = open(name, O_RDONLY | O_CLOEXEC);
    *found = fd >= 0;
    if (fd < 0 && errno == ENOENT)
        return NULL;
    char text[64];
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text);
    if (got < 0)
        return folder_failed(a, "read", name);
    return folder_check_format(a, path, (struct slice){text, (size_t)got});
}

/* --- Ours or not ------------------------------------------------------------------------------ */

/* What may lie in a folder before it is ours: nothing, what a kill between two steps of making it
 * leaves, and what a fresh ext4 file system has. */
static bool folder_may_begin_with(const char *name) {
    static const char *const names[] = {".", "..", "LOCK", "FORMAT.new", "lost+found"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static struct error *folder_check_empty(struct arena *a, const char *path) {
    CLEANUP(folder_dir_release) DIR *dir = opendir(path);
    if (!dir)
        return folder_failed(a, "read the folder", path);
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (!folder_may_begin_with(entry->d_name))
            return error_new(a, ERR_LOCAL,
                             "the folder %s is not a Stator folder: it has files (such as %s) but "
                             "no FORMAT; name a new or an empty folder",
                             path, entry->d_name);
    return NULL;
}

static struct error *folder_check_ours(struct arena *a, const char *path, bool *marked) {
    TRY(folder_read_format(a, path, marked));
    return *marked ? NULL : folder_check_empty(a, path);
}

/* --- LOCK ------------------------------------------------------------------------------------- */

static struct error *folder_locked(struct arena *a, const char *path, int fd) {
    char pid[32];
    ssize_t got = pread(fd, pid, sizeof pid, 0);
    struct slice holder = slice_trim((struct slice){pid, got > 0 ? (size_t)got : 0});
    if (holder.len == 0)
        holder = SLICE("unknown");
    return error_new(a, ERR_LOCAL, "the folder %s is in use by another process (%.*s)", path,
                     SLICE_ARG(holder));
}

/* A lock of the open file, not of the process: it also keeps a second store of this process out,
 * and it goes away with the process however that ends.  RocksDB has a lock of its own, but it lets
 * go of it in a reopen and its refusal is only a text. */
static struct error *folder_take_lock(struct arena *a, const char *path, int *out) {
    const char *name = folder_join(a, path, "LOCK");
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return folder_failed(a, "open", name);
    struct error *e = NULL;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0)
        e = errno == EWOULDBLOCK ? folder_locked(a, path, fd) : folder_failed(a, "lock", name);
    if (e) {
        close(fd);
        return e;
    }
    struct slice pid = arena_printf(a, "%d", (int)getpid());
    if (ftruncate(fd, 0) != 0 || pwrite(fd, pid.ptr, pid.len, 0) < 0)
        errno = 0; /* the number is a courtesy: a full disk must not keep the store shut */
    *out = fd;
    return NULL;
}

/* Those whose names begin with `prefix`. */
static void folder_remove_files(const char *path, const char *prefix) {
    CLEANUP(folder_dir_release) DIR *dir = opendir(path);
    if (!dir)
        return;
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.' && strncmp(entry->d_name, prefix, strlen(prefix)) == 0)
            unlinkat(dirfd(dir), entry->d_name, 0); /* refuses folders */
}

/* --- The whole -------------------------------------------------------------------------------- */

/* RocksDB syncs what it makes in its folder but not the name of the folder itself: without this a
 * power loss could take all of it.  Synced at each opening, because the one that made it may have
 * been killed in between. */
static struct error *folder_make_rocks(struct arena *a, const char *path) {
    const char *rocks = folder_join(a, path, "rocks");
    if (mkdir(rocks, 0777) != 0 && errno != EEXIST)
        return folder_failed(a, "make the folder", rocks);
    return folder_sync(a, path);
}

struct error *folder_open(struct arena *a, const char *path, struct folder *out) {
    struct stat about;
    if (stat(path, &about) != 0 && errno == ENOENT)
        TRY(folder_make(a, path));

    bool marked = false;
    TRY(folder_check_ours(a, path, &marked));
    int lock = -1;
    TRY(folder_take_lock(a, path, &lock));

    /* Again, now that nobody else can be making it. */
    struct error *e = folder_check_ours(a, path, &marked);
    if (!e && !marked)
        e = folder_write_format(a, path);
    if (!e)
        e = folder_make_rocks(a, path);
    if (e) {
        close(lock);
        return e;
    }
    const char *rocks = folder_join(a, path, "rocks");
    folder_remove_files(rocks, FOLDER_LOAD);
    *out = (struct folder){strdup(path), strdup(rocks), lock};
    return NULL;
}

void folder_close(struct folder *f) {
    close(f->lock);
    free(f->path);
    free(f->rocks);
}

static bool folder_name_ends(const char *name, const char *end) {
    size_t len = strlen(name), end_len = strlen(end);
    return len >= end_len && strcmp(name + len - end_len, end) == 0;
}

bool folder_is_new(const struct folder *f) {
    CLEANUP(folder_dir_release) DIR *dir = opendir(f->rocks);
    if (!dir)
        return errno == ENOENT;
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (strcmp(entry->d_name, "CURRENT") == 0 || folder_name_ends(entry->d_name, ".sst") ||
            folder_name_ends(entry->d_name, ".log"))
            return false;
    return true;
}

/* --- Copies ----------------------------------------------------------------------------------- */

struct error *folder_begin_copy(struct arena *a, const char *path) {
    struct stat about;
    if (lstat(path, &about) == 0)
        return error_new(a, ERR_LOCAL, "%s exists already; a copy needs a new folder", path);
    return folder_make(a, path);
}

struct error *folder_finish_copy(struct arena *a, const char *path) {
    return folder_write_format(a, path);
}

void folder_remove(const char *path) {
    folder_remove_files(path, "");
    rmdir(path);
}

static void folder_remove_inner(const char *path, const char *name) {
    char *inner = NULL;
    if (asprintf(&inner, "%s/%s", path, name) < 0)
        return;
    folder_remove(inner);
    free(inner);
}

void folder_abandon_copy(const char *path) {
    folder_remove_inner(path, "rocks");
    folder_remove_inner(path, "rocks.tmp"); /* RocksDB builds its part under this name */
    folder_remove(path);
}

/* --- Sizes ------------------------------------------------------------------------------------ */

static uint64_t folder_bytes_in(const char *path) {
    CLEANUP(folder_dir_release) DIR *dir = opendir(path);
    uint64_t bytes = 0;
    struct stat about;
    if (!dir)
        return 0;
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (fstatat(dirfd(dir), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(about.st_mode))
            bytes += (uint64_t)about.st_size;
    return bytes;
}

uint64_t folder_bytes(const struct folder *f) {
    return folder_bytes_in(f->path) + folder_bytes_in(f->rocks);
}

uint64_t folder_log_bytes(const struct folder *f) {
    CLEANUP(folder_dir_release) DIR *dir = opendir(f->rocks);
    uint64_t bytes = 0;
    struct stat about;
    if (!dir)
        return 0;
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (folder_name_ends(entry->d_name, ".log") &&
            fstatat(dirfd(dir), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0)
            bytes += (uint64_t)about.st_size;
    return bytes;
}

uint64_t folder_free_bytes(const struct folder *f) {
    struct statvfs about;
    if (statvfs(f->path, &about) != 0)
        return 0;
    return (uint64_t)about.f_bavail * about.f_frsize;
}
