#include "ops/item_collection_metrics.h"

#include "item/item_json.h"

#define METRICS_GIGABYTE (1024ULL * 1024 * 1024)

const char *const return_item_collection_metrics_choices[] = {"SIZE", "NONE", NULL};

bool item_collection_metrics_asked(const struct table *t, const struct field_choice *asked) {
    if (asked->is != RETURN_METRICS_SIZE)
        return false;
    for (size_t i = 0; i < t->schema->index_count; i++)
        if (!t->schema->indexes[i].global)
            return true;
    return false;
}

void item_collection_metrics_write(struct json_writer *w, const struct item_write *write) {
    struct slice hash = write->table->schema->key.hash[0].name;
    double gigabytes = (double)(write->collection_bytes / METRICS_GIGABYTE);
    json_write_object_begin(w);
    json_write_name(w, SLICE("ItemCollectionKey"));
    json_write_object_begin(w);
    json_write_name(w, hash);
    value_to_json(w, item_find(&write->key.attributes, hash));
    json_write_object_end(w);
    json_write_name(w, SLICE("SizeEstimateRangeGB"));
    json_write_array_begin(w);
    json_write_double(w, gigabytes);
    json_write_double(w, gigabytes + 1);
    json_write_array_end(w);
    json_write_object_end(w);
}
