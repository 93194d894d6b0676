/*
 * One request from its first byte to its last.
 *
 * On the loop: access, target, signature, tree, typed input, checks.  A read runs there too, for so
 * many rows; the rest of a long one goes on a worker.  A write goes to the writer and comes back.
 * The request's arena moves along with it: one thread at a time owns both.
 */
#include "auth/sigv4.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "server/server_int.h"

#define REQUEST_OF(member_ptr, member)                                                             \
    ((struct request *)(void *)((char *)(member_ptr)-offsetof(struct request, member)))

enum { REQUEST_HEADERS_MAX = 128 };

/* --- Life ------------------------------------------------------------------------------------- */

static struct arena *request_take_arena(struct server *s, unsigned loop) {
    struct spare_arenas *spare = &s->spare[loop];
    return spare->count ? spare->arenas[--spare->count] : arena_create();
}

/* The reply has left: what it stood in can go. */
static void request_drop(void *data) {
    struct request *r = data;
    struct spare_arenas *spare = &r->server->spare[http_loop_index(r->loop)];
    struct arena *a = r->arena;
    op_call_finish(&r->call);
    if (spare->count < SERVER_SPARE_ARENAS) {
        arena_reset(a);
        spare->arenas[spare->count++] = a;
    } else {
        arena_destroy(a);
    }
}

static struct request *request_create(struct server *s, struct http_request *http) {
    struct http_loop *loop = http_request_loop(http);
    struct arena *a = request_take_arena(s, http_loop_index(loop));
    struct request *r = arena_alloc(a, sizeof *r);
    r->server = s;
    r->http = http;
    r->loop = loop;
    r->arena = a;
    r->reply = buf_in(a, LIMIT_REPLY_BYTES);
    http_request_attach(http, r, request_drop);
    return r;
}

/* --- Running ---------------------------------------------------------------------------------- */

/* The answer as text; an answer that is too large or cannot be written becomes an error.  Of a read
 * that the budget has no room for nothing is sent but the error. */
static void request_encode(struct request *r) {
    struct json_writer w = json_writer_text(&r->reply);
    r->error = op_call_reply(&r->call, &w);
    if (!r->error && !buf_ok(&r->reply))
        r->error =
            error_new(r->arena, ERR_INTERNAL, "the reply is over %d bytes", LIMIT_REPLY_BYTES);
    if (!r->error && r->call.op->kind == OP_READ)
        r->error = memory_count(r, buf_slice(&r->reply).len); /* it may be sent compressed */
}

static void request_finish(struct request *r) {
    if (!r->error)
        request_encode(r);
    reply_send(r);
}

static void request_return(struct http_message *message) {
    struct request *r = REQUEST_OF(message, message);
    if (r->encoded)
        reply_send(r);
    else
        request_finish(r);
}

static void request_work(struct worker_task *work) {
    struct request *r = REQUEST_OF(work, work);
    r->call.max_rows = UINT32_MAX;
    r->call.max_bytes = LIMIT_PAGE_BYTES;
    do {
        r->call.again = false;
        r->error = op_call_run(&r->call);
        if (!r->error)
            r->error = memory_count(r, 0);
    } while (!r->error && r->call.again);
    if (!r->error)
        request_encode(r);
    r->encoded = true;
    http_post(r->loop, &r->message);
}

static void request_run_read(struct request *r) {
    r->call.max_rows = LIMIT_LOOP_ROWS;
    r->call.max_bytes = LIMIT_LOOP_BYTES;
    r->error = op_call_run(&r->call);
    if (!r->error && r->call.again) {
        r->work.run = request_work;
        workers_submit(r->server->workers, &r->work);
        return;
    }
    request_finish(r);
}

static struct error *request_run_write(struct writer_task *task, struct write_view *view) {
    struct request *r = REQUEST_OF(task, task);
    r->call.view = view;
    return op_call_run(&r->call);
}

static void request_write_done(struct writer_task *task, struct error *error) {
    struct request *r = REQUEST_OF(task, task);
    r->call.view = NULL;
    r->error = error;
    http_post(r->loop, &r->message);
}

static void request_submit_write(struct request *r) {
    r->task = (struct writer_task){.arena = r->arena,
                                   .run = request_run_write,
                                   .done = request_write_done,
                                   .bytes = r->call.write_bytes,
                                   .alone = r->call.op->kind == OP_CONTROL,
                                   .frees_space = r->call.op->frees_space};
    writer_submit(r->server->engine, &r->task);
}

