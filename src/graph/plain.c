#include "graph/plain.h"

static bool is_set_or_bytes(struct slice type) {
    return slice_is(type, "SS") || slice_is(type, "NS") || slice_is(type, "BS") ||
           slice_is(type, "B");
}

static void plain_write_list(struct json_writer *w, const struct json *list) {
    json_write_array_begin(w);
    for (const struct json *m = list->first; m; m = m->next)
        plain_write(w, m);
    json_write_array_end(w);
}

/* Each value is an object with one member, its type's name. */
void plain_write(struct json_writer *w, const struct json *value) {
    const struct json *inner = value ? value->first : NULL;
    if (!inner || slice_is(inner->name, "NULL"))
        json_write_null(w);
    else if (slice_is(inner->name, "N"))
        json_write_number(w, inner->text);
    else if (slice_is(inner->name, "M"))
        plain_write_attributes(w, inner);
    else if (slice_is(inner->name, "L"))
        plain_write_list(w, inner);
    else if (is_set_or_bytes(inner->name))
        json_write_tree(w, value);
    else
        json_write_tree(w, inner);
}

void plain_write_attributes(struct json_writer *w, const struct json *attributes) {
    json_write_object_begin(w);
    for (const struct json *m = attributes ? attributes->first : NULL; m; m = m->next) {
        json_write_name(w, m->name);
        plain_write(w, m);
    }
    json_write_object_end(w);
}

static void typed(struct json_writer *w, const char *type, const struct json *plain) {
    json_write_name(w, slice_of(type));
    switch (plain->kind) {
    case JSON_NUMBER:
        json_write_string(w, plain->text);
        return;
    case JSON_NULL:
        json_write_bool(w, true);
        return;
    case JSON_ARRAY:
        json_write_array_begin(w);
        for (const struct json *m = plain->first; m; m = m->next)
            plain_read(w, m);
        json_write_array_end(w);
        return;
    case JSON_OBJECT:
        json_write_object_begin(w);
        for (const struct json *m = plain->first; m; m = m->next) {
            json_write_name(w, m->name);
            plain_read(w, m);
        }
        json_write_object_end(w);
        return;
    default:
        json_write_tree(w, plain);
    }
}

void plain_read(struct json_writer *w, const struct json *plain) {
    static const char *const types[] = {
        [JSON_NULL] = "NULL", [JSON_FALSE] = "BOOL", [JSON_TRUE] = "BOOL", [JSON_NUMBER] = "N",
        [JSON_STRING] = "S",  [JSON_ARRAY] = "L",    [JSON_OBJECT] = "M",
    };
    if (plain->kind == JSON_OBJECT && plain->count == 1 && is_set_or_bytes(plain->first->name)) {
        json_write_tree(w, plain);
        return;
    }
    json_write_object_begin(w);
    typed(w, types[plain->kind], plain);
    json_write_object_end(w);
}
