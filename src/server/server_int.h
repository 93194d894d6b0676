/*
 * The server from inside.
 */
#ifndef SERVER_SERVER_INT_H
#define SERVER_SERVER_INT_H

#include <stdatomic.h>

#include "http/http.h"
#include "ops/op.h"
#include "server/server.h"
#include "server/workers.h"

enum { SERVER_LOOPS_MAX = 64, SERVER_SPARE_ARENAS = 64 };

/* Arenas of finished requests, kept for the next ones; used on the loop's thread only. */
struct spare_arenas {
    struct arena *arenas[SERVER_SPARE_ARENAS];
    size_t count;
};

struct server {
    struct engine *engine;
    struct http_server *http;
    struct workers *workers;
    struct slice cors_origin;
    const struct slice *allow_hosts;
    size_t allow_host_count;
    bool loopback; /* Host is checked */
    bool forbid_scan;
    _Atomic uint64_t notices; /* said in the log */
    struct arena *arena;      /* of the strings above */
    struct spare_arenas spare[SERVER_LOOPS_MAX];
};

/* One request from its first byte to its last; lives in its own arena. */
struct request {
    struct server *server;
    struct http_request *http;
    struct http_loop *loop;
    struct arena *arena;
    struct op_call call;
    struct writer_task task;     /* of a write */
    struct http_message message; /* back to the loop */
    struct worker_task work;     /* of a long read */
    struct error *error;
    struct buf reply;
    bool encoded; /* `reply` holds the whole answer */
};

/* The http room's handler: `context` is the server. */
void request_handle(void *context, struct http_request *http);

/* --- memory.c: what a request may hold -------------------------------------------------------- */

#define MEMORY_REFUSAL "Too many bytes of requests are in flight; try again."

/* Before the body is read: counts what its tree and its values may become. */
MUST_CHECK struct error *memory_expect_tree(struct request *r);

/* Counts what the request holds now, and `more` that comes.  ERR_SERVICE_UNAVAILABLE when the
 * budget of all requests has no room; not to be asked when a write has been done. */
MUST_CHECK struct error *memory_count(struct request *r, size_t more);

/* --- access.c: who may ask at all ------------------------------------------------------------- */

/* Whether the request's Host is one that this server answers to: a page on the web must not reach a
 * loopback server by a name of its own. */
bool access_host_is_allowed(const struct server *s, struct slice host);

/* The CORS headers that a request with this Origin gets; returns how many (at most 4). */
size_t access_cors_headers(const struct server *s, const struct http_request *http, bool preflight,
                           struct http_header *out);

bool access_host_is_loopback(struct slice name);

/* --- reply.c: what goes out ---------------------------------------------------------------------
 */

/* The request's error, or its encoded answer. */
void reply_send(struct request *r);

/* A reply that is not of the API: a health check, a preflight, a refusal by text. */
void reply_plain(struct request *r, int status, struct slice body);
void reply_preflight(struct request *r);

#endif
