#include "engine/query.h"

#include "base/limits.h"
#include "engine/engine_int.h"
#include "engine/keyspace.h"
#include "engine/query_int.h"
#include "item/stored.h"

enum { QUERY_FIRST_ROWS = 64 };

const struct key_schema *query_key(const struct query *q) {
    return q->index ? &q->index->key : &q->table->schema->key;
}

uint64_t query_space(const struct query *q) {
    return q->index ? q->index->space : q->table->schema->space;
}

/* --- Preparing -------------------------------------------------------------------------------- */

struct query_filter_check {
    const struct query *q;
    struct slice offender;
};

static void query_filter_visit(void *context, struct slice attribute) {
    struct query_filter_check *check = context;
    if (!check->offender.ptr && key_schema_find(query_key(check->q), attribute, NULL))
        check->offender = attribute;
}

/* AWS: a Query's filter may not name the keys of what it reads (a Scan's may). */
static struct error *query_check_filter(struct arena *a, const struct query *q) {
    if (!q->filter || !q->key)
        return NULL;
    struct query_filter_check check = {.q = q};
    condition_visit_attributes(q->filter, query_filter_visit, &check);
    if (!check.offender.ptr)
        return NULL;
    return error_new(a, ERR_VALIDATION,
                     "%s can only contain non-primary key attributes: Primary key attribute: %.*s",
                     q->filter_is_map ? "QueryFilter" : "Filter Expression",
                     SLICE_ARG(check.offender));
}

struct error *query_prepare(struct arena *a, struct query *q) {
    if (q->index && q->index->backfilling)
        return error_new(a, ERR_VALIDATION,
                         "Cannot read from backfilling global secondary index: %.*s",
                         SLICE_ARG(q->index->name));
    q->state = arena_alloc(a, sizeof *q->state);
    TRY(query_bounds(a, q));
    TRY(query_apply_start(a, q));
    return query_check_filter(a, q);
}

/* --- Stepping --------------------------------------------------------------------------------- */

static struct error *query_open(struct engine *e, struct arena *a, struct query *q) {
    struct query_rows *rows = q->state;
    if (slice_compare(rows->lower, rows->upper) >= 0) {
        q->done = true;
        return NULL;
    }
    gate_enter(&e->readers);
    rows->inside = true;
    if (q->index && q->index->global)
        rows->late = lag_acquire(e);
    if (q->fetch)
        rows->snapshot = store_snapshot(e->store);
    struct store_range range = {rows->lower, rows->upper, q->backward, q->key == NULL};
    const struct store_snapshot *at = rows->late ? lag_store_snapshot(rows->late) : rows->snapshot;
    return store_iterate(e->store, at, a, &range, &rows->it);
}

void query_finish(struct engine *e, struct query *q) {
    struct query_rows *rows = q->state;
    if (!rows || !rows->inside)
        return;
    store_iterator_close(rows->it);
    store_snapshot_release(e->store, rows->snapshot);
    lag_release(e, rows->late);
    rows->it = NULL;
    rows->snapshot = NULL;
    rows->late = NULL;
    rows->inside = false;
    gate_leave(&e->readers);
}

static struct error *query_malformed(struct arena *a, const struct query *q) {
    return error_new(a, ERR_INTERNAL, "an item of table %.*s is malformed",
                     SLICE_ARG(q->table->schema->name));
}

/* A local index's entry stands for the table's item, which has what is not projected. */
static struct error *query_fetch(struct engine *e, struct arena *a, struct query *q,
                                 struct slice *row) {
    struct item entry;
    bool found;
    size_t size;
    if (!stored_decode(a, *row, q->table->names, &entry))
        return query_malformed(a, q);
    struct slice item_key = keyspace_item(a, q->table->schema, &entry);
    TRY(store_get(e->store, q->state->snapshot, a, item_key, row, &found));
    if (!found || !stored_size(*row, &size))
        return query_malformed(a, q);
    q->fetched_units_bytes += (size + 4095) / 4096 * 4096;
    return NULL;
}

static void query_grow(struct arena *a, struct query *q) {
    struct query_rows *rows = q->state;
    size_t room = rows->room ? rows->room * 2 : QUERY_FIRST_ROWS;
    struct slice *grown = arena_array(a, room, sizeof *grown);
    struct item *items = q->filter ? arena_array(a, room, sizeof *items) : NULL;
    if (q->count) {
        memcpy(grown, q->rows, q->count * sizeof *grown);
        if (items)
            memcpy(items, q->items, q->count * sizeof *items);
    }
    q->rows = grown;
    q->items = items;
    rows->room = room;
}

