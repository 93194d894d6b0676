/*
 * Rows:
 *
 *   SPACE_TOKENS · token                       →  version (1) · time (u64, ms) · fingerprint (32) ·
 * replay SPACE_TOKEN_EXPIRY · time (u64, ms) · token →  (nothing)
 *
 * The second is in order of time: the sweep (job.c) finds what is old without reading the rest.
 */
#include "engine/token.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/reader.h"
#include "engine/keyspace.h"
#include "engine/token_int.h"
#include "engine/write_view.h"

enum { TOKEN_VERSION = 1, TOKEN_ROW_BYTES = 8 * 1024 * 1024 };

struct slice token_encode(struct arena *a, const struct token *token) {
    struct buf row = buf_in(a, TOKEN_ROW_BYTES);
    buf_add_char(&row, TOKEN_VERSION);
    buf_add_u64(&row, (uint64_t)token->used_ms);
    buf_add(&row, (struct slice){(const char *)token->fingerprint, TOKEN_FINGERPRINT_BYTES});
    buf_add(&row, token->replay);
    return buf_slice(&row);
}

bool token_decode(struct slice bytes, struct token *out) {
    struct reader r = reader_of(bytes);
    uint8_t version;
    uint64_t used;
    struct slice fingerprint;
    if (!reader_u8(&r, &version) || version != TOKEN_VERSION || !reader_u64(&r, &used) ||
        !reader_bytes(&r, TOKEN_FINGERPRINT_BYTES, &fingerprint))
        return false;
    memcpy(out->fingerprint, fingerprint.ptr, TOKEN_FINGERPRINT_BYTES);
    out->used_ms = (int64_t)used;
    out->replay = (struct slice){r.at, reader_left(&r)};
    return true;
}

struct slice token_key(struct arena *a, struct slice name) {
    return keyspace_key(a, SPACE_TOKENS, name);
}

struct slice token_expiry_key(struct arena *a, int64_t used_ms, struct slice name) {
    struct buf key = buf_in(a, 16 + name.len);
    buf_add_u64(&key, SPACE_TOKEN_EXPIRY);
    buf_add_u64(&key, (uint64_t)used_ms);
    buf_add(&key, name);
    return buf_slice(&key);
}

struct error *token_find(struct write_view *view, struct arena *a, struct slice name,
                         int64_t now_ms, struct token *out, bool *found) {
    struct slice row;
    struct token token;
    bool there;
    TRY(write_view_get(view, a, token_key(a, name), &row, &there));
    if (there && !token_decode(row, &token))
        return error_new(a, ERR_INTERNAL, "a token is malformed");
    *found = there && now_ms - token.used_ms < LIMIT_TOKEN_SECONDS * 1000LL;
    if (*found)
        *out = token;
    return NULL;
}

void token_stage(struct write_view *view, struct arena *a, struct slice name,
                 const struct token *token) {
    write_view_put(view, token_key(a, name), token_encode(a, token));
    write_view_put_unseen(view, token_expiry_key(a, token->used_ms, name), SLICE(""));
}

struct error *token_stage_removal(struct write_view *view, struct arena *a, int64_t used_ms,
                                  struct slice name) {
    struct slice row;
    struct token token;
    bool there;
    TRY(write_view_get(view, a, token_key(a, name), &row, &there));
    if (there && (!token_decode(row, &token) || token.used_ms == used_ms))
        write_view_delete(view, token_key(a, name));
    write_view_delete_unseen(view, token_expiry_key(a, used_ms, name));
    return NULL;
}