/* --- Reading what was sent -------------------------------------------------------------------- */

/* Who asks: the signature's form and date. */
static struct error *request_authenticate(struct request *r, int64_t now_ms) {
    struct sigv4_header headers[REQUEST_HEADERS_MAX];
    size_t count = 0;
    while (count < REQUEST_HEADERS_MAX &&
           http_request_header_at(r->http, count, &headers[count].name, &headers[count].value))
        count++;
    struct sigv4_request signed_request = {.method = http_request_method(r->http),
                                           .path = http_request_path(r->http),
                                           .query = http_request_query(r->http),
                                           .headers = headers,
                                           .header_count = count,
                                           .body = http_request_body(r->http)};
    struct sigv4_caller caller;
    TRY(sigv4_check(r->arena, &signed_request, now_ms, &caller));
    r->call.region = caller.region;
    return NULL;
}

/* AWS's order: is the body JSON, is the operation known, is the signature well formed, is there a
 * body at all, then the operation's own checks. (dynalite, captured) */
static struct error *request_read(struct request *r) {
    struct slice body = http_request_body(r->http);
    const struct json *tree = NULL;
    TRY(memory_expect_tree(r));
    if (body.len)
        TRY(json_parse(r->arena, body, &tree));
    r->call.op = op_find_target(http_request_header(r->http, SLICE("x-amz-target")));
    if (!r->call.op)
        return error_bare(r->arena, ERR_UNKNOWN_OPERATION);
    r->call.engine = r->server->engine;
    r->call.arena = r->arena;
    r->call.now_ms = clock_wall_ms();
    r->call.forbid_scan = r->server->forbid_scan;
    r->call.host = http_request_host(r->http);
    TRY(request_authenticate(r, r->call.now_ms));
    if (!tree)
        return error_bare(r->arena, ERR_SERIALIZATION);
    TRY(op_call_prepare(&r->call, tree));
    return memory_count(r, 0);
}

/* What an operation finds worth telling the one who runs the server: a Scan, numbered. */
static void request_log_notice(struct request *r) {
    if (r->call.notice.len)
        log_line(LOG_INFO, "%.*s (%llu so far)", SLICE_ARG(r->call.notice),
                 (unsigned long long)atomic_fetch_add(&r->server->notices, 1) + 1);
}

static void request_run(struct request *r) {
    r->message.run = request_return;
    r->error = request_read(r);
    request_log_notice(r);
    if (r->error)
        reply_send(r);
    else if (r->call.op->kind == OP_READ)
        request_run_read(r);
    else
        request_submit_write(r);
}

/* --- The door --------------------------------------------------------------------------------- */

static bool request_is_json(const struct request *r) {
    struct slice type = http_request_header(r->http, SLICE("content-type"));
    const char *end = type.len ? memchr(type.ptr, ';', type.len) : NULL;
    if (end)
        type.len = (size_t)(end - type.ptr);
    type = slice_trim(type);
    return slice_is(type, "application/x-amz-json-1.0") || slice_is(type, "application/json");
}

static void request_refuse_host(struct request *r) {
    struct slice host = http_request_host(r->http);
    reply_plain(r, 403,
                arena_printf(r->arena,
                             "This server listens on loopback and does not answer to the name "
                             "\"%.*s\". Start it with --allow-host to add a name.\n",
                             SLICE_ARG(host)));
}

void request_handle(void *context, struct http_request *http) {
    struct server *s = context;
    struct request *r = request_create(s, http);
    struct slice method = http_request_method(http);
    if (!access_host_is_allowed(s, http_request_host(http)))
        request_refuse_host(r);
    else if (slice_is(method, "OPTIONS"))
        reply_preflight(r);
    else if (slice_is(method, "GET") || slice_is(method, "HEAD"))
        reply_plain(r, 200,
                    arena_printf(r->arena, "healthy: %.*s ", SLICE_ARG(http_request_host(http))));
    else if (!slice_is(method, "POST") || (http_request_body(http).len && !request_is_json(r)))
        reply_plain(r, 404, SLICE("<UnknownOperationException/>\n"));
    else
        request_run(r);
}
