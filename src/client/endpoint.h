/*
 * Where a remote client calls, and as whom.
 */
#ifndef CLIENT_ENDPOINT_H
#define CLIENT_ENDPOINT_H

#include "auth/sigv4.h"
#include "client/client.h"

struct endpoint {
    struct slice url;  /* as given */
    struct slice host; /* as in the Host header, with the port where it is not the scheme's */
    struct slice path; /* at least "/" */
    bool loopback;
};

/* ERR_LOCAL when the URL is not http:// or https://, has a user, a query or a fragment. */
MUST_CHECK struct error *endpoint_read(struct arena *a, struct slice url, struct endpoint *out);

/* From the options, else as the AWS tools find them in the environment (see client.h). */
MUST_CHECK struct error *endpoint_key(struct arena *a, const struct endpoint *endpoint,
                                      const struct client_remote_options *options,
                                      struct sigv4_key *out);

#endif
