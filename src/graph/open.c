/* Making, opening and extending a graph: its descriptor is one item of the table. */
#include <stdlib.h>

#include "graph/graph_int.h"
#include "graph/table.h"

enum { PATIENCE_MS = 10000, WAIT_US = 500000 };

#define DESCRIPTOR_PARTITION "#GRAPH"

static struct graph *handle_create(struct client *c) {
    struct graph *g = calloc(1, sizeof *g);
    if (!g)
        abort();
    g->client = c;
    g->arena = arena_create();
    g->patience_ms = PATIENCE_MS;
    g->wait_us = WAIT_US;
    return g;
}

void graph_close(struct graph *g) {
    if (!g)
        return;
    arena_destroy(g->arena);
    free(g);
}

static void handle_release(struct graph **g) {
    graph_close(*g);
}

/* --- The descriptor's item -------------------------------------------------------------------- */

static struct slice json_text(struct arena *a, const struct json *json) {
    struct buf out = buf_in(a, LIMIT_ITEM_BYTES);
    json_print(&out, json, 0);
    return buf_slice(&out);
}

/* Stores `json` as version `version`, if the one before is what is stored. */
static struct error *descriptor_store(struct graph *g, struct arena *a, const struct json *json,
                                      int64_t version, bool *applied) {
    struct request r;
    request_begin(&r, g, a);
    json_write_name(&r.w, SLICE("Item"));
    json_write_object_begin(&r.w);
    write_s(&r.w, g->d.pk, SLICE(DESCRIPTOR_PARTITION));
    write_s(&r.w, g->d.sk, g->d.graph);
    write_s(&r.w, SLICE("et"), SLICE("#GRAPH"));
    write_n(&r.w, SLICE("v"), version);
    write_s(&r.w, SLICE("json"), json_text(a, json));
    json_write_object_end(&r.w);
    if (version == 1) {
        request_text(&r, "ConditionExpression", "attribute_not_exists(#pk)");
        request_name(&r, "#pk", g->d.pk);
    } else {
        request_text(&r, "ConditionExpression", "#v = :before");
        request_name(&r, "#v", SLICE("v"));
        request_n(&r, ":before", version - 1);
    }
    return graph_call_if(g, a, "PutItem", request_end(&r), applied);
}

static struct error *descriptor_load(struct graph *g, struct arena *a, struct slice name) {
    const struct json *item, *json;
    TRY(graph_get_item(g, a, SLICE(DESCRIPTOR_PARTITION), name, &item));
    if (!item)
        return graph_error(a, GRAPH_NOT_FOUND, "the table %.*s has no graph %.*s",
                           SLICE_ARG(g->d.table), SLICE_ARG(name));
    struct slice text = arena_copy(g->arena, item_text(item, SLICE("json")));
    if (json_parse(g->arena, text, &json))
        return graph_error(a, GRAPH_INVALID, "the stored descriptor of %.*s is damaged",
                           SLICE_ARG(name));
    return descriptor_read(g->arena, json, &g->d);
}

/* --- Making ----------------------------------------------------------------------------------- */

static bool any_fold(const struct descriptor *d) {
    for (size_t i = 0; i < d->edge_count; i++)
        if (d->edges[i].counters == COUNTERS_FOLD)
            return true;
    return false;
}

/* The description with the queue's index when there is one. */
static const struct json *with_queue(struct arena *a, const struct json *json,
                                     const struct descriptor *d, bool queue) {
    struct json_writer w = json_writer_tree(a);
    json_write_object_begin(&w);
    for (const struct json *m = json->first; m; m = m->next) {
        if (slice_is(m->name, "indexes"))
            continue;
        json_write_name(&w, m->name);
        json_write_tree(&w, m);
    }
    json_write_name(&w, SLICE("indexes"));
    json_write_object_begin(&w);
    json_member_string(&w, "in", d->index);
    if (queue)
        json_member_string(&w, "queue", d->queue);
    json_write_object_end(&w);
    json_write_object_end(&w);
    return w.root;
}

/* As the endpoint lets it be: whether it has transactions, which indexes the table has. */
static struct error *init_fit(struct graph *g, struct arena *a, const struct json *description,
                              const struct json **complete) {
    bool transactions, queue;
    /* Read once to know the table, then again with what it can do. */
    TRY(descriptor_read(a, descriptor_complete(a, description, true, 1), &g->d));
    struct slice queue_name = g->d.queue.len ? g->d.queue : SLICE("GSIQ");
    TRY(table_transactions(g, a, &transactions));
    const struct json *json = descriptor_complete(a, description, transactions, 1);
    TRY(descriptor_read(a, json, &g->d));
    g->d.queue = queue_name;
    TRY(table_ensure(g, a, any_fold(&g->d), &queue));
    *complete = with_queue(a, json, &g->d, queue);
    return NULL;
}

