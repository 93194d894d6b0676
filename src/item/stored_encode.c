#include "item/stored.h"
#include "item/stored_int.h"

static void stored_add_head(struct buf *out, enum value_type type, size_t n) {
    if (n < STORED_SMALL) {
        buf_add_char(out, (char)(type << 4 | n));
        return;
    }
    buf_add_char(out, (char)(type << 4 | STORED_SMALL));
    buf_add_varint(out, n - STORED_SMALL);
}

static void stored_add_sized(struct buf *out, struct slice bytes) {
    buf_add_varint(out, bytes.len);
    buf_add(out, bytes);
}

static void stored_add_number(struct buf *out, const struct number *n) {
    uint8_t bytes[NUMBER_BYTES_MAX];
    buf_add(out, (struct slice){(const char *)bytes, number_encode(n, bytes)});
}

static void stored_add_value(struct buf *out, const struct value *v);

static void stored_add_number_value(struct buf *out, const struct number *n) {
    unsigned small;
    if (stored_number_is_small(n, &small)) {
        buf_add_char(out, (char)(VALUE_N << 4 | small));
        return;
    }
    buf_add_char(out, (char)(VALUE_N << 4 | STORED_SMALL));
    stored_add_number(out, n);
}

static void stored_add_members(struct buf *out, const struct value *v) {
    for (size_t i = 0; i < v->list.count; i++) {
        const struct value *member = &v->list.members[i];
        if (v->type == VALUE_L)
            stored_add_value(out, member);
        else if (v->type == VALUE_NS)
            stored_add_number(out, &member->number);
        else
            stored_add_sized(out, member->bytes);
    }
}

static void stored_add_map(struct buf *out, const struct item *map) {
    for (size_t i = 0; i < map->count; i++) {
        stored_add_sized(out, map->attributes[i].name);
        stored_add_value(out, &map->attributes[i].value);
    }
}

static void stored_add_value(struct buf *out, const struct value *v) {
    switch (v->type) {
    case VALUE_S:
    case VALUE_B:
        stored_add_head(out, v->type, v->bytes.len);
        buf_add(out, v->bytes);
        return;
    case VALUE_N:
        stored_add_number_value(out, &v->number);
        return;
    case VALUE_BOOL:
        stored_add_head(out, v->type, v->boolean);
        return;
    case VALUE_M:
        stored_add_head(out, v->type, v->map.count);
        stored_add_map(out, &v->map);
        return;
    case VALUE_NULL:
        stored_add_head(out, v->type, 0);
        return;
    default:
        stored_add_head(out, v->type, v->list.count);
        stored_add_members(out, v);
    }
}

void stored_encode(struct buf *out, const struct item *item, const struct names *names) {
    buf_add_char(out, STORED_VERSION);
    buf_add_varint(out, item_size(item));
    buf_add_varint(out, item->count);
    for (size_t i = 0; i < item->count; i++) {
        const struct attribute *attribute = &item->attributes[i];
        uint32_t id = names ? names_find(names, attribute->name) : 0;
        buf_add_varint(out, id);
        if (id == 0)
            stored_add_sized(out, attribute->name);
        stored_add_value(out, &attribute->value);
    }
}
