/*
 * The rows of tokens, for the sweep and for the golden bytes.
 */
#ifndef ENGINE_TOKEN_INT_H
#define ENGINE_TOKEN_INT_H

#include "engine/token.h"

struct slice token_encode(struct arena *a, const struct token *token);
bool token_decode(struct slice bytes, struct token *out);
struct slice token_key(struct arena *a, struct slice name);
struct slice token_expiry_key(struct arena *a, int64_t used_ms, struct slice name);

/* Stages the removal of an expired use: the token itself goes too unless it was used again since.
 */
MUST_CHECK struct error *token_stage_removal(struct write_view *view, struct arena *a,
                                             int64_t used_ms, struct slice name);

#endif
