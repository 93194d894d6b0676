/*
 * One connection, as a machine of six states (http_int.h):
 *
 *   HEAD → [CONTINUE →] BODY → BUSY → REPLY → HEAD …
 *   from anywhere with a fault: REPLY → LINGER → closed
 *
 * H2O tells us that the socket can be read (its flag DONT_READ) and we read, straight to where the
 * bytes belong; H2O writes.  While the handler has the request the socket stays watched, so that a
 * reset is seen; bytes of a next request, or the client's end of sending, pause the watch until the
 * reply has left.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/limits.h"
#include "http/http_int.h"

enum {
    CHUNKED_ROOM_BYTES = 4 * 1024,    /* behind the head, for framing and data */
    PROGRESS_BYTES = 16 * 1024,       /* of a body, within each reading timeout */
    DISCARD_BYTES = 64 * 1024 * 1024, /* while lingering */
    READ_NOTHING = 0,
    READ_END = -1,
    READ_GONE = -2,
};

static const struct http_fault unknown_expectation = {417, "unknown expectation"};
static const struct http_fault unknown_content_coding = {415, "unknown Content-Encoding"};
static const struct http_fault bad_chunks = {400, "malformed chunked body"};
static const struct http_fault too_slow = {408, "the request did not come in time"};

static void connection_advance(struct connection *c);

/* --- Timeouts and polling */

static void timer_set(struct connection *c, h2o_timeout_t *timeout) {
    h2o_timeout_unlink(&c->timer);
    if (timeout)
        h2o_timeout_link(c->loop->ev, timeout, &c->timer);
}

/* The reading timeout runs from the first byte of a request that is not whole yet. */
static void timer_set_reading(struct connection *c) {
    if (c->slow)
        return;
    c->slow = true;
    c->progress = 0;
    timer_set(c, &c->loop->reading);
}

static void timer_set_idle(struct connection *c) {
    c->slow = false;
    timer_set(c, &c->loop->idle);
}

static void on_readable(h2o_socket_t *socket, const char *error);

static void reading_pause(struct connection *c) {
    h2o_socket_read_stop(c->socket);
    c->paused = true;
}

static void reading_resume(struct connection *c) {
    if (!c->paused)
        return;
    h2o_socket_read_start(c->socket, on_readable);
    c->paused = false;
}

/* --- Its end */

static void connection_unlink(struct connection *c) {
    c->next->previous = c->previous;
    c->previous->next = c->next;
}

void connection_forget(struct connection *c) {
    if (c->request) {
        request_release(c->request);
        request_give(c->request);
    }
    connection_unlink(c);
    free(c);
}

/* A request whose reply is owed keeps the connection's memory. */
void connection_close(struct connection *c) {
    timer_set(c, NULL);
    h2o_socket_close(c->socket);
    c->socket = NULL;
    if (c->state == CONNECTION_BUSY)
        atomic_store_explicit(&c->request->dead, true, memory_order_relaxed);
    else
        connection_forget(c);
}

static void connection_linger(struct connection *c) {
    shutdown(h2o_socket_get_fd(c->socket), SHUT_WR);
    request_give(c->request);
    c->request = NULL;
    c->state = CONNECTION_LINGER;
    c->discarded = 0;
    timer_set(c, &c->loop->lingering);
    reading_resume(c);
}

static void on_timeout(h2o_timeout_entry_t *entry) {
    struct connection *c = H2O_STRUCT_FROM_MEMBER(struct connection, timer, entry);
    bool partial = c->request && (c->state == CONNECTION_HEAD || c->state == CONNECTION_BODY);
    if (partial)
        reply_fault(c->request, &too_slow);
    else
        connection_close(c);
}

/* --- Writing */

/* The next request may be in the buffer already. */
static void connection_next(struct connection *c) {
    struct http_request *r = c->request;
    c->state = CONNECTION_HEAD;
    timer_set_idle(c);
    reading_resume(c);
    if (r->consumed == r->in_len) {
        request_give(r);
        c->request = NULL;
        return;
    }
    request_reset(r);
    connection_advance(c);
}

static void on_sent(h2o_socket_t *socket, const char *error) {
    struct connection *c = socket->data;
    struct http_request *r = c->request;
    request_release(r);
    if (!error && !r->close && !c->loop->stopping)
        connection_next(c);
    else if (!error && r->refused)
        connection_linger(c);
    else
        connection_close(c);
}

void connection_write(struct connection *c, h2o_iovec_t *bufs, size_t count) {
    c->state = CONNECTION_REPLY;
    timer_set(c, &c->loop->writing);
    h2o_socket_write(c->socket, bufs, count, on_sent);
}

/* --- Reading */

