/*
 * A catalogue row: one version byte (1), then a JSON object.
 *
 * JSON because a row is written a few times in a table's life, must be extended by every later
 * feature, and should be readable when a folder is looked into by hand.  Enumerations stand as the
 * words of the API, times as milliseconds, spaces as numbers.  Members that are absent have the
 * value of an empty table_schema; unknown members of the same version are ignored.
 *
 *   {"name":"follow","id":"…","space":1024,"changeSpace":1026,"status":"ACTIVE","created":1764518400000,
 *    "key":{"hash":[["PK","S"]],"range":[["SK","S"]]},
 *    "attributes":[["PK","S"],["SK","S"]],
 *    "indexes":[{"name":"GSI1","global":true,"space":1025,"key":{…},"projection":"ALL",…}],
 *    "billing":"PAY_PER_REQUEST", …}
 */
#include "schema/schema_stored.h"

#include <stdlib.h>

#include "json/json_writer.h"

enum { SCHEMA_VERSION = 1, SCHEMA_ROW_BYTES = 16 * 1024 * 1024 };

static const char *const projection_words[] = {"ALL", "KEYS_ONLY", "INCLUDE"};
static const char *const billing_words[] = {"PROVISIONED", "PAY_PER_REQUEST"};
static const char *const status_words[] = {"CREATING", "ACTIVE", "UPDATING", "DELETING"};
static const char *const stream_words[] = {"OFF", "KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE",
                                           "NEW_AND_OLD_IMAGES"};
static const char *const class_words[] = {"STANDARD", "STANDARD_INFREQUENT_ACCESS"};

/* --- Writing ---------------------------------------------------------------------------------- */

static void row_write_word(struct json_writer *w, struct slice name, const char *word) {
    json_write_name(w, name);
    json_write_string(w, slice_of(word));
}

static void row_write_key_attributes(struct json_writer *w, struct slice name,
                                     const struct key_attribute *attributes, size_t count) {
    json_write_name(w, name);
    json_write_array_begin(w);
    for (size_t i = 0; i < count; i++) {
        json_write_array_begin(w);
        json_write_string(w, attributes[i].name);
        json_write_string(w, slice_of(value_type_name(attributes[i].type)));
        json_write_array_end(w);
    }
    json_write_array_end(w);
}

static void row_write_key(struct json_writer *w, const struct key_schema *key) {
    json_write_name(w, SLICE("key"));
    json_write_object_begin(w);
    row_write_key_attributes(w, SLICE("hash"), key->hash, key->hash_count);
    row_write_key_attributes(w, SLICE("range"), key->range, key->range_count);
    json_write_object_end(w);
}

static void row_write_pair(struct json_writer *w, struct slice name, int64_t first,
                           int64_t second) {
    json_write_name(w, name);
    json_write_array_begin(w);
    json_write_int(w, first);
    json_write_int(w, second);
    json_write_array_end(w);
}

static void row_write_throughputs(struct json_writer *w, const struct throughput *provisioned,
                                  const struct on_demand_throughput *on_demand,
                                  const struct throughput *warm) {
    row_write_pair(w, SLICE("throughput"), provisioned->read_units, provisioned->write_units);
    row_write_pair(w, SLICE("onDemand"), on_demand->max_read_units, on_demand->max_write_units);
    row_write_pair(w, SLICE("warm"), warm->read_units, warm->write_units);
}

static void row_write_index(struct json_writer *w, const struct index_schema *index) {
    json_write_object_begin(w);
    json_member_string(w, "name", index->name);
    json_member_bool(w, "global", index->global);
    json_member_int(w, "space", (int64_t)index->space);
    row_write_key(w, &index->key);
    row_write_word(w, SLICE("projection"), projection_words[index->projection]);
    json_write_name(w, SLICE("nonKey"));
    json_write_array_begin(w);
    for (size_t i = 0; i < index->non_key_count; i++)
        json_write_string(w, index->non_key_attributes[i]);
    json_write_array_end(w);
    row_write_throughputs(w, &index->throughput, &index->on_demand, &index->warm);
    row_write_word(w, SLICE("status"), status_words[index->status]);
    json_member_bool(w, "backfilling", index->backfilling);
    json_write_object_end(w);
}

