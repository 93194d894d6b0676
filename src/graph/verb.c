#include "graph/verb.h"

#include "graph/plain.h"
#include "graph/transfer.h"

enum { WORDS_MANY = 100 };

/* --- Words ------------------------------------------------------------------------------------ */

static struct slice verb_graph_name(const struct graph_request *r) {
    return r->name.len > 0 ? r->name : r->table;
}

/* "grade=A" is text, "points:=3" is JSON. */
static struct error *read_attribute(struct arena *a, struct slice word, struct json_writer *w) {
    const char *equals = word.len ? memchr(word.ptr, '=', word.len) : NULL;
    const struct json *value;
    if (!equals || equals == word.ptr)
        return graph_error(a, GRAPH_INVALID, "\"%.*s\" is not KEY=VALUE or KEY:=JSON",
                           SLICE_ARG(word));
    struct slice key = {word.ptr, (size_t)(equals - word.ptr)};
    struct slice text = {equals + 1, word.len - key.len - 1};
    bool typed = key.ptr[key.len - 1] == ':';
    key.len -= typed;
    if (typed && json_parse(a, text, &value))
        return graph_error(a, GRAPH_INVALID, "the value of %.*s is not JSON", SLICE_ARG(key));
    json_write_name(w, key);
    if (typed) {
        plain_read(w, value);
        return NULL;
    }
    json_write_object_begin(w);
    json_member_string(w, "S", text);
    json_write_object_end(w);
    return NULL;
}

static struct error *read_attributes(struct graph_request *r, size_t from,
                                     const struct json **out) {
    struct json_writer w = json_writer_tree(r->arena);
    *out = NULL;
    if (r->word_count <= from)
        return NULL;
    json_write_object_begin(&w);
    for (size_t i = from; i < r->word_count; i++)
        TRY(read_attribute(r->arena, r->words[i], &w));
    json_write_object_end(&w);
    *out = w.root;
    return NULL;
}

static struct graph_edge edge_of(const struct graph_request *r, size_t from) {
    return (struct graph_edge){r->words[from], r->words[from + 1], r->words[from + 2], NULL};
}

static void write_edge(struct json_writer *w, const struct graph_edge *e) {
    json_member_string(w, "type", e->type);
    json_member_string(w, "src", e->src);
    json_member_string(w, "dst", e->dst);
    if (!e->attributes)
        return;
    json_write_name(w, SLICE("attributes"));
    plain_write_attributes(w, e->attributes);
}

/* --- The graph -------------------------------------------------------------------------------- */

/* The description, for the table and the graph of the request. */
static const struct json *described(struct graph_request *r, const struct json *description) {
    struct json_writer w = json_writer_tree(r->arena);
    json_write_object_begin(&w);
    json_member_string(&w, "graph", verb_graph_name(r));
    json_member_string(&w, "table", r->table);
    for (const struct json *m = description->first; m; m = m->next) {
        if (slice_is(m->name, "graph") || slice_is(m->name, "table"))
            continue;
        json_write_name(&w, m->name);
        json_write_tree(&w, m);
    }
    json_write_object_end(&w);
    return w.root;
}

static struct error *run_init(struct graph_request *r, struct json_writer *out) {
    const struct json *description = r->body;
    if (!description && r->word_count > 0)
        description = graph_preset(r->arena, r->words[0]);
    if (!description || description->kind != JSON_OBJECT)
        return graph_error(r->arena, GRAPH_INVALID,
                           "init needs a description: follow, school, team, @FILE or JSON");
    TRY(graph_init(r->client, r->arena, described(r, description)));
    json_member_string(out, "graph", verb_graph_name(r));
    json_member_string(out, "table", r->table);
    json_member_bool(out, "created", true);
    return NULL;
}

static struct error *run_describe(struct graph_request *r, struct json_writer *out) {
    for (const struct json *m = graph_description(r->graph)->first; m; m = m->next) {
        json_write_name(out, m->name);
        json_write_tree(out, m);
    }
    return NULL;
}

static struct error *run_type_add(struct graph_request *r, struct json_writer *out) {
    if (!r->body)
        return graph_error(r->arena, GRAPH_INVALID,
                           "type add needs {\"nodes\": …, \"edges\": …}: @FILE or JSON");
    TRY(graph_type_add(r->graph, r->arena, r->body));
    json_member_bool(out, "added", true);
    return NULL;
}

