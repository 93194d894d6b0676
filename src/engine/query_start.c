/*
 * ExclusiveStartKey: from the last row of a page to the bounds of the next one.
 *
 * It holds the table's key and, for an index, the index's key attributes.  It need not be an item
 * that exists (it may have been deleted meanwhile), but it must lie within the query.
 */
#include "base/buf.h"
#include "engine/keyspace.h"
#include "engine/primary_key.h"
#include "engine/query_int.h"

static struct error *query_start_invalid(struct arena *a) {
    return error_new(a, ERR_VALIDATION, "The provided starting key is invalid");
}

static struct error *query_start_mismatch(struct arena *a) {
    return error_new(a, ERR_VALIDATION,
                     "The provided starting key is invalid: The provided key element does not "
                     "match the schema");
}

static bool query_start_has(const struct query *q, const struct key_attribute *attributes,
                            unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        const struct value *v = item_find(q->start, attributes[i].name);
        if (!v || v->type != attributes[i].type)
            return false;
    }
    return true;
}

/* How many attributes the key must have: the table's, and the index's that are not also those. */
static size_t query_start_width(const struct query *q) {
    const struct key_schema *table = &q->table->schema->key, *key = query_key(q);
    size_t width = table->hash_count + table->range_count;
    if (!q->index)
        return width;
    for (unsigned i = 0; i < key->hash_count; i++)
        width += !key_schema_find(table, key->hash[i].name, NULL);
    for (unsigned i = 0; i < key->range_count; i++)
        width += !key_schema_find(table, key->range[i].name, NULL);
    return width;
}

/* The start's key among the table's items; checks the table's part of it. */
static struct error *query_start_item_key(struct arena *a, const struct query *q,
                                          struct slice *out) {
    struct primary_key key;
    struct error *error = primary_key_from_item(a, q->table->schema, q->start, &key);
    if (!error) {
        *out = key.store_key;
        return NULL;
    }
    return query_start_mismatch(a);
}

/* The index's key attributes in a Scan's start. */
static struct error *query_start_check_types(struct arena *a, const struct query *q,
                                             const struct key_attribute *attributes,
                                             unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        const struct value *v = item_find(q->start, attributes[i].name);
        if (!v)
            return query_start_invalid(a);
        if (v->type != attributes[i].type)
            return error_new(a, ERR_VALIDATION,
                             "The provided key element does not match the schema");
    }
    return NULL;
}

/* AWS: a Scan has other words for the same faults than a Query. (dynalite, captured) */
static struct error *query_start_check_scan(struct arena *a, const struct query *q) {
    bool wide = q->start->count == query_start_width(q);
    if (!q->index)
        return wide ? NULL : query_start_mismatch(a);
    if (!wide)
        return query_start_invalid(a);
    const struct key_schema *key = query_key(q);
    TRY(query_start_check_types(a, q, key->hash, key->hash_count));
    return query_start_check_types(a, q, key->range, key->range_count);
}

static struct error *query_start_check(struct arena *a, const struct query *q) {
    const struct key_schema *key = query_key(q);
    if (!q->key)
        return query_start_check_scan(a, q);
    if (q->start->count != query_start_width(q) ||
        !query_start_has(q, key->hash, key->hash_count) ||
        !query_start_has(q, key->range, key->range_count))
        return query_start_invalid(a);
    return NULL;
}

static struct error *query_start_key(struct arena *a, const struct query *q, struct slice *out) {
    TRY(query_start_check(a, q));
    struct slice item_key;
    TRY(query_start_item_key(a, q, &item_key));
    if (!q->index)
        *out = item_key;
    else if (!keyspace_index_entry(a, q->index, q->start, item_key, out))
        return query_start_invalid(a);
    return NULL;
}

static bool query_names_range(const struct query *q) {
    return q->key && q->key->count > query_key(q)->hash_count;
}

/* Whether the start would lie within the bounds if it were of the query's partition. */
static bool query_start_in_range(struct arena *a, const struct query *q, struct slice start) {
    struct buf moved = buf_in(a, start.len);
    buf_add(&moved, (struct slice){q->state->lower.ptr, KEYSPACE_PREFIX_BYTES});
    buf_add(&moved,
            (struct slice){start.ptr + KEYSPACE_PREFIX_BYTES, start.len - KEYSPACE_PREFIX_BYTES});
    return slice_compare(buf_slice(&moved), q->state->lower) >= 0 &&
           slice_compare(buf_slice(&moved), q->state->upper) < 0;
}

/* AWS looks at the sort key before the partition, and says differently which is another. (dynalite,
 * captured) */
static struct error *query_start_outside(struct arena *a, const struct query *q,
                                         struct slice start) {
    if (!q->key)
        return error_new(a, ERR_VALIDATION,
                         "The provided starting key is invalid: Invalid ExclusiveStartKey. Please "
                         "use ExclusiveStartKey with correct Segment. TotalSegments: %u Segment: "
                         "%u",
                         q->total_segments, q->segment);
    if (query_names_range(q) && !query_start_in_range(a, q, start))
        return error_new(a, ERR_VALIDATION,
                         "The provided starting key does not match the range key predicate");
    if (query_names_range(q))
        return error_new(a, ERR_VALIDATION,
                         "The query can return at most one row and cannot be restarted");
    return error_new(a, ERR_VALIDATION,
                     "The provided starting key is outside query boundaries based on provided "
                     "conditions");
}

struct error *query_apply_start(struct arena *a, struct query *q) {
    if (!q->start)
        return NULL;
    struct slice start;
    TRY(query_start_key(a, q, &start));
    struct query_rows *rows = q->state;
    if (slice_compare(start, rows->lower) < 0 || slice_compare(start, rows->upper) >= 0)
        return query_start_outside(a, q, start);
    if (q->backward) {
        rows->upper = start;
        return NULL;
    }
    struct buf lower = buf_in(a, start.len + 1);
    buf_add(&lower, start);
    buf_add_char(&lower, '\0'); /* the first key after `start` */
    rows->lower = buf_slice(&lower);
    return NULL;
}
