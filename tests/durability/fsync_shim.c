/*
 * A preload library that knows what a power loss would leave of a folder.
 *
 * A killed process loses nothing that it has written: the kernel has it.  A power loss keeps only
 * what was synced.  So this library stands between a program and the kernel, and keeps in a shared
 * file, which outlives the process:
 *
 *   for each file    how many of its bytes are durable: its size at the last fsync or fdatasync
 *                    that returned, less what was overwritten or cut off since
 *   for each folder  the names made, moved and removed since its last fsync, in order, each with
 *                    a hard link to what was replaced or removed, so that it can be undone
 *
 * power_loss.py reads it after the process has died and brings the folder into a state that a
 * power loss could have left.  Only what lies under SHIM_ROOT is watched.
 *
 *   SHIM_ROOT         the folder, an absolute path without symbolic links
 *   SHIM_STATE        the shared file, made by power_loss.py
 *   SHIM_UNDO         a folder for the hard links, on the same file system, not under SHIM_ROOT
 *   SHIM_IGNORE_SYNC  1: syncs succeed and make nothing durable, to show that a test can fail
 *   SHIM_FAULTY       how the names of the files end whose syncs are ignored or whose calls fail;
 *                     when not set, all files and folders
 *
 * In the shared file the test may set at which watched call the process dies (in the middle of a
 * write, before anything else), and which calls fail with which errno from now on.
 *
 * sync_file_range makes nothing durable (it syncs no metadata).  Writable shared mappings cannot
 * be watched; they are counted, and the test fails on any.  stdio writes past the library, but what
 * it writes is durable only after an fsync here, which is right.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* --- The shared file; power_loss.py has the same layout ----------------------------------------
 */

enum { MAX_FILES = 16384, MAX_CHANGES = 32768, PATH_BYTES = 256, MAX_FD = 65536 };

enum change_kind { CHANGE_NONE, CHANGE_CREATE, CHANGE_RENAME, CHANGE_REMOVE };

enum fail_kind { FAIL_WRITES = 1, FAIL_SYNCS = 2 };

struct watched_file {
    uint64_t device;
    uint64_t inode;
    uint64_t durable;    /* bytes that a power loss keeps … */
    uint64_t dirty_from; /* … up to here: the lowest byte written since that sync */
};

struct name_change {
    uint32_t kind;
    uint32_t durable;
    uint32_t undo; /* number of the hard link; 0: none */
    char from[PATH_BYTES];
    char to[PATH_BYTES];
};

struct shared_state {
    _Atomic uint64_t calls;
    _Atomic uint64_t die_at; /* 0: never */
    _Atomic uint64_t syncs;
    _Atomic uint64_t mappings;
    _Atomic uint32_t fail_kinds;
    _Atomic uint32_t fail_errno;
    _Atomic uint32_t files;
    _Atomic uint32_t changes;
    struct watched_file file[MAX_FILES];
    struct name_change change[MAX_CHANGES];
};

/* --- What the process knows --------------------------------------------------------------------
 */

static struct shared_state *state; /* NULL: not watching */
static const char *root;
static size_t root_len;
static const char *undo_folder;
static bool ignore_sync;
static const char *faulty_end; /* NULL: everything */
static uint32_t last_undo;

/* By descriptor: 1 + index of its file, or the path of its folder. */
static _Atomic uint32_t fd_file[MAX_FD];
static char *fd_folder[MAX_FD];
static bool file_faulty[MAX_FILES];

/* Over the lists. */
static pthread_mutex_t records = PTHREAD_MUTEX_INITIALIZER;

/* Held over each write and sync of a file together with its record: else bytes that came while the
 * sync was under way would be called durable. */
static pthread_mutex_t file_lock[MAX_FILES]; /* zeros are PTHREAD_MUTEX_INITIALIZER */

__attribute__((noreturn)) static void give_up(const char *what) {
    fprintf(stderr, "fsync_shim: %s\n", what);
    abort();
}

__attribute__((constructor)) static void shim_start(void) {
    const char *path = getenv("SHIM_STATE");
    root = getenv("SHIM_ROOT");
    undo_folder = getenv("SHIM_UNDO");
    if (!path || !root || !undo_folder)
        return;
    root_len = strlen(root);
    ignore_sync = getenv("SHIM_IGNORE_SYNC") != NULL;
    faulty_end = getenv("SHIM_FAULTY");
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    if (fd < 0)
        give_up("SHIM_STATE cannot be opened");
    void *at = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        give_up("SHIM_STATE cannot be mapped");
    syscall(SYS_close, fd);
    state = at;
}

