#include <stdlib.h>

#include "http/http_int.h"

/* --- Its life */

static struct http_request *request_create(struct http_loop *loop) {
    struct http_request *r = malloc(sizeof *r);
    if (!r)
        abort();
    *r = (struct http_request){.loop = loop};
    r->in = r->small_in;
    r->in_room = sizeof r->small_in;
    const struct http_server *s = loop->server;
    r->body = r->inflated =
        (struct body){.ceiling = s->options.body_bytes, .budget = &loop->server->budget};
    return r;
}

struct http_request *request_take(struct connection *c) {
    struct http_loop *loop = c->loop;
    struct http_request *r = loop->spare;
    if (r) {
        loop->spare = r->next_spare;
        loop->spare_count--;
    } else {
        r = request_create(loop);
    }
    r->connection = c;
    c->request = r;
    return r;
}

void request_release(struct http_request *r) {
    if (r->drop)
        r->drop(r->data);
    if (r->held)
        body_budget_give(r->body.budget, r->held);
    body_release(&r->body);
    body_release(&r->inflated);
    r->held = 0;
    free((void *)(uintptr_t)r->coded.ptr);
    free(r->out);
    r->drop = NULL;
    r->data = NULL;
    r->out = NULL;
    r->coded = (struct slice){NULL, 0};
}

void request_reset(struct http_request *r) {
    size_t left = r->in_len - r->consumed;
    memmove(r->in, r->in + r->consumed, left);
    r->in_len = left;
    r->seen = r->head_len = r->consumed = 0;
    r->body_kind = BODY_IN_PLACE;
    r->chunked = (struct chunked){.state = CHUNKED_SIZE};
    r->content = (struct slice){NULL, 0};
    memset(&r->head, 0, offsetof(struct head, headers));
    r->replied = r->close = r->refused = false;
    atomic_store_explicit(&r->dead, false, memory_order_relaxed);
}

void request_give(struct http_request *r) {
    struct http_loop *loop = r->loop;
    if (r->in != r->small_in || loop->spare_count == LOOP_SPARE_REQUESTS) {
        if (r->in != r->small_in)
            free(r->in);
        free(r);
        return;
    }
    r->consumed = r->in_len;
    request_reset(r);
    r->next_spare = loop->spare;
    loop->spare = r;
    loop->spare_count++;
}

void request_grow(struct http_request *r, size_t room) {
    char *in = malloc(room);
    if (!in)
        abort();
    memcpy(in, r->in, r->in_len);
    if (r->in != r->small_in)
        free(r->in);
    r->in = in;
    r->in_room = room;
}

/* --- What the handler sees */

struct slice http_request_method(const struct http_request *r) {
    return r->head.method;
}

struct slice http_request_path(const struct http_request *r) {
    return r->head.path;
}

struct slice http_request_query(const struct http_request *r) {
    return r->head.query;
}

struct slice http_request_host(const struct http_request *r) {
    return r->head.host;
}

struct slice http_request_body(const struct http_request *r) {
    return r->content;
}

struct slice http_request_header(const struct http_request *r, struct slice name) {
    for (size_t i = 0; i < r->head.header_count; i++) {
        struct slice candidate = r->head.headers[i].name;
        if (candidate.len == name.len && memcmp(candidate.ptr, name.ptr, name.len) == 0)
            return r->head.headers[i].value;
    }
    return (struct slice){NULL, 0};
}

bool http_request_header_at(const struct http_request *r, size_t index, struct slice *name,
                            struct slice *value) {
    if (index >= r->head.header_count)
        return false;
    *name = r->head.headers[index].name;
    *value = r->head.headers[index].value;
    return true;
}

struct http_loop *http_request_loop(const struct http_request *r) {
    return r->loop;
}

bool http_request_is_dead(const struct http_request *r) {
    return atomic_load_explicit(&r->dead, memory_order_relaxed);
}

bool http_request_hold(struct http_request *r, size_t bytes) {
    if (bytes < r->held)
        body_budget_give(r->body.budget, r->held - bytes);
    else if (bytes > r->held && !body_budget_take(r->body.budget, bytes - r->held))
        return false;
    r->held = bytes;
    return true;
}

void http_request_attach(struct http_request *r, void *data, void (*drop)(void *data)) {
    r->data = data;
    r->drop = drop;
}
