/*
 * The server that the tests of this room talk to: an HTTP server with a handler that says what it
 * was asked.
 *
 *   /headers     the headers, one a line
 *   /big?N       N bytes of text
 *   /status?N    an empty reply with that status
 *   /later?MS    the echo, from another thread after MS milliseconds
 *   other        method, path and query, a line; then the body
 */
#ifndef TESTS_UNIT_HTTP_ECHO_H
#define TESTS_UNIT_HTTP_ECHO_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "http/http.h"

/* How many requests live: made, and not dropped yet. */
static atomic_int echo_living;
static atomic_int echo_dead_seen;

struct echo {
    struct arena *arena;
    struct http_request *request;
    struct http_message message;
    unsigned delay_ms;
};

static void echo_drop(void *data) {
    struct echo *e = data;
    arena_destroy(e->arena);
    atomic_fetch_sub(&echo_living, 1);
}

static void echo_reply(struct echo *e, int status, struct slice body) {
    struct http_header type = {SLICE("content-type"), SLICE("text/plain")};
    http_reply(e->request, status, &type, 1, body);
}

static struct slice echo_text(struct echo *e) {
    const struct http_request *r = e->request;
    struct slice query = http_request_query(r), body = http_request_body(r);
    struct buf b = buf_in(e->arena, SIZE_MAX / 2);
    buf_printf(&b, "%.*s %.*s%s%.*s\n", SLICE_ARG(http_request_method(r)),
               SLICE_ARG(http_request_path(r)), query.len > 0 ? "?" : "", SLICE_ARG(query));
    buf_add(&b, body);
    return buf_slice(&b);
}

static struct slice echo_headers(struct echo *e) {
    struct buf b = buf_in(e->arena, SIZE_MAX / 2);
    struct slice name, value;
    for (size_t i = 0; http_request_header_at(e->request, i, &name, &value); i++)
        buf_printf(&b, "%.*s: %.*s\n", SLICE_ARG(name), SLICE_ARG(value));
    return buf_slice(&b);
}

static struct slice echo_big(struct echo *e, size_t len) {
    char *text = arena_bytes(e->arena, len);
    for (size_t i = 0; i < len; i++)
        text[i] = "abcdefghijklmnopqrstuvwxyz\n"[i % 27];
    return (struct slice){text, len};
}

static void echo_on_loop(struct http_message *message) {
    struct echo *e = (struct echo *)((char *)message - offsetof(struct echo, message));
    if (http_request_is_dead(e->request))
        atomic_fetch_add(&echo_dead_seen, 1);
    echo_reply(e, 200, echo_text(e));
}

static void *echo_thread(void *argument) {
    struct echo *e = argument;
    nanosleep(&(struct timespec){e->delay_ms / 1000, e->delay_ms % 1000 * 1000000L}, NULL);
    http_post(http_request_loop(e->request), &e->message);
    return NULL;
}

static void echo_later(struct echo *e, unsigned ms) {
    e->delay_ms = ms;
    e->message.run = echo_on_loop;
    pthread_t thread;
    if (pthread_create(&thread, NULL, echo_thread, e) != 0)
        abort();
    pthread_detach(thread);
}

static void echo_handle(void *context, struct http_request *r) {
    (void)context;
    struct arena *a = arena_create();
    struct echo *e = arena_alloc(a, sizeof *e);
    *e = (struct echo){.arena = a, .request = r};
    atomic_fetch_add(&echo_living, 1);
    http_request_attach(r, e, echo_drop);

    uint64_t number = 0;
    if (!slice_to_u64(http_request_query(r), &number))
        number = 0;
    struct slice path = http_request_path(r);
    if (slice_is(path, "/headers"))
        echo_reply(e, 200, echo_headers(e));
    else if (slice_is(path, "/big"))
        echo_reply(e, 200, echo_big(e, (size_t)number));
    else if (slice_is(path, "/status"))
        echo_reply(e, (int)number, SLICE(""));
    else if (slice_is(path, "/later"))
        echo_later(e, (unsigned)number);
    else
        echo_reply(e, 200, echo_text(e));
}

static inline struct http_options echo_options(void) {
    return (struct http_options){.host = "127.0.0.1",
                                 .loops = 2,
                                 .body_bytes = 100000,
                                 .budget_bytes = 250000,
                                 .over_budget = SLICE("{\"over\":\"budget\"}"),
                                 .crc_header = "x-crc32",
                                 .handler = echo_handle};
}

#endif
