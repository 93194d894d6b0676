/*
 * The first pass: JSON types.
 *
 * The texts are AWS's (its JSON reader is Jackson under its own binding).  They depend on what was
 * found and on what the place wanted, and a structure inside a list or map has other words than one
 * that is a member.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "item/item_json.h"
#include "ops/field_int.h"

#define SHAPES "com.amazonaws.dynamodb.v20120810."

static struct error *fault(struct arena *a, const char *text) {
    return error_new(a, ERR_SERIALIZATION, "%s", text);
}

static struct error *fault_collection(struct arena *a, const char *package, const char *type) {
    return error_new(a, ERR_SERIALIZATION, "Unrecognized collection type class %s%s", package,
                     type);
}

static struct error *fault_map(struct arena *a, const char *package, const char *type) {
    return error_new(a, ERR_SERIALIZATION,
                     "Unrecognized collection type java.util.Map<java.lang.String, %s%s>", package,
                     type);
}

static struct error *fault_object(struct arena *a) {
    return fault(a, "Start of structure or map found where not expected");
}

/* Jackson's name of a scalar token. */
static const char *token_name(const struct json *j) {
    if (j->kind == JSON_TRUE)
        return "TRUE_VALUE";
    if (j->kind == JSON_FALSE)
        return "FALSE_VALUE";
    if (j->kind == JSON_STRING)
        return "STRING_VALUE";
    for (size_t i = 0; i < j->text.len; i++)
        if (strchr(".eE", j->text.ptr[i]))
            return "DECIMAL_VALUE";
    return "NUMBER_VALUE";
}

/* Why `j`, which is not what a place for a Java `type` takes, cannot be there. */
static struct error *fault_scalar(struct arena *a, const struct json *j, const char *type) {
    if (j->kind == JSON_ARRAY)
        return fault_collection(a, "java.lang.", type);
    if (j->kind == JSON_OBJECT)
        return fault_object(a);
    return error_new(a, ERR_SERIALIZATION, "%s cannot be converted to %s", token_name(j), type);
}

static bool is_null(const struct json *j) {
    return !j || j->kind == JSON_NULL;
}

static struct error *fill_string(struct arena *a, const struct json *j, struct slice *out) {
    if (j->kind != JSON_STRING)
        return fault_scalar(a, j, "String");
    *out = j->text.ptr ? j->text : SLICE("");
    return NULL;
}

static struct error *fill_choice(struct arena *a, const struct field *f, const struct json *j,
                                 struct field_choice *out) {
    TRY(fill_string(a, j, &out->text));
    for (unsigned i = 0; f->choices[i]; i++)
        if (slice_is(out->text, f->choices[i]))
            out->is = i + 1;
    return NULL;
}

/* AWS: strings that say yes or no are booleans too. */
static bool bool_of_text(struct slice text, bool *out) {
    static const char *const words[] = {"FALSE", "0", "NO", "TRUE", "1", "YES"};
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (slice_equal_ignore_case(text, slice_of(words[i]))) {
            *out = i >= ARRAY_LEN(words) / 2;
            return true;
        }
    }
    return false;
}

static struct error *fill_bool(struct arena *a, const struct json *j, struct field_bool *out) {
    out->given = true;
    if (j->kind == JSON_TRUE || j->kind == JSON_FALSE) {
        out->value = j->kind == JSON_TRUE;
        return NULL;
    }
    if (j->kind != JSON_STRING)
        return fault_scalar(a, j, "Boolean");
    if (!bool_of_text(j->text, &out->value))
        return fault(a, "Unexpected token received from parser");
    return NULL;
}

/* Decimals are cut to the integer below, as on AWS; false when the range of a long is left. */
static bool int_of_text(struct arena *a, struct slice text, int64_t *out) {
    char *end;
    const char *digits = arena_string(a, text);
    errno = 0;
    long long n = strtoll(digits, &end, 10);
    if (*end == '\0') {
        *out = n;
        return errno == 0;
    }
    double d = floor(strtod(digits, NULL));
    if (!(d > -9.2e18 && d < 9.2e18))
        return false;
    *out = (int64_t)d;
    return true;
}

static struct error *fill_int(struct arena *a, const struct json *j, const char *type,
                              struct field_int *out) {
    if (j->kind != JSON_NUMBER)
        return fault_scalar(a, j, type);
    int64_t n;
    if (!int_of_text(a, j->text, &n))
        return error_bare(a, ERR_SERIALIZATION);
    if (strcmp(type, "Integer") == 0 && (n < INT32_MIN || n > INT32_MAX))
        return error_bare(a, ERR_SERIALIZATION);
    *out = (struct field_int){.given = true, .value = n};
    return NULL;
}

