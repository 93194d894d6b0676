#include "graph/descriptor.h"

#include "graph/code.h"

enum { DESCRIPTOR_TYPES = 64, DESCRIPTOR_MAX_SHARDS = 64 };

/* --- Members ---------------------------------------------------------------------------------- */

static struct slice member_text(const struct json *object, const char *name, struct slice absent) {
    const struct json *member = json_member(object, slice_of(name));
    return member && member->kind == JSON_STRING ? member->text : absent;
}

static struct error *member_required(struct arena *a, const struct json *object, struct slice where,
                                     const char *name, struct slice *out) {
    *out = member_text(object, name, SLICE(""));
    if (out->len == 0)
        return graph_error(a, GRAPH_INVALID, "%.*s needs a string \"%s\"", SLICE_ARG(where), name);
    return NULL;
}

static struct error *member_template(struct arena *a, const struct json *object, const char *name,
                                     const char *variable, struct key_template *out) {
    struct slice text;
    TRY(member_required(a, object, object->name, name, &text));
    TRY(key_template_parse(a, text, out));
    bool fits = variable
                    ? key_template_uses(out, slice_of(variable)) && key_template_variables(out) == 1
                    : key_template_variables(out) == 0;
    if (fits)
        return NULL;
    return graph_error(a, GRAPH_INVALID, "\"%s\" of %.*s must have %s%s%s variable", name,
                       SLICE_ARG(object->name), variable ? "{" : "no", variable ? variable : "",
                       variable ? "} as its only" : "");
}

/* One of the choices, which end with NULL; the first when the member is not there. */
static struct error *member_choice(struct arena *a, const struct json *object, const char *name,
                                   const char *const *choices, unsigned *out) {
    struct slice text = member_text(object, name, slice_of(choices[0]));
    for (unsigned i = 0; choices[i]; i++) {
        if (slice_is(text, choices[i])) {
            *out = i;
            return NULL;
        }
    }
    return graph_error(a, GRAPH_INVALID, "\"%s\" of %.*s cannot be \"%.*s\"", name,
                       SLICE_ARG(object->name), SLICE_ARG(text));
}

/* What an expression's placeholders and the counters are named after. */
static struct error *type_name_check(struct arena *a, struct slice name) {
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '_' || c == '-';
        if (!fits)
            return graph_error(a, GRAPH_INVALID, "the name \"%.*s\" may hold a-z A-Z 0-9 _ -",
                               SLICE_ARG(name));
    }
    if (name.len == 0 || name.len > 64)
        return graph_error(a, GRAPH_INVALID, "a name must have 1 to 64 characters");
    return NULL;
}

/* --- Node types ------------------------------------------------------------------------------- */

static struct error *read_node(struct arena *a, const struct json *json, struct node_type *out) {
    out->name = json->name;
    TRY(type_name_check(a, out->name));
    TRY(member_template(a, json, "pk", "id", &out->pk));
    return member_template(a, json, "sk", NULL, &out->sk);
}

static struct error *read_nodes(struct arena *a, const struct json *json, struct descriptor *d) {
    const struct json *nodes = json_member(json, SLICE("nodes"));
    d->nodes =
        arena_array(a, nodes && nodes->kind == JSON_OBJECT ? nodes->count : 0, sizeof *d->nodes);
    if (!nodes || nodes->kind != JSON_OBJECT)
        return NULL;
    if (nodes->count > DESCRIPTOR_TYPES)
        return graph_error(a, GRAPH_INVALID, "a graph has at most %d node types", DESCRIPTOR_TYPES);
    for (const struct json *node = nodes->first; node; node = node->next)
        TRY(read_node(a, node, &d->nodes[d->node_count++]));
    return NULL;
}

/* --- Edge types ------------------------------------------------------------------------------- */

static struct error *read_turned(struct arena *a, const struct json *json, struct edge_type *t) {
    TRY(member_template(a, json, t->twofold ? "rpk" : "ipk", "dst", &t->ipk));
    const char *name = t->twofold ? "rsk" : "isk";
    if (!t->by_time)
        return member_template(a, json, name, "src", &t->isk);
    struct slice text;
    TRY(member_required(a, json, json->name, name, &text));
    TRY(key_template_parse(a, text, &t->isk));
    bool first = t->isk.parts[0].variable && slice_is(t->isk.parts[0].text, "ts");
    if (first && key_template_variables(&t->isk) == 2 && key_template_uses(&t->isk, SLICE("src")))
        return NULL;
    return graph_error(a, GRAPH_INVALID,
                       "\"%s\" of %.*s must begin with {ts} and have {src}: it is ordered by time",
                       name, SLICE_ARG(t->name));
}

