/*
 * The room's insides: loops, connections, requests, and who calls whom.
 *
 *   loop.c        the thread: accepts, runs messages, keeps the timeouts
 *   connection.c  one socket: reads a head (head.c) and a body (body.c, chunked.c, coding.c), calls
 *                 the handler, goes on with the next request when the reply has left
 *   reply.c       one reply: compression, head, write
 *   request.c     what the handler sees of a request
 *   server.c      all loops together; listen.c binds their sockets
 *
 * All of it runs on the loop's thread but for http_post and http_request_is_dead.
 */
#ifndef HTTP_HTTP_INT_H
#define HTTP_HTTP_INT_H

#include <pthread.h>
#include <stdatomic.h>

#define H2O_USE_LIBUV 0
#include <h2o/socket.h>
#include <h2o/timeout.h>

#include "http/body.h"
#include "http/chunked.h"
#include "http/coding.h"
#include "http/head.h"
#include "http/http.h"

enum {
    REQUEST_IN_BYTES = 8 * 1024, /* most requests fit whole */
    REQUEST_OUT_BYTES = 1024,    /* and most reply heads */
    LOOP_SPARE_REQUESTS = 64,
    LOOP_SCRATCH_BYTES = 64 * 1024,
};

/* How a body comes in. */
enum request_body {
    BODY_IN_PLACE, /* in `in`, behind the head (also: none at all) */
    BODY_SIZED,    /* too long for that: read straight into `body` */
    BODY_CHUNKED,  /* framing in `in`, behind the head; data into `body` */
};

/* A connection has one while it has bytes of a request; replies are sent in order, so one at a time
 * is enough. */
struct http_request {
    struct http_request *next_spare;
    struct connection *connection;
    struct http_loop *loop;

    char *in; /* `small_in`, or from malloc when a head outgrows it */
    size_t in_room;
    size_t in_len;
    size_t seen;     /* of `in`, by head_length */
    size_t head_len; /* 0: not read yet */
    size_t consumed; /* of `in`, by this request: what follows is the next one's */

    enum request_body body_kind;
    struct chunked chunked;
    struct body body;
    struct body inflated;
    struct slice content; /* what the handler sees */

    size_t held; /* in the budget, besides the body */
    void *data;
    void (*drop)(void *data);
    atomic_bool dead;
    bool replied;
    bool close; /* the connection, after the reply */
    bool refused;
    struct slice coded; /* the reply's body when it is compressed, from malloc */
    char *out;          /* the reply's head when it outgrows `small_out` */
    struct head head;
    char small_out[REQUEST_OUT_BYTES];
    char small_in[REQUEST_IN_BYTES];
};

enum connection_state {
    CONNECTION_HEAD,     /* idle, or within a head */
    CONNECTION_BODY,     /* within a body */
    CONNECTION_CONTINUE, /* "100 Continue" is on its way */
    CONNECTION_BUSY,     /* the handler has the request */
    CONNECTION_REPLY,    /* the reply is on its way */
    CONNECTION_LINGER, /* closed on our side; reading what the client still sends, for a moment, so
                          that our last reply is not lost to a reset */
};

struct connection {
    struct connection *next, *previous; /* a ring with the loop's anchor */
    struct http_loop *loop;
    h2o_socket_t *socket;         /* NULL: the client has gone, the handler still owes a reply */
    struct http_request *request; /* NULL when idle */
    h2o_timeout_entry_t timer;
    enum connection_state state;
    bool paused;      /* not polled for reading */
    bool slow;        /* the reading timeout runs */
    size_t progress;  /* bytes of a body since it was last set */
    size_t discarded; /* while lingering */
};

struct http_loop {
    struct http_server *server;
    unsigned index;
    pthread_t thread;
    int listen_fd;
    int wake_fd;
    _Atomic(struct http_message *) inbox; /* newest first */
    atomic_bool asleep;                   /* or about to be: a post must wake it */
    atomic_uint posting;                  /* threads inside http_post: the loop must outlive them */
    struct http_message stop;

    h2o_evloop_t *ev;
    h2o_socket_t *listener;
    h2o_socket_t *waker;
    h2o_timeout_t idle, reading, writing, lingering, accept_pause;
    h2o_timeout_entry_t accept_timer;
    struct connection ring; /* anchor */
    struct http_request *spare;
    size_t spare_count;
    struct coder coder;
    uint64_t date_second;
    char date[32]; /* "Mon, 30 Nov 2026 16:00:00 GMT" */
    bool stopping;
    uint64_t stop_at; /* h2o_now */
    char scratch[LOOP_SCRATCH_BYTES];
};

struct http_server {
    struct http_options options;
    struct body_budget budget;
    unsigned loop_count;
    uint16_t port;
    bool running;
    unsigned grace_ms;
    struct http_loop *loops;
};

/* --- loop.c */
MUST_CHECK struct error *loop_init(struct http_loop *loop, struct arena *a,
                                   struct http_server *server, unsigned index);
void loop_finish(struct http_loop *loop);
MUST_CHECK struct error *loop_start(struct http_loop *loop, struct arena *a);
/* Whether there were any. */
bool loop_run_messages(struct http_loop *loop);
const char *loop_date(struct http_loop *loop);

/* --- listen.c */
MUST_CHECK struct error *listen_all(struct http_server *s, struct arena *a);

/* --- connection.c */
void connection_open(struct http_loop *loop, h2o_socket_t *socket);
void connection_close(struct connection *c);
/* The reply has been handed to the socket: `done` when it has left. */
void connection_write(struct connection *c, h2o_iovec_t *bufs, size_t count);
/* The request is over and the client gone: the last of the connection. */
void connection_forget(struct connection *c);

/* --- request.c */
struct http_request *request_take(struct connection *c);
/* Ready for the next request, whose first bytes are kept. */
void request_reset(struct http_request *r);
void request_give(struct http_request *r);
/* Frees all that the request and its reply held; calls `drop`. */
void request_release(struct http_request *r);
void request_grow(struct http_request *r, size_t room);

/* --- reply.c */
void reply_fault(struct http_request *r, const struct http_fault *fault);

#endif
