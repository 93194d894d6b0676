/* Counts are read where they are kept; nothing is listed. */
#include "graph/batch.h"
#include "graph/edge.h"

static struct error *count_shards(struct graph *g, struct arena *a, const struct edge_type *t,
                                  struct slice id, const struct shard_map *map, int64_t *sum) {
    struct batch_key *keys = arena_array(a, map->read, sizeof *keys);
    const struct json **items = arena_array(a, map->read, sizeof *items);
    struct counter c = {.count = SLICE("in")};
    for (uint32_t shard = 0; shard < map->read; shard++) {
        TRY(counter_make(g, a, t, GRAPH_IN, id, (int)shard, &c));
        keys[shard] = (struct batch_key){c.pk, c.sk};
    }
    TRY(graph_get_items(g, a, keys, map->read, items));
    for (uint32_t shard = 0; shard < map->read; shard++)
        *sum += item_number(items[shard], c.count, 0);
    return NULL;
}

struct error *graph_count(struct graph *g, struct arena *a, struct slice type, struct slice id,
                          enum graph_direction direction, int64_t *out) {
    const struct edge_type *t;
    struct counter c;
    const struct json *item;
    TRY(descriptor_edge(a, &g->d, type, &t));
    if (t->counters == COUNTERS_NONE)
        return graph_error(a, GRAPH_UNSUPPORTED,
                           "%.*s keeps no counters: \"counters\": \"auto\" would",
                           SLICE_ARG(t->name));
    TRY(counter_make(g, a, t, direction, id, SHARD_NONE, &c));
    TRY(graph_get_item(g, a, c.pk, c.sk, &item));
    int64_t sum = item_number(item, c.count, 0);
    struct shard_map map = shard_map_of(a, t, item);
    if (direction == GRAPH_IN)
        TRY(count_shards(g, a, t, id, &map, &sum));
    *out = sum;
    return NULL;
}
