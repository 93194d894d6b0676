#include "engine/check.h"

#include "base/buf.h"
#include "base/limits.h"
#include "engine/collection.h"
#include "engine/engine_int.h"
#include "engine/index_entry.h"
#include "engine/keyspace.h"
#include "item/stored.h"

/* One table under the check. */
struct check {
    struct engine *engine;
    struct table *table;
    void (*say)(void *context, struct slice line);
    void *context;
    struct check_report *report;
    uint64_t faults;
    struct table_counts counts;
    struct table_counts *index_counts; /* what the items' entries add up to */
    struct slice
        collection; /* the row of the one under way, with its sum; items come by collection */
    char collection_key[16 + KEYSPACE_HASH_BYTES];
    uint64_t collection_bytes;
};

static void check_fault(struct check *c, struct arena *a, const char *what, struct slice key) {
    c->faults++;
    c->report->faults++;
    if (c->faults > CHECK_FAULTS_SAID)
        return;
    struct buf line = buf_in(a, 64 * 1024);
    buf_printf(&line, "table %.*s: %s", SLICE_ARG(c->table->schema->name), what);
    if (key.len)
        buf_add_text(&line, ", key ");
    for (size_t i = 0; i < key.len; i++)
        buf_printf(&line, "%02x", (unsigned)(uint8_t)key.ptr[i]);
    c->say(c->context, buf_slice(&line));
}

/* The item's entry in one index stands there as it should. */
static struct error *check_entry(struct check *c, struct arena *a, size_t i,
                                 const struct item *item, struct slice item_key) {
    const struct table_schema *t = c->table->schema;
    struct index_entry entry = index_entry_of(a, t, &t->indexes[i], item, item_key);
    if (!entry.present)
        return NULL;
    struct slice stored;
    struct item there;
    bool found;
    TRY(store_get(c->engine->store, NULL, a, entry.key, &stored, &found));
    if (!found && t->indexes[i].status == STATUS_CREATING)
        return NULL;
    c->index_counts[i].items++;
    c->index_counts[i].bytes += entry.size;
    if (!found)
        check_fault(c, a, "an item's index entry is missing", item_key);
    else if (!stored_decode(a, stored, c->table->names, &there) ||
             !item_equal(&there, &entry.projected))
        check_fault(c, a, "an index entry differs from its item", entry.key);
    return NULL;
}

static bool check_has_key(const struct check *c, const struct item *item) {
    const struct key_schema *key = &c->table->schema->key;
    const struct value *hash = item_find(item, key->hash[0].name);
    const struct value *range = key->range_count ? item_find(item, key->range[0].name) : NULL;
    return hash && hash->type == key->hash[0].type &&
           (!key->range_count || (range && range->type == key->range[0].type));
}

/* The collection that ends here is what its row says. */
static struct error *check_collection_end(struct check *c, struct arena *a) {
    struct slice row;
    bool found;
    uint64_t bytes = 0;
    if (!c->collection.len)
        return NULL;
    TRY(store_get(c->engine->store, NULL, a, c->collection, &row, &found));
    if (!found || !collection_decode(row, &bytes) || bytes != c->collection_bytes)
        check_fault(c, a, "an item collection's size is not what is there", c->collection);
    return NULL;
}

/* Adds an item and its entries in local indexes to its collection. */
static struct error *check_collection(struct check *c, struct arena *a, const struct item *item,
                                      size_t size, struct slice key) {
    const struct table_schema *t = c->table->schema;
    if (!collection_is_kept(t))
        return NULL;
    struct slice row = collection_key(a, t->space, key);
    if (!slice_equal(row, c->collection)) {
        TRY(check_collection_end(c, a));
        memcpy(c->collection_key, row.ptr, row.len);
        c->collection = (struct slice){c->collection_key, row.len};
        c->collection_bytes = 0;
    }
    c->collection_bytes += size;
    for (size_t i = 0; i < t->index_count; i++)
        if (!t->indexes[i].global)
            c->collection_bytes += index_entry_of(a, t, &t->indexes[i], item, key).size;
    return NULL;
}

