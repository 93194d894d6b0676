/*
 * Idempotency tokens: the ClientRequestToken of a transaction, remembered for ten minutes.
 *
 * Token, fingerprint of the request (SHA-256 of its canonical bytes) and what a replay must report
 * go into the transaction's batch, so a token is known exactly when its transaction happened.
 */
#ifndef ENGINE_TOKEN_H
#define ENGINE_TOKEN_H

#include "engine/writer.h"

enum { TOKEN_FINGERPRINT_BYTES = 32 };

struct token {
    uint8_t fingerprint[TOKEN_FINGERPRINT_BYTES];
    int64_t used_ms;
    struct slice replay; /* the operation's own bytes: what a replay needs to answer */
};

/* `*found` false also when the token is older than LIMIT_TOKEN_SECONDS. */
MUST_CHECK struct error *token_find(struct write_view *view, struct arena *a, struct slice name,
                                    int64_t now_ms, struct token *out, bool *found);

void token_stage(struct write_view *view, struct arena *a, struct slice name,
                 const struct token *token);

#endif
