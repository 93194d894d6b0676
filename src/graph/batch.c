/*
 * BatchGetItem answers in any order, may leave keys unprocessed, and refuses a key that is asked
 * for twice.  So keys are sorted, doubles are asked for once, and what comes is found by its key.
 */
#include "graph/batch.h"

#include <stdlib.h>

struct batch_slot {
    struct batch_key key;
    const struct json **item; /* where the caller wants it */
};

struct batch {
    struct graph *graph;
    struct batch_slot *slots; /* by key */
    size_t count;
};

static int key_compare(const struct batch_key *a, const struct batch_key *b) {
    int order = slice_compare(a->pk, b->pk);
    return order ? order : slice_compare(a->sk, b->sk);
}

static int slot_compare(const void *left, const void *right) {
    const struct batch_slot *a = left, *b = right;
    return key_compare(&a->key, &b->key);
}

/* The first slot of that key, NULL when it was not asked for. */
static struct batch_slot *batch_find(const struct batch *b, const struct batch_key *key) {
    size_t low = 0, high = b->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (key_compare(&b->slots[middle].key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < b->count && key_compare(&b->slots[low].key, key) == 0;
    return found ? &b->slots[low] : NULL;
}

/* --- The request ------------------------------------------------------------------------------ */

static void write_keys(const struct batch *b, struct json_writer *w, size_t *at) {
    const struct descriptor *d = &b->graph->d;
    json_write_name(w, SLICE("Keys"));
    json_write_array_begin(w);
    for (size_t asked = 0; *at < b->count && asked < LIMIT_BATCH_GET_ITEMS; ++*at) {
        const struct batch_key *key = &b->slots[*at].key;
        if (*at > 0 && key_compare(key, &b->slots[*at - 1].key) == 0)
            continue;
        json_write_object_begin(w);
        write_s(w, d->pk, key->pk);
        write_s(w, d->sk, key->sk);
        json_write_object_end(w);
        asked++;
    }
    json_write_array_end(w);
}

static const struct json *batch_request(const struct batch *b, struct arena *a, size_t *at) {
    struct json_writer w = json_writer_tree(a);
    json_write_object_begin(&w);
    json_write_name(&w, SLICE("RequestItems"));
    json_write_object_begin(&w);
    json_write_name(&w, b->graph->d.table);
    json_write_object_begin(&w);
    write_keys(b, &w, at);
    json_member_bool(&w, "ConsistentRead", true);
    json_write_object_end(&w);
    json_write_object_end(&w);
    json_write_object_end(&w);
    return w.root;
}

/* What was left undone, as the next request; NULL when nothing was. */
static const struct json *batch_rest(struct arena *a, const struct json *reply) {
    const struct json *left = json_member(reply, SLICE("UnprocessedKeys"));
    if (!left || left->count == 0)
        return NULL;
    struct json_writer w = json_writer_tree(a);
    json_write_object_begin(&w);
    json_write_name(&w, SLICE("RequestItems"));
    json_write_tree(&w, left);
    json_write_object_end(&w);
    return w.root;
}

/* --- The replies ------------------------------------------------------------------------------ */

static void batch_take(const struct batch *b, const struct json *reply) {
    const struct descriptor *d = &b->graph->d;
    const struct json *items = json_member(json_member(reply, SLICE("Responses")), d->table);
    for (const struct json *item = items ? items->first : NULL; item; item = item->next) {
        struct batch_key key = {item_text(item, d->pk), item_text(item, d->sk)};
        struct batch_slot *slot = batch_find(b, &key);
        for (; slot && slot < b->slots + b->count && key_compare(&slot->key, &key) == 0; slot++)
            *slot->item = item;
    }
}

static struct error *batch_run(const struct batch *b, struct arena *a, const struct json *input) {
    struct patience patience = patience_begin(b->graph);
    while (input) {
        const struct json *reply;
        TRY(graph_call(b->graph, a, "BatchGetItem", input, &reply));
        batch_take(b, reply);
        input = batch_rest(a, reply);
        if (input && !patience_wait(b->graph, &patience))
            return graph_error(a, GRAPH_THROTTLED, "the endpoint leaves keys unprocessed");
    }
    return NULL;
}

struct error *graph_get_items(struct graph *g, struct arena *a, const struct batch_key *keys,
                              size_t count, const struct json **items) {
    struct batch b = {g, arena_array(a, count, sizeof *b.slots), count};
    for (size_t i = 0; i < count; i++) {
        b.slots[i] = (struct batch_slot){keys[i], &items[i]};
        items[i] = NULL;
    }
    if (count > 1)
        qsort(b.slots, count, sizeof *b.slots, slot_compare);
    for (size_t at = 0; at < count;)
        TRY(batch_run(&b, a, batch_request(&b, a, &at)));
    return NULL;
}