static void row_write_identity(struct json_writer *w, const struct table_schema *t) {
    json_member_string(w, "name", t->name);
    json_member_string(w, "id", t->id);
    json_member_int(w, "space", (int64_t)t->space);
    json_member_int(w, "changeSpace", (int64_t)t->change_space);
    row_write_word(w, SLICE("status"), status_words[t->status]);
    json_member_int(w, "created", t->created_ms);
}

static void row_write_settings(struct json_writer *w, const struct table_schema *t) {
    row_write_word(w, SLICE("billing"), billing_words[t->billing]);
    json_member_int(w, "billingChanged", t->billing_changed_ms);
    row_write_throughputs(w, &t->throughput, &t->on_demand, &t->warm);
    row_write_word(w, SLICE("stream"), stream_words[t->stream]);
    json_member_string(w, "streamLabel", t->stream_label);
    json_member_bool(w, "protected", t->deletion_protection);
    if (t->table_class_given)
        row_write_word(w, SLICE("class"), class_words[t->table_class]);
    json_member_bool(w, "sse", t->sse_kms);
    json_member_string(w, "sseKey", t->sse_key);
    json_member_string(w, "ttl", t->ttl_attribute);
    json_member_string(w, "policy", t->resource_policy);
}

static void row_write_tags(struct json_writer *w, const struct table_schema *t) {
    json_write_name(w, SLICE("tags"));
    json_write_array_begin(w);
    for (size_t i = 0; i < t->tag_count; i++) {
        json_write_array_begin(w);
        json_write_string(w, t->tags[i].key);
        json_write_string(w, t->tags[i].value);
        json_write_array_end(w);
    }
    json_write_array_end(w);
}

