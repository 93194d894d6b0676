/*
 * Two passes over the tree, since AWS has two kinds of fault and looks for one before the other:
 * the JSON types of the whole request, then the values.  Recursion is bounded by LIMIT_JSON_DEPTH
 * in the first and by LIMIT_VALUE_DEPTH in the second.
 */
#include "item/item_json.h"

#include <stdlib.h>

#include "json/base64.h"

#define JSON_CLASS_VALUE "com.amazonaws.dynamodb.v20120810.AttributeValue"

/* First pass: JSON types.  (Texts: dynalite's tests, which run on AWS.) */

typedef struct error *json_type_check(struct arena *a, const struct json *json);

static struct error *json_type_error(struct arena *a, const char *text) {
    return error_new(a, ERR_SERIALIZATION, "%s", text);
}

static const char *json_scalar_name(const struct json *json) {
    switch (json->kind) {
    case JSON_TRUE:
        return "TRUE_VALUE";
    case JSON_FALSE:
        return "FALSE_VALUE";
    case JSON_STRING:
        return "STRING_VALUE";
    default:
        break;
    }
    for (size_t i = 0; i < json->text.len; i++)
        if (strchr(".eE", json->text.ptr[i]))
            return "DECIMAL_VALUE";
    return "NUMBER_VALUE";
}

/* The fault of a value where the scalar `java_type` belongs. */
static struct error *json_scalar_error(struct arena *a, const struct json *json,
                                       const char *java_type) {
    if (json->kind == JSON_OBJECT)
        return json_type_error(a, "Start of structure or map found where not expected");
    if (json->kind == JSON_ARRAY)
        return error_new(a, ERR_SERIALIZATION, "Unrecognized collection type class java.lang.%s",
                         java_type);
    return error_new(a, ERR_SERIALIZATION, "%s cannot be converted to %s", json_scalar_name(json),
                     java_type);
}

static struct error *json_check_string(struct arena *a, const struct json *json) {
    if (json->kind == JSON_STRING || json->kind == JSON_NULL)
        return NULL;
    return json_scalar_error(a, json, "String");
}

static bool json_to_bool(const struct json *json, bool *out) {
    /* AWS: these texts are booleans too, in any case of letters. (dynalite, captured) */
    static const char *const words[][2] = {{"false", "true"}, {"0", "1"}, {"no", "yes"}};
    for (size_t i = 0; i < ARRAY_LEN(words) && json->kind == JSON_STRING; i++) {
        for (size_t value = 0; value < 2; value++) {
            if (slice_equal_ignore_case(json->text, slice_of(words[i][value]))) {
                *out = value == 1;
                return true;
            }
        }
    }
    *out = json->kind == JSON_TRUE;
    return json->kind == JSON_TRUE || json->kind == JSON_FALSE;
}

static struct error *json_check_boolean(struct arena *a, const struct json *json) {
    bool value;
    if (json->kind == JSON_NULL || json_to_bool(json, &value))
        return NULL;
    if (json->kind == JSON_STRING)
        return json_type_error(a, "Unexpected token received from parser");
    return json_scalar_error(a, json, "Boolean");
}

static struct error *json_check_blob(struct arena *a, const struct json *json) {
    switch (json->kind) {
    case JSON_NULL:
        return NULL;
    case JSON_STRING:
        break;
    case JSON_ARRAY:
        return json_type_error(a, "Unrecognized collection type class java.nio.ByteBuffer");
    case JSON_OBJECT:
        return json_type_error(a, "Start of structure or map found where not expected");
    default:
        return json_type_error(a, "only base-64-encoded strings are convertible to bytes");
    }
    if (json->text.len % 4 != 0)
        return error_new(a, ERR_SERIALIZATION,
                         "Base64 encoded length is expected a multiple of 4 bytes but found: %zu",
                         json->text.len);
    if (!base64_check(json->text)) /* AWS: the text has this spelling. */
        return json_type_error(a, "Invalid last non-pad Base64 character dectected");
    return NULL;
}

static struct error *json_check_elements(struct arena *a, const struct json *json,
                                         json_type_check *check) {
    if (json->kind == JSON_NULL)
        return NULL;
    if (json->kind == JSON_OBJECT)
        return json_type_error(a, "Start of structure or map found where not expected");
    if (json->kind != JSON_ARRAY)
        return json_type_error(a, "Unexpected field type");
    for (const struct json *e = json->first; e; e = e->next)
        TRY(check(a, e));
    return NULL;
}