/* --- Nodes ------------------------------------------------------------------------------------ */

static struct error *run_node_put(struct graph_request *r, struct json_writer *out) {
    const struct json *attributes;
    TRY(read_attributes(r, 2, &attributes));
    TRY(graph_node_put(r->graph, r->arena, r->words[0], r->words[1], attributes));
    json_member_string(out, "type", r->words[0]);
    json_member_string(out, "id", r->words[1]);
    return NULL;
}

static struct error *run_node_get(struct graph_request *r, struct json_writer *out) {
    const struct json *attributes;
    bool found;
    TRY(graph_node_get(r->graph, r->arena, r->words[0], r->words[1], &attributes, &found));
    if (!found)
        return graph_error(r->arena, GRAPH_NOT_FOUND, "there is no %.*s %.*s",
                           SLICE_ARG(r->words[0]), SLICE_ARG(r->words[1]));
    json_member_string(out, "type", r->words[0]);
    json_member_string(out, "id", r->words[1]);
    json_write_name(out, SLICE("attributes"));
    plain_write_attributes(out, attributes);
    return NULL;
}

static struct error *run_node_del(struct graph_request *r, struct json_writer *out) {
    bool deleted;
    uint64_t edges;
    TRY(graph_node_delete(r->graph, r->arena, r->words[0], r->words[1], &deleted, &edges));
    json_member_string(out, "type", r->words[0]);
    json_member_string(out, "id", r->words[1]);
    json_member_bool(out, "deleted", deleted);
    json_member_int(out, "edges", (int64_t)edges);
    return NULL;
}

/* --- Edges ------------------------------------------------------------------------------------ */

static struct error *run_edge_put(struct graph_request *r, struct json_writer *out) {
    struct graph_edge e = edge_of(r, 0);
    bool created;
    if (r->strict && r->upsert)
        return graph_error(r->arena, GRAPH_INVALID, "strict and upsert exclude each other");
    enum graph_put_mode mode = r->strict   ? GRAPH_STRICT
                               : r->upsert ? GRAPH_UPSERT
                                           : GRAPH_IF_ABSENT;
    TRY(read_attributes(r, 3, &e.attributes));
    TRY(graph_edge_put(r->graph, r->arena, &e, mode, &created));
    e.attributes = NULL;
    write_edge(out, &e);
    json_member_bool(out, "created", created);
    return NULL;
}

static struct error *run_edge_set(struct graph_request *r, struct json_writer *out) {
    struct graph_edge e = edge_of(r, 0);
    TRY(read_attributes(r, 3, &e.attributes));
    TRY(graph_edge_set(r->graph, r->arena, &e));
    write_edge(out, &e);
    return NULL;
}

static struct error *run_edge_get(struct graph_request *r, struct json_writer *out) {
    struct graph_edge e = edge_of(r, 0);
    bool found;
    TRY(graph_edge_get(r->graph, r->arena, &e, &found));
    if (!found)
        return graph_error(r->arena, GRAPH_NOT_FOUND, "there is no edge %.*s %.*s -> %.*s",
                           SLICE_ARG(e.type), SLICE_ARG(e.src), SLICE_ARG(e.dst));
    write_edge(out, &e);
    return NULL;
}

static struct error *run_edge_exists(struct graph_request *r, struct json_writer *out) {
    struct graph_edge e = edge_of(r, 0);
    bool found;
    TRY(graph_edge_get(r->graph, r->arena, &e, &found));
    json_member_bool(out, "exists", found);
    return NULL;
}

static struct error *run_edge_mget(struct graph_request *r, struct json_writer *out) {
    size_t count = r->word_count - 2;
    struct graph_edge *edges = arena_array(r->arena, count, sizeof *edges);
    bool *found = arena_array(r->arena, count, sizeof *found);
    for (size_t i = 0; i < count; i++)
        edges[i] = (struct graph_edge){r->words[0], r->words[1], r->words[2 + i], NULL};
    TRY(graph_edge_get_many(r->graph, r->arena, edges, count, found));
    json_write_name(out, SLICE("edges"));
    json_write_array_begin(out);
    for (size_t i = 0; i < count; i++) {
        json_write_object_begin(out);
        json_member_string(out, "dst", edges[i].dst);
        json_member_bool(out, "exists", found[i]);
        if (found[i]) {
            json_write_name(out, SLICE("attributes"));
            plain_write_attributes(out, edges[i].attributes);
        }
        json_write_object_end(out);
    }
    json_write_array_end(out);
    return NULL;
}