/* A map's outside: an object, whose values are of `package``type`. */
static struct error *check_map(struct arena *a, const struct json *j, const char *package,
                               const char *type) {
    if (j->kind == JSON_ARRAY)
        return fault_map(a, package, type);
    if (j->kind != JSON_OBJECT)
        return fault(a, "Unexpected field type");
    return NULL;
}

static struct error *check_list(struct arena *a, const struct json *j) {
    if (j->kind == JSON_OBJECT)
        return fault_object(a);
    if (j->kind != JSON_ARRAY)
        return fault(a, "Unexpected field type");
    return NULL;
}

/* A structure's outside; `inside` a list or a map AWS has other words. */
static struct error *check_struct(struct arena *a, const struct json *j, const char *shape,
                                  bool inside) {
    if (j->kind == JSON_ARRAY)
        return fault_collection(a, SHAPES, shape);
    if (j->kind != JSON_OBJECT)
        return fault(a, inside ? "Unexpected value type in payload" : "Unexpected field type");
    return NULL;
}

static struct error *check_value(struct arena *a, const struct json *j, bool inside) {
    if (j->kind == JSON_NULL)
        return NULL;
    TRY(check_struct(a, j, "AttributeValue", inside));
    return value_json_check(a, j);
}

static struct error *fill_item(struct arena *a, const struct json *j, const struct json **out) {
    TRY(check_map(a, j, SHAPES, "AttributeValue"));
    for (const struct json *m = j->first; m; m = m->next)
        TRY(check_value(a, m, true));
    *out = j;
    return NULL;
}

/* AWS: a scalar where its binding expects a map or a list inside of another collection. (dynalite,
 * captured) */
static struct error *fault_inner_collection(struct arena *a) {
    return fault(a, "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be "
                    "cast to class java.lang.Class "
                    "(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
                    "java.lang.Class are in module java.base of loader 'bootstrap')");
}

static bool is_collection(const struct json *j) {
    return j->kind == JSON_ARRAY || j->kind == JSON_OBJECT;
}

static struct error *fill_items(struct arena *a, const struct json *j, struct field_list *out) {
    static const struct json empty = {.kind = JSON_OBJECT};
    TRY(check_list(a, j));
    const struct json **elements = arena_array(a, j->count, sizeof *elements);
    size_t n = 0;
    for (const struct json *e = j->first; e; e = e->next) {
        elements[n] = &empty;
        if (e->kind != JSON_NULL && !is_collection(e))
            return fault_inner_collection(a);
        if (e->kind != JSON_NULL)
            TRY(fill_item(a, e, &elements[n]));
        n++;
    }
    *out = (struct field_list){.given = true, .count = n, .elements = elements};
    return NULL;
}

static struct error *fill_value(struct arena *a, const struct json *j, const struct json **out) {
    TRY(check_value(a, j, false));
    *out = j;
    return NULL;
}

static struct error *fill_values(struct arena *a, const struct json *j, struct field_list *out) {
    TRY(check_list(a, j));
    const struct json **elements = arena_array(a, j->count, sizeof *elements);
    size_t n = 0;
    for (const struct json *e = j->first; e; e = e->next) {
        TRY(check_value(a, e, true));
        elements[n++] = e;
    }
    *out = (struct field_list){.given = true, .count = n, .elements = elements};
    return NULL;
}

static struct error *fill_names(struct arena *a, const struct json *j, const struct json **out) {
    TRY(check_map(a, j, "java.lang.", "String"));
    for (const struct json *m = j->first; m; m = m->next)
        if (m->kind != JSON_STRING && m->kind != JSON_NULL)
            return fault_scalar(a, m, "String");
    *out = j;
    return NULL;
}

static struct error *fill_strings(struct arena *a, const struct json *j, struct field_list *out) {
    TRY(check_list(a, j));
    struct slice *elements = arena_array(a, j->count, sizeof *elements);
    size_t n = 0;
    for (const struct json *e = j->first; e; e = e->next, n++)
        if (e->kind != JSON_NULL)
            TRY(fill_string(a, e, &elements[n]));
    *out = (struct field_list){.given = true, .count = n, .elements = elements};
    return NULL;
}

static struct error *fill_struct(struct arena *a, const struct field *f, const struct json *j,
                                 void **out) {
    TRY(check_struct(a, j, f->shape, false));
    void *sub = arena_alloc(a, f->of_size);
    TRY(field_fill(a, f->of, f->of_count, j, sub));
    *out = sub;
    return NULL;
}

static struct error *fill_inside(struct arena *a, const struct field *f, const struct json *j,
                                 void *sub) {
    if (j->kind == JSON_NULL)
        return NULL;
    TRY(check_struct(a, j, f->shape, true));
    return field_fill(a, f->of, f->of_count, j, sub);
}