static struct error *read_counters(struct arena *a, const struct json *json,
                                   const struct descriptor *d, struct edge_type *t) {
    static const char *const choices[] = {"auto", "exact", "fold", "none", NULL};
    unsigned choice;
    TRY(member_choice(a, json, "counters", choices, &choice));
    t->counters = (enum edge_counters)choice;
    if (t->counters == COUNTERS_AUTO)
        t->counters = d->transactions ? COUNTERS_EXACT : COUNTERS_FOLD;
    if (t->counters == COUNTERS_EXACT && !d->transactions)
        return graph_error(a, GRAPH_UNSUPPORTED,
                           "the endpoint has no TransactWriteItems, which exact counters need: "
                           "\"counters\": \"fold\" works");
    if (t->counters == COUNTERS_NONE && t->twofold && !d->transactions)
        return graph_error(a, GRAPH_UNSUPPORTED,
                           "the endpoint has no TransactWriteItems: a double type without them "
                           "needs \"counters\": \"fold\"");
    struct slice out = arena_printf(a, "c:%.*s:out", SLICE_ARG(t->name));
    struct slice in = arena_printf(a, "c:%.*s:in", SLICE_ARG(t->name));
    t->out_count = member_text(json, "outCount", out);
    t->in_count = member_text(json, "inCount", in);
    return NULL;
}

static struct error *read_end(struct arena *a, const struct descriptor *d, const struct json *json,
                              const char *name, const struct edge_type *t,
                              const struct node_type **out) {
    struct slice type = member_text(json, name, SLICE(""));
    if (type.len == 0 && t->counters == COUNTERS_NONE && !t->nodes_required)
        return NULL;
    TRY(member_required(a, json, json->name, name, &type));
    return descriptor_node(a, d, type, out);
}

static struct error *read_shards(struct arena *a, const struct json *json, struct edge_type *t) {
    const struct json *member = json_member(json, SLICE("maxShards"));
    uint64_t shards = DESCRIPTOR_MAX_SHARDS;
    bool fits = !member || (member->kind == JSON_NUMBER && slice_to_u64(member->text, &shards));
    if (!fits || shards == 0 || shards > DESCRIPTOR_MAX_SHARDS || (shards & (shards - 1)))
        return graph_error(a, GRAPH_INVALID,
                           "\"maxShards\" of %.*s must be a power of two, at most %d",
                           SLICE_ARG(t->name), DESCRIPTOR_MAX_SHARDS);
    t->max_shards = (uint32_t)shards;
    return NULL;
}

static struct error *read_edge(struct arena *a, const struct json *json, const struct descriptor *d,
                               struct edge_type *t) {
    static const char *const variants[] = {"single", "double", NULL};
    static const char *const orders[] = {"id", "time", NULL};
    static const char *const policies[] = {"implicit", "required", NULL};
    unsigned variant, order, policy;
    t->name = json->name;
    TRY(type_name_check(a, t->name));
    TRY(member_choice(a, json, "variant", variants, &variant));
    TRY(member_choice(a, json, "order", orders, &order));
    TRY(member_choice(a, json, "nodes", policies, &policy));
    t->twofold = variant == 1;
    t->by_time = order == 1;
    t->nodes_required = policy == 1;
    TRY(member_template(a, json, "pk", "src", &t->pk));
    TRY(member_template(a, json, "sk", "dst", &t->sk));
    TRY(read_turned(a, json, t));
    TRY(read_counters(a, json, d, t));
    TRY(read_end(a, d, json, "from", t, &t->from));
    TRY(read_end(a, d, json, "to", t, &t->to));
    return read_shards(a, json, t);
}

static struct error *read_edges(struct arena *a, const struct json *json, struct descriptor *d) {
    const struct json *edges = json_member(json, SLICE("edges"));
    if (!edges || edges->kind != JSON_OBJECT || edges->count == 0)
        return graph_error(a, GRAPH_INVALID, "a graph needs \"edges\": at least one edge type");
    if (edges->count > DESCRIPTOR_TYPES)
        return graph_error(a, GRAPH_INVALID, "a graph has at most %d edge types", DESCRIPTOR_TYPES);
    d->edges = arena_array(a, edges->count, sizeof *d->edges);
    for (const struct json *edge = edges->first; edge; edge = edge->next)
        TRY(read_edge(a, edge, d, &d->edges[d->edge_count++]));
    return NULL;
}

/* --- The whole -------------------------------------------------------------------------------- */

static struct error *read_keys(struct arena *a, const struct json *json, struct descriptor *d) {
    const struct json *keys = json_member(json, SLICE("keys"));
    d->pk = SLICE("PK");
    d->sk = SLICE("SK");
    if (!keys)
        return NULL;
    bool fits = keys->kind == JSON_ARRAY && keys->count == 2 && keys->first->kind == JSON_STRING &&
                keys->first->next->kind == JSON_STRING && keys->first->text.len > 0 &&
                keys->first->next->text.len > 0;
    if (!fits)
        return graph_error(a, GRAPH_INVALID, "\"keys\" must be two attribute names");
    d->pk = keys->first->text;
    d->sk = keys->first->next->text;
    return NULL;
}