static struct error *check_item(struct check *c, struct arena *a, struct slice key,
                                struct slice stored) {
    struct item item;
    size_t size;
    c->report->items++;
    if (!stored_decode(a, stored, c->table->names, &item) || !stored_size(stored, &size)) {
        check_fault(c, a, "an item is malformed", key);
        return NULL;
    }
    if (!check_has_key(c, &item) || !slice_equal(keyspace_item(a, c->table->schema, &item), key))
        check_fault(c, a, "an item is not under its own key", key);
    if (size != item_size(&item))
        check_fault(c, a, "an item's size is not what its header says", key);
    c->counts.items++;
    c->counts.bytes += size;
    TRY(check_collection(c, a, &item, size, key));
    for (size_t i = 0; i < c->table->schema->index_count; i++)
        TRY(check_entry(c, a, i, &item, key));
    return NULL;
}

/* Calls `visit` for every entry of a space. */
static struct error *check_space(struct check *c, uint64_t space, struct arena *outer,
                                 struct error *(*visit)(struct check *c, struct arena *a,
                                                        struct slice key, struct slice value)) {
    struct store_range range = {
        .lower = keyspace_first(outer, space), .upper = keyspace_end(outer, space), .large = true};
    CLEANUP(store_iterator_release) struct store_iterator *it = NULL;
    TRY(store_iterate(c->engine->store, NULL, outer, &range, &it));
    struct arena *a = arena_create();
    struct error *error = NULL;
    for (bool found = true; !error;) {
        struct slice key, value;
        arena_reset(a);
        error = store_iterator_next(it, outer, &key, &value, &found);
        if (error || !found)
            break;
        error = visit(c, a, arena_copy(a, key), arena_copy(a, value));
    }
    if (error)
        error = error_new(outer, error->kind, "%.*s", SLICE_ARG(error->message));
    arena_destroy(a);
    return error;
}

static struct error *check_count_entry(struct check *c, struct arena *a, struct slice key,
                                       struct slice value) {
    (void)a, (void)key, (void)value;
    c->report->entries++;
    return NULL;
}

static bool check_same_counts(struct table_counts x, struct table_counts y) {
    return x.items == y.items && x.bytes == y.bytes;
}

/* Every item's entry is there, so an index with more entries than that has some left over. */
static struct error *check_index(struct check *c, struct arena *a, size_t i) {
    const struct index_schema *index = &c->table->schema->indexes[i];
    uint64_t before = c->report->entries;
    TRY(check_space(c, index->space, a, check_count_entry));
    if (c->report->entries - before > c->index_counts[i].items)
        check_fault(c, a, "an index has entries of items that are not there", index->name);
    if (!check_same_counts(table_index_counts(c->table, index), c->index_counts[i]))
        check_fault(c, a, "an index's counts are not what is there", index->name);
    return NULL;
}

static struct error *check_table(struct check *c, struct arena *a) {
    const struct table_schema *t = c->table->schema;
    c->report->tables++;
    c->index_counts = arena_array(a, t->index_count, sizeof *c->index_counts);
    TRY(check_space(c, t->space, a, check_item));
    TRY(check_collection_end(c, a));
    if (!check_same_counts(table_counts(c->table), c->counts))
        check_fault(c, a, "the table's counts are not what is there", SLICE(""));
    for (size_t i = 0; i < t->index_count; i++)
        TRY(check_index(c, a, i));
    return NULL;
}

struct error *engine_check(struct engine *e, struct arena *a,
                           void (*say)(void *context, struct slice line), void *context,
                           struct check_report *out) {
    size_t count;
    bool more;
    job_wait_idle(e);
    struct slice *names = engine_list_tables(e, a, SLICE(""), LIMIT_TABLES, &count, &more);
    *out = (struct check_report){0};
    gate_enter(&e->readers);
    struct error *error = NULL;
    for (size_t i = 0; i < count && !error; i++) {
        struct check c = {.engine = e, .say = say, .context = context, .report = out};
        c.table = engine_find_table(e, names[i]);
        if (!c.table)
            continue;
        error = check_table(&c, a);
        table_release(e, c.table);
    }
    gate_leave(&e->readers);
    return error;
}