struct error *item_json_check(struct arena *a, const struct json *json) {
    if (json->kind == JSON_NULL)
        return NULL;
    if (json->kind == JSON_ARRAY)
        return json_type_error(
            a,
            "Unrecognized collection type java.util.Map<java.lang.String, " JSON_CLASS_VALUE ">");
    if (json->kind != JSON_OBJECT)
        return json_type_error(a, "Unexpected field type");
    for (const struct json *m = json->first; m; m = m->next)
        TRY(value_json_check(a, m));
    return NULL;
}

static struct error *value_json_check_as(struct arena *a, enum value_type type,
                                         const struct json *json) {
    switch (type) {
    case VALUE_S:
    case VALUE_N:
        return json_check_string(a, json);
    case VALUE_B:
        return json_check_blob(a, json);
    case VALUE_BOOL:
    case VALUE_NULL:
        return json_check_boolean(a, json);
    case VALUE_SS:
    case VALUE_NS:
        return json_check_elements(a, json, json_check_string);
    case VALUE_BS:
        return json_check_elements(a, json, json_check_blob);
    case VALUE_L:
        return json_check_elements(a, json, value_json_check);
    case VALUE_M:
        return item_json_check(a, json);
    case VALUE_TYPES:
        break;
    }
    return NULL;
}

struct error *value_json_check(struct arena *a, const struct json *json) {
    if (json->kind == JSON_NULL)
        return NULL;
    if (json->kind == JSON_ARRAY)
        return json_type_error(a, "Unrecognized collection type class " JSON_CLASS_VALUE);
    if (json->kind != JSON_OBJECT)
        return json_type_error(a, "Unexpected value type in payload");
    for (const struct json *m = json->first; m; m = m->next) {
        enum value_type type;
        /* AWS: members that are no type are not looked at. (dynalite, captured) */
        if (value_type_find(m->name, &type))
            TRY(value_json_check_as(a, type, m));
    }
    return NULL;
}

/* Second pass: values. */

#define INVALID_PARAMETER "One or more parameter values were invalid: "

static struct error *value_error(struct arena *a, const char *text) {
    return error_new(a, ERR_VALIDATION, "%s", text);
}

static struct error *value_read(struct arena *a, const struct json *json, unsigned depth,
                                struct value *out);

/* Sets */

static struct error *set_empty_error(struct arena *a, enum value_type type) {
    switch (type) {
    case VALUE_SS: /* AWS: two spaces, as in the next. */
        return value_error(a, INVALID_PARAMETER "An string set  may not be empty");
    case VALUE_NS:
        return value_error(a, INVALID_PARAMETER "An number set  may not be empty");
    default:
        return value_error(a, INVALID_PARAMETER "Binary sets should not be empty");
    }
}

static struct error *set_null_error(struct arena *a, enum value_type type) {
    switch (type) {
    case VALUE_SS:
        return value_error(a, INVALID_PARAMETER
                           "An string set may not have a null string as a member");
    case VALUE_NS:
        return value_error(a, "The parameter cannot be converted to a numeric value");
    default:
        return value_error(a, INVALID_PARAMETER "Binary sets may not contain null or empty values");
    }
}

static struct error *set_doubles_error(struct arena *a, enum value_type type,
                                       const struct json *json) {
    if (type == VALUE_NS) /* AWS: neither the usual start nor the members. */
        return value_error(a, "Input collection contains duplicates");
    struct buf text = buf_in(a, SIZE_MAX);
    buf_add_text(&text, INVALID_PARAMETER "Input collection [");
    for (const struct json *e = json->first; e; e = e->next) {
        buf_add(&text, e->text);
        buf_add_text(&text, e->next ? ", " : "]");
    }
    /* AWS: no space before "of", no full stop in the other's place. */
    buf_add_text(&text,
                 type == VALUE_BS ? "of type BS contains duplicates." : " contains duplicates.");
    struct error *e = error_bare(a, ERR_VALIDATION);
    e->message = buf_slice(&text);
    return e;
}

static struct error *value_read_scalar(struct arena *a, enum value_type type,
                                       const struct json *json, struct value *out) {
    if (UNLIKELY(json->kind != JSON_STRING)) /* the first pass was left out */
        return value_json_check_as(a, type, json);
    out->type = type;
    if (type == VALUE_N)
        return number_parse(a, json->text, &out->number);
    if (type == VALUE_S)
        out->bytes = json->text;
    else if (!base64_decode(a, json->text, &out->bytes))
        return json_check_blob(a, json);
    return NULL;
}