static struct error *run_edge_del(struct graph_request *r, struct json_writer *out) {
    struct graph_edge e = edge_of(r, 0);
    bool deleted;
    TRY(graph_edge_delete(r->graph, r->arena, &e, &deleted));
    write_edge(out, &e);
    json_member_bool(out, "deleted", deleted);
    return NULL;
}

static struct error *run_edge_retype(struct graph_request *r, struct json_writer *out) {
    struct graph_edge e = {r->words[0], r->words[2], r->words[3], NULL};
    bool created;
    TRY(graph_edge_retype(r->graph, r->arena, &e, r->words[1], &created));
    e.type = r->words[1];
    write_edge(out, &e);
    json_member_bool(out, "created", created);
    return NULL;
}

/* --- Lists and counts ------------------------------------------------------------------------- */

static struct error *run_list(struct graph_request *r, struct json_writer *out,
                              enum graph_direction direction) {
    struct graph_list list = {.type = r->words[0],
                              .id = r->words[1],
                              .direction = direction,
                              .limit = r->limit,
                              .descending = r->descending,
                              .attributes = r->attributes,
                              .cursor = r->cursor};
    struct graph_page page;
    TRY(graph_list(r->graph, r->arena, &list, &page));
    json_write_name(out, SLICE("edges"));
    json_write_array_begin(out);
    for (size_t i = 0; i < page.count; i++) {
        const struct graph_edge *e = &page.edges[i];
        json_write_object_begin(out);
        json_member_string(out, "id", direction == GRAPH_OUT ? e->dst : e->src);
        if (e->attributes) {
            json_write_name(out, SLICE("attributes"));
            plain_write_attributes(out, e->attributes);
        }
        json_write_object_end(out);
    }
    json_write_array_end(out);
    json_write_name(out, SLICE("cursor"));
    if (page.cursor.len > 0)
        json_write_string(out, page.cursor);
    else
        json_write_null(out);
    json_member_string(out, "consistency", page.eventual ? SLICE("eventual") : SLICE("strong"));
    return NULL;
}

static struct error *run_out(struct graph_request *r, struct json_writer *out) {
    return run_list(r, out, GRAPH_OUT);
}

static struct error *run_in(struct graph_request *r, struct json_writer *out) {
    return run_list(r, out, GRAPH_IN);
}

static struct error *read_direction(struct graph_request *r, struct slice word,
                                    enum graph_direction *out) {
    *out = slice_is(word, "in") ? GRAPH_IN : GRAPH_OUT;
    if (slice_is(word, "in") || slice_is(word, "out"))
        return NULL;
    return graph_error(r->arena, GRAPH_INVALID, "the direction is out or in, not \"%.*s\"",
                       SLICE_ARG(word));
}

static struct error *run_count(struct graph_request *r, struct json_writer *out) {
    enum graph_direction direction;
    int64_t count;
    TRY(read_direction(r, r->words[2], &direction));
    TRY(graph_count(r->graph, r->arena, r->words[0], r->words[1], direction, &count));
    json_member_int(out, "count", count);
    return NULL;
}

static struct error *run_fold(struct graph_request *r, struct json_writer *out) {
    uint64_t folded;
    TRY(graph_fold(r->graph, r->arena, &folded));
    json_member_int(out, "folded", (int64_t)folded);
    return NULL;
}

/* --- Walks ------------------------------------------------------------------------------------ */

static void write_truncated(struct json_writer *out, uint64_t edges, const char *truncated) {
    json_member_int(out, "edgesExamined", (int64_t)edges);
    json_write_name(out, SLICE("truncated"));
    if (truncated)
        json_write_string(out, slice_of(truncated));
    else
        json_write_null(out);
}

