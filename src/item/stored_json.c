/*
 * The way of every GetItem and Query: one pass over the bytes, and no value is made on it.  What
 * matters for memory is checked (lengths, types, depth); that names are in order is not.
 */
#include "item/stored.h"
#include "item/stored_int.h"

struct stored_printer {
    struct reader in;
    struct json_writer *to;
    unsigned depth;
};

static bool stored_print_value(struct stored_printer *p);

static void stored_print_number(struct stored_printer *p, const struct number *n) {
    char text[NUMBER_TEXT_MAX];
    json_write_string(p->to, (struct slice){text, number_format(n, text)});
}

static bool stored_print_bytes(struct stored_printer *p, enum value_type type, size_t len) {
    struct slice bytes;
    if (!reader_bytes(&p->in, len, &bytes))
        return false;
    if (type == VALUE_S)
        json_write_string(p->to, bytes);
    else
        json_write_base64(p->to, bytes);
    return true;
}

static bool stored_print_member(struct stored_printer *p, enum value_type set) {
    if (set == VALUE_NS) {
        struct number number;
        size_t len = number_decode((struct slice){p->in.at, reader_left(&p->in)}, &number);
        if (len == 0)
            return false;
        p->in.at += len;
        stored_print_number(p, &number);
        return true;
    }
    struct slice bytes;
    if (!reader_sized(&p->in, &bytes))
        return false;
    if (set == VALUE_SS)
        json_write_string(p->to, bytes);
    else
        json_write_base64(p->to, bytes);
    return true;
}

static bool stored_print_members(struct stored_printer *p, enum value_type type, size_t n) {
    json_write_array_begin(p->to);
    for (size_t i = 0; i < n; i++) {
        if (!(type == VALUE_L ? stored_print_value(p) : stored_print_member(p, type)))
            return false;
    }
    json_write_array_end(p->to);
    return true;
}

static bool stored_print_map(struct stored_printer *p, size_t n) {
    json_write_object_begin(p->to);
    for (size_t i = 0; i < n; i++) {
        struct slice name;
        if (!reader_sized(&p->in, &name))
            return false;
        json_write_name(p->to, name);
        if (!stored_print_value(p))
            return false;
    }
    json_write_object_end(p->to);
    return true;
}

static bool stored_print_container(struct stored_printer *p, enum value_type type, size_t n) {
    if (p->depth == STORED_DEPTH)
        return false;
    p->depth++;
    bool good = type == VALUE_L ? stored_print_members(p, type, n) : stored_print_map(p, n);
    p->depth--;
    return good;
}

static bool stored_print_typed(struct stored_printer *p, enum value_type type, size_t n) {
    struct number number;
    switch (type) {
    case VALUE_S:
    case VALUE_B:
        return stored_print_bytes(p, type, n);
    case VALUE_N:
        if (!stored_read_number(&p->in, n, &number))
            return false;
        stored_print_number(p, &number);
        return true;
    case VALUE_BOOL:
        json_write_bool(p->to, n == 1);
        return n <= 1;
    case VALUE_NULL:
        json_write_bool(p->to, true);
        return n == 0;
    case VALUE_L:
    case VALUE_M:
        return stored_print_container(p, type, n);
    default:
        return stored_print_members(p, type, n);
    }
}

static bool stored_print_value(struct stored_printer *p) {
    enum value_type type;
    size_t n;
    if (!stored_read_head(&p->in, &type, &n))
        return false;
    json_write_object_begin(p->to);
    json_write_name(p->to, slice_of(value_type_name(type)));
    if (!stored_print_typed(p, type, n))
        return false;
    json_write_object_end(p->to);
    return true;
}

bool stored_to_json(struct arena *a, struct slice bytes, const struct names *names,
                    struct json_writer *w) {
    (void)a;
    struct stored_printer p = {.in = reader_of(bytes), .to = w};
    size_t size, count;
    if (!stored_read_start(&p.in, &size, &count))
        return false;
    json_write_object_begin(w);
    for (size_t i = 0; i < count; i++) {
        struct slice name;
        if (!stored_read_name(&p.in, names, &name))
            return false;
        json_write_name(w, name);
        if (!stored_print_value(&p))
            return false;
    }
    json_write_object_end(w);
    return reader_left(&p.in) == 0;
}