/* Bytes read, or READ_…. */
static ssize_t connection_recv(struct connection *c, char *at, size_t room, int flags) {
    ssize_t n;
    do
        n = recv(h2o_socket_get_fd(c->socket), at, room, flags);
    while (n < 0 && errno == EINTR);
    if (n > 0)
        return n;
    if (n == 0)
        return READ_END;
    return errno == EAGAIN || errno == EWOULDBLOCK ? READ_NOTHING : READ_GONE;
}

/* The whole request is here: to the handler with it. */
static void connection_dispatch(struct connection *c) {
    struct http_request *r = c->request;
    timer_set(c, NULL);
    c->slow = false;
    c->state = CONNECTION_BUSY;
    enum coding coding;
    const struct http_fault *fault = NULL;
    if (!coding_read(r->head.content_encoding, &coding))
        fault = &unknown_content_coding;
    else if (coding != CODING_IDENTITY && r->content.len > 0) {
        fault = coding_inflate(coding, r->content, &r->inflated);
        r->content = (struct slice){r->inflated.ptr, r->inflated.len};
    }
    if (fault) {
        reply_fault(r, fault);
        return;
    }
    const struct http_options *o = &c->loop->server->options;
    o->handler(o->context, r);
}

/* --- A body */

static const struct http_fault *body_open(struct http_request *r) {
    const struct head *h = &r->head;
    size_t behind = r->in_len - r->head_len;
    if (h->expects_other)
        return &unknown_expectation;
    if (h->content_length > r->body.ceiling)
        return &body_too_large;
    if (h->chunked) {
        r->body_kind = BODY_CHUNKED;
        return NULL;
    }
    size_t length = (size_t)h->content_length;
    const struct http_fault *fault = body_admit(&r->body, length);
    if (fault || length <= r->in_room - r->head_len)
        return fault;
    r->body_kind = BODY_SIZED;
    body_allocate(&r->body, length);
    memcpy(r->body.ptr, r->in + r->head_len, behind);
    r->body.len = behind;
    r->consumed = r->in_len;
    return NULL;
}

/* Takes what is behind the head through the decoder. */
static const struct http_fault *body_unchunk(struct http_request *r, bool *whole) {
    struct slice in = {r->in + r->head_len, r->in_len - r->head_len}, data;
    for (;;) {
        const struct http_fault *fault;
        switch (chunked_next(&r->chunked, &in, &data)) {
        case CHUNKED_STEP_DATA:
            fault = body_add(&r->body, data);
            if (fault)
                return fault;
            break;
        case CHUNKED_STEP_MORE:
            r->in_len = r->head_len;
            return NULL;
        case CHUNKED_STEP_END:
            r->consumed = (size_t)(in.ptr - r->in);
            *whole = true;
            return NULL;
        case CHUNKED_STEP_BAD:
            return &bad_chunks;
        }
    }
}

/* Whether the body is whole now; sets `content` and `consumed` when it is. */
static const struct http_fault *body_take(struct http_request *r, bool *whole) {
    size_t length = (size_t)r->head.content_length;
    switch (r->body_kind) {
    case BODY_IN_PLACE:
        *whole = r->in_len - r->head_len >= length;
        r->consumed = r->head_len + length;
        r->content = (struct slice){r->in + r->head_len, length};
        return NULL;
    case BODY_SIZED:
        *whole = r->body.len == length;
        break;
    case BODY_CHUNKED: {
        const struct http_fault *fault = body_unchunk(r, whole);
        if (fault)
            return fault;
    }
    }
    r->content = (struct slice){r->body.ptr, r->body.len};
    return NULL;
}

static void on_continue_sent(h2o_socket_t *socket, const char *error) {
    struct connection *c = socket->data;
    c->state = CONNECTION_BODY;
    if (error)
        connection_close(c);
    else
        reading_resume(c);
}

/* The client holds the body back until it is told to go on (RFC 9110, 10.1.1). */
static void connection_continue(struct connection *c) {
    c->request->head.expects_continue = false;
    c->state = CONNECTION_CONTINUE;
    h2o_iovec_t text = {(char *)(uintptr_t) "HTTP/1.1 100 Continue\r\n\r\n", 25};
    h2o_socket_write(c->socket, &text, 1, on_continue_sent);
}

static void connection_take_body(struct connection *c) {
    struct http_request *r = c->request;
    bool whole = false;
    const struct http_fault *fault = body_take(r, &whole);
    if (fault) {
        reply_fault(r, fault);
        return;
    }
    if (whole) {
        connection_dispatch(c);
        return;
    }
    c->state = CONNECTION_BODY;
    timer_set_reading(c);
    if (r->head.expects_continue && r->head.http_1_1)
        connection_continue(c);
}

