#include "server/server.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "server/server_int.h"

enum {
    SERVER_BUDGET_BYTES = 512 * 1024 * 1024,
    SERVER_WORKERS = 2,
    SERVER_GRACE_MS = 5000,
};

static unsigned server_cores(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores < 1)
        return 1;
    return cores > SERVER_LOOPS_MAX ? SERVER_LOOPS_MAX : (unsigned)cores;
}

static struct error *server_check_host(struct arena *a, const struct server_options *o) {
    if (o->insecure || access_host_is_loopback(slice_of(o->host)))
        return NULL;
    return error_new(a, ERR_LOCAL,
                     "%s is beyond loopback, where anybody who reaches the port can read and "
                     "write everything: start with --insecure if that is what you want",
                     o->host);
}

static void server_keep_names(struct server *s, const struct server_options *o) {
    struct slice *hosts = arena_array(s->arena, o->allow_host_count, sizeof *hosts);
    for (size_t i = 0; i < o->allow_host_count; i++)
        hosts[i] = arena_copy(s->arena, o->allow_hosts[i]);
    s->allow_hosts = hosts;
    s->allow_host_count = o->allow_host_count;
    s->cors_origin = arena_copy(s->arena, o->cors_origin);
    s->loopback = access_host_is_loopback(slice_of(o->host));
}

static struct error *server_listen(struct server *s, struct arena *a,
                                   const struct server_options *o) {
    struct http_options options = {
        .host = o->host,
        .port = o->port,
        .loops = o->loops ? o->loops : server_cores(),
        .body_bytes = LIMIT_BODY_BYTES,
        .budget_bytes = o->budget_bytes ? o->budget_bytes : SERVER_BUDGET_BYTES,
        .over_budget = SLICE("{\"__type\":\"com.amazon.coral.service#ServiceUnavailableException\","
                             "\"message\":\"" MEMORY_REFUSAL "\"}"),
        .crc_header = "x-amz-crc32",
        .handler = request_handle,
        .context = s,
    };
    TRY(http_server_create(a, &options, &s->http));
    return http_server_start(s->http, a);
}

static struct error *server_open(struct server *s, struct arena *a,
                                 const struct server_options *o) {
    TRY(server_check_host(a, o));
    server_keep_names(s, o);
    TRY(workers_create(a, SERVER_WORKERS, &s->workers));
    return server_listen(s, a, o);
}

struct error *server_start(struct arena *a, const struct server_options *options,
                           struct server **out) {
    struct server *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->engine = options->engine;
    s->forbid_scan = options->forbid_scan;
    s->arena = arena_create();
    struct error *error = server_open(s, a, options);
    if (error)
        server_stop(s);
    else
        *out = s;
    return error;
}

uint16_t server_port(const struct server *s) {
    return http_server_port(s->http);
}

void server_stop(struct server *s) {
    if (!s)
        return;
    if (s->http)
        http_server_stop(s->http, SERVER_GRACE_MS);
    workers_destroy(s->workers);
    http_server_destroy(s->http);
    for (size_t i = 0; i < ARRAY_LEN(s->spare); i++)
        while (s->spare[i].count)
            arena_destroy(s->spare[i].arenas[--s->spare[i].count]);
    arena_destroy(s->arena);
    free(s);
}