void schema_encode(struct buf *out, const struct table_schema *t) {
    buf_add_char(out, SCHEMA_VERSION);
    struct json_writer w = json_writer_text(out);
    json_write_object_begin(&w);
    row_write_identity(&w, t);
    row_write_key(&w, &t->key);
    row_write_key_attributes(&w, SLICE("attributes"), t->attributes, t->attribute_count);
    json_write_name(&w, SLICE("indexes"));
    json_write_array_begin(&w);
    for (size_t i = 0; i < t->index_count; i++)
        row_write_index(&w, &t->indexes[i]);
    json_write_array_end(&w);
    row_write_settings(&w, t);
    row_write_tags(&w, t);
    json_write_object_end(&w);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* An absent member leaves the value as it is; a malformed one makes the whole row malformed, which
 * `ok` gathers. */
struct row {
    struct arena *arena;
    bool ok;
};

static const struct json *row_member(struct row *r, const struct json *object, const char *name,
                                     enum json_kind kind) {
    const struct json *m = json_member(object, slice_of(name));
    if (!m)
        return NULL;
    if (m->kind == kind)
        return m;
    r->ok = false;
    return NULL;
}

static void row_string(struct row *r, const struct json *object, const char *name,
                       struct slice *out) {
    const struct json *m = row_member(r, object, name, JSON_STRING);
    if (m)
        *out = arena_copy(r->arena, m->text);
}

static void row_number(struct row *r, const struct json *m, int64_t *out) {
    struct slice s = m->text;
    bool negative = s.len && s.ptr[0] == '-';
    if (negative)
        s = (struct slice){s.ptr + 1, s.len - 1};
    uint64_t n = 0;
    if (m->kind != JSON_NUMBER || !slice_to_u64(s, &n) || n > INT64_MAX) {
        r->ok = false;
        return;
    }
    *out = negative ? -(int64_t)n : (int64_t)n;
}

static void row_int(struct row *r, const struct json *object, const char *name, int64_t *out) {
    const struct json *m = row_member(r, object, name, JSON_NUMBER);
    if (m)
        row_number(r, m, out);
}

static void row_space(struct row *r, const struct json *object, const char *name, uint64_t *out) {
    int64_t n = 0;
    row_int(r, object, name, &n);
    if (n < 0)
        r->ok = false;
    *out = (uint64_t)n;
}

static void row_bool(struct row *r, const struct json *object, const char *name, bool *out) {
    const struct json *m = json_member(object, slice_of(name));
    if (!m)
        return;
    if (m->kind != JSON_TRUE && m->kind != JSON_FALSE)
        r->ok = false;
    *out = m->kind == JSON_TRUE;
}

/* The index of the member's word among `words`; false when the member is absent. */
static bool row_word(struct row *r, const struct json *object, const char *name,
                     const char *const *words, size_t count, unsigned *out) {
    const struct json *m = row_member(r, object, name, JSON_STRING);
    if (!m)
        return false;
    for (size_t i = 0; i < count; i++)
        if (slice_is(m->text, words[i])) {
            *out = (unsigned)i;
            return true;
        }
    r->ok = false;
    return false;
}

#define ROW_WORD(r, object, name, words, target)                                                   \
    do {                                                                                           \
        unsigned word_ = 0;                                                                        \
        if (row_word(r, object, name, words, ARRAY_LEN(words), &word_))                            \
            (target) = word_;                                                                      \
    } while (0)

static bool row_string_pair(struct row *r, const struct json *pair, struct slice *first,
                            struct slice *second) {
    if (pair->kind != JSON_ARRAY || pair->count != 2 || pair->first->kind != JSON_STRING ||
        pair->first->next->kind != JSON_STRING) {
        r->ok = false;
        return false;
    }
    *first = arena_copy(r->arena, pair->first->text);
    *second = arena_copy(r->arena, pair->first->next->text);
    return true;
}

static void row_key_attributes(struct row *r, const struct json *list, size_t max,
                               struct key_attribute *out, size_t *count) {
    size_t n = 0;
    for (const struct json *m = list ? list->first : NULL; m; m = m->next) {
        struct slice type;
        if (n == max || !row_string_pair(r, m, &out[n].name, &type) ||
            !value_type_find(type, &out[n].type)) {
            r->ok = false;
            return;
        }
        n++;
    }
    *count = n;
}

static void row_key(struct row *r, const struct json *object, struct key_schema *out) {
    const struct json *key = row_member(r, object, "key", JSON_OBJECT);
    size_t hash = 0, range = 0;
    row_key_attributes(r, row_member(r, key, "hash", JSON_ARRAY), ARRAY_LEN(out->hash), out->hash,
                       &hash);
    row_key_attributes(r, row_member(r, key, "range", JSON_ARRAY), ARRAY_LEN(out->range),
                       out->range, &range);
    out->hash_count = (unsigned)hash;
    out->range_count = (unsigned)range;
    if (hash == 0)
        r->ok = false;
}

static void row_pair(struct row *r, const struct json *object, const char *name, int64_t *first,
                     int64_t *second) {
    const struct json *m = row_member(r, object, name, JSON_ARRAY);
    if (!m)
        return;
    if (m->count != 2) {
        r->ok = false;
        return;
    }
    row_number(r, m->first, first);
    row_number(r, m->first->next, second);
}

static void row_throughputs(struct row *r, const struct json *object,
                            struct throughput *provisioned, struct on_demand_throughput *on_demand,
                            struct throughput *warm) {
    row_pair(r, object, "throughput", &provisioned->read_units, &provisioned->write_units);
    row_pair(r, object, "onDemand", &on_demand->max_read_units, &on_demand->max_write_units);
    row_pair(r, object, "warm", &warm->read_units, &warm->write_units);
}

static void row_non_key(struct row *r, const struct json *list, struct index_schema *out) {
    if (!list)
        return;
    struct slice *names = arena_array(r->arena, list->count, sizeof *names);
    size_t n = 0;
    for (const struct json *m = list->first; m; m = m->next) {
        if (m->kind != JSON_STRING)
            r->ok = false;
        names[n++] = arena_copy(r->arena, m->text);
    }
    out->non_key_attributes = names;
    out->non_key_count = n;
}

static void row_index(struct row *r, const struct json *object, struct index_schema *out) {
    row_string(r, object, "name", &out->name);
    row_bool(r, object, "global", &out->global);
    row_space(r, object, "space", &out->space);
    row_key(r, object, &out->key);
    ROW_WORD(r, object, "projection", projection_words, out->projection);
    row_non_key(r, row_member(r, object, "nonKey", JSON_ARRAY), out);
    row_throughputs(r, object, &out->throughput, &out->on_demand, &out->warm);
    ROW_WORD(r, object, "status", status_words, out->status);
    row_bool(r, object, "backfilling", &out->backfilling);
}

static void row_indexes(struct row *r, const struct json *list, struct table_schema *out) {
    if (!list)
        return;
    if (list->count > LIMIT_GLOBAL_INDEXES + LIMIT_LOCAL_INDEXES) {
        r->ok = false;
        return;
    }
    struct index_schema *indexes = arena_array(r->arena, list->count, sizeof *indexes);
    size_t n = 0;
    for (const struct json *m = list->first; m; m = m->next)
        row_index(r, m, &indexes[n++]);
    out->indexes = indexes;
    out->index_count = n;
}

static void row_attributes(struct row *r, const struct json *list, struct table_schema *out) {
    if (!list)
        return;
    struct key_attribute *attributes = arena_array(r->arena, list->count, sizeof *attributes);
    row_key_attributes(r, list, list->count, attributes, &out->attribute_count);
    out->attributes = attributes;
}

static void row_tags(struct row *r, const struct json *list, struct table_schema *out) {
    if (!list)
        return;
    struct tag *tags = arena_array(r->arena, list->count, sizeof *tags);
    size_t n = 0;
    for (const struct json *m = list->first;
         m && row_string_pair(r, m, &tags[n].key, &tags[n].value); m = m->next)
        n++;
    out->tags = tags;
    out->tag_count = n;
}

static void row_settings(struct row *r, const struct json *object, struct table_schema *out) {
    ROW_WORD(r, object, "billing", billing_words, out->billing);
    row_int(r, object, "billingChanged", &out->billing_changed_ms);
    row_throughputs(r, object, &out->throughput, &out->on_demand, &out->warm);
    ROW_WORD(r, object, "stream", stream_words, out->stream);
    row_string(r, object, "streamLabel", &out->stream_label);
    row_bool(r, object, "protected", &out->deletion_protection);
    out->table_class_given = json_member(object, SLICE("class")) != NULL;
    ROW_WORD(r, object, "class", class_words, out->table_class);
    row_bool(r, object, "sse", &out->sse_kms);
    row_string(r, object, "sseKey", &out->sse_key);
    row_string(r, object, "ttl", &out->ttl_attribute);
    row_string(r, object, "policy", &out->resource_policy);
}

static void row_table(struct row *r, const struct json *object, struct table_schema *out) {
    row_string(r, object, "name", &out->name);
    row_string(r, object, "id", &out->id);
    row_space(r, object, "space", &out->space);
    row_space(r, object, "changeSpace", &out->change_space);
    ROW_WORD(r, object, "status", status_words, out->status);
    row_int(r, object, "created", &out->created_ms);
    row_key(r, object, &out->key);
    row_attributes(r, row_member(r, object, "attributes", JSON_ARRAY), out);
    row_indexes(r, row_member(r, object, "indexes", JSON_ARRAY), out);
    row_settings(r, object, out);
    row_tags(r, row_member(r, object, "tags", JSON_ARRAY), out);
}

bool schema_decode(struct arena *a, struct slice bytes, struct table_schema *out) {
    if (bytes.len < 1 || bytes.ptr[0] != SCHEMA_VERSION)
        return false;
    const struct json *object;
    if (json_parse(a, (struct slice){bytes.ptr + 1, bytes.len - 1}, &object) ||
        object->kind != JSON_OBJECT)
        return false;
    struct row r = {a, true};
    struct table_schema table = {0};
    row_table(&r, object, &table);
    if (!r.ok || table.name.len == 0 || table.space == 0)
        return false;
    *out = table;
    return true;
}

const struct table_schema *table_schema_copy(struct arena *a, const struct table_schema *schema) {
    struct buf row = buf_in(a, SCHEMA_ROW_BYTES);
    struct table_schema *copy = arena_alloc(a, sizeof *copy);
    schema_encode(&row, schema);
    if (!buf_ok(&row) || !schema_decode(a, buf_slice(&row), copy))
        abort();
    return copy;
}
