/*
 * ExpressionAttributeNames and ExpressionAttributeValues of one request.
 *
 * Entries stay in the order of the request, for errors; lookups go through an index sorted by
 * placeholder, so that a large map and a long expression do not multiply.
 */
#include <stdlib.h>

#include "expr/expr_int.h"
#include "item/item_json.h"

struct scope_entry {
    struct slice placeholder;
    struct slice name;       /* of names */
    struct value value;      /* of values */
    const struct json *json; /* of values, as sent */
    bool used;
};

struct scope_map {
    struct scope_entry *entries;
    size_t count;
    struct scope_entry **sorted;
    size_t sorted_count; /* less than `count` when a placeholder is repeated */
};

struct expr_scope {
    struct scope_map names;
    struct scope_map values;
};

static int scope_compare(const void *a, const void *b) {
    const struct scope_entry *const *x = a, *const *y = b;
    int order = slice_compare((*x)->placeholder, (*y)->placeholder);
    if (order)
        return order;
    return *x < *y ? -1 : *x > *y;
}

/* Of a placeholder given twice the last one counts, as in any JSON object here. */
static void scope_index(struct arena *a, struct scope_map *map) {
    map->sorted = arena_array(a, map->count, sizeof *map->sorted);
    for (size_t i = 0; i < map->count; i++)
        map->sorted[i] = &map->entries[i];
    qsort(map->sorted, map->count, sizeof *map->sorted, scope_compare);
    for (size_t i = 0; i < map->count; i++) {
        bool repeated = i + 1 < map->count &&
                        slice_equal(map->sorted[i]->placeholder, map->sorted[i + 1]->placeholder);
        if (repeated)
            map->sorted[i]->used = true;
        else
            map->sorted[map->sorted_count++] = map->sorted[i];
    }
}

