#include "json/json_writer.h"

#include <assert.h>

#include "json/base64.h"
#include "json/json_int.h"

struct json_writer_level {
    struct json *container;
    struct json *last; /* of its elements so far */
};

struct json_writer json_writer_text(struct buf *text) {
    return (struct json_writer){.text = text};
}

struct json_writer json_writer_tree(struct arena *a) {
    return (struct json_writer){
        .arena = a,
        .levels = arena_array(a, JSON_WRITER_DEPTH, sizeof(struct json_writer_level)),
    };
}

static inline bool json_writer_in_object(const struct json_writer *w) {
    unsigned level = w->depth - 1;
    return w->depth > 0 && (w->objects[level / 64] >> (level % 64) & 1) != 0;
}

/* A value begins here; whether a comma stands before it. */
static inline bool json_writer_start(struct json_writer *w) {
    if (w->depth == 0)
        return false;
    assert(w->named == json_writer_in_object(w));
    bool comma = !w->named && !w->first;
    w->named = false;
    w->first = false;
    return comma;
}

/* The same for a value that is `text` as it stands. */
static void json_writer_put(struct json_writer *w, struct slice text) {
    bool comma = json_writer_start(w);
    char *to = json_extend(w->text, text.len + comma);
    if (!to)
        return;
    if (comma)
        *to++ = ',';
    memcpy(to, text.ptr, text.len);
}

/* A new value of the tree; its text lives as long as the tree. */
static struct json *json_writer_add(struct json_writer *w, enum json_kind kind, struct slice text) {
    (void)json_writer_start(w);
    struct json *node = arena_alloc(w->arena, sizeof *node);
    node->kind = kind;
    node->text = text;
    node->name = w->name;
    w->name = (struct slice){0};
    if (w->depth == 0) {
        w->root = node;
        return node;
    }
    struct json_writer_level *level = &w->levels[w->depth - 1];
    if (level->last)
        level->last->next = node;
    else
        level->container->first = node;
    level->last = node;
    level->container->count++;
    return node;
}

static void json_writer_begin(struct json_writer *w, enum json_kind kind) {
    assert(w->depth < JSON_WRITER_DEPTH);
    bool object = kind == JSON_OBJECT;
    if (w->text) {
        json_writer_put(w, object ? SLICE("{") : SLICE("["));
    } else {
        struct json *container = json_writer_add(w, kind, (struct slice){0});
        w->levels[w->depth] = (struct json_writer_level){.container = container};
    }
    uint64_t bit = UINT64_C(1) << (w->depth % 64);
    uint64_t *word = &w->objects[w->depth / 64];
    *word = object ? *word | bit : *word & ~bit;
    w->depth++;
    w->first = true;
}

static void json_writer_end(struct json_writer *w, enum json_kind kind) {
    assert(w->depth > 0 && !w->named && json_writer_in_object(w) == (kind == JSON_OBJECT));
    w->depth--;
    w->first = false;
    char *to = w->text ? json_extend(w->text, 1) : NULL;
    if (to)
        *to = kind == JSON_OBJECT ? '}' : ']';
}

void json_write_object_begin(struct json_writer *w) {
    json_writer_begin(w, JSON_OBJECT);
}

void json_write_object_end(struct json_writer *w) {
    json_writer_end(w, JSON_OBJECT);
}

void json_write_array_begin(struct json_writer *w) {
    json_writer_begin(w, JSON_ARRAY);
}

void json_write_array_end(struct json_writer *w) {
    json_writer_end(w, JSON_ARRAY);
}

void json_write_name(struct json_writer *w, struct slice name) {
    assert(json_writer_in_object(w) && !w->named);
    if (w->text)
        json_text_string(w->text, !w->first, name, true);
    else
        w->name = arena_copy(w->arena, name);
    w->first = false;
    w->named = true;
}

void json_write_borrowed(struct json_writer *w, struct slice s) {
    if (w->text)
        json_text_string(w->text, json_writer_start(w), s, false);
    else
        json_writer_add(w, JSON_STRING, s);
}

void json_write_string(struct json_writer *w, struct slice s) {
    json_write_borrowed(w, w->text ? s : arena_copy(w->arena, s));
}

void json_write_base64(struct json_writer *w, struct slice bytes) {
    if (w->text) {
        json_writer_put(w, SLICE("\""));
        base64_encode(w->text, bytes);
        buf_add_char(w->text, '"');
        return;
    }
    struct buf text = buf_in(w->arena, SIZE_MAX);
    base64_encode(&text, bytes);
    json_writer_add(w, JSON_STRING, text.len ? buf_slice(&text) : SLICE(""));
}

void json_write_number(struct json_writer *w, struct slice text) {
    if (w->text)
        json_writer_put(w, text);
    else
        json_writer_add(w, JSON_NUMBER, arena_copy(w->arena, text));
}

void json_write_int(struct json_writer *w, int64_t n) {
    char text[JSON_INT_TEXT_MAX];
    json_write_number(w, json_int_text(text, n));
}

void json_write_double(struct json_writer *w, double d) {
    char text[JSON_DOUBLE_TEXT_MAX];
    struct slice s = json_double_text(text, d);
    if (s.ptr == text)
        json_write_number(w, s);
    else
        json_write_null(w); /* not finite: JSON has no such number */
}

void json_write_bool(struct json_writer *w, bool b) {
    if (w->text)
        json_writer_put(w, b ? SLICE("true") : SLICE("false"));
    else
        json_writer_add(w, b ? JSON_TRUE : JSON_FALSE, (struct slice){0});
}

void json_write_null(struct json_writer *w) {
    if (w->text)
        json_writer_put(w, SLICE("null"));
    else
        json_writer_add(w, JSON_NULL, (struct slice){0});
}

void json_write_tree(struct json_writer *w, const struct json *value) {
    if (w->text) {
        if (json_writer_start(w))
            buf_add_char(w->text, ',');
        json_print(w->text, value, 0);
        return;
    }
    struct json *node = json_writer_add(w, value->kind, value->text);
    node->count = value->count;
    node->first = value->first; /* what is inside is shared */
}