static void read_indexes(struct arena *a, const struct json *json, struct descriptor *d) {
    const struct json *indexes = json_member(json, SLICE("indexes"));
    d->index = member_text(indexes, "in", SLICE("GSI1"));
    d->queue = member_text(indexes, "queue", SLICE(""));
    d->ipk = arena_printf(a, "%.*sPK", SLICE_ARG(d->index));
    d->isk = arena_printf(a, "%.*sSK", SLICE_ARG(d->index));
    /* Without the index the debts carry its keys all the same: it may be made later. */
    struct slice queue = d->queue.len ? d->queue : SLICE("GSIQ");
    d->qpk = arena_printf(a, "%.*sPK", SLICE_ARG(queue));
    d->qsk = arena_printf(a, "%.*sSK", SLICE_ARG(queue));
}

struct error *descriptor_read(struct arena *a, const struct json *json, struct descriptor *out) {
    struct descriptor d = {.json = json};
    if (!json || json->kind != JSON_OBJECT)
        return graph_error(a, GRAPH_INVALID, "a graph's description must be a JSON object");
    TRY(member_required(a, json, SLICE("the description"), "graph", &d.graph));
    TRY(type_name_check(a, d.graph));
    TRY(member_required(a, json, SLICE("the description"), "table", &d.table));
    const struct json *transactions = json_member(json, SLICE("transactions"));
    d.transactions = !transactions || transactions->kind != JSON_FALSE;
    uint64_t version = 0;
    const struct json *v = json_member(json, SLICE("v"));
    if (v && v->kind == JSON_NUMBER && slice_to_u64(v->text, &version))
        d.version = (int64_t)version;
    TRY(read_keys(a, json, &d));
    read_indexes(a, json, &d);
    TRY(read_nodes(a, json, &d));
    TRY(read_edges(a, json, &d));
    TRY(descriptor_check(a, &d));
    *out = d;
    return NULL;
}

const struct json *descriptor_complete(struct arena *a, const struct json *json, bool transactions,
                                       int64_t version) {
    struct json_writer w = json_writer_tree(a);
    json_write_object_begin(&w);
    for (const struct json *member = json->first; member; member = member->next) {
        if (slice_is(member->name, "v") || slice_is(member->name, "transactions"))
            continue;
        json_write_name(&w, member->name);
        json_write_tree(&w, member);
    }
    json_member_bool(&w, "transactions", transactions);
    json_member_int(&w, "v", version);
    json_write_object_end(&w);
    return w.root;
}

/* --- Finding ---------------------------------------------------------------------------------- */

static struct error *type_unknown(struct arena *a, const char *kind, struct slice name,
                                  struct slice known) {
    return graph_error(a, GRAPH_NOT_FOUND, "the graph has no %s type %.*s; it has%.*s", kind,
                       SLICE_ARG(name), SLICE_ARG(known));
}

struct error *descriptor_edge(struct arena *a, const struct descriptor *d, struct slice name,
                              const struct edge_type **out) {
    struct slice known = SLICE("");
    for (size_t i = 0; i < d->edge_count; i++) {
        if (slice_equal(d->edges[i].name, name)) {
            *out = &d->edges[i];
            return NULL;
        }
        known = arena_printf(a, "%.*s %.*s", SLICE_ARG(known), SLICE_ARG(d->edges[i].name));
    }
    return type_unknown(a, "edge", name, known);
}

struct error *descriptor_node(struct arena *a, const struct descriptor *d, struct slice name,
                              const struct node_type **out) {
    struct slice known = SLICE("");
    for (size_t i = 0; i < d->node_count; i++) {
        if (slice_equal(d->nodes[i].name, name)) {
            *out = &d->nodes[i];
            return NULL;
        }
        known = arena_printf(a, "%.*s %.*s", SLICE_ARG(known), SLICE_ARG(d->nodes[i].name));
    }
    return type_unknown(a, "node", name, known);
}

bool descriptor_uses_attribute(const struct descriptor *d, struct slice name) {
    const struct slice keys[] = {d->pk, d->sk, d->ipk, d->isk, d->qpk, d->qsk};
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (slice_equal(keys[i], name))
            return true;
    for (size_t i = 0; i < d->edge_count; i++)
        if (slice_equal(d->edges[i].out_count, name) || slice_equal(d->edges[i].in_count, name))
            return true;
    const char *const internal[] = {"_", "c:", "v:", "f:"};
    for (size_t i = 0; i < ARRAY_LEN(internal); i++)
        if (slice_starts_with(name, slice_of(internal[i])))
            return true;
    return slice_is(name, "et") || slice_is(name, "ca");
}
