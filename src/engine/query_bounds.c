/*
 * From a key condition to a range of the store.
 *
 * All HASH attributes by equality give the partition's prefix; RANGE attributes go left to right,
 * by equality, and the last one named may have any operator.  With C(v) the component of a value
 * and after(x) the first key past all that start with x:
 *
 *   =  C(v) … after(C(v))        <  start … C(v)         <=  start … after(C(v))
 *   >  after(C(v)) … end         >=  C(v) … end          BETWEEN  C(low) … after(C(high))
 *   begins_with  C(v) without its end … after(that)
 */
#include "base/buf.h"
#include "engine/keyspace.h"
#include "engine/query_int.h"
#include "item/key_bytes.h"

enum { QUERY_BOUND_MAX = 16 * 1024 };

static const struct key_term *query_find_term(const struct query *q, struct slice attribute) {
    for (size_t i = 0; i < q->key->count; i++)
        if (slice_equal(q->key->terms[i].attribute, attribute))
            return &q->key->terms[i];
    return NULL;
}

static struct error *query_missed(struct arena *a, struct slice attribute) {
    return error_new(a, ERR_VALIDATION, "Query condition missed key schema element: %.*s",
                     SLICE_ARG(attribute));
}

static struct error *query_not_supported(struct arena *a) {
    return error_new(a, ERR_VALIDATION, "Query key condition not supported");
}

static struct error *query_check_value(struct arena *a, const struct key_attribute *attribute,
                                       const struct value *v, bool hash) {
    if (v->type != attribute->type)
        return error_new(a, ERR_VALIDATION,
                         "One or more parameter values were invalid: Condition parameter type does "
                         "not match schema type");
    if (v->type == VALUE_N)
        return NULL;
    if (v->bytes.len == 0)
        return error_new(a, ERR_VALIDATION,
                         "One or more parameter values are not valid. The AttributeValue for a key "
                         "attribute cannot contain an empty %s value. Key: %.*s",
                         v->type == VALUE_B ? "binary" : "string", SLICE_ARG(attribute->name));
    if (v->bytes.len > (hash ? LIMIT_PARTITION_KEY_BYTES : LIMIT_SORT_KEY_BYTES))
        return error_new(a, ERR_VALIDATION,
                         hash ? "One or more parameter values were invalid: Size of hashkey has "
                                "exceeded the maximum size limit of2048 bytes"
                              : "One or more parameter values were invalid: Aggregated size of all "
                                "range keys has exceeded the size limit of 1024 bytes");
    return NULL;
}

static struct error *query_check_term(struct arena *a, const struct key_attribute *attribute,
                                      const struct key_term *term, bool hash) {
    TRY(query_check_value(a, attribute, &term->low, hash));
    if (term->op == KEY_BETWEEN)
        TRY(query_check_value(a, attribute, &term->high, hash));
    return NULL;
}

/* Every term must name a key attribute: AWS names the first key element that is not there. */
static struct error *query_check_names(struct arena *a, const struct query *q) {
    const struct key_schema *key = query_key(q);
    for (size_t i = 0; i < q->key->count; i++) {
        if (key_schema_find(key, q->key->terms[i].attribute, NULL))
            continue;
        for (unsigned k = 0; k < key->hash_count; k++)
            if (!query_find_term(q, key->hash[k].name))
                return query_missed(a, key->hash[k].name);
        for (unsigned k = 0; k < key->range_count; k++)
            if (!query_find_term(q, key->range[k].name))
                return query_missed(a, key->range[k].name);
        return query_not_supported(a);
    }
    return NULL;
}

static struct error *query_hash_values(struct arena *a, const struct query *q,
                                       const struct value **out) {
    const struct key_schema *key = query_key(q);
    for (unsigned i = 0; i < key->hash_count; i++) {
        const struct key_term *term = query_find_term(q, key->hash[i].name);
        if (!term)
            return query_missed(a, key->hash[i].name);
        TRY(query_check_term(a, &key->hash[i], term, true));
        if (term->op != KEY_EQ)
            return query_not_supported(a);
        out[i] = &term->low;
    }
    return NULL;
}

