/*
 * The way of every GetItem and Query: one pass over the bytes, and no value is made on it.  What
 * matters for memory is checked (lengths, types, depth); that names are in order is not.
 *
 * Text is put into the buffer by pieces that are known in whole, `:{"S":` and `}`, which halves the
 * time that the writer takes when asked for each brace and name.  Trees are for tools: they go by
 * way of values.
 */
#include "item/item_json.h"
#include "item/stored.h"
#include "item/stored_int.h"

struct stored_printer {
    struct reader in;
    const struct names *names;
    struct buf *out;
    struct json_writer strings; /* onto `out`, one whole string at a time */
    unsigned depth;
};

#define STORED_OPENING(type) SLICE_INIT(":{\"" type "\":")

static const struct slice stored_openings[VALUE_TYPES] = {
    [VALUE_S] = STORED_OPENING("S"),       [VALUE_N] = STORED_OPENING("N"),
    [VALUE_B] = STORED_OPENING("B"),       [VALUE_BOOL] = STORED_OPENING("BOOL"),
    [VALUE_NULL] = STORED_OPENING("NULL"), [VALUE_SS] = STORED_OPENING("SS"),
    [VALUE_NS] = STORED_OPENING("NS"),     [VALUE_BS] = STORED_OPENING("BS"),
    [VALUE_L] = STORED_OPENING("L"),       [VALUE_M] = STORED_OPENING("M"),
};

static bool stored_print_value(struct stored_printer *p, bool named);

/* Plain digits need no look for escapes. */
static void stored_print_number(struct stored_printer *p, const struct number *n) {
    char text[NUMBER_TEXT_MAX + 2];
    text[0] = '"';
    size_t len = 1 + number_format(n, text + 1);
    text[len++] = '"';
    buf_add(p->out, (struct slice){text, len});
}

static void stored_print_bytes(struct stored_printer *p, enum value_type type, struct slice bytes) {
    if (type == VALUE_S)
        json_write_string(&p->strings, bytes);
    else
        json_write_base64(&p->strings, bytes);
}

static bool stored_print_member(struct stored_printer *p, enum value_type set) {
    if (set == VALUE_NS) {
        struct number number;
        size_t len = number_decode((struct slice){p->in.at, reader_left(&p->in)}, &number);
        p->in.at += len;
        if (len)
            stored_print_number(p, &number);
        return len != 0;
    }
    struct slice bytes;
    if (!reader_sized(&p->in, &bytes))
        return false;
    stored_print_bytes(p, value_member_type(set), bytes);
    return true;
}

static bool stored_print_members(struct stored_printer *p, enum value_type type, size_t n) {
    buf_add_char(p->out, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_add_char(p->out, ',');
        if (!(type == VALUE_L ? stored_print_value(p, false) : stored_print_member(p, type)))
            return false;
    }
    buf_add_char(p->out, ']');
    return true;
}

static bool stored_print_attributes(struct stored_printer *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        struct slice name;
        if (!(p->depth ? reader_sized(&p->in, &name) : stored_read_name(&p->in, p->names, &name)))
            return false;
        if (i)
            buf_add_char(p->out, ',');
        json_write_string(&p->strings, name);
        if (!stored_print_value(p, true))
            return false;
    }
    return true;
}

static bool stored_print_container(struct stored_printer *p, enum value_type type, size_t n) {
    if (p->depth == STORED_DEPTH)
        return false;
    p->depth++;
    bool good;
    if (type == VALUE_L) {
        good = stored_print_members(p, type, n);
    } else {
        buf_add_char(p->out, '{');
        good = stored_print_attributes(p, n);
        buf_add_char(p->out, '}');
    }
    p->depth--;
    return good;
}

static bool stored_print_bool(struct stored_printer *p, bool b) {
    buf_add(p->out, b ? SLICE("true") : SLICE("false"));
    return true;
}

static bool stored_print_typed(struct stored_printer *p, enum value_type type, size_t n) {
    struct number number;
    struct slice bytes;
    switch (type) {
    case VALUE_S:
    case VALUE_B:
        if (!reader_bytes(&p->in, n, &bytes))
            return false;
        stored_print_bytes(p, type, bytes);
        return true;
    case VALUE_N:
        if (!stored_read_number(&p->in, n, &number))
            return false;
        stored_print_number(p, &number);
        return true;
    case VALUE_BOOL:
        return n <= 1 && stored_print_bool(p, n == 1);
    case VALUE_NULL:
        return n == 0 && stored_print_bool(p, true);
    case VALUE_L:
    case VALUE_M:
        return stored_print_container(p, type, n);
    default:
        return stored_print_members(p, type, n);
    }
}

/* `named`: after a name and its colon. */
static bool stored_print_value(struct stored_printer *p, bool named) {
    enum value_type type;
    size_t n;
    if (!stored_read_head(&p->in, &type, &n))
        return false;
    struct slice opening = stored_openings[type];
    buf_add(p->out, (struct slice){opening.ptr + !named, opening.len - !named});
    if (!stored_print_typed(p, type, n))
        return false;
    buf_add_char(p->out, '}');
    return true;
}

static bool stored_print(struct slice bytes, const struct names *names, struct json_writer *w) {
    struct stored_printer p = {.in = reader_of(bytes),
                               .names = names,
                               .out = w->text,
                               .strings = json_writer_text(w->text)};
    size_t size, count;
    if (!stored_read_start(&p.in, &size, &count))
        return false;
    json_write_object_begin(w);
    if (!stored_print_attributes(&p, count))
        return false;
    json_write_object_end(w);
    return reader_left(&p.in) == 0;
}

bool stored_to_json(struct arena *a, struct slice bytes, const struct names *names,
                    struct json_writer *w) {
    if (w->text)
        return stored_print(bytes, names, w);
    struct item item;
    if (!stored_decode(a, bytes, names, &item))
        return false;
    item_to_json(w, &item);
    return true;
}
