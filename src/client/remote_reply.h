/*
 * What an endpoint's reply means.
 */
#ifndef CLIENT_REMOTE_REPLY_H
#define CLIENT_REMOTE_REPLY_H

#include "client/exchange.h"

/* The tree of a good reply, or the error that it holds (see client_call). */
MUST_CHECK struct error *remote_reply_read(struct arena *a, const struct exchange_reply *reply,
                                           const struct json **out);

/* Whether the same request may do better a moment later, as the SDKs see it. */
bool remote_reply_is_passing(int status, const struct error *e);

#endif