/* Where the next bytes of a body go. */
static char *body_room(struct http_request *r, size_t *room) {
    if (r->body_kind == BODY_SIZED) {
        *room = (size_t)r->head.content_length - r->body.len;
        return r->body.ptr + r->body.len;
    }
    *room = r->in_room - r->in_len;
    return r->in + r->in_len;
}

static void connection_read_body(struct connection *c) {
    struct http_request *r = c->request;
    size_t room;
    char *at = body_room(r, &room);
    ssize_t n = connection_recv(c, at, room, 0);
    if (n == READ_NOTHING)
        return;
    if (n < 0) {
        connection_close(c);
        return;
    }
    if (r->body_kind == BODY_SIZED)
        r->body.len += (size_t)n;
    else
        r->in_len += (size_t)n;
    c->progress += (size_t)n;
    if (c->progress >= PROGRESS_BYTES)
        c->slow = false; /* set anew below */
    connection_take_body(c);
}

/* --- A head */

/* Empty lines before a request line are passed over (RFC 9112, 2.2). */
static void skip_empty_lines(struct http_request *r) {
    size_t skip = 0;
    while (r->in_len - skip >= 2 && r->in[skip] == '\r' && r->in[skip + 1] == '\n')
        skip += 2;
    if (skip == 0)
        return;
    r->in_len -= skip;
    r->seen = 0;
    memmove(r->in, r->in + skip, r->in_len);
}

static const struct http_fault *head_wait(struct http_request *r) {
    const struct http_fault *fault = head_begin_check((struct slice){r->in, r->in_len});
    r->seen = r->in_len;
    if (!fault && r->in_len == r->in_room)
        request_grow(r, r->in_room * 2);
    return fault;
}

static const struct http_fault *head_take(struct http_request *r) {
    if (r->in_room - r->head_len < CHUNKED_ROOM_BYTES)
        request_grow(r, r->in_room * 2);
    const struct http_fault *fault = head_read(r->in, r->head_len, &r->head);
    return fault ? fault : body_open(r);
}

/* Goes as far as the bytes in the buffer allow. */
static void connection_advance(struct connection *c) {
    struct http_request *r = c->request;
    skip_empty_lines(r);
    r->head_len = head_length((struct slice){r->in, r->in_len}, r->seen);
    const struct http_fault *fault = r->head_len > 0 ? head_take(r) : head_wait(r);
    if (fault)
        reply_fault(r, fault);
    else if (r->head_len > 0)
        connection_take_body(c);
    else
        timer_set_reading(c);
}

static void connection_read_head(struct connection *c) {
    struct http_request *r = c->request ? c->request : request_take(c);
    ssize_t n = connection_recv(c, r->in + r->in_len, r->in_room - r->in_len, 0);
    if (n > 0) {
        r->in_len += (size_t)n;
        connection_advance(c);
    } else if (n != READ_NOTHING) {
        connection_close(c);
    } else if (r->in_len == 0) {
        request_give(r);
        c->request = NULL;
    }
}

/* --- While others are at work */

/* A next request, or the client's end of sending, can wait; a reset cannot. */
static void connection_watch(struct connection *c) {
    char byte;
    ssize_t n = connection_recv(c, &byte, 1, MSG_PEEK);
    if (n == READ_GONE && c->state == CONNECTION_BUSY)
        connection_close(c);
    else if (n != READ_NOTHING)
        reading_pause(c);
}

static void connection_discard(struct connection *c) {
    ssize_t n = connection_recv(c, c->loop->scratch, sizeof c->loop->scratch, 0);
    if (n > 0)
        c->discarded += (size_t)n;
    if ((n < 0 && n != READ_NOTHING) || c->discarded > DISCARD_BYTES)
        connection_close(c);
}

static void on_readable(h2o_socket_t *socket, const char *error) {
    struct connection *c = socket->data;
    (void)error; /* with DONT_READ there is none: recv says what is wrong */
    switch (c->state) {
    case CONNECTION_HEAD:
        connection_read_head(c);
        break;
    case CONNECTION_BODY:
        connection_read_body(c);
        break;
    case CONNECTION_CONTINUE:
    case CONNECTION_BUSY:
    case CONNECTION_REPLY:
        connection_watch(c);
        break;
    case CONNECTION_LINGER:
        connection_discard(c);
        break;
    }
}

void connection_open(struct http_loop *loop, h2o_socket_t *socket) {
    struct connection *c = malloc(sizeof *c);
    if (!c)
        abort();
    *c = (struct connection){
        .loop = loop, .socket = socket, .state = CONNECTION_HEAD, .timer = {.cb = on_timeout}};
    c->previous = &loop->ring;
    c->next = loop->ring.next;
    c->next->previous = c;
    loop->ring.next = c;
    socket->data = c;
    h2o_socket_dont_read(socket, 1);
    h2o_socket_read_start(socket, on_readable);
    timer_set_idle(c);
}
