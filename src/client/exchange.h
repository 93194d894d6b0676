/*
 * One signed HTTP request and its reply, over a libcurl handle that keeps its connection.
 */
#ifndef CLIENT_EXCHANGE_H
#define CLIENT_EXCHANGE_H

#include "client/curl_library.h"
#include "client/endpoint.h"

struct exchange {
    const struct curl_library *library;
    CURL *handle;
    const struct endpoint *endpoint;
    const struct sigv4_key *key;
};

struct exchange_reply {
    int status;
    struct slice body; /* inflated */
};

MUST_CHECK struct error *exchange_open(struct arena *a, const struct curl_library *library,
                                       const struct endpoint *endpoint, const struct sigv4_key *key,
                                       unsigned timeout_ms, struct exchange *out);
void exchange_close(struct exchange *x); /* also of one that was never opened */

/* `target` is the X-Amz-Target header.  ERR_LOCAL when there is no whole and sound reply: no
 * connection, broken, late, too large, of another checksum. */
MUST_CHECK struct error *exchange_run(struct exchange *x, struct arena *a, struct slice target,
                                      struct slice body, struct exchange_reply *out);

#endif
