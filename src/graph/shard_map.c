#include "graph/edge.h"

struct slice shard_map_name(struct arena *a, const struct edge_type *t) {
    return arena_printf(a, "_sh:%.*s", SLICE_ARG(t->name));
}

struct shard_map shard_map_of(struct arena *a, const struct edge_type *t, const struct json *node) {
    const struct json *map = json_member(json_member(node, shard_map_name(a, t)), SLICE("M"));
    struct shard_map out = {.generation = item_number(map, SLICE("g"), 0),
                            .read = (uint32_t)item_number(map, SLICE("r"), 0),
                            .write = (uint32_t)item_number(map, SLICE("w"), 0)};
    struct slice moving = item_text(map, SLICE("mv"));
    out.moving = moving.len > 0 ? moving.ptr[0] : '\0';
    return out;
}

/* As an attribute value. */
void shard_map_write(struct json_writer *w, const struct shard_map *map) {
    json_write_object_begin(w);
    json_write_name(w, SLICE("M"));
    json_write_object_begin(w);
    write_n(w, SLICE("g"), map->generation);
    write_n(w, SLICE("r"), map->read);
    write_n(w, SLICE("w"), map->write);
    if (map->moving)
        write_s(w, SLICE("mv"), (struct slice){&map->moving, 1});
    json_write_object_end(w);
    json_write_object_end(w);
}

/* FNV-1a, folded: part of the layout, for all who write to the graph must agree. */
int shard_of(const struct shard_map *map, struct slice src) {
    if (map->write == 0)
        return SHARD_NONE;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < src.len; i++)
        hash = (hash ^ (unsigned char)src.ptr[i]) * 0x100000001b3u;
    hash ^= hash >> 32;
    hash ^= hash >> 16;
    return (int)(hash & (map->write - 1));
}

struct error *shard_partition(struct arena *a, const struct edge_type *t, struct slice dst,
                              int shard, struct slice *out) {
    struct key_binding binding = {SLICE("dst"), dst};
    struct slice own;
    TRY(key_template_build(a, &t->ipk, &binding, 1, EDGE_PARTITION_MAX, &own));
    *out = shard == SHARD_NONE ? own : arena_printf(a, "%.*s#%d", SLICE_ARG(own), shard);
    return NULL;
}

bool shard_partition_parse(struct arena *a, const struct edge_type *t, struct slice partition,
                           struct key_binding dst[KEY_TEMPLATE_PARTS], int *shard) {
    uint64_t number;
    *shard = SHARD_NONE;
    if (key_template_match(a, &t->ipk, partition, dst))
        return true;
    const char *hash = partition.len ? memrchr(partition.ptr, '#', partition.len) : NULL;
    if (!hash)
        return false;
    struct slice own = {partition.ptr, (size_t)(hash - partition.ptr)};
    struct slice digits = {hash + 1, partition.len - own.len - 1};
    if (!slice_to_u64(digits, &number) || number >= SHARD_MAX ||
        !key_template_match(a, &t->ipk, own, dst))
        return false;
    *shard = (int)number;
    return true;
}
