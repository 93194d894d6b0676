/*
 * Aims at condition_parse, key_condition_from, projection_parse, update_parse and at evaluating
 * what they accept.  The first byte picks the kind, the rest is the expression.
 */
#include <stdlib.h>

#include "expr/expr.h"
#include "item/item_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char names_text[] = "{\"#a\":\"a\",\"#b\":\"b\",\"#l\":\"l\",\"#s\":\"status\"}";
static const char values_text[] =
    "{\":n\":{\"N\":\"1.5\"},\":s\":{\"S\":\"a\"},\":b\":{\"B\":\"YQ==\"},\":t\":{\"BOOL\":true},"
    "\":z\":{\"NULL\":true},\":l\":{\"L\":[{\"N\":\"1\"}]},\":m\":{\"M\":{\"a\":{\"N\":\"1\"}}},"
    "\":ss\":{\"SS\":[\"a\",\"b\"]},\":ns\":{\"NS\":[\"1\",\"2\"]},\":bs\":{\"BS\":[\"YQ==\"]},"
    "\":S\":{\"S\":\"S\"},\":h\":{\"N\":\"9E125\"}}";
static const char item_text[] =
    "{\"a\":{\"M\":{\"b\":{\"L\":[{\"N\":\"2\"},{\"M\":{\"c\":{\"S\":\"x\"}}}]},\"c\":{\"N\":"
    "\"5\"}}},\"b\":{\"S\":\"abc\"},\"c\":{\"N\":\"9E125\"},\"l\":{\"L\":[{\"N\":\"0\"},{\"L\":[]},"
    "{\"S\":\"s\"}]},\"ss\":{\"SS\":[\"a\",\"c\"]},\"ns\":{\"NS\":[\"1\",\"7\"]},\"bin\":{\"B\":"
    "\"YWJj\"},\"t\":{\"BOOL\":false},\"status\":{\"S\":\"open\"}}";

static const struct json *fuzz_json(struct arena *a, struct slice text) {
    const struct json *json;
    if (json_parse(a, text, &json))
        abort();
    return json;
}

static void fuzz_visit(void *context, struct slice attribute) {
    *(size_t *)context += attribute.len;
}

static void fuzz_condition(struct arena *a, struct expr_scope *scope, struct slice text,
                           const struct item *item) {
    const struct condition *c;
    struct key_condition key;
    size_t seen = 0;
    if (condition_parse(a, scope, text, "ConditionExpression", &c))
        return;
    bool holds = condition_matches(c, item);
    struct expr_scope *again;
    if (expr_scope_create(a, fuzz_json(a, SLICE(names_text)), fuzz_json(a, SLICE(values_text)),
                          &again))
        abort();
    /* NOT turns it around, whatever it is (unless that is one operator too many). */
    const struct condition *negated;
    struct slice inverse = arena_printf(a, "NOT(%.*s)", SLICE_ARG(text));
    if (!condition_parse(a, again, inverse, "ConditionExpression", &negated) &&
        condition_matches(negated, item) == holds)
        abort();
    condition_visit_attributes(c, fuzz_visit, &seen);
    if (!key_condition_from(a, c, &key) && key.count == 0)
        abort();
}

static void fuzz_projection(struct arena *a, struct expr_scope *scope, struct slice text,
                            const struct item *item) {
    struct projection p;
    if (projection_parse(a, scope, text, &p))
        return;
    struct item once = projection_apply(a, &p, item);
    if (item_size(&once) > item_size(item))
        abort();
}

static void fuzz_sorted(const struct item *item) {
    for (size_t i = 1; i < item->count; i++)
        if (slice_compare(item->attributes[i - 1].name, item->attributes[i].name) >= 0)
            abort();
}

static void fuzz_update(struct arena *a, struct expr_scope *scope, struct slice text,
                        const struct item *item) {
    const struct update *u;
    struct item after, touched;
    size_t sets, removes, seen = 0;
    if (update_parse(a, scope, text, &u))
        return;
    update_count_actions(u, &sets, &removes);
    update_visit_attributes(u, fuzz_visit, &seen);
    if (update_apply(a, u, item, &after))
        return;
    fuzz_sorted(&after);
    touched = update_touched(a, u, &after);
    fuzz_sorted(&touched);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    struct arena *a = arena_create();
    struct expr_scope *scope;
    struct item item;
    struct slice text = {(const char *)data + 1, size - 1};
    if (expr_scope_create(a, fuzz_json(a, SLICE(names_text)), fuzz_json(a, SLICE(values_text)),
                          &scope) ||
        item_from_json(a, fuzz_json(a, SLICE(item_text)), &item))
        abort();
    if (data[0] % 3 == 0)
        fuzz_condition(a, scope, text, &item);
    else if (data[0] % 3 == 1)
        fuzz_projection(a, scope, text, &item);
    else
        fuzz_update(a, scope, text, &item);
    struct error *e = expr_scope_check_unused(a, scope);
    if (e && e->message.len == 0)
        abort();
    arena_destroy(a);
    return 0;
}