static struct scope_entry *scope_find(const struct scope_map *map, struct slice placeholder) {
    size_t low = 0, high = map->sorted_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = slice_compare(map->sorted[middle]->placeholder, placeholder);
        if (order == 0)
            return map->sorted[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

bool scope_find_name(struct expr_scope *scope, struct slice alias, struct slice *out) {
    struct scope_entry *entry = scope_find(&scope->names, alias);
    if (!entry)
        return false;
    entry->used = true;
    *out = entry->name;
    return true;
}

const struct value *scope_find_value(struct expr_scope *scope, struct slice placeholder,
                                     const struct json **json) {
    struct scope_entry *entry = scope_find(&scope->values, placeholder);
    if (!entry)
        return NULL;
    entry->used = true;
    *json = entry->json;
    return &entry->value;
}

/* --- Making a scope --------------------------------------------------------------------------- */

/* The lexer's form of an alias or a value, and nothing else. */
static bool scope_placeholder_valid(struct slice key, enum token_kind kind) {
    size_t at = 0;
    struct token t = token_read(key, &at);
    return t.kind == kind && t.text.len == key.len;
}

static struct error *scope_check_key(struct arena *a, const char *member, struct slice key,
                                     enum token_kind kind) {
    if (key.len > LIMIT_EXPRESSION_NAME_BYTES)
        return error_new(a, ERR_VALIDATION,
                         "%s contains invalid key: The expression attribute map contains a key "
                         "that is too long; size of key: %zu",
                         member, key.len);
    if (!scope_placeholder_valid(key, kind))
        return error_new(a, ERR_VALIDATION, "%s contains invalid key: Syntax error; key: \"%.*s\"",
                         member, SLICE_ARG(key));
    return NULL;
}

/* The entries with their placeholders, checked. */
static struct error *scope_read_keys(struct arena *a, const struct json *object, const char *member,
                                     enum token_kind kind, struct scope_map *out) {
    if (!object)
        return NULL;
    if (object->kind != JSON_OBJECT)
        return error_bare(a, ERR_SERIALIZATION);
    if (object->count == 0)
        return error_new(a, ERR_VALIDATION, "%s must not be empty", member);
    out->entries = arena_array(a, object->count, sizeof *out->entries);
    for (const struct json *j = object->first; j; j = j->next) {
        TRY(scope_check_key(a, member, j->name, kind));
        out->entries[out->count++] = (struct scope_entry){.placeholder = j->name, .json = j};
    }
    return NULL;
}

/* Placeholders and what they stand for, together. */
static struct error *scope_check_bytes(struct arena *a, const char *member, size_t bytes) {
    if (bytes <= LIMIT_EXPRESSION_VALUES_BYTES)
        return NULL;
    return error_new(a, ERR_VALIDATION, "%s exceeds max size", member);
}

static struct error *scope_read_names(struct arena *a, const struct json *names,
                                      struct scope_map *out) {
    size_t bytes = 0;
    TRY(scope_read_keys(a, names, "ExpressionAttributeNames", TOKEN_ALIAS, out));
    for (size_t i = 0; i < out->count; i++) {
        struct scope_entry *entry = &out->entries[i];
        if (entry->json->kind != JSON_STRING)
            return error_bare(a, ERR_SERIALIZATION);
        if (entry->json->text.len == 0)
            return error_new(a, ERR_VALIDATION,
                             "ExpressionAttributeNames contains invalid value: Empty attribute "
                             "name for key %.*s",
                             SLICE_ARG(entry->placeholder));
        entry->name = entry->json->text;
        bytes += entry->placeholder.len + entry->name.len;
    }
    return scope_check_bytes(a, "ExpressionAttributeNames", bytes);
}

static struct error *scope_value_error(struct arena *a, const struct scope_entry *entry,
                                       struct error *fault) {
    if (fault->kind != ERR_VALIDATION)
        return fault;
    return error_new(a, ERR_VALIDATION,
                     "ExpressionAttributeValues contains invalid value: %.*s for key %.*s",
                     SLICE_ARG(fault->message), SLICE_ARG(entry->placeholder));
}

static struct error *scope_read_values(struct arena *a, const struct json *values,
                                       struct scope_map *out) {
    size_t bytes = 0;
    TRY(scope_read_keys(a, values, "ExpressionAttributeValues", TOKEN_VALUE, out));
    for (size_t i = 0; i < out->count; i++) {
        struct scope_entry *entry = &out->entries[i];
        struct error *fault = value_from_json(a, entry->json, &entry->value);
        if (fault)
            return scope_value_error(a, entry, fault);
        bytes += entry->placeholder.len + value_size(&entry->value);
    }
    return scope_check_bytes(a, "ExpressionAttributeValues", bytes);
}

struct error *expr_scope_create(struct arena *a, const struct json *names,
                                const struct json *values, struct expr_scope **out) {
    struct expr_scope *scope = arena_alloc(a, sizeof *scope);
    TRY(scope_read_names(a, names, &scope->names));
    TRY(scope_read_values(a, values, &scope->values));
    scope_index(a, &scope->names);
    scope_index(a, &scope->values);
    *out = scope;
    return NULL;
}

struct error *expr_scope_without_expressions(struct arena *a, const struct json *names,
                                             const struct json *values, const char *expressions) {
    if (names)
        return error_new(a, ERR_VALIDATION,
                         "ExpressionAttributeNames can only be specified when using expressions");
    if (values)
        return error_new(a, ERR_VALIDATION,
                         "ExpressionAttributeValues can only be specified when using expressions: "
                         "%s %s null",
                         expressions, strstr(expressions, " and ") ? "are" : "is");
    return NULL;
}

/* --- Unused ----------------------------------------------------------------------------------- */

static struct error *scope_unused_error(struct arena *a, const struct scope_map *map,
                                        const char *member) {
    struct buf keys = buf_in(a, LIMIT_BODY_BYTES);
    for (size_t i = 0; i < map->count; i++) {
        if (map->entries[i].used)
            continue;
        if (keys.len)
            buf_add(&keys, SLICE(", "));
        buf_add(&keys, map->entries[i].placeholder);
    }
    if (keys.len == 0)
        return NULL;
    return error_new(a, ERR_VALIDATION, "Value provided in %s unused in expressions: keys: {%.*s}",
                     member, SLICE_ARG(buf_slice(&keys)));
}

struct error *expr_scope_check_unused(struct arena *a, const struct expr_scope *scope) {
    TRY(scope_unused_error(a, &scope->names, "ExpressionAttributeNames"));
    return scope_unused_error(a, &scope->values, "ExpressionAttributeValues");
}
