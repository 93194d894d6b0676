#include "ops/item_collection_metrics.h"

#include "item/item_json.h"

#define METRICS_GIGABYTE (1024.0 * 1024.0 * 1024.0)

const char *const return_item_collection_metrics_choices[] = {"SIZE", "NONE", NULL};

bool item_collection_metrics_asked(const struct table *t, const struct field_choice *asked) {
    if (asked->is != RETURN_METRICS_SIZE)
        return false;
    for (size_t i = 0; i < t->schema->index_count; i++)
        if (!t->schema->indexes[i].global)
            return true;
    return false;
}

/* Whole gigabytes that the table and its local indexes stay under. */
static double collection_upper_bound(const struct table *t) {
    double bytes = (double)table_counts(t).bytes;
    for (size_t i = 0; i < t->schema->index_count; i++)
        if (!t->schema->indexes[i].global)
            bytes += (double)table_index_counts(t, &t->schema->indexes[i]).bytes;
    return (double)(uint64_t)(bytes / METRICS_GIGABYTE) + 1;
}

void item_collection_metrics_write(struct json_writer *w, const struct table *t,
                                   const struct item *key) {
    struct slice hash = t->schema->key.hash[0].name;
    json_write_object_begin(w);
    json_write_name(w, SLICE("ItemCollectionKey"));
    json_write_object_begin(w);
    json_write_name(w, hash);
    value_to_json(w, item_find(key, hash));
    json_write_object_end(w);
    json_write_name(w, SLICE("SizeEstimateRangeGB"));
    json_write_array_begin(w);
    json_write_double(w, 0);
    json_write_double(w, collection_upper_bound(t));
    json_write_array_end(w);
    json_write_object_end(w);
}
