/*
 * A DynamoDB endpoint as the tools see it: the embedded engine or any server.
 *
 * One call is one API operation: a tree in, a tree out.  In process no text is made on the way.
 * A remote call is signed (SigV4) and sent by libcurl, which is loaded at the first remote call.
 * Throttling and broken connections of remote endpoints are retried with backoff as the SDKs do; a
 * TransactWriteItems without a token gets one, so that it happens once.  A remote client is for one
 * thread at a time.
 */
#ifndef CLIENT_CLIENT_H
#define CLIENT_CLIENT_H

#include "json/json.h"

struct client;
struct engine;

/* The engine must outlive the client. */
struct client *client_in_process(struct engine *engine);

/* Empty members are found as the AWS tools find them: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
 * AWS_SESSION_TOKEN, AWS_REGION, AWS_DEFAULT_REGION; with none, a local endpoint gets made-up ones
 * and others are refused (ERR_LOCAL). */
struct client_remote_options {
    struct slice endpoint; /* "http://127.0.0.1:8000" */
    struct slice region;
    struct slice access_key;
    struct slice secret_key;
    struct slice session_token;
    unsigned attempts;   /* 0: 3 */
    unsigned timeout_ms; /* 0: 60,000 */
};
MUST_CHECK struct error *client_remote(struct arena *a, const struct client_remote_options *options,
                                       struct client **out);

void client_close(struct client *c); /* takes NULL */

/*
 * Runs `operation` ("GetItem").  The reply's tree lives in the arena.  An error that the endpoint
 * answers has its wire type, text and further members (`details`, as JSON members without braces);
 * from a remote endpoint its kind is the one of that type, or ERR_REMOTE when it is none of ours.
 * No reply at all is ERR_LOCAL.
 */
MUST_CHECK struct error *client_call(struct client *c, struct arena *a, struct slice operation,
                                     const struct json *input, const struct json **out);

#endif
