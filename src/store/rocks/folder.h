/*
 * The folder of a store: one process at a time, ours only, of a format this program reads.
 *
 *   FORMAT   "stator 1\n": the mark that the folder is ours, and the version of its forms
 *   LOCK     held by the process that has the store open; holds its process id for the message
 *   rocks/   RocksDB's files
 *
 * FORMAT is the first thing written into a new folder and the last one into a copy, each time with
 * an fsync of the file and of the folder: a folder with a FORMAT is whole.
 *
 * Format policy.  The version stands for every form in the folder: this layout, RocksDB's files,
 * and the keys and values of the rooms above.  It goes up when an older program would misread what
 * a newer one writes, and only then.  A program opens its own version; it refuses a newer one
 * without touching anything; an older one it brings up to date before it serves, in steps that may
 * be repeated after a kill, with FORMAT rewritten last.  Version 1 is the first.
 */
#ifndef STORE_ROCKS_FOLDER_H
#define STORE_ROCKS_FOLDER_H

#include "base/error.h"

enum { FOLDER_FORMAT = 1 };

/* Files in rocks/ whose names begin so belong to a bulk load that has not been taken in; opening
 * the folder removes what a kill left of them. */
#define FOLDER_LOAD "load-"

struct folder {
    char *path;  /* as given */
    char *rocks; /* path/rocks */
    int lock;
};

/* Makes the folder when it is missing (not its parents) and locks it.  ERR_LOCAL when another
 * process holds it, when it has files but is not ours, when its format is newer, or when the
 * system refuses. */
MUST_CHECK struct error *folder_open(struct arena *a, const char *path, struct folder *out);
void folder_close(struct folder *f);

/* True when RocksDB may begin an empty database: nothing in rocks/ is data yet.  Where data lies
 * without its CURRENT file something was lost, and beginning anew would hide it. */
bool folder_is_new(const struct folder *f);

/* For a copy: makes the empty folder `path` (ERR_LOCAL when it exists), and marks it as whole. */
MUST_CHECK struct error *folder_begin_copy(struct arena *a, const char *path);
MUST_CHECK struct error *folder_finish_copy(struct arena *a, const char *path);

/* Removes what `folder_begin_copy` made and what was put there. */
void folder_abandon_copy(const char *path);

/* Removes a folder of files. */
void folder_remove(const char *path);

/* Bytes of RocksDB's logs: what the next opening will write into table files. */
uint64_t folder_log_bytes(const struct folder *f);

/* Bytes of all files; bytes free for this user on the file system (0 when it cannot tell). */
uint64_t folder_bytes(const struct folder *f);
uint64_t folder_free_bytes(const struct folder *f);

#endif
