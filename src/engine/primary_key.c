#include "engine/primary_key.h"

#include "engine/keyspace.h"

static const char *key_type_word(enum value_type type) {
    return type == VALUE_B ? "binary" : "string";
}

static bool key_value_is_empty(const struct value *v) {
    return v->type != VALUE_N && v->bytes.len == 0;
}

static struct error *key_empty_error(struct arena *a, const struct key_attribute *attribute) {
    return error_new(a, ERR_VALIDATION,
                     "One or more parameter values are not valid. The AttributeValue for a key "
                     "attribute cannot contain an empty %s value. Key: %.*s",
                     key_type_word(attribute->type), SLICE_ARG(attribute->name));
}

static struct error *key_size_check(struct arena *a, const struct value *v, bool hash) {
    if (v->type == VALUE_N)
        return NULL;
    if (hash && v->bytes.len > LIMIT_PARTITION_KEY_BYTES)
        /* AWS: the space before the number is missing. (dynalite, captured) */
        return error_new(a, ERR_VALIDATION,
                         "One or more parameter values were invalid: Size of hashkey has exceeded "
                         "the maximum size limit of%d bytes",
                         LIMIT_PARTITION_KEY_BYTES);
    if (!hash && v->bytes.len > LIMIT_SORT_KEY_BYTES)
        return error_new(a, ERR_VALIDATION,
                         "One or more parameter values were invalid: Aggregated size of all range "
                         "keys has exceeded the size limit of %d bytes",
                         LIMIT_SORT_KEY_BYTES);
    return NULL;
}

static struct error *key_mismatch_error(struct arena *a) {
    return error_new(a, ERR_VALIDATION, "The provided key element does not match the schema");
}

/* One attribute of a Key member. */
static struct error *key_element_check(struct arena *a, const struct key_attribute *attribute,
                                       const struct item *key, bool hash) {
    const struct value *v = item_find(key, attribute->name);
    if (!v || v->type != attribute->type)
        return key_mismatch_error(a);
    if (key_value_is_empty(v))
        return key_empty_error(a, attribute);
    return key_size_check(a, v, hash);
}

/* One key attribute of an item to be put. */
static struct error *item_element_check(struct arena *a, const struct key_attribute *attribute,
                                        const struct item *item, bool hash) {
    const struct value *v = item_find(item, attribute->name);
    if (!v)
        return error_new(a, ERR_VALIDATION,
                         "One or more parameter values were invalid: Missing the key %.*s in the "
                         "item",
                         SLICE_ARG(attribute->name));
    if (v->type != attribute->type)
        return error_new(a, ERR_VALIDATION,
                         "One or more parameter values were invalid: Type mismatch for key %.*s "
                         "expected: %s actual: %s",
                         SLICE_ARG(attribute->name), value_type_name(attribute->type),
                         value_type_name(v->type));
    if (key_value_is_empty(v))
        return key_empty_error(a, attribute);
    return key_size_check(a, v, hash);
}

struct error *primary_key_from_key(struct arena *a, const struct table_schema *t,
                                   const struct item *key, struct primary_key *out) {
    if (key->count != t->key.hash_count + t->key.range_count)
        return key_mismatch_error(a);
    TRY(key_element_check(a, &t->key.hash[0], key, true));
    if (t->key.range_count)
        TRY(key_element_check(a, &t->key.range[0], key, false));
    *out = (struct primary_key){*key, keyspace_item(a, t, key)};
    return NULL;
}

/* The item's key attributes as an item of their own. */
static struct item primary_key_pick(struct arena *a, const struct table_schema *t,
                                    const struct item *item) {
    size_t count = t->key.hash_count + t->key.range_count;
    struct attribute *picked = arena_array(a, count, sizeof *picked);
    picked[0] = (struct attribute){t->key.hash[0].name, *item_find(item, t->key.hash[0].name)};
    if (t->key.range_count)
        picked[1] =
            (struct attribute){t->key.range[0].name, *item_find(item, t->key.range[0].name)};
    item_sort(picked, count);
    return (struct item){picked, count};
}

struct error *primary_key_from_item(struct arena *a, const struct table_schema *t,
                                    const struct item *item, struct primary_key *out) {
    TRY(item_element_check(a, &t->key.hash[0], item, true));
    if (t->key.range_count)
        TRY(item_element_check(a, &t->key.range[0], item, false));
    *out = (struct primary_key){primary_key_pick(a, t, item), keyspace_item(a, t, item)};
    return NULL;
}

static struct error *index_element_check(struct arena *a, const struct index_schema *index,
                                         const struct key_attribute *attribute,
                                         const struct item *item, bool hash) {
    const struct value *v = item_find(item, attribute->name);
    if (!v)
        return NULL;
    if (v->type != attribute->type)
        return error_new(a, ERR_VALIDATION,
                         "One or more parameter values were invalid: Type mismatch for Index Key "
                         "%.*s Expected: %s Actual: %s IndexName: %.*s",
                         SLICE_ARG(attribute->name), value_type_name(attribute->type),
                         value_type_name(v->type), SLICE_ARG(index->name));
    if (key_value_is_empty(v))
        return error_new(a, ERR_VALIDATION,
                         "One or more parameter values are not valid. A value specified for a "
                         "secondary index key is not supported. The AttributeValue for a key "
                         "attribute cannot contain an empty %s value. IndexName: %.*s, IndexKey: "
                         "%.*s",
                         key_type_word(attribute->type), SLICE_ARG(index->name),
                         SLICE_ARG(attribute->name));
    return key_size_check(a, v, hash);
}

static struct error *index_element_check_update(struct arena *a, const struct index_schema *index,
                                                const struct key_attribute *attribute,
                                                const struct item *before, const struct item *after,
                                                bool hash) {
    const struct value *old = item_find(before, attribute->name);
    const struct value *new = item_find(after, attribute->name);
    if (!new || (old && value_equal(old, new)))
        return NULL;
    if (new->type != attribute->type)
        return error_new(a, ERR_VALIDATION,
                         "The update expression attempted to update the secondary index key to "
                         "unsupported type");
    return index_element_check(a, index, attribute, after, hash);
}

struct error *index_keys_check_update(struct arena *a, const struct table_schema *t,
                                      const struct item *before, const struct item *after) {
    for (size_t i = 0; i < t->index_count; i++) {
        const struct index_schema *index = &t->indexes[i];
        for (unsigned k = 0; k < index->key.hash_count; k++)
            TRY(index_element_check_update(a, index, &index->key.hash[k], before, after, true));
        for (unsigned k = 0; k < index->key.range_count; k++)
            TRY(index_element_check_update(a, index, &index->key.range[k], before, after, false));
    }
    return NULL;
}

struct error *index_keys_check(struct arena *a, const struct table_schema *t,
                               const struct item *item) {
    for (size_t i = 0; i < t->index_count; i++) {
        const struct index_schema *index = &t->indexes[i];
        for (unsigned k = 0; k < index->key.hash_count; k++)
            TRY(index_element_check(a, index, &index->key.hash[k], item, true));
        for (unsigned k = 0; k < index->key.range_count; k++)
            TRY(index_element_check(a, index, &index->key.range[k], item, false));
    }
    return NULL;
}