static struct error *run_walk(struct graph_request *r, struct json_writer *out) {
    enum graph_direction direction = GRAPH_OUT;
    struct graph_walk walk;
    if (r->word_count > 2)
        TRY(read_direction(r, r->words[2], &direction));
    TRY(graph_walk(r->graph, r->arena, r->words[0], r->words[1], direction, &r->budget, &walk));
    json_write_name(out, SLICE("nodes"));
    json_write_array_begin(out);
    for (size_t i = 0; i < walk.count; i++) {
        json_write_object_begin(out);
        json_member_string(out, "id", walk.nodes[i].id);
        json_member_int(out, "depth", walk.nodes[i].depth);
        json_write_object_end(out);
    }
    json_write_array_end(out);
    write_truncated(out, walk.edges_examined, walk.truncated);
    return NULL;
}

static void write_ids(struct json_writer *out, struct slice *ids, size_t count) {
    json_write_array_begin(out);
    for (size_t i = 0; i < count; i++)
        json_write_string(out, ids[i]);
    json_write_array_end(out);
}

static struct error *run_path(struct graph_request *r, struct json_writer *out) {
    struct graph_path path;
    struct graph_walk_budget budget = r->budget;
    budget.depth = budget.depth ? budget.depth : 6;
    TRY(graph_path(r->graph, r->arena, r->words[0], r->words[1], r->words[2], &budget, &path));
    json_member_bool(out, "exists", path.count > 0);
    json_write_name(out, SLICE("path"));
    write_ids(out, path.ids, path.count);
    write_truncated(out, path.edges_examined, path.truncated);
    return NULL;
}

static struct error *run_common(struct graph_request *r, struct json_writer *out) {
    enum graph_direction direction = GRAPH_OUT;
    struct slice *ids;
    size_t count;
    if (r->word_count > 3)
        TRY(read_direction(r, r->words[3], &direction));
    TRY(graph_common(r->graph, r->arena, r->words[0], r->words[1], r->words[2], direction,
                     r->limit ? r->limit : 100, &ids, &count));
    json_write_name(out, SLICE("ids"));
    write_ids(out, ids, count);
    return NULL;
}

/* --- Shards ----------------------------------------------------------------------------------- */

static struct error *write_shards(struct graph_request *r, struct json_writer *out) {
    struct graph_shards shards;
    TRY(graph_shard_status(r->graph, r->arena, r->words[0], r->words[1], &shards));
    json_member_int(out, "generation", shards.generation);
    json_member_int(out, "read", shards.read);
    json_member_int(out, "write", shards.write);
    json_write_name(out, SLICE("moving"));
    if (shards.moving)
        json_write_string(out, slice_of(shards.moving));
    else
        json_write_null(out);
    return NULL;
}

static struct error *read_shard_number(struct graph_request *r, uint32_t *out) {
    uint64_t n;
    if (!slice_to_u64(r->words[2], &n) || n > UINT32_MAX)
        return graph_error(r->arena, GRAPH_INVALID, "\"%.*s\" is not a number of shards",
                           SLICE_ARG(r->words[2]));
    *out = (uint32_t)n;
    return NULL;
}

static struct error *run_shard_expand(struct graph_request *r, struct json_writer *out) {
    uint32_t to;
    TRY(read_shard_number(r, &to));
    TRY(graph_shard_expand(r->graph, r->arena, r->words[0], r->words[1], to));
    return write_shards(r, out);
}

static struct error *run_shard_rebalance(struct graph_request *r, struct json_writer *out) {
    uint64_t moved;
    TRY(graph_shard_rebalance(r->graph, r->arena, r->words[0], r->words[1], &moved));
    json_member_int(out, "moved", (int64_t)moved);
    return write_shards(r, out);
}

static struct error *run_shard_shrink(struct graph_request *r, struct json_writer *out) {
    uint64_t moved;
    uint32_t to;
    TRY(read_shard_number(r, &to));
    TRY(graph_shard_shrink(r->graph, r->arena, r->words[0], r->words[1], to, &moved));
    json_member_int(out, "moved", (int64_t)moved);
    return write_shards(r, out);
}

/* --- Checking --------------------------------------------------------------------------------- */

