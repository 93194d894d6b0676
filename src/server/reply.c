#include "base/log.h"
#include "base/random.h"
#include "server/server_int.h"

enum { REPLY_HEADERS = 8 };

static void reply_with(struct request *r, int status, struct slice type, struct slice body,
                       bool preflight) {
    char id[RANDOM_REQUEST_ID_CHARS];
    struct http_header headers[REPLY_HEADERS];
    size_t count = 0;
    random_request_id(id);
    headers[count++] =
        (struct http_header){SLICE("x-amzn-requestid"), {id, RANDOM_REQUEST_ID_CHARS}};
    if (type.len)
        headers[count++] = (struct http_header){SLICE("content-type"), type};
    count += access_cors_headers(r->server, r->http, preflight, headers + count);
    http_reply(r->http, status, headers, count, body);
}

void reply_plain(struct request *r, int status, struct slice body) {
    reply_with(r, status, SLICE("text/plain; charset=utf-8"), body, false);
}

void reply_preflight(struct request *r) {
    reply_with(r, 200, SLICE(""), SLICE(""), true);
}

/* The form that the request came in: AWS's JSON 1.0 unless plain JSON was named. */
static struct slice reply_type(const struct request *r) {
    struct slice type = http_request_header(r->http, SLICE("content-type"));
    return slice_starts_with(type, SLICE("application/json")) ? SLICE("application/json")
                                                              : SLICE("application/x-amz-json-1.0");
}

static void reply_write_error(struct buf *out, const struct error *e) {
    struct json_writer w = json_writer_text(out);
    json_write_object_begin(&w);
    json_member_string(&w, "__type", e->type);
    if (e->message.ptr) {
        json_write_name(&w, slice_of(error_text_member(e)));
        json_write_string(&w, e->message);
    }
    if (e->details.len) {
        buf_add_char(out, ',');
        buf_add(out, e->details);
    }
    json_write_object_end(&w);
}

/* The cause of an internal error is for the log; the client reads AWS's text. */
static void reply_log_internal(struct request *r) {
    if (r->error->kind != ERR_INTERNAL)
        return;
    log_line(LOG_ERROR, "%s: %.*s", r->call.op ? r->call.op->name : "request",
             SLICE_ARG(r->error->message));
    r->error = error_new(r->arena, ERR_INTERNAL,
                         "The request processing has failed because of an unknown error, "
                         "exception or failure.");
}

void reply_send(struct request *r) {
    int status = 200;
    if (r->error) {
        reply_log_internal(r);
        status = error_status(r->error);
        buf_clear(&r->reply);
        reply_write_error(&r->reply, r->error);
    }
    reply_with(r, status, reply_type(r), buf_slice(&r->reply), false);
}
