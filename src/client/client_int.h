/*
 * What a client is made of: one of two ways to run a call.
 */
#ifndef CLIENT_CLIENT_INT_H
#define CLIENT_CLIENT_INT_H

#include "client/client.h"

struct client_ways {
    struct error *(*call)(struct client *c, struct arena *a, struct slice operation,
                          const struct json *input, const struct json **out);
    void (*close)(struct client *c);
};

/* First in the struct of each way. */
struct client {
    const struct client_ways *ways;
};

#endif