static void write_finding(struct json_writer *out, const struct graph_finding *f) {
    json_write_object_begin(out);
    json_member_string(out, "code", slice_of(f->code));
    json_member_string(out, "pk", f->pk);
    json_member_string(out, "sk", f->sk);
    json_member_string(out, "what", slice_of(f->what));
    json_member_bool(out, "repaired", f->repaired);
    json_write_object_end(out);
}

static struct error *run_fsck(struct graph_request *r, struct json_writer *out) {
    struct graph_fsck result;
    TRY(graph_fsck(r->graph, r->arena, r->repair, &result));
    json_write_name(out, SLICE("findings"));
    json_write_array_begin(out);
    for (size_t i = 0; i < result.count; i++)
        write_finding(out, &result.findings[i]);
    json_write_array_end(out);
    json_member_int(out, "items", (int64_t)result.items);
    json_member_int(out, "edges", (int64_t)result.edges);
    json_member_int(out, "nodes", (int64_t)result.nodes);
    json_member_int(out, "found", (int64_t)result.found);
    json_member_int(out, "repaired", (int64_t)result.repaired);
    return NULL;
}

/* --- Files ------------------------------------------------------------------------------------ */

static struct error *run_load(struct graph_request *r, struct json_writer *out) {
    struct graph_load load;
    if (!r->input)
        return graph_error(r->arena, GRAPH_INVALID, "load needs a file");
    struct slice type = r->word_count > 1 ? r->words[1] : SLICE("");
    TRY(graph_load(r->graph, r->arena, r->input, type, &load));
    json_member_int(out, "rows", (int64_t)load.rows);
    json_member_int(out, "created", (int64_t)load.created);
    return NULL;
}

struct export {
    FILE *output;
    enum transfer_format format;
    uint64_t edges;
};

static struct error *export_edge(void *of, struct arena *a, const struct graph_edge *edge) {
    struct export *x = of;
    transfer_write_edge(x->output, a, x->format, edge);
    x->edges++;
    return NULL;
}

static struct error *run_export(struct graph_request *r, struct json_writer *out) {
    struct export x = {.output = r->output};
    struct slice type = r->word_count > 0 ? r->words[0] : SLICE("");
    if (!x.output)
        return graph_error(r->arena, GRAPH_INVALID, "export needs a file");
    TRY(transfer_format_find(r->arena, r->format.len ? r->format : SLICE("ndjson"), &x.format));
    transfer_write_begin(x.output, x.format);
    TRY(graph_export(r->graph, r->arena, type, export_edge, &x));
    transfer_write_end(x.output, x.format);
    json_member_int(out, "edges", (int64_t)x.edges);
    return NULL;
}

/* --- The rows --------------------------------------------------------------------------------- */

