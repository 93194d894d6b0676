#include <stdlib.h>

#include "graph/graph_int.h"

static const struct json *item_scalar(const struct json *item, struct slice name,
                                      const char *type) {
    const struct json *scalar = json_member(json_member(item, name), slice_of(type));
    return scalar && scalar->kind == JSON_STRING ? scalar : NULL;
}

bool item_has(const struct json *item, struct slice name) {
    return json_member(item, name) != NULL;
}

struct slice item_text(const struct json *item, struct slice name) {
    const struct json *text = item_scalar(item, name, "S");
    return text ? text->text : SLICE("");
}

int64_t item_number(const struct json *item, struct slice name, int64_t absent) {
    const struct json *number = item_scalar(item, name, "N");
    char digits[24];
    if (!number || number->text.len >= sizeof digits)
        return absent;
    memcpy(digits, number->text.ptr, number->text.len);
    digits[number->text.len] = '\0';
    return strtoll(digits, NULL, 10);
}

bool item_set_has(const struct json *item, struct slice name, struct slice member) {
    const struct json *set = json_member(json_member(item, name), SLICE("SS"));
    for (const struct json *m = set ? set->first : NULL; m; m = m->next)
        if (slice_equal(m->text, member))
            return true;
    return false;
}

static int compare_members(const void *left, const void *right) {
    const struct json *const *a = left, *const *b = right;
    return slice_compare((*a)->name, (*b)->name);
}

/* By name: endpoints differ in the order. */
const struct json *item_attributes(const struct graph *g, struct arena *a,
                                   const struct json *item) {
    struct json_writer w = json_writer_tree(a);
    const struct json **members = arena_array(a, item ? item->count : 0, sizeof *members);
    size_t count = 0;
    for (const struct json *m = item ? item->first : NULL; m; m = m->next)
        if (!descriptor_uses_attribute(&g->d, m->name))
            members[count++] = m;
    if (count > 1)
        qsort(members, count, sizeof *members, compare_members);
    json_write_object_begin(&w);
    for (size_t i = 0; i < count; i++) {
        json_write_name(&w, members[i]->name);
        json_write_tree(&w, members[i]);
    }
    json_write_object_end(&w);
    return w.root;
}

struct error *graph_get_item(struct graph *g, struct arena *a, struct slice pk, struct slice sk,
                             const struct json **item) {
    struct request r;
    const struct json *reply;
    request_begin(&r, g, a);
    request_key(&r, g, pk, sk);
    json_member_bool(&r.w, "ConsistentRead", true);
    TRY(graph_call(g, a, "GetItem", request_end(&r), &reply));
    *item = json_member(reply, SLICE("Item"));
    return NULL;
}

struct error *attributes_check(const struct graph *g, struct arena *a,
                               const struct json *attributes) {
    for (const struct json *m = attributes ? attributes->first : NULL; m; m = m->next)
        if (descriptor_uses_attribute(&g->d, m->name))
            return graph_error(a, GRAPH_INVALID, "the attribute %.*s is the graph's own",
                               SLICE_ARG(m->name));
    return NULL;
}