static bool is_under_root(const char *path) {
    return strncmp(path, root, root_len) == 0 && (path[root_len] == '/' || path[root_len] == 0);
}

__attribute__((noreturn)) static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

/* True when the process is to die in this call. */
static bool call_is_last(void) {
    uint64_t at = atomic_load(&state->die_at);
    return atomic_fetch_add(&state->calls, 1) + 1 >= at && at;
}

static void count_call(void) {
    if (call_is_last())
        die();
}

static bool is_faulty(const struct watched_file *file) {
    return file ? file_faulty[file - state->file] : !faulty_end;
}

/* `file` is NULL for a folder. */
static bool call_fails(enum fail_kind kind, const struct watched_file *file) {
    if (!(atomic_load(&state->fail_kinds) & kind) || !is_faulty(file))
        return false;
    errno = (int)atomic_load(&state->fail_errno);
    return true;
}

/* --- Names -------------------------------------------------------------------------------------
 */

/* The path with its folder's links resolved; the last part may not exist. */
static bool path_resolve(int at_fd, const char *path, char out[PATH_MAX]) {
    char given[PATH_MAX];
    if (path[0] == '/' || at_fd == AT_FDCWD)
        snprintf(given, sizeof given, "%s", path);
    else
        snprintf(given, sizeof given, "/proc/self/fd/%d/%s", at_fd, path);
    char *slash = strrchr(given, '/');
    const char *name = slash ? slash + 1 : given;
    char folder[PATH_MAX];
    if (slash == given)
        snprintf(folder, sizeof folder, "/");
    else if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - given), given);
    else
        snprintf(folder, sizeof folder, ".");
    char resolved[PATH_MAX];
    return realpath(folder, resolved) &&
           snprintf(out, PATH_MAX, "%s/%s", resolved, name) < PATH_MAX;
}

static bool path_is_watched(int at_fd, const char *path, char out[PATH_MAX]) {
    if (!state || !path)
        return false;
    int kept = errno;
    bool watched = path_resolve(at_fd, path, out) && is_under_root(out);
    errno = kept;
    return watched;
}

/* A hard link to what `path` names, so that it can be brought back; 0 when there is none. */
static uint32_t undo_link(const char *path) {
    char link_path[PATH_MAX];
    uint32_t number = ++last_undo;
    snprintf(link_path, sizeof link_path, "%s/%u", undo_folder, number);
    return syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, link_path, 0) == 0 ? number : 0;
}

static void change_add(enum change_kind kind, uint32_t undo, const char *from, const char *to) {
    uint32_t at = atomic_load(&state->changes);
    if (at == MAX_CHANGES || strlen(from) >= PATH_BYTES || strlen(to) >= PATH_BYTES)
        give_up("too many or too long changes of names");
    struct name_change *change = &state->change[at];
    change->kind = kind;
    change->undo = undo;
    strcpy(change->from, from);
    strcpy(change->to, to);
    atomic_store(&state->changes, at + 1);
}

/* The folder `path` was synced when it had `count` changes behind it. */
static void changes_make_durable(const char *path, uint32_t count) {
    size_t len = strlen(path);
    for (uint32_t i = 0; i < count; i++) {
        struct name_change *change = &state->change[i];
        const char *slash = strrchr(change->to, '/');
        if ((size_t)(slash - change->to) == len && memcmp(change->to, path, len) == 0)
            change->durable = 1;
    }
}

/* --- Files -------------------------------------------------------------------------------------
 */

static struct watched_file *file_of(int fd) {
    if (!state || fd < 0 || fd >= MAX_FD)
        return NULL;
    uint32_t index = atomic_load(&fd_file[fd]);
    return index ? &state->file[index - 1] : NULL;
}