static struct error *value_read_set(struct arena *a, enum value_type type, const struct json *json,
                                    struct value *out) {
    if (json->count == 0)
        return set_empty_error(a, type);
    struct value *members = arena_array(a, json->count, sizeof *members);
    size_t count = 0;
    for (const struct json *e = json->first; e; e = e->next) {
        if (e->kind == JSON_NULL)
            return set_null_error(a, type);
        TRY(value_read_scalar(a, value_member_type(type), e, &members[count++]));
    }
    if (set_sort(members, count) < count)
        return set_doubles_error(a, type, json);
    out->type = type;
    out->list.members = members;
    out->list.count = count;
    return NULL;
}

/* Lists and maps */

static struct error *value_read_list(struct arena *a, const struct json *json, unsigned depth,
                                     struct value *out) {
    struct value *members = arena_array(a, json->count, sizeof *members);
    size_t count = 0;
    for (const struct json *e = json->first; e; e = e->next)
        TRY(value_read(a, e, depth + 1, &members[count++]));
    out->type = VALUE_L;
    out->list.members = members;
    out->list.count = count;
    return NULL;
}

/* A member and its place in the text. */
struct map_member {
    const struct json *json;
    size_t place;
};

static int map_member_compare(const void *a, const void *b) {
    const struct map_member *x = a;
    const struct map_member *y = b;
    int order = slice_compare(x->json->name, y->json->name);
    if (order != 0)
        return order;
    return (x->place > y->place) - (x->place < y->place);
}

enum { MAP_SMALL = 16 };

static void map_sort(struct map_member *members, size_t count) {
    if (count > MAP_SMALL) {
        qsort(members, count, sizeof *members, map_member_compare);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        struct map_member moving = members[i];
        size_t at = i;
        for (; at > 0 && map_member_compare(&members[at - 1], &moving) > 0; at--)
            members[at] = members[at - 1];
        members[at] = moving;
    }
}

/* The members of an object by name; of those with one name the last, as Jackson keeps it. */
static struct map_member *map_members(struct arena *a, const struct json *json, size_t *count) {
    struct map_member *members = arena_array(a, json->count, sizeof *members);
    size_t n = 0;
    for (const struct json *m = json->first; m; m = m->next, n++)
        members[n] = (struct map_member){m, n};
    map_sort(members, n);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || !slice_equal(members[i].json->name, members[i + 1].json->name))
            members[kept++] = members[i];
    *count = kept;
    return members;
}

static struct error *attribute_read(struct arena *a, const struct json *json, unsigned depth,
                                    struct attribute *out) {
    if (json->kind == JSON_NULL)
        return error_new(a, ERR_VALIDATION,
                         "The supplied Item contains a null AttributeValue: %.*s is null",
                         SLICE_ARG(json->name));
    out->name = json->name;
    TRY(value_read(a, json, depth, &out->value));
    if (json->name.len == 0)
        return value_error(a, "Empty attribute name");
    if (json->name.len > LIMIT_ATTRIBUTE_NAME_BYTES)
        return value_error(a, "Attribute name is too large, must be less than 65536 bytes");
    return NULL;
}

static struct error *map_read(struct arena *a, const struct json *json, unsigned depth,
                              struct item *out) {
    size_t count;
    struct map_member *members = map_members(a, json, &count);
    struct attribute *attributes = arena_array(a, count, sizeof *attributes);
    for (size_t i = 0; i < count; i++)
        TRY(attribute_read(a, members[i].json, depth + 1, &attributes[i]));
    *out = (struct item){attributes, count};
    return NULL;
}

/* Values */

/* AWS: an attribute's value is level 1.  A scalar may stand at level 32, a list or map, even an
 * empty one, only above it. (conformance suite, nesting depth) */
static struct error *value_check_depth(struct arena *a, unsigned depth) {
    if (depth < LIMIT_VALUE_DEPTH)
        return NULL;
    return value_error(a, "Nesting Levels have exceeded supported limits: "
                          "Attributes in the item have nested levels beyond supported limit");
}

static struct error *value_read_null(struct arena *a, const struct json *json, struct value *out) {
    bool value;
    if (!json_to_bool(json, &value) || !value)
        return value_error(a, INVALID_PARAMETER
                           "Null attribute value types must have the value of true");
    out->type = VALUE_NULL;
    return NULL;
}