static struct slice query_join(struct arena *a, struct slice prefix, const struct value *v) {
    struct buf b = buf_in(a, QUERY_BOUND_MAX);
    buf_add(&b, prefix);
    key_bytes_add(&b, v);
    return buf_slice(&b);
}

static struct slice query_join_prefix(struct arena *a, struct slice prefix, const struct value *v) {
    struct buf b = buf_in(a, QUERY_BOUND_MAX);
    buf_add(&b, prefix);
    key_bytes_add_prefix(&b, v);
    return buf_slice(&b);
}

/* The bounds of the last RANGE attribute named, below `prefix`. */
static void query_range_bounds(struct arena *a, struct query_rows *rows, struct slice prefix,
                               const struct key_term *term) {
    struct slice low = term->op == KEY_BEGINS_WITH ? query_join_prefix(a, prefix, &term->low)
                                                   : query_join(a, prefix, &term->low);
    rows->lower = prefix;
    rows->upper = key_bytes_after_prefix(a, prefix);
    switch (term->op) {
    case KEY_EQ:
    case KEY_BEGINS_WITH:
        rows->lower = low;
        rows->upper = key_bytes_after_prefix(a, low);
        break;
    case KEY_LT:
        rows->upper = low;
        break;
    case KEY_LE:
        rows->upper = key_bytes_after_prefix(a, low);
        break;
    case KEY_GT:
        rows->lower = key_bytes_after_prefix(a, low);
        break;
    case KEY_GE:
        rows->lower = low;
        break;
    case KEY_BETWEEN:
        rows->lower = low;
        rows->upper = key_bytes_after_prefix(a, query_join(a, prefix, &term->high));
        break;
    }
}

/* AWS: a gap in the RANGE attributes, or an operator but = before the last, is refused. */
static struct error *query_apply_ranges(struct arena *a, struct query *q, struct slice prefix) {
    const struct key_schema *key = query_key(q);
    unsigned used = 0;
    q->state->lower = prefix;
    q->state->upper = key_bytes_after_prefix(a, prefix);
    for (unsigned i = 0; i < key->range_count; i++) {
        const struct key_term *term = query_find_term(q, key->range[i].name);
        if (!term)
            break;
        TRY(query_check_term(a, &key->range[i], term, false));
        used++;
        bool last = key->hash_count + used == q->key->count;
        if (!last && term->op != KEY_EQ)
            return query_not_supported(a);
        query_range_bounds(a, q->state, prefix, term);
        prefix = query_join(a, prefix, &term->low);
    }
    if (key->hash_count + used < q->key->count) {
        for (unsigned i = 0; i < key->range_count; i++)
            if (!query_find_term(q, key->range[i].name))
                return query_missed(a, key->range[i].name);
        return query_not_supported(a);
    }
    return NULL;
}

/* All partitions, or a segment's share of the hashes. */
static void query_scan_bounds(struct arena *a, struct query *q) {
    uint64_t space = query_space(q);
    q->state->lower = keyspace_first(a, space);
    q->state->upper = keyspace_end(a, space);
    if (q->total_segments < 2)
        return;
    uint64_t share = UINT64_MAX / q->total_segments;
    struct buf lower = buf_in(a, 16), upper = buf_in(a, 16);
    buf_add_u64(&lower, space);
    buf_add_u64(&lower, share * q->segment);
    q->state->lower = buf_slice(&lower);
    if (q->segment + 1 == q->total_segments)
        return;
    buf_add_u64(&upper, space);
    buf_add_u64(&upper, share * (q->segment + 1));
    q->state->upper = buf_slice(&upper);
}

struct error *query_bounds(struct arena *a, struct query *q) {
    if (!q->key) {
        query_scan_bounds(a, q);
        return NULL;
    }
    const struct value *hash[LIMIT_INDEX_KEY_ATTRIBUTES];
    TRY(query_check_names(a, q));
    TRY(query_hash_values(a, q, hash));
    return query_apply_ranges(
        a, q, keyspace_partition(a, query_space(q), hash, query_key(q)->hash_count));
}
