/*
 * An edge's keys, the counters it moves, and the shard of its target that it is in.
 */
#ifndef GRAPH_EDGE_H
#define GRAPH_EDGE_H

#include "base/limits.h"
#include "graph/graph_int.h"

enum { SHARD_NONE = -1, SHARD_MAX = 64 }; /* the target's own partition, without a suffix */

/* Room for a shard's suffix is kept from ids: any target may get shards later. */
enum { EDGE_PARTITION_MAX = LIMIT_PARTITION_KEY_BYTES - 4, EDGE_SORT_MAX = LIMIT_SORT_KEY_BYTES };

/* --- Shards (shard_map.c) --------------------------------------------------------------------- */

/*
 * How the edges of a type to one target are spread, kept as `_sh:<type>` at its node's item:
 * readers read the target's own partition and shards 0..read-1, writers write shards 0..write-1 (0:
 * its own partition).
 */
struct shard_map {
    int64_t generation; /* rises with each change; 0: there is no map */
    uint32_t read, write;
    char moving; /* 'u' up, 'd' down, 0: none: edges are being moved between shards */
};
struct slice shard_map_name(struct arena *a, const struct edge_type *t);
struct shard_map shard_map_of(struct arena *a, const struct edge_type *t, const struct json *node);
void shard_map_write(struct json_writer *w, const struct shard_map *map);

/* Where a writer with this map puts an edge from `src`. */
int shard_of(const struct shard_map *map, struct slice src);

/* "TARGET#bob" or "TARGET#bob#3". */
MUST_CHECK struct error *shard_partition(struct arena *a, const struct edge_type *t,
                                         struct slice dst, int shard, struct slice *out);

/* The other way: the target and the shard of a partition; false when it is none of the type's. */
bool shard_partition_parse(struct arena *a, const struct edge_type *t, struct slice partition,
                           struct key_binding dst[KEY_TEMPLATE_PARTS], int *shard);

/* --- Edges ------------------------------------------------------------------------------------ */

struct edge_keys {
    const struct edge_type *type;
    struct slice src, dst;
    struct slice pk, sk;
    struct slice ipk, isk; /* in the shard; isk of a type ordered by time needs `created_us` */
    int shard;
    int64_t created_us;
};

MUST_CHECK struct error *edge_keys_make(struct graph *g, struct arena *a, const struct edge_type *t,
                                        struct slice src, struct slice dst, struct edge_keys *out);

/* Sets shard and turned keys.  `created_us` must be set for types ordered by time. */
MUST_CHECK struct error *edge_keys_turn(struct arena *a, struct edge_keys *k, int shard);

/* The edge whose item this is, its shard too; false when it is none of the type's. */
bool edge_keys_of_item(struct graph *g, struct arena *a, const struct edge_type *t,
                       const struct json *item, struct edge_keys *out);

/* The type of an edge's item by its `et`, or by its keys; NULL when it is no edge of the graph. */
const struct edge_type *edge_type_of_item(struct graph *g, struct arena *a,
                                          const struct json *item);

/* --- Counters --------------------------------------------------------------------------------- */

/* Where a direction of a type is counted for one node (or one shard of it). */
struct counter {
    const struct edge_type *type;
    enum graph_direction direction;
    int shard;
    struct slice pk, sk;
    struct slice count, version, fold; /* attributes of that item */
};

MUST_CHECK struct error *counter_make(struct graph *g, struct arena *a, const struct edge_type *t,
                                      enum graph_direction direction, struct slice id, int shard,
                                      struct counter *out);

static inline bool counter_same_item(const struct counter *a, const struct counter *b) {
    return slice_equal(a->pk, b->pk) && slice_equal(a->sk, b->sk);
}

/* Keys of a node's item. */
MUST_CHECK struct error *node_keys(struct arena *a, const struct node_type *t, struct slice id,
                                   struct slice *pk, struct slice *sk);

#endif