static struct error *value_read_as(struct arena *a, enum value_type type, const struct json *json,
                                   unsigned depth, struct value *out) {
    switch (type) {
    case VALUE_S:
    case VALUE_N:
    case VALUE_B:
        return value_read_scalar(a, type, json, out);
    case VALUE_BOOL:
        out->type = VALUE_BOOL;
        return json_to_bool(json, &out->boolean) ? NULL : json_check_boolean(a, json);
    case VALUE_NULL:
        return value_read_null(a, json, out);
    case VALUE_SS:
    case VALUE_NS:
    case VALUE_BS:
        return value_read_set(a, type, json, out);
    case VALUE_L:
        TRY(value_check_depth(a, depth));
        return value_read_list(a, json, depth, out);
    case VALUE_M:
        TRY(value_check_depth(a, depth));
        out->type = VALUE_M;
        return map_read(a, json, depth, &out->map);
    case VALUE_TYPES:
        break;
    }
    return NULL;
}

/* The members of a value by type, the last of each; how many types there are. */
static unsigned value_members(const struct json *json, const struct json *by_type[VALUE_TYPES]) {
    unsigned count = 0;
    for (const struct json *m = json->first; m; m = m->next) {
        enum value_type type;
        if (!value_type_find(m->name, &type))
            continue;
        bool had = by_type[type] != NULL;
        by_type[type] = m->kind == JSON_NULL ? NULL : m;
        count += (by_type[type] != NULL) - (unsigned)had;
    }
    return count;
}

/* AWS: faults of the values come before having two of them. (dynalite, captured) */
static struct error *value_read(struct arena *a, const struct json *json, unsigned depth,
                                struct value *out) {
    if (json->kind == JSON_NULL)
        return value_error(a, "The supplied Item contains a null AttributeValue");
    const struct json *by_type[VALUE_TYPES] = {0};
    unsigned count = value_members(json, by_type);
    if (count == 0)
        return value_error(a, "Supplied AttributeValue is empty, must contain exactly one of the "
                              "supported datatypes");
    for (int type = 0; type < VALUE_TYPES; type++)
        if (by_type[type])
            TRY(value_read_as(a, (enum value_type)type, by_type[type], depth, out));
    if (count > 1)
        return value_error(a, "Supplied AttributeValue has more than one datatypes set, must "
                              "contain exactly one of the supported datatypes");
    return NULL;
}

struct error *value_from_json(struct arena *a, const struct json *json, struct value *out) {
    struct value value = {0};
    TRY(value_read(a, json, 1, &value));
    *out = value;
    return NULL;
}

struct error *item_from_json(struct arena *a, const struct json *json, struct item *out) {
    return map_read(a, json, 0, out);
}

/* Writing */

static void number_to_json(struct json_writer *w, const struct number *n) {
    char text[NUMBER_TEXT_MAX];
    json_write_string(w, (struct slice){text, number_format(n, text)});
}

static void set_to_json(struct json_writer *w, const struct value *set) {
    json_write_array_begin(w);
    for (size_t i = 0; i < set->list.count; i++) {
        const struct value *member = &set->list.members[i];
        if (member->type == VALUE_N)
            number_to_json(w, &member->number);
        else if (member->type == VALUE_B)
            json_write_base64(w, member->bytes);
        else
            json_write_string(w, member->bytes);
    }
    json_write_array_end(w);
}

static void list_to_json(struct json_writer *w, const struct value *list) {
    json_write_array_begin(w);
    for (size_t i = 0; i < list->list.count; i++)
        value_to_json(w, &list->list.members[i]);
    json_write_array_end(w);
}

void value_to_json(struct json_writer *w, const struct value *v) {
    json_write_object_begin(w);
    json_write_name(w, slice_of(value_type_name(v->type)));
    switch (v->type) {
    case VALUE_S:
        json_write_string(w, v->bytes);
        break;
    case VALUE_N:
        number_to_json(w, &v->number);
        break;
    case VALUE_B:
        json_write_base64(w, v->bytes);
        break;
    case VALUE_BOOL:
        json_write_bool(w, v->boolean);
        break;
    case VALUE_NULL:
        json_write_bool(w, true);
        break;
    case VALUE_SS:
    case VALUE_NS:
    case VALUE_BS:
        set_to_json(w, v);
        break;
    case VALUE_L:
        list_to_json(w, v);
        break;
    case VALUE_M:
        item_to_json(w, &v->map);
        break;
    case VALUE_TYPES:
        break;
    }
    json_write_object_end(w);
}

void item_to_json(struct json_writer *w, const struct item *item) {
    json_write_object_begin(w);
    for (size_t i = 0; i < item->count; i++) {
        json_write_name(w, item->attributes[i].name);
        value_to_json(w, &item->attributes[i].value);
    }
    json_write_object_end(w);
}
