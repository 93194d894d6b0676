#include "schema/table_schema.h"

const struct index_schema *table_schema_find_index(const struct table_schema *t,
                                                   struct slice name) {
    for (size_t i = 0; i < t->index_count; i++)
        if (slice_equal(t->indexes[i].name, name))
            return &t->indexes[i];
    return NULL;
}

static const struct key_attribute *key_attribute_find(const struct key_attribute *attributes,
                                                      unsigned count, struct slice name) {
    for (unsigned i = 0; i < count; i++)
        if (slice_equal(attributes[i].name, name))
            return &attributes[i];
    return NULL;
}

const struct key_attribute *key_schema_find(const struct key_schema *key, struct slice name,
                                            bool *hash) {
    const struct key_attribute *found = key_attribute_find(key->hash, key->hash_count, name);
    if (hash)
        *hash = found != NULL;
    return found ? found : key_attribute_find(key->range, key->range_count, name);
}

bool index_schema_projects(const struct table_schema *t, const struct index_schema *index,
                           struct slice attribute) {
    if (index->projection == PROJECTION_ALL || key_schema_find(&t->key, attribute, NULL) ||
        key_schema_find(&index->key, attribute, NULL))
        return true;
    if (index->projection == PROJECTION_KEYS_ONLY)
        return false;
    for (size_t i = 0; i < index->non_key_count; i++)
        if (slice_equal(index->non_key_attributes[i], attribute))
            return true;
    return false;
}

struct slice table_schema_arn(struct arena *a, struct slice region, struct slice table) {
    return arena_printf(a, "arn:aws:dynamodb:%.*s:000000000000:table/%.*s", SLICE_ARG(region),
                        SLICE_ARG(table));
}

struct slice table_name_from_arn(struct slice name_or_arn) {
    struct slice s = name_or_arn;
    if (!slice_starts_with(s, SLICE("arn:")))
        return s;
    struct slice marker = SLICE(":table/");
    const char *at = memmem(s.ptr, s.len, marker.ptr, marker.len);
    if (!at)
        return s;
    at += marker.len;
    struct slice name = {at, (size_t)(s.ptr + s.len - at)};
    const char *slash = name.len ? memchr(name.ptr, '/', name.len) : NULL;
    if (slash)
        name.len = (size_t)(slash - name.ptr);
    return name;
}
