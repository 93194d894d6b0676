#include "item/stored.h"
#include "item/stored_int.h"

struct stored_decoder {
    struct reader in;
    struct arena *arena;
    const struct names *names;
    size_t budget; /* elements that may still be announced */
    unsigned depth;
};

/*
 * Memory for `n` elements.  Each of them takes at least a byte of the item, so more than the item
 * has bytes cannot be: corrupt counts, nested ones too, do not make it allocate without bound.
 */
static void *stored_room(struct stored_decoder *d, size_t n, size_t size) {
    if (n > d->budget)
        return NULL;
    d->budget -= n;
    return arena_array(d->arena, n, size);
}

static bool stored_decode_value(struct stored_decoder *d, struct value *out);

static bool stored_decode_member(struct stored_decoder *d, enum value_type set, struct value *out) {
    out->type = value_member_type(set);
    if (set == VALUE_NS) {
        size_t len = number_decode((struct slice){d->in.at, reader_left(&d->in)}, &out->number);
        d->in.at += len;
        return len != 0;
    }
    return reader_sized(&d->in, &out->bytes);
}

static bool stored_decode_set(struct stored_decoder *d, size_t n, struct value *v) {
    struct value *members = stored_room(d, n, sizeof *members);
    if (!members)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!stored_decode_member(d, v->type, &members[i]) ||
            (i && value_compare(&members[i - 1], &members[i]) >= 0))
            return false;
    }
    v->list.members = members;
    v->list.count = n;
    return true;
}

static bool stored_decode_list(struct stored_decoder *d, size_t n, struct value *v) {
    struct value *members = stored_room(d, n, sizeof *members);
    if (!members)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!stored_decode_value(d, &members[i]))
            return false;
    }
    v->list.members = members;
    v->list.count = n;
    return true;
}

static bool stored_decode_attributes(struct stored_decoder *d, size_t n, struct item *out) {
    struct attribute *attributes = stored_room(d, n, sizeof *attributes);
    if (!attributes)
        return false;
    for (size_t i = 0; i < n; i++) {
        struct attribute *at = &attributes[i];
        if (!(d->depth ? reader_sized(&d->in, &at->name)
                       : stored_read_name(&d->in, d->names, &at->name)))
            return false;
        if (i && slice_compare(at[-1].name, at->name) >= 0)
            return false;
        if (!stored_decode_value(d, &at->value))
            return false;
    }
    *out = (struct item){attributes, n};
    return true;
}

static bool stored_decode_container(struct stored_decoder *d, size_t n, struct value *v) {
    if (d->depth == STORED_DEPTH)
        return false;
    d->depth++;
    bool good =
        v->type == VALUE_L ? stored_decode_list(d, n, v) : stored_decode_attributes(d, n, &v->map);
    d->depth--;
    return good;
}

static bool stored_decode_value(struct stored_decoder *d, struct value *out) {
    size_t n;
    if (!stored_read_head(&d->in, &out->type, &n))
        return false;
    switch (out->type) {
    case VALUE_S:
    case VALUE_B:
        return reader_bytes(&d->in, n, &out->bytes);
    case VALUE_N:
        return stored_read_number(&d->in, n, &out->number);
    case VALUE_BOOL:
        out->boolean = n == 1;
        return n <= 1;
    case VALUE_NULL:
        return n == 0;
    case VALUE_L:
    case VALUE_M:
        return stored_decode_container(d, n, out);
    default:
        return stored_decode_set(d, n, out);
    }
}

bool stored_decode(struct arena *a, struct slice bytes, const struct names *names,
                   struct item *out) {
    struct stored_decoder d = {
        .in = reader_of(bytes), .arena = a, .names = names, .budget = bytes.len};
    size_t size, count;
    struct item item;
    if (!stored_read_start(&d.in, &size, &count) || !stored_decode_attributes(&d, count, &item) ||
        reader_left(&d.in) != 0)
        return false;
    *out = item;
    return true;
}