static void query_keep(struct arena *a, struct query *q, struct slice row,
                       const struct item *item) {
    if (!q->keep_rows) {
        q->count++;
        return;
    }
    if (q->count == q->state->room)
        query_grow(a, q);
    q->rows[q->count] = row;
    if (item)
        q->items[q->count] = *item;
    q->count++;
}

/* One row of the range: counted, filtered, perhaps kept.  `row` is the arena's. */
static struct error *query_take(struct engine *e, struct arena *a, struct query *q,
                                struct slice row) {
    size_t size;
    if (!stored_size(row, &size))
        return query_malformed(a, q);
    q->scanned++;
    q->bytes += size;
    q->state->newest = row;
    if (q->fetch)
        TRY(query_fetch(e, a, q, &row));
    if (!q->filter) {
        query_keep(a, q, row, NULL);
        return NULL;
    }
    struct item item;
    if (!stored_decode(a, row, q->table->names, &item))
        return query_malformed(a, q);
    if (condition_matches(q->filter, &item))
        query_keep(a, q, row, &item);
    return NULL;
}

static void query_add_key_attributes(const struct key_attribute *attributes, unsigned count,
                                     const struct item *item, struct attribute *out, size_t *used) {
    for (unsigned i = 0; i < count; i++) {
        bool there = false;
        for (size_t k = 0; k < *used; k++)
            there |= slice_equal(out[k].name, attributes[i].name);
        const struct value *v = item_find(item, attributes[i].name);
        if (v && !there)
            out[(*used)++] = (struct attribute){attributes[i].name, *v};
    }
}

/* LastEvaluatedKey out of the newest row: the table's key and the index's. */
static struct error *query_set_last_key(struct arena *a, struct query *q) {
    struct item item;
    if (!stored_decode(a, q->state->newest, q->table->names, &item))
        return query_malformed(a, q);
    const struct key_schema *table = &q->table->schema->key, *key = query_key(q);
    struct attribute *out = arena_array(a, 2 + 2 * LIMIT_INDEX_KEY_ATTRIBUTES, sizeof *out);
    size_t used = 0;
    query_add_key_attributes(key->hash, key->hash_count, &item, out, &used);
    query_add_key_attributes(key->range, key->range_count, &item, out, &used);
    query_add_key_attributes(table->hash, table->hash_count, &item, out, &used);
    query_add_key_attributes(table->range, table->range_count, &item, out, &used);
    item_sort(out, used);
    q->last_key = (struct item){out, used};
    q->has_last_key = true;
    return NULL;
}

/* AWS: a page that ends at its limit has a LastEvaluatedKey even when nothing follows. */
static bool query_page_is_full(const struct query *q) {
    return (q->limit && q->scanned >= q->limit) || q->bytes >= LIMIT_PAGE_BYTES;
}

static struct error *query_read(struct engine *e, struct arena *a, struct query *q,
                                uint32_t max_rows, size_t max_bytes) {
    uint32_t rows_before = q->scanned;
    size_t bytes_before = q->bytes;
    while (!q->done && q->scanned - rows_before < max_rows && q->bytes - bytes_before < max_bytes) {
        struct slice key, value;
        bool found;
        TRY(store_iterator_next(q->state->it, a, &key, &value, &found));
        if (!found) {
            q->done = true;
            return NULL;
        }
        TRY(query_take(e, a, q, arena_copy(a, value)));
        if (query_page_is_full(q)) {
            q->done = true;
            return query_set_last_key(a, q);
        }
    }
    return NULL;
}

struct error *query_step(struct engine *e, struct arena *a, struct query *q, uint32_t max_rows,
                         size_t max_bytes) {
    if (!q->state->inside)
        TRY(query_open(e, a, q));
    if (!q->done)
        TRY(query_read(e, a, q, max_rows, max_bytes));
    if (!q->done)
        return NULL;
    query_finish(e, q);
    if (atomic_load(&q->table->state->dropped))
        return error_new(a, ERR_RESOURCE_NOT_FOUND, "Requested resource not found");
    return NULL;
}