static const struct graph_verb verb_rows[] = {
    {"init", "follow | school | team | JSON | @FILE", 0, 1, true,
     "make a graph, and its table when there is none", run_init},
    {"describe", "", 0, 0, false, "print the graph's descriptor", run_describe},
    {"type add", "JSON | @FILE", 0, 1, false, "add node and edge types", run_type_add},
    {"node put", "TYPE ID [KEY=VALUE | KEY:=JSON]...", 2, WORDS_MANY, false,
     "make a node or set its attributes", run_node_put},
    {"node get", "TYPE ID", 2, 2, false, "print a node's attributes", run_node_get},
    {"node del", "TYPE ID", 2, 2, false, "delete a node with all its edges", run_node_del},
    {"edge put", "TYPE SRC DST [KEY=VALUE | KEY:=JSON]...", 3, WORDS_MANY, false,
     "put an edge, once and counted once", run_edge_put},
    {"edge set", "TYPE SRC DST KEY=VALUE...", 4, WORDS_MANY, false, "set attributes of an edge",
     run_edge_set},
    {"edge get", "TYPE SRC DST", 3, 3, false, "print an edge", run_edge_get},
    {"edge exists", "TYPE SRC DST", 3, 3, false, "whether there is such an edge", run_edge_exists},
    {"edge mget", "TYPE SRC DST...", 3, WORDS_MANY, false, "many edges of a node, by their targets",
     run_edge_mget},
    {"edge del", "TYPE SRC DST", 3, 3, false, "delete an edge", run_edge_del},
    {"edge retype", "TYPE NEWTYPE SRC DST", 4, 4, false, "make an edge one of another type",
     run_edge_retype},
    {"out", "TYPE ID", 2, 2, false, "list the edges that leave a node", run_out},
    {"in", "TYPE ID", 2, 2, false, "list the edges that come to a node", run_in},
    {"count", "TYPE ID out|in", 3, 3, false, "print a counter; nothing is listed", run_count},
    {"walk", "TYPE ID [out|in]", 2, 3, false, "what is reached in --depth steps", run_walk},
    {"path", "TYPE FROM TO", 3, 3, false, "a shortest path of at most --depth edges", run_path},
    {"common", "TYPE ID ID [out|in]", 3, 4, false, "neighbours that two nodes have in common",
     run_common},
    {"fold", "", 0, 0, false, "count what puts and deletes without transactions left over",
     run_fold},
    {"shard status", "TYPE ID", 2, 2, false, "print how a target's edges are spread", write_shards},
    {"shard expand", "TYPE ID N", 3, 3, false, "spread later edges over N shards; nothing moves",
     run_shard_expand},
    {"shard rebalance", "TYPE ID", 2, 2, false, "move edges to the shards they belong to now",
     run_shard_rebalance},
    {"shard shrink", "TYPE ID N", 3, 3, false, "gather the edges in N shards; 0: in none",
     run_shard_shrink},
    {"load", "FILE [TYPE]", 1, 2, false, "put the edges of a file", run_load},
    {"export", "[TYPE]", 0, 1, false, "write edges, in --format", run_export},
    {"fsck", "", 0, 0, false, "check all that the graph promises; --repair puts it right",
     run_fsck},
};

const struct graph_verb *graph_verbs(size_t *count) {
    *count = ARRAY_LEN(verb_rows);
    return verb_rows;
}

/* How many of the words spell the name; 0 when they do not. */
static size_t name_words(const char *name, const struct slice *words, size_t count) {
    const char *space = strchr(name, ' ');
    struct slice first = {name, space ? (size_t)(space - name) : strlen(name)};
    if (count == 0 || !slice_equal(words[0], first))
        return 0;
    if (!space)
        return 1;
    return count > 1 && slice_is(words[1], space + 1) ? 2 : 0;
}

const struct graph_verb *graph_verb_find(const struct slice *words, size_t count, size_t *used) {
    for (size_t i = 0; i < ARRAY_LEN(verb_rows); i++) {
        *used = name_words(verb_rows[i].name, words, count);
        if (*used > 0)
            return &verb_rows[i];
    }
    return NULL;
}

/* --- Running ---------------------------------------------------------------------------------- */

static void write_cost(struct json_writer *w, const struct graph *g) {
    struct graph_cost cost = graph_cost(g);
    json_write_name(w, SLICE("cost"));
    json_write_object_begin(w);
    json_member_int(w, "requests", (int64_t)cost.requests);
    json_member_int(w, "retries", (int64_t)cost.retries);
    json_member_double(w, "readUnits", cost.read_units);
    json_member_double(w, "writeUnits", cost.write_units);
    json_write_object_end(w);
}

static struct error *run_open(const struct graph_verb *verb, struct graph_request *r,
                              struct json_writer *w) {
    TRY(graph_open(r->client, r->arena, r->table, verb_graph_name(r), &r->graph));
    graph_set_explain(r->graph, r->explain);
    graph_cost_reset(r->graph);
    return verb->run(r, w);
}

struct error *graph_verb_run(const struct graph_verb *verb, struct graph_request *r,
                             const struct json **answer) {
    struct json_writer w = json_writer_tree(r->arena);
    if (r->word_count < verb->words_min || r->word_count > verb->words_max)
        return graph_error(r->arena, GRAPH_INVALID, "usage: %s %s", verb->name, verb->words);
    json_write_object_begin(&w);
    struct error *e = verb->makes_graph ? verb->run(r, &w) : run_open(verb, r, &w);
    if (!e && r->explain && r->graph)
        write_cost(&w, r->graph);
    graph_close(r->graph);
    r->graph = NULL;
    TRY(e);
    json_write_object_end(&w);
    *answer = w.root;
    return NULL;
}
