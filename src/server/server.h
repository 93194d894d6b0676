/*
 * The server: a DynamoDB endpoint on an engine.
 *
 * It knows the whole line: bytes from `http`, who asks from `auth`, the operation's row from `ops`,
 * the engine's writer for writes, a small pool of workers for long reads, and back.  The engine
 * belongs to the caller and outlives the server.
 */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "base/error.h"

struct engine;
struct server;

struct server_options {
    struct engine *engine;
    const char *host;
    uint16_t port;                   /* 0: a free one */
    unsigned loops;                  /* event loops; 0: one per core */
    size_t budget_bytes;             /* of all that requests in flight hold; 0: the default */
    struct slice cors_origin;        /* an origin, "*", or empty: no CORS */
    const struct slice *allow_hosts; /* further names that a Host header may have */
    size_t allow_host_count;
    bool insecure;    /* may listen beyond loopback */
    bool forbid_scan; /* a Scan is refused, by name of the table */
};

/* Binds and starts the threads.  ERR_LOCAL in words: the port is taken, the host is beyond loopback
 * without `insecure`. */
MUST_CHECK struct error *server_start(struct arena *a, const struct server_options *options,
                                      struct server **out);

uint16_t server_port(const struct server *s);

/* Requests under way are answered, then the threads end.  Takes NULL. */
void server_stop(struct server *s);

#endif
