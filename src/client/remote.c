/* A client of an endpoint over HTTP: signs, sends, reads, and tries again where that may help. */
#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/random.h"
#include "client/client_int.h"
#include "client/remote_reply.h"
#include "ops/op.h"

enum {
    REMOTE_ATTEMPTS = 3,
    REMOTE_TIMEOUT_MS = 60 * 1000,
    REMOTE_PAUSE_MS = 50, /* before the second attempt at most; then twice as long each time */
    REMOTE_PAUSE_MOST_MS = 20 * 1000,
};

struct remote {
    struct client client;
    struct arena *arena; /* lives as long as the client */
    struct endpoint endpoint;
    struct sigv4_key key;
    unsigned attempts;
    unsigned timeout_ms;
    struct exchange exchange; /* opened at the first call */
};

/* --- The request ------------------------------------------------------------------------------ */

static struct slice remote_target(struct arena *a, struct slice operation) {
    const struct op *op = op_find(operation);
    const char *service =
        op && op->service == SERVICE_STREAMS ? "DynamoDBStreams_20120810" : "DynamoDB_20120810";
    return arena_printf(a, "%s.%.*s", service, SLICE_ARG(operation));
}

/* A transaction that is sent twice must not happen twice, so one without a token gets one, as the
 * SDKs do. */
static const struct json *remote_with_token(struct arena *a, struct slice operation,
                                            const struct json *input) {
    if (!slice_is(operation, "TransactWriteItems") || !input || input->kind != JSON_OBJECT ||
        json_member(input, SLICE("ClientRequestToken")))
        return input;
    char *uuid = arena_bytes(a, RANDOM_UUID_CHARS);
    random_uuid(uuid);
    struct json *token = arena_alloc(a, sizeof *token);
    *token = (struct json){.kind = JSON_STRING,
                           .name = SLICE("ClientRequestToken"),
                           .text = {uuid, RANDOM_UUID_CHARS},
                           .next = input->first};
    struct json *copy = arena_alloc(a, sizeof *copy);
    *copy = *input;
    copy->first = token;
    copy->count++;
    return copy;
}

static struct error *remote_body(struct arena *a, const struct json *input, struct slice *out) {
    static const struct json nothing = {.kind = JSON_OBJECT};
    struct buf text = buf_in(a, LIMIT_BODY_BYTES);
    json_print(&text, input ? input : &nothing, 0);
    if (!buf_ok(&text))
        return error_new(a, ERR_LOCAL, "the request is longer than %d bytes", LIMIT_BODY_BYTES);
    *out = buf_slice(&text);
    return NULL;
}

/* --- Attempts --------------------------------------------------------------------------------- */

/* Anything up to the bound, so that clients that failed together do not come back together. */
static void remote_pause(unsigned attempt) {
    uint64_t bound = REMOTE_PAUSE_MS;
    for (unsigned i = 1; i < attempt && bound < REMOTE_PAUSE_MOST_MS; i++)
        bound *= 2;
    if (bound > REMOTE_PAUSE_MOST_MS)
        bound = REMOTE_PAUSE_MOST_MS;
    uint64_t us = random_u64() % (bound * 1000);
    struct timespec left = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};
    while (nanosleep(&left, &left) != 0)
        continue;
}

/* One attempt; `*passing` when the next one may do better. */
static struct error *remote_attempt(struct remote *r, struct arena *a, struct slice target,
                                    struct slice body, const struct json **out, bool *passing) {
    struct exchange_reply reply = {0};
    *passing = true;
    TRY(exchange_run(&r->exchange, a, target, body, &reply));
    struct error *error = remote_reply_read(a, &reply, out);
    *passing = error && remote_reply_is_passing(reply.status, error);
    return error;
}

static struct error *remote_open_exchange(struct remote *r, struct arena *a) {
    const struct curl_library *library;
    if (r->exchange.handle)
        return NULL;
    TRY(curl_library_load(a, &library));
    return exchange_open(a, library, &r->endpoint, &r->key, r->timeout_ms, &r->exchange);
}

static struct error *remote_call(struct client *c, struct arena *a, struct slice operation,
                                 const struct json *input, const struct json **out) {
    struct remote *r = (struct remote *)c;
    struct slice body;
    TRY(remote_open_exchange(r, a));
    TRY(remote_body(a, remote_with_token(a, operation, input), &body));
    struct slice target = remote_target(a, operation);
    for (unsigned attempt = 1;; attempt++) {
        bool passing;
        struct error *error = remote_attempt(r, a, target, body, out, &passing);
        if (!passing || attempt >= r->attempts)
            return error;
        remote_pause(attempt);
    }
}

/* --- Life ------------------------------------------------------------------------------------- */

static void remote_close(struct client *c) {
    struct remote *r = (struct remote *)c;
    exchange_close(&r->exchange);
    arena_destroy(r->arena);
    free(r);
}

/* Everything of the client's is made in its own arena. */
static struct error *remote_open(struct remote *r, const struct client_remote_options *options) {
    TRY(endpoint_read(r->arena, options->endpoint, &r->endpoint));
    return endpoint_key(r->arena, &r->endpoint, options, &r->key);
}

struct error *client_remote(struct arena *a, const struct client_remote_options *options,
                            struct client **out) {
    static const struct client_ways ways = {remote_call, remote_close};
    struct remote *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    *r = (struct remote){
        .client = {&ways},
        .arena = arena_create(),
        .attempts = options->attempts ? options->attempts : REMOTE_ATTEMPTS,
        .timeout_ms = options->timeout_ms ? options->timeout_ms : REMOTE_TIMEOUT_MS,
    };
    struct error *error = remote_open(r, options);
    if (!error) {
        *out = &r->client;
        return NULL;
    }
    /* Its text lives in the arena that goes now. */
    error = error_new(a, ERR_LOCAL, "%.*s", SLICE_ARG(error->message));
    remote_close(&r->client);
    return error;
}
