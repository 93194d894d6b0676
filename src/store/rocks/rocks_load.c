/*
 * Whole files in and out: bulk load and checkpoint.
 *
 * A load is written as table files beside the database's own, synced, then taken in by one change
 * of its manifest: all or nothing.  A kill before that leaves files whose names RocksDB does not
 * know; opening the folder removes them.
 */
#include <stdio.h>

#include "store/rocks/rocks_int.h"

enum { ROCKS_LOAD_FILE_BYTES = 64 * 1024 * 1024 };

struct rocks_load {
    struct rocks *r;
    struct arena *arena;
    rocksdb_envoptions_t *env_options;
    rocksdb_sstfilewriter_t *writer;
    bool writing;       /* the newest file is not finished */
    const char **names; /* of all files so far */
    size_t count;
    size_t room;
};

static void rocks_load_init(struct rocks_load *l, struct rocks *r, struct arena *a) {
    *l = (struct rocks_load){.r = r, .arena = a};
    l->env_options = rocksdb_envoptions_create();
    l->writer = rocksdb_sstfilewriter_create(l->env_options, r->options);
}

static void rocks_load_finish(struct rocks_load *l) {
    rocksdb_sstfilewriter_destroy(l->writer);
    rocksdb_envoptions_destroy(l->env_options);
    for (size_t i = 0; i < l->count && !l->r->in_memory; i++)
        remove(l->names[i]); /* gone already when the load went well */
}

static const char *rocks_load_name(struct rocks_load *l) {
    unsigned number = atomic_fetch_add(&l->r->loads, 1);
    return arena_printf(l->arena, "%s/" FOLDER_LOAD "%u", rocks_path(l->r), number).ptr;
}

static struct error *rocks_load_begin_file(struct rocks_load *l) {
    if (l->count == l->room) {
        size_t room = l->room ? 2 * l->room : 8;
        const char **names = arena_array(l->arena, room, sizeof *names);
        for (size_t i = 0; i < l->count; i++)
            names[i] = l->names[i];
        l->names = names;
        l->room = room;
    }
    const char *name = rocks_load_name(l);
    l->names[l->count++] = name;
    CLEANUP(rocks_text_release) char *fault = NULL;
    rocksdb_sstfilewriter_open(l->writer, name, &fault);
    l->writing = true;
    return rocks_fault(l->arena, "begin a file to load", fault);
}

static struct error *rocks_load_end_file(struct rocks_load *l) {
    CLEANUP(rocks_text_release) char *fault = NULL;
    rocksdb_sstfilewriter_finish(l->writer, &fault);
    l->writing = false;
    return rocks_fault(l->arena, "end a file to load", fault);
}

static struct error *rocks_load_add(struct rocks_load *l, struct slice key, struct slice value) {
    if (!l->writing)
        TRY(rocks_load_begin_file(l));
    CLEANUP(rocks_text_release) char *fault = NULL;
    rocksdb_sstfilewriter_put(l->writer, key.ptr, key.len, value.ptr, value.len, &fault);
    TRY(rocks_fault(l->arena, "write a file to load", fault));
    uint64_t bytes = 0;
    rocksdb_sstfilewriter_file_size(l->writer, &bytes);
    return bytes < ROCKS_LOAD_FILE_BYTES ? NULL : rocks_load_end_file(l);
}

static struct error *rocks_load_write(struct rocks_load *l, struct store_source source) {
    struct slice key, value;
    bool found = false;
    for (;;) {
        TRY(source.next(source.context, l->arena, &key, &value, &found));
        if (!found)
            return l->writing ? rocks_load_end_file(l) : NULL;
        TRY(rocks_load_add(l, key, value));
    }
}

static struct error *rocks_load_take_in(struct rocks_load *l) {
    if (l->count == 0)
        return NULL;
    rocksdb_ingestexternalfileoptions_t *options = rocksdb_ingestexternalfileoptions_create();
    rocksdb_ingestexternalfileoptions_set_move_files(options, 1);
    CLEANUP(rocks_text_release) char *fault = NULL;
    rocksdb_ingest_external_file(l->r->db, l->names, l->count, options, &fault);
    rocksdb_ingestexternalfileoptions_destroy(options);
    return rocks_fault(l->arena, "load", fault);
}

struct error *rocks_ingest(struct store *s, struct arena *a, struct store_source source) {
    struct rocks *r = rocks_of(s);
    TRY(rocks_check_writable(r, a));
    struct rocks_load load;
    rocks_load_init(&load, r, a);
    struct error *e = rocks_load_write(&load, source);
    if (!e)
        e = rocks_load_take_in(&load);
    rocks_load_finish(&load);
    return e;
}

static void rocks_checkpoint_release(rocksdb_checkpoint_t **checkpoint) {
    if (*checkpoint)
        rocksdb_checkpoint_object_destroy(*checkpoint);
}

/* The write buffer is flushed first (0), so that the copy has table files only, all synced. */
static struct error *rocks_checkpoint_into(struct rocks *r, struct arena *a, const char *path) {
    const char *into = arena_printf(a, "%s/rocks", path).ptr;
    CLEANUP(rocks_text_release) char *fault = NULL;
    CLEANUP(rocks_checkpoint_release)
    rocksdb_checkpoint_t *checkpoint = rocksdb_checkpoint_object_create(r->db, &fault);
    if (!fault)
        rocksdb_checkpoint_create(checkpoint, into, 0, &fault);
    TRY(rocks_fault(a, "make a copy", fault));
    return folder_finish_copy(a, path);
}

struct error *rocks_checkpoint(struct store *s, struct arena *a, const char *path) {
    struct rocks *r = rocks_of(s);
    TRY(rocks_check_writable(r, a));
    if (r->in_memory)
        return error_new(a, ERR_LOCAL, "a store in memory cannot be copied to a folder");
    TRY(folder_begin_copy(a, path));
    struct error *e = rocks_checkpoint_into(r, a, path);
    if (e)
        folder_abandon_copy(path);
    return e;
}
