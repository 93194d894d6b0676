#include "engine/index_entry.h"

#include "engine/keyspace.h"

static struct item index_entry_project(struct arena *a, const struct table_schema *t,
                                       const struct index_schema *index, const struct item *item) {
    if (index->projection == PROJECTION_ALL)
        return *item;
    struct attribute *kept = arena_array(a, item->count, sizeof *kept);
    size_t count = 0;
    for (size_t i = 0; i < item->count; i++)
        if (index_schema_projects(t, index, item->attributes[i].name))
            kept[count++] = item->attributes[i];
    return (struct item){kept, count};
}

struct index_entry index_entry_of(struct arena *a, const struct table_schema *t,
                                  const struct index_schema *index, const struct item *item,
                                  struct slice item_key) {
    struct index_entry entry = {0};
    if (!item || !keyspace_index_entry(a, index, item, item_key, &entry.key))
        return entry;
    entry.present = true;
    entry.projected = index_entry_project(a, t, index, item);
    entry.size = item_size(&entry.projected);
    return entry;
}
