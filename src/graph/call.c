/* Calls with patience: what is worth another try, and how long. */
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/random.h"
#include "graph/graph_int.h"

enum { WAIT_FIRST_US = 2000, NS_PER_MS = 1000000 };

struct patience patience_begin(const struct graph *g) {
    return (struct patience){clock_monotonic_ns() + (int64_t)g->patience_ms * NS_PER_MS, 0};
}

bool patience_wait(struct graph *g, struct patience *p) {
    if (clock_monotonic_ns() >= p->deadline_ns)
        return false;
    g->cost.retries++;
    uint64_t most = (uint64_t)WAIT_FIRST_US << (p->attempt < 10 ? p->attempt : 10);
    if (most > g->wait_us)
        most = g->wait_us;
    p->attempt++;
    if (most == 0)
        return true;
    /* "Full jitter": those who met must not meet again. */
    uint64_t us = random_u64() % most;
    struct timespec time = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};
    nanosleep(&time, NULL);
    return true;
}

struct slice graph_fresh_id(struct arena *a) {
    char *id = arena_bytes(a, RANDOM_UUID_CHARS);
    random_uuid(id);
    return (struct slice){id, RANDOM_UUID_CHARS};
}

/* --- What an error asks for ------------------------------------------------------------------- */

static bool reason_passes(struct slice code) {
    return slice_is(code, "TransactionConflict") || slice_is(code, "ThrottlingError") ||
           slice_is(code, "ProvisionedThroughputExceeded");
}

/* The reasons of a cancelled transaction, one for each action; NULL when it has none. */
static const struct json *cancellation_reasons(struct arena *a, const struct error *e) {
    const struct json *details;
    struct slice text = arena_printf(a, "{%.*s}", SLICE_ARG(e->details));
    if (e->kind != ERR_TRANSACTION_CANCELED || json_parse(a, text, &details))
        return NULL;
    const struct json *reasons = json_member(details, SLICE("CancellationReasons"));
    return reasons ? reasons->first : NULL;
}

static struct slice reason_code(const struct json *reason) {
    const struct json *code = json_member(reason, SLICE("Code"));
    return code ? code->text : SLICE("");
}

static bool cancelled_in_passing(struct arena *a, const struct error *e) {
    bool any = false;
    for (const struct json *r = cancellation_reasons(a, e); r; r = r->next) {
        struct slice code = reason_code(r);
        if (slice_is(code, "None"))
            continue;
        if (!reason_passes(code))
            return false;
        any = true;
    }
    return any;
}

static bool error_passes(struct arena *a, const struct error *e) {
    switch (e->kind) {
    case ERR_THROTTLING:
    case ERR_REQUEST_LIMIT_EXCEEDED:
    case ERR_TRANSACTION_CONFLICT:
    case ERR_TRANSACTION_IN_PROGRESS:
    case ERR_INTERNAL:
    case ERR_SERVICE_UNAVAILABLE:
    case ERR_LOCAL:
        return true;
    case ERR_TRANSACTION_CANCELED:
        return cancelled_in_passing(a, e);
    default:
        return slice_is(error_short_type(e), "ProvisionedThroughputExceededException");
    }
}

/* The error of one whose patience ended. */
static struct error *gave_up(struct arena *a, const struct error *e) {
    enum graph_code code = GRAPH_THROTTLED;
    if (e->kind == ERR_LOCAL || e->kind == ERR_INTERNAL)
        code = GRAPH_TIMED_OUT;
    if (e->kind == ERR_TRANSACTION_CONFLICT || e->kind == ERR_TRANSACTION_CANCELED)
        code = GRAPH_CONFLICT;
    return graph_error(a, code, "gave up after retries: %.*s", SLICE_ARG(e->message));
}

/* --- Cost ------------------------------------------------------------------------------------- */