static struct error *fill_list(struct arena *a, const struct field *f, const struct json *j,
                               struct field_list *out) {
    TRY(check_list(a, j));
    char *elements = arena_array(a, j->count, f->of_size);
    size_t n = 0;
    for (const struct json *e = j->first; e; e = e->next)
        TRY(fill_inside(a, f, e, elements + n++ * f->of_size));
    *out = (struct field_list){.given = true, .count = n, .elements = elements};
    return NULL;
}

struct map_member {
    const struct json *json;
    size_t at;
};

static int compare_members(const void *x, const void *y) {
    const struct map_member *a = x, *b = y;
    int order = slice_compare(a->json->name, b->json->name);
    return order ? order : (a->at > b->at) - (a->at < b->at);
}

/* Which members count: of several of one name the last, as everywhere. */
static bool *map_last_members(struct arena *a, const struct json *j) {
    struct map_member *sorted = arena_array(a, j->count, sizeof *sorted);
    bool *last = arena_array(a, j->count, sizeof *last);
    size_t n = 0;
    for (const struct json *m = j->first; m; m = m->next, n++)
        sorted[n] = (struct map_member){m, n};
    qsort(sorted, n, sizeof *sorted, compare_members);
    for (size_t i = 0; i < n; i++)
        last[sorted[i].at] =
            i + 1 == n || !slice_equal(sorted[i].json->name, sorted[i + 1].json->name);
    return last;
}

static struct error *fill_map(struct arena *a, const struct field *f, const struct json *j,
                              struct field_map *out) {
    TRY(check_map(a, j, SHAPES, f->shape));
    const bool *counts = map_last_members(a, j);
    struct slice *keys = arena_array(a, j->count, sizeof *keys);
    char *values = arena_array(a, j->count, f->of_size);
    size_t n = 0;
    for (const struct json *m = j->first; m; m = m->next) {
        if (!*counts++)
            continue;
        keys[n] = m->name;
        TRY(fill_inside(a, f, m, values + n++ * f->of_size));
    }
    *out = (struct field_map){.given = true, .count = n, .keys = keys, .values = values};
    return NULL;
}

static struct error *fill_lists(struct arena *a, const struct field *f, const struct json *j,
                                struct field_map *out) {
    if (j->kind == JSON_ARRAY)
        return fault_map(a, "java.util.List<" SHAPES, arena_printf(a, "%s>", f->shape).ptr);
    TRY(check_map(a, j, SHAPES, f->shape));
    const bool *counts = map_last_members(a, j);
    struct slice *keys = arena_array(a, j->count, sizeof *keys);
    struct field_list *lists = arena_array(a, j->count, sizeof *lists);
    size_t n = 0;
    for (const struct json *m = j->first; m; m = m->next) {
        if (!*counts++)
            continue;
        keys[n] = m->name;
        if (m->kind != JSON_NULL && !is_collection(m))
            return fault_inner_collection(a);
        if (m->kind != JSON_NULL)
            TRY(fill_list(a, f, m, &lists[n]));
        n++;
    }
    *out = (struct field_map){.given = true, .count = n, .keys = keys, .values = lists};
    return NULL;
}

static struct error *fill_one(struct arena *a, const struct field *f, const struct json *j,
                              void *at) {
    switch (f->type) {
    case FIELD_STRING:
    case FIELD_TABLE:
        return fill_string(a, j, at);
    case FIELD_CHOICE:
        return fill_choice(a, f, j, at);
    case FIELD_BOOL:
        return fill_bool(a, j, at);
    case FIELD_INT:
        return fill_int(a, j, "Integer", at);
    case FIELD_LONG:
        return fill_int(a, j, "Long", at);
    case FIELD_ITEM:
        return fill_item(a, j, at);
    case FIELD_ITEMS:
        return fill_items(a, j, at);
    case FIELD_VALUE:
        return fill_value(a, j, at);
    case FIELD_VALUES:
        return fill_values(a, j, at);
    case FIELD_NAMES:
        return fill_names(a, j, at);
    case FIELD_STRINGS:
        return fill_strings(a, j, at);
    case FIELD_STRUCT:
        return fill_struct(a, f, j, at);
    case FIELD_LIST:
        return fill_list(a, f, j, at);
    case FIELD_MAP:
        return fill_map(a, f, j, at);
    case FIELD_LISTS:
        return fill_lists(a, f, j, at);
    }
    return NULL;
}

struct error *field_fill(struct arena *a, const struct field *fields, size_t count,
                         const struct json *object, void *input) {
    for (size_t i = 0; i < count; i++) {
        const struct json *j = json_member(object, slice_of(fields[i].name));
        if (!is_null(j))
            TRY(fill_one(a, &fields[i], j, field_at(&fields[i], input)));
    }
    return NULL;
}