struct error *graph_init(struct client *c, struct arena *a, const struct json *description) {
    CLEANUP(handle_release) struct graph *g = handle_create(c);
    const struct json *complete;
    bool applied;
    TRY(init_fit(g, a, description, &complete));
    TRY(descriptor_read(a, complete, &g->d));
    TRY(descriptor_store(g, a, complete, 1, &applied));
    if (applied)
        return NULL;
    return graph_error(a, GRAPH_EXISTS, "the table %.*s has a graph %.*s already",
                       SLICE_ARG(g->d.table), SLICE_ARG(g->d.graph));
}

/* --- Opening ---------------------------------------------------------------------------------- */

struct error *graph_open(struct client *c, struct arena *a, struct slice table, struct slice name,
                         struct graph **out) {
    CLEANUP(handle_release) struct graph *g = handle_create(c);
    g->d.table = arena_copy(g->arena, table);
    TRY(table_keys(g, a, &g->d.pk, &g->d.sk));
    TRY(descriptor_load(g, a, name));
    *out = g;
    g = NULL;
    return NULL;
}

const struct json *graph_description(const struct graph *g) {
    return g->d.json;
}

/* --- Extending -------------------------------------------------------------------------------- */

static void merge_member(struct json_writer *w, const char *name, const struct json *old,
                         const struct json *more) {
    const struct json *a = json_member(old, slice_of(name)), *b = json_member(more, slice_of(name));
    json_write_name(w, slice_of(name));
    json_write_object_begin(w);
    for (const struct json *m = a && a->kind == JSON_OBJECT ? a->first : NULL; m; m = m->next) {
        json_write_name(w, m->name);
        json_write_tree(w, m);
    }
    for (const struct json *m = b && b->kind == JSON_OBJECT ? b->first : NULL; m; m = m->next) {
        json_write_name(w, m->name);
        json_write_tree(w, m);
    }
    json_write_object_end(w);
}

static const struct json *extended(struct arena *a, const struct json *old,
                                   const struct json *more) {
    struct json_writer w = json_writer_tree(a);
    json_write_object_begin(&w);
    for (const struct json *m = old->first; m; m = m->next) {
        if (slice_is(m->name, "nodes") || slice_is(m->name, "edges"))
            continue;
        json_write_name(&w, m->name);
        json_write_tree(&w, m);
    }
    merge_member(&w, "nodes", old, more);
    merge_member(&w, "edges", old, more);
    json_write_object_end(&w);
    return w.root;
}

static struct error *types_are_new(struct arena *a, const struct descriptor *d, const char *member,
                                   const struct json *more) {
    const struct json *old = json_member(d->json, slice_of(member));
    const struct json *types = json_member(more, slice_of(member));
    for (const struct json *m = types ? types->first : NULL; m; m = m->next)
        if (json_member(old, m->name))
            return graph_error(a, GRAPH_EXISTS, "the graph has a type %.*s already",
                               SLICE_ARG(m->name));
    return NULL;
}

struct error *graph_type_add(struct graph *g, struct arena *a, const struct json *description) {
    struct descriptor d;
    const struct json *json;
    bool applied;
    TRY(types_are_new(a, &g->d, "nodes", description));
    TRY(types_are_new(a, &g->d, "edges", description));
    json = extended(a, g->d.json, description);
    json = descriptor_complete(a, json, g->d.transactions, g->d.version + 1);
    TRY(descriptor_read(a, json, &d));
    TRY(descriptor_store(g, a, json, d.version, &applied));
    if (!applied)
        return graph_error(a, GRAPH_CONFLICT, "another changed the graph; open it again");
    return descriptor_load(g, a, g->d.graph);
}

/* --- The handle's settings -------------------------------------------------------------------- */

void graph_set_patience(struct graph *g, unsigned milliseconds) {
    g->patience_ms = milliseconds;
}

void graph_set_wait(struct graph *g, unsigned microseconds) {
    g->wait_us = microseconds;
}

void graph_set_deferred(struct graph *g, bool deferred) {
    g->deferred = deferred;
}

void graph_set_explain(struct graph *g, bool explain) {
    g->explain = explain;
}

struct graph_cost graph_cost(const struct graph *g) {
    return g->cost;
}

void graph_cost_reset(struct graph *g) {
    g->cost = (struct graph_cost){0};
}