static double capacity_units(const struct json *capacity) {
    const struct json *units = json_member(capacity, SLICE("CapacityUnits"));
    char text[32];
    if (!units || units->text.len >= sizeof text)
        return 0;
    memcpy(text, units->text.ptr, units->text.len);
    text[units->text.len] = '\0';
    return strtod(text, NULL);
}

static void cost_add(struct graph *g, const char *operation, const struct json *reply) {
    const struct json *capacity = json_member(reply, SLICE("ConsumedCapacity"));
    double units = 0;
    if (capacity && capacity->kind == JSON_ARRAY)
        for (const struct json *c = capacity->first; c; c = c->next)
            units += capacity_units(c);
    else
        units = capacity_units(capacity);
    bool reads = strcmp(operation, "GetItem") == 0 || strcmp(operation, "Query") == 0 ||
                 strcmp(operation, "BatchGetItem") == 0 || strcmp(operation, "Scan") == 0;
    *(reads ? &g->cost.read_units : &g->cost.write_units) += units;
}

static const struct json *with_capacity(struct arena *a, const struct json *input) {
    struct json_writer w = json_writer_tree(a);
    json_write_object_begin(&w);
    for (const struct json *m = input->first; m; m = m->next) {
        json_write_name(&w, m->name);
        json_write_tree(&w, m);
    }
    json_member_string(&w, "ReturnConsumedCapacity", SLICE("TOTAL"));
    json_write_object_end(&w);
    return w.root;
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* Until it is answered: the error, if any, is one that another try does not change. */
static struct error *call_patiently(struct graph *g, struct arena *a, const char *operation,
                                    const struct json *input, const struct json **out) {
    struct patience patience = patience_begin(g);
    if (g->explain)
        input = with_capacity(a, input);
    for (;;) {
        g->cost.requests++;
        struct error *e = client_call(g->client, a, slice_of(operation), input, out);
        if (!e && g->explain)
            cost_add(g, operation, *out);
        if (!e || !error_passes(a, e))
            return e;
        if (!patience_wait(g, &patience))
            return gave_up(a, e);
    }
}

struct error *graph_call(struct graph *g, struct arena *a, const char *operation,
                         const struct json *input, const struct json **out) {
    return call_patiently(g, a, operation, input, out);
}

struct error *graph_call_if(struct graph *g, struct arena *a, const char *operation,
                            const struct json *input, bool *applied) {
    const struct json *reply;
    struct error *e = call_patiently(g, a, operation, input, &reply);
    if (e && e->kind != ERR_CONDITIONAL_CHECK_FAILED)
        return e;
    *applied = e == NULL;
    return NULL;
}

/* --- Transactions ----------------------------------------------------------------------------- */

void transaction_add(struct transaction *t, const char *kind, const struct json *action) {
    t->kinds[t->count] = kind;
    t->actions[t->count++] = action;
}

static const struct json *transaction_input(struct arena *a, const struct transaction *t) {
    struct json_writer w = json_writer_tree(a);
    json_write_object_begin(&w);
    json_write_name(&w, SLICE("TransactItems"));
    json_write_array_begin(&w);
    for (size_t i = 0; i < t->count; i++) {
        json_write_object_begin(&w);
        json_write_name(&w, slice_of(t->kinds[i]));
        json_write_tree(&w, t->actions[i]);
        json_write_object_end(&w);
    }
    json_write_array_end(&w);
    json_member_string(&w, "ClientRequestToken", t->token);
    json_write_object_end(&w);
    return w.root;
}

struct error *graph_transact(struct graph *g, struct arena *a, struct transaction *t,
                             bool *applied) {
    const struct json *reply;
    struct error *e = call_patiently(g, a, "TransactWriteItems", transaction_input(a, t), &reply);
    *applied = e == NULL;
    if (!e)
        return NULL;
    bool any = false;
    const struct json *r = cancellation_reasons(a, e);
    for (size_t i = 0; i < t->count && r; i++, r = r->next) {
        t->failed[i] = slice_is(reason_code(r), "ConditionalCheckFailed");
        any |= t->failed[i];
    }
    return any ? NULL : e;
}
