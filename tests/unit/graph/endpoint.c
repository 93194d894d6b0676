#include "unit.h"

#include "graph/endpoint.h"

void endpoint_open(struct endpoint *e) {
    struct engine_options options = {.sync = SYNC_NONE};
    e->arena = arena_create();
    assert_ok(store_open_mem(e->arena, &options.store));
    assert_ok(engine_open(e->arena, &options, &e->engine));
    e->inner = client_in_process(e->engine);
}

void endpoint_close(struct endpoint *e) {
    client_close(e->inner);
    engine_close(e->engine);
    arena_destroy(e->arena);
}

/* SplitMix64. */
uint64_t endpoint_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

const struct json *endpoint_json(struct arena *a, const char *text) {
    struct slice s = arena_copy(a, slice_of(text));
    char *bytes = arena_string(a, s);
    const struct json *out;
    for (char *c = bytes; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    assert_ok(json_parse(a, slice_of(bytes), &out));
    return out;
}

static bool happens(struct faulty_client *c, unsigned per_mille) {
    return per_mille > 0 && endpoint_random(&c->random) % 1000 < per_mille;
}

/* --- What is changed on the way --------------------------------------------------------------- */

static struct slice replaced(struct faulty_client *c, struct arena *a, struct slice text) {
    char *at = c->mutant_from ? strstr(arena_string(a, text), c->mutant_from) : NULL;
    if (!at)
        return text;
    char *whole = arena_string(a, text);
    at = strstr(whole, c->mutant_from);
    c->mutated++;
    return arena_printf(a, "%.*s%s%s", (int)(at - whole), whole, c->mutant_to,
                        at + strlen(c->mutant_from));
}

static void rewrite(struct faulty_client *c, struct arena *a, struct json_writer *w,
                    const struct json *value) {
    if (value->kind == JSON_OBJECT) {
        json_write_object_begin(w);
        for (const struct json *m = value->first; m; m = m->next) {
            bool limit = slice_is(m->name, "Limit") && c->page_cut && m->kind == JSON_NUMBER;
            json_write_name(w, m->name);
            if (limit)
                json_write_int(w, c->page_cut);
            else
                rewrite(c, a, w, m);
        }
        json_write_object_end(w);
    } else if (value->kind == JSON_ARRAY) {
        json_write_array_begin(w);
        for (const struct json *m = value->first; m; m = m->next)
            rewrite(c, a, w, m);
        json_write_array_end(w);
    } else if (value->kind == JSON_STRING) {
        json_write_string(w, replaced(c, a, value->text));
    } else {
        json_write_tree(w, value);
    }
}

/* --- Faults ----------------------------------------------------------------------------------- */

static struct error *conflict(struct arena *a) {
    struct error *e = error_new(a, ERR_TRANSACTION_CANCELED,
                                "Transaction cancelled, please refer "
                                "cancellation reasons for specific reasons [TransactionConflict]");
    e->details = SLICE("\"CancellationReasons\":[{\"Code\":\"TransactionConflict\"}]");
    return e;
}

static struct error *before(struct faulty_client *c, struct arena *a, struct slice operation) {
    bool transaction = slice_is(operation, "TransactWriteItems");
    if (c->dies_in > 0 && --c->dies_in == 0)
        c->dead = true;
    if (c->dead)
        return error_new(a, ERR_REMOTE, "crashed");
    if (transaction && c->no_transactions)
        return error_bare(a, ERR_UNKNOWN_OPERATION);
    if (transaction && happens(c, c->conflicts))
        return conflict(a);
    if (happens(c, c->throttled))
        return error_new(a, ERR_THROTTLING, "Rate exceeded");
    return NULL;
}

/* --- Batches that are done in part ------------------------------------------------------------ */

/* The request items with one key (the first of each table), or with all the others. */
static const struct json *part_of(struct arena *a, const struct json *items, bool first) {
    struct json_writer w = json_writer_tree(a);
    json_write_object_begin(&w);
    for (const struct json *table = items->first; table; table = table->next) {
        const struct json *keys = json_member(table, SLICE("Keys"));
        json_write_name(&w, table->name);
        json_write_object_begin(&w);
        json_member_bool(&w, "ConsistentRead", true);
        json_write_name(&w, SLICE("Keys"));
        json_write_array_begin(&w);
        for (const struct json *key = keys->first; key; key = key->next)
            if ((key == keys->first) == first)
                json_write_tree(&w, key);
        json_write_array_end(&w);
        json_write_object_end(&w);
    }
    json_write_object_end(&w);
    return w.root;
}

static struct error *partly(struct faulty_client *c, struct arena *a, const struct json *input,
                            const struct json **out) {
    const struct json *items = json_member(input, SLICE("RequestItems")), *reply;
    struct json_writer request = json_writer_tree(a), w = json_writer_tree(a);
    json_write_object_begin(&request);
    json_write_name(&request, SLICE("RequestItems"));
    json_write_tree(&request, part_of(a, items, true));
    json_write_object_end(&request);
    TRY(client_call(c->inner, a, SLICE("BatchGetItem"), request.root, &reply));
    json_write_object_begin(&w);
    json_write_name(&w, SLICE("Responses"));
    json_write_tree(&w, json_member(reply, SLICE("Responses")));
    json_write_name(&w, SLICE("UnprocessedKeys"));
    json_write_tree(&w, part_of(a, items, false));
    json_write_object_end(&w);
    *out = w.root;
    return NULL;
}

static bool is_cut(struct faulty_client *c, struct slice operation, const struct json *input) {
    const struct json *items = json_member(input, SLICE("RequestItems"));
    const struct json *keys = items ? json_member(items->first, SLICE("Keys")) : NULL;
    return slice_is(operation, "BatchGetItem") && keys && keys->count > 1 &&
           happens(c, c->unprocessed);
}

static struct error *faulty_call(struct client *client, struct arena *a, struct slice operation,
                                 const struct json *input, const struct json **out) {
    struct faulty_client *c = (struct faulty_client *)client;
    if (c->yield)
        c->yield(c->yield_of);
    c->calls++;
    TRY(before(c, a, operation));
    if (c->mutant_from || c->page_cut) {
        struct json_writer w = json_writer_tree(a);
        rewrite(c, a, &w, input);
        input = w.root;
    }
    if (is_cut(c, operation, input))
        return partly(c, a, input, out);
    struct error *e = client_call(c->inner, a, operation, input, out);
    if (!e && happens(c, c->lost_reply))
        return error_new(a, ERR_LOCAL, "no reply");
    return e;
}

static void faulty_close(struct client *client) {
    (void)client;
}

void endpoint_client(struct endpoint *e, struct faulty_client *out) {
    static const struct client_ways ways = {faulty_call, faulty_close};
    *out = (struct faulty_client){.client = {&ways}, .inner = e->inner, .random = 1};
}
