/*
 * HTTP/1.1 server: sockets, framing and replies, on H2O's event loop.  Knows nothing of DynamoDB.
 *
 * One event loop per thread, all listening on the same port (SO_REUSEPORT).  The handler is called
 * on a loop with a whole request and must reply exactly once, at once or later, on the same loop;
 * another thread gets back to a loop by http_post.  Keep-alive, pipelining, chunked bodies, gzip
 * and deflate request bodies (inflated up to the limit), compressed replies when asked and
 * worthwhile. Refused here, connection closed: with 400 Transfer-Encoding with Content-Length,
 * doubled Content-Length or Host, and all else that two readers could read differently (head.h);
 * with 431 heads over LIMIT_HEAD_BYTES; with 413 bodies over the limit; with 415 codings unknown.
 *
 * H2O's own HTTP/1 layer is not used: it hides the headers that frame a request and accepts them
 * doubled, reads a whole body before anybody can refuse it, and cuts the connection under a reply
 * that the client has not read yet.
 */
#ifndef HTTP_HTTP_H
#define HTTP_HTTP_H

#include "base/error.h"

struct http_server;
struct http_loop;
struct http_request;

typedef void (*http_handler)(void *context, struct http_request *request);

struct http_options {
    const char *host;    /* an address or name to bind, "127.0.0.1" */
    uint16_t port;       /* 0: a free one */
    unsigned loops;      /* threads; 0: one per core */
    size_t body_bytes;   /* largest body, as received and as inflated */
    size_t budget_bytes; /* bodies in flight over all loops, and what http_request_hold adds; beyond
                            it requests get 503 with `over_budget` as their body; lives as long as
                            the server */
    struct slice over_budget;
    const char *crc_header; /* NULL, or the name of a header for the CRC-32 of each reply's body as
                               it is sent (after compression); lives as long as the server */
    unsigned idle_ms;       /* how long a connection may be idle; 0: five minutes */
    unsigned reading_ms;    /* for a whole head, and each 16 KB of a body; 0: half a minute */
    http_handler handler;
    void *context;
};

/* Binds; ERR_LOCAL says what is wrong in words ("127.0.0.1:8000 is in use by another process"). */
MUST_CHECK struct error *http_server_create(struct arena *a, const struct http_options *options,
                                            struct http_server **out);

uint16_t http_server_port(const struct http_server *s);

/* Starts the loop threads and returns. */
MUST_CHECK struct error *http_server_start(struct http_server *s, struct arena *a);

/* Stops accepting, lets requests under way finish (at most `grace_ms`), joins the threads.  What is
 * posted to a loop from then on waits for http_server_destroy. */
void http_server_stop(struct http_server *s, unsigned grace_ms);

/* Takes NULL; stopped before, and nobody posts any more.  Runs the messages that wait; requests
 * whose replies never came are dropped. */
void http_server_destroy(struct http_server *s);

/* --- A request; valid until its reply -----------------------------------------------------------
 */

struct slice http_request_method(const struct http_request *r);
struct slice http_request_path(const struct http_request *r);  /* without the query */
struct slice http_request_query(const struct http_request *r); /* without '?', may be empty */
struct slice http_request_host(const struct http_request *r);  /* Host header, may be empty */
struct slice http_request_body(const struct http_request *r);  /* inflated */

/* The first header of that name (lower case), or an empty slice with ptr NULL. */
struct slice http_request_header(const struct http_request *r, struct slice name);

/* All headers in order, for signatures; false past the end. */
bool http_request_header_at(const struct http_request *r, size_t index, struct slice *name,
                            struct slice *value);

struct http_loop *http_request_loop(const struct http_request *r);
unsigned http_loop_index(const struct http_loop *loop);

/* The client has gone: work may be cut short, the reply goes nowhere but must still be called.
 * From any thread.  A client that has only closed its sending side still waits for its reply. */
bool http_request_is_dead(const struct http_request *r);

/* The caller's own pointer, kept with the request; `drop` is called when the reply has left (or the
 * client has gone and the reply was called): the moment to free what the body pointed into. */
void http_request_attach(struct http_request *r, void *data, void (*drop)(void *data));

/* Counts `bytes` of the handler's own memory for this request, besides its body, in the budget
 * until `drop`; in place of what was counted before.  False, and nothing changes, when they do not
 * fit. From any thread, one at a time, before the reply. */
bool http_request_hold(struct http_request *r, size_t bytes);

struct http_header {
    struct slice name; /* lower case */
    struct slice value;
};

/* Sends a reply; `headers` are copied, `body` must live until the attached `drop`.  The server adds
 * Content-Length, Date, and Content-Encoding where it compresses (above LIMIT_COMPRESS_BYTES, when
 * Accept-Encoding asks for gzip or deflate).  May compress on the loop. */
void http_reply(struct http_request *r, int status, const struct http_header *headers, size_t count,
                struct slice body);

/* --- Between threads ----------------------------------------------------------------------------
 */

/* A message to a loop; embedded in what it is about.  `run` is called once on the loop's thread. */
struct http_message {
    struct http_message *next;
    void (*run)(struct http_message *message);
};

/* From any thread; several posts while the loop is busy cost one wake-up. */
void http_post(struct http_loop *loop, struct http_message *message);

#endif
