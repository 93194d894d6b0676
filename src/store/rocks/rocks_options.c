/*
 * How RocksDB is set up, with the reason for each choice that is not its default.
 */
#include "store/rocks/rocks_int.h"

enum {
    ROCKS_KB = 1024,
    ROCKS_MB = 1024 * 1024,
    ROCKS_CACHE_BYTES = 32 * ROCKS_MB,
    ROCKS_WRITE_BUFFER_BYTES = 16 * ROCKS_MB,
    ROCKS_WRITE_BUFFERS = 4, /* one filling, one being flushed, two for bursts */
    ROCKS_OPEN_FILES = 512,  /* half of the usual limit; sockets have the rest */
    ROCKS_BLOCK_BYTES = 8 * ROCKS_KB,
    ROCKS_FORMAT_VERSION = 5, /* of a table file: the newest that 7.8 writes */
    ROCKS_LEVEL_FATAL = 4,    /* of the log for people */
};

/* A file is compacted at once when half of any 1,024 entries in a row are deletions; see
 * rocks_tidy.c. */
enum { ROCKS_DELETION_WINDOW = 1024, ROCKS_DELETION_TRIGGER = 512 };

static void rocks_set_table(struct rocks *r) {
    rocksdb_block_based_table_options_t *t = rocksdb_block_based_options_create();
    rocksdb_block_based_options_set_block_size(t, ROCKS_BLOCK_BYTES);
    rocksdb_block_based_options_set_block_cache(t, r->cache);
    rocksdb_block_based_options_set_format_version(t, ROCKS_FORMAT_VERSION);
    /* Filters and indexes stay with their open files, about 1 % of the data, bounded by the number
     * of files: in the cache they would drive out the blocks, or each other. */
    rocksdb_block_based_options_set_cache_index_and_filter_blocks(t, 0);
    /* Point gets of keys that are not there (a put's old item) touch no block. */
    rocksdb_block_based_options_set_filter_policy(t, rocksdb_filterpolicy_create_bloom_full(10));
    rocksdb_block_based_options_set_whole_key_filtering(t, 1);
    rocksdb_options_set_block_based_table_factory(r->options, t);
    rocksdb_block_based_options_destroy(t); /* the factory has its own copy */
}

/* All memory is taken as it is needed: an empty store has none of this. */
static void rocks_set_memory(struct rocks *r, const struct store_options *options) {
    size_t cache = options->cache_bytes ? options->cache_bytes : ROCKS_CACHE_BYTES;
    r->write_buffer_bytes =
        options->write_buffer_bytes ? options->write_buffer_bytes : ROCKS_WRITE_BUFFER_BYTES;
    r->cache = rocksdb_cache_create_lru(cache);
    rocksdb_options_set_write_buffer_size(r->options, r->write_buffer_bytes);
    rocksdb_options_set_max_write_buffer_number(r->options, ROCKS_WRITE_BUFFERS);
    rocksdb_options_set_arena_block_size(r->options, 256 * ROCKS_KB);
    rocksdb_options_set_max_open_files(r->options, ROCKS_OPEN_FILES);
    rocksdb_options_set_max_file_opening_threads(r->options, 1);
}

static void rocks_set_levels(struct rocks *r) {
    rocksdb_options_t *o = r->options;
    rocksdb_options_set_compression(o, rocksdb_lz4_compression);
    rocksdb_options_set_bottommost_compression(o, rocksdb_zstd_compression);
    rocksdb_options_set_level_compaction_dynamic_level_bytes(o, 1); /* little space wasted */
    rocksdb_options_set_target_file_size_base(o, 2 * r->write_buffer_bytes);
    rocksdb_options_set_max_bytes_for_level_base(o, 4 * r->write_buffer_bytes);
    rocksdb_options_add_compact_on_deletion_collector_factory(o, ROCKS_DELETION_WINDOW,
                                                              ROCKS_DELETION_TRIGGER);
    rocksdb_options_set_max_background_jobs(o, 2);
    /* Large files reach the disk bit by bit, so that the fsync of a commit does not wait behind
     * one. */
    rocksdb_options_set_bytes_per_sync(o, ROCKS_MB);
    /* An iterator closed on an event loop leaves the unlinking of old files to a thread. */
    rocksdb_options_set_avoid_unnecessary_blocking_io(o, 1);
}

/*
 * The log is replayed up to the first record that is not whole (point in time).
 *
 * What was synced lies before any tear: an fsync covers everything written before it.  What was
 * not synced may come back from a power loss with any of its pages missing, also with a hole in
 * the middle and good records after it, and the store must open then.  The other candidate
 * (tolerate a corrupted tail) takes only a last record that is cut short and refuses to open on a
 * hole; it would notice bytes that rot within the log, but the log is short-lived: after every
 * start and after each write buffer its content is in table files, whose checksums are verified on
 * every read.
 */
static void rocks_set_log(struct rocks *r) {
    rocksdb_options_t *o = r->options;
    rocksdb_options_set_wal_recovery_mode(o, rocksdb_point_in_time_recovery);
    rocksdb_options_set_max_total_wal_size(o, 4 * r->write_buffer_bytes);
    rocksdb_options_set_recycle_log_file_num(o, 0); /* old bytes behind a tear would look whole */
    rocksdb_options_set_manual_wal_flush(o, 0);     /* a commit without sync has left the process */
    rocksdb_options_set_manifest_preallocation_size(o, 64 * ROCKS_KB);
}

static void rocks_set_quiet(struct rocks *r) {
    rocksdb_options_t *o = r->options;
    rocksdb_options_set_info_log_level(o, ROCKS_LEVEL_FATAL); /* see rocks_open */
    rocksdb_options_set_keep_log_file_num(o, 2);
    rocksdb_options_set_stats_dump_period_sec(o, 0);
    rocksdb_options_set_stats_persist_period_sec(o, 0);
}

void rocks_options_create(struct rocks *r, const struct store_options *options) {
    r->options = rocksdb_options_create();
    if (r->in_memory) {
        r->env = rocksdb_create_mem_env();
        rocksdb_options_set_env(r->options, r->env);
    }
    rocks_set_memory(r, options);
    rocks_set_table(r);
    rocks_set_levels(r);
    rocks_set_log(r);
    rocks_set_quiet(r);

    r->read = rocksdb_readoptions_create();
    r->write = rocksdb_writeoptions_create();
    r->write_sync = rocksdb_writeoptions_create();
    rocksdb_writeoptions_set_sync(r->write_sync, !r->in_memory);
    rocksdb_writeoptions_disable_WAL(r->write, r->in_memory);
    rocksdb_writeoptions_disable_WAL(r->write_sync, r->in_memory);
}

void rocks_options_destroy(struct rocks *r) {
    rocksdb_writeoptions_destroy(r->write_sync);
    rocksdb_writeoptions_destroy(r->write);
    rocksdb_readoptions_destroy(r->read);
    rocksdb_options_destroy(r->options);
    rocksdb_cache_destroy(r->cache);
    if (r->env)
        rocksdb_env_destroy(r->env);
}