static uint64_t size_of(int fd) {
    struct stat st;
    return fstat(fd, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* The file's record, made at its first open: what it has then was there before us. */
static uint32_t file_find(const struct stat *st) {
    uint32_t count = atomic_load(&state->files);
    for (uint32_t i = 0; i < count; i++) {
        if (state->file[i].inode == st->st_ino && state->file[i].device == st->st_dev)
            return i;
    }
    if (count == MAX_FILES)
        give_up("too many files");
    state->file[count] =
        (struct watched_file){st->st_dev, st->st_ino, (uint64_t)st->st_size, UINT64_MAX};
    atomic_store(&state->files, count + 1);
    return count;
}

static bool path_is_faulty(const char *path) {
    if (!faulty_end)
        return true;
    size_t len = strlen(path);
    size_t end = strlen(faulty_end);
    return len >= end && strcmp(path + len - end, faulty_end) == 0;
}

static void file_opened(int fd, const char *path, bool created) {
    struct stat st;
    if (fd < 0 || fd >= MAX_FD || fstat(fd, &st) != 0)
        return;
    pthread_mutex_lock(&records);
    if (S_ISDIR(st.st_mode)) {
        free(fd_folder[fd]);
        fd_folder[fd] = strdup(path);
    } else if (S_ISREG(st.st_mode)) {
        uint32_t index = file_find(&st);
        if ((uint64_t)st.st_size < state->file[index].durable) /* O_TRUNC */
            state->file[index].durable = (uint64_t)st.st_size;
        file_faulty[index] = path_is_faulty(path);
        atomic_store(&fd_file[fd], index + 1);
        if (created)
            change_add(CHANGE_CREATE, 0, "", path);
    }
    pthread_mutex_unlock(&records);
}

static void fd_forget(int fd) {
    if (!state || fd < 0 || fd >= MAX_FD)
        return;
    atomic_store(&fd_file[fd], 0);
    if (!fd_folder[fd])
        return;
    pthread_mutex_lock(&records);
    free(fd_folder[fd]);
    fd_folder[fd] = NULL;
    pthread_mutex_unlock(&records);
}

static void file_lock_take(const struct watched_file *file) {
    pthread_mutex_lock(&file_lock[file - state->file]);
}

static void file_lock_give(const struct watched_file *file) {
    pthread_mutex_unlock(&file_lock[file - state->file]);
}

static void file_dirty(struct watched_file *file, uint64_t from) {
    if (from < file->dirty_from)
        file->dirty_from = from;
}

static void file_cut(struct watched_file *file, uint64_t size) {
    file_lock_take(file);
    if (size < file->durable)
        file->durable = size;
    file_lock_give(file);
}

/* Where a write without a position will begin. */
static uint64_t write_position(int fd) {
    if (fcntl(fd, F_GETFL) & O_APPEND)
        return size_of(fd);
    off_t at = lseek(fd, 0, SEEK_CUR);
    return at < 0 ? 0 : (uint64_t)at;
}

/* --- Syncs -------------------------------------------------------------------------------------
 */

static int file_sync(int fd, struct watched_file *file, long number) {
    file_lock_take(file);
    int result = (int)syscall(number, fd);
    if (result == 0) {
        file->durable = size_of(fd);
        file->dirty_from = UINT64_MAX;
    }
    file_lock_give(file);
    return result;
}

/* What was changed before the sync began is durable after it. */
static int folder_sync(int fd, long number) {
    uint32_t count = atomic_load(&state->changes);
    int result = (int)syscall(number, fd);
    pthread_mutex_lock(&records);
    if (result == 0 && fd_folder[fd])
        changes_make_durable(fd_folder[fd], count);
    pthread_mutex_unlock(&records);
    return result;
}

static int any_sync(int fd, long number) {
    struct watched_file *file = file_of(fd);
    bool is_folder = state && fd >= 0 && fd < MAX_FD && fd_folder[fd];
    if (!file && !is_folder)
        return (int)syscall(number, fd);
    count_call();
    if (call_fails(FAIL_SYNCS, file))
        return -1;
    atomic_fetch_add(&state->syncs, 1);
    if (ignore_sync && is_faulty(file))
        return 0;
    return file ? file_sync(fd, file, number) : folder_sync(fd, number);
}

int fsync(int fd) {
    return any_sync(fd, SYS_fsync);
}

int fdatasync(int fd) {
    return any_sync(fd, SYS_fdatasync);
}

/* --- Opening and closing -----------------------------------------------------------------------
 */

static int open_watched(int at_fd, const char *path, int flags, mode_t mode) {
    char full[PATH_MAX];
    if (!path_is_watched(at_fd, path, full))
        return (int)syscall(SYS_openat, at_fd, path, flags, mode);
    bool existed = syscall(SYS_access, full, F_OK) == 0;
    if (flags & (O_CREAT | O_TRUNC))
        count_call();
    int fd = (int)syscall(SYS_openat, at_fd, path, flags, mode);
    if (fd >= 0)
        file_opened(fd, full, !existed && flags & O_CREAT);
    return fd;
}

#define TAKE_MODE(flags, mode)                                                                     \
    mode_t mode = 0;                                                                               \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                       \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode = va_arg(more, mode_t);                                                               \
        va_end(more);                                                                              \
    }

int open(const char *path, int flags, ...) {
    TAKE_MODE(flags, mode)
    return open_watched(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    TAKE_MODE(flags, mode)
    return open_watched(AT_FDCWD, path, flags, mode);
}

int openat(int at_fd, const char *path, int flags, ...) {
    TAKE_MODE(flags, mode)
    return open_watched(at_fd, path, flags, mode);
}

int openat64(int at_fd, const char *path, int flags, ...) {
    TAKE_MODE(flags, mode)
    return open_watched(at_fd, path, flags, mode);
}

/* What a fortified build calls for open without a mode. */
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags) {
    return open_watched(AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags);
int __open64_2(const char *path, int flags) {
    return open_watched(AT_FDCWD, path, flags, 0);
}

int creat(const char *path, mode_t mode) {
    return open_watched(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int creat64(const char *path, mode_t mode) {
    return open_watched(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

typedef FILE *fopen_function(const char *, const char *);
typedef int fclose_function(FILE *);

static FILE *fopen_watched(const char *path, const char *mode) {
    static fopen_function *real;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "fopen");
    char full[PATH_MAX];
    if (!path_is_watched(AT_FDCWD, path, full))
        return real(path, mode);
    bool existed = syscall(SYS_access, full, F_OK) == 0;
    if (mode[0] != 'r')
        count_call();
    FILE *f = real(path, mode);
    if (f)
        file_opened(fileno(f), full, !existed);
    return f;
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
    return fopen_watched(path, mode);
}

FILE *fopen64(const char *restrict path, const char *restrict mode) {
    return fopen_watched(path, mode);
}

int fclose(FILE *f) {
    static fclose_function *real;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "fclose");
    fd_forget(fileno(f));
    return real(f);
}

int close(int fd) {
    fd_forget(fd);
    return (int)syscall(SYS_close, fd);
}

static int fd_copied(int from, int to) {
    if (to >= 0 && to < MAX_FD && file_of(from))
        atomic_store(&fd_file[to], atomic_load(&fd_file[from]));
    return to;
}

int dup(int fd) {
    return fd_copied(fd, (int)syscall(SYS_dup, fd));
}

int dup2(int fd, int to) {
    if (fd != to)
        fd_forget(to);
    return fd_copied(fd, (int)syscall(SYS_dup2, fd, to));
}

int dup3(int fd, int to, int flags) {
    fd_forget(to);
    return fd_copied(fd, (int)syscall(SYS_dup3, fd, to, flags));
}

/* --- Writing -----------------------------------------------------------------------------------
 */

static ssize_t parts_write(int fd, const struct iovec *parts, int count, off_t at,
                           bool positioned) {
    if (!positioned)
        return syscall(SYS_writev, fd, parts, count);
    return syscall(SYS_pwritev, fd, parts, count, (long)at, 0L);
}

/* Every write comes here: as parts, at the file's position or at a given one. */
static ssize_t write_watched(int fd, const struct iovec *parts, int count, off_t at,
                             bool positioned) {
    struct watched_file *file = file_of(fd);
    if (!file)
        return parts_write(fd, parts, count, at, positioned);
    file_lock_take(file);
    file_dirty(file, positioned ? (uint64_t)at : write_position(fd));
    if (call_is_last()) {
        struct iovec half = {parts[0].iov_base, parts[0].iov_len / 2};
        parts_write(fd, &half, 1, at, positioned);
        die();
    }
    ssize_t result =
        call_fails(FAIL_WRITES, file) ? -1 : parts_write(fd, parts, count, at, positioned);
    file_lock_give(file);
    return result;
}

ssize_t write(int fd, const void *bytes, size_t len) {
    if (!file_of(fd))
        return syscall(SYS_write, fd, bytes, len);
    return write_watched(fd, &(struct iovec){(void *)(uintptr_t)bytes, len}, 1, 0, false);
}

ssize_t pwrite(int fd, const void *bytes, size_t len, off_t at) {
    return write_watched(fd, &(struct iovec){(void *)(uintptr_t)bytes, len}, 1, at, true);
}

ssize_t pwrite64(int fd, const void *bytes, size_t len, off64_t at) {
    return write_watched(fd, &(struct iovec){(void *)(uintptr_t)bytes, len}, 1, at, true);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    return write_watched(fd, parts, count, 0, false);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
    return write_watched(fd, parts, count, at, true);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) {
    return write_watched(fd, parts, count, at, true);
}

static int truncate_watched(int fd, off_t size) {
    struct watched_file *file = file_of(fd);
    if (file) {
        count_call();
        file_cut(file, (uint64_t)size);
    }
    return (int)syscall(SYS_ftruncate, fd, size);
}

int ftruncate(int fd, off_t size) {
    return truncate_watched(fd, size);
}

int ftruncate64(int fd, off64_t size) {
    return truncate_watched(fd, size);
}

static int fallocate_watched(int fd, int mode, off_t at, off_t len) {
    struct watched_file *file = file_of(fd);
    if (file && call_fails(FAIL_WRITES, file))
        return -1;
    return (int)syscall(SYS_fallocate, fd, mode, at, len);
}

int fallocate(int fd, int mode, off_t at, off_t len) {
    return fallocate_watched(fd, mode, at, len);
}

int fallocate64(int fd, int mode, off64_t at, off64_t len) {
    return fallocate_watched(fd, mode, at, len);
}

static void *mmap_watched(void *at, size_t len, int protection, int flags, int fd, off_t offset) {
    if (flags & MAP_SHARED && protection & PROT_WRITE && file_of(fd))
        atomic_fetch_add(&state->mappings, 1);
    long result = syscall(SYS_mmap, at, len, protection, flags, fd, offset);
    return (void *)result; /* NOLINT: that is what the call returns */
}

void *mmap(void *at, size_t len, int protection, int flags, int fd, off_t offset) {
    return mmap_watched(at, len, protection, flags, fd, offset);
}

void *mmap64(void *at, size_t len, int protection, int flags, int fd, off64_t offset) {
    return mmap_watched(at, len, protection, flags, fd, offset);
}

/* --- Names made, moved, removed ----------------------------------------------------------------
 */

static int rename_watched(int from_fd, const char *from, int to_fd, const char *to,
                          unsigned flags) {
    char full_from[PATH_MAX];
    char full_to[PATH_MAX];
    if (!path_is_watched(to_fd, to, full_to) || !path_is_watched(from_fd, from, full_from))
        return (int)syscall(SYS_renameat2, from_fd, from, to_fd, to, flags);
    count_call();
    pthread_mutex_lock(&records);
    uint32_t undo = undo_link(full_to);
    int result = (int)syscall(SYS_renameat2, from_fd, from, to_fd, to, flags);
    if (result == 0)
        change_add(CHANGE_RENAME, undo, full_from, full_to);
    pthread_mutex_unlock(&records);
    return result;
}

int rename(const char *from, const char *to) {
    return rename_watched(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat(int from_fd, const char *from, int to_fd, const char *to) {
    return rename_watched(from_fd, from, to_fd, to, 0);
}

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags) {
    return rename_watched(from_fd, from, to_fd, to, flags);
}

static int unlink_watched(int at_fd, const char *path, int flags) {
    char full[PATH_MAX];
    if (flags & AT_REMOVEDIR || !path_is_watched(at_fd, path, full))
        return (int)syscall(SYS_unlinkat, at_fd, path, flags);
    count_call();
    pthread_mutex_lock(&records);
    uint32_t undo = undo_link(full);
    int result = (int)syscall(SYS_unlinkat, at_fd, path, flags);
    if (result == 0)
        change_add(CHANGE_REMOVE, undo, "", full);
    pthread_mutex_unlock(&records);
    return result;
}

int unlink(const char *path) {
    return unlink_watched(AT_FDCWD, path, 0);
}

int unlinkat(int at_fd, const char *path, int flags) {
    return unlink_watched(at_fd, path, flags);
}

int remove(const char *path) {
    if (unlink_watched(AT_FDCWD, path, 0) == 0)
        return 0;
    return errno == EISDIR ? (int)syscall(SYS_rmdir, path) : -1;
}

/* A call that makes a name: a link or a folder. */
static int name_made(int at_fd, const char *path, long result) {
    char full[PATH_MAX];
    if (result == 0 && path_is_watched(at_fd, path, full)) {
        pthread_mutex_lock(&records);
        change_add(CHANGE_CREATE, 0, "", full);
        pthread_mutex_unlock(&records);
    }
    return (int)result;
}

int link(const char *from, const char *to) {
    return name_made(AT_FDCWD, to, syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags) {
    return name_made(to_fd, to, syscall(SYS_linkat, from_fd, from, to_fd, to, flags));
}

int mkdir(const char *path, mode_t mode) {
    return name_made(AT_FDCWD, path, syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}

int mkdirat(int at_fd, const char *path, mode_t mode) {
    return name_made(at_fd, path, syscall(SYS_mkdirat, at_fd, path, mode));
}
