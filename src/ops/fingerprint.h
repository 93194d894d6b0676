/*
 * The fingerprint of a request: SHA-256 over canonical bytes, the same for requests that mean the
 * same (members in any order, any white space).
 */
#ifndef OPS_FINGERPRINT_H
#define OPS_FINGERPRINT_H

#include "base/buf.h"
#include "json/json.h"

enum { FINGERPRINT_BYTES = 32 };

struct fingerprint {
    struct buf bytes;
};

struct fingerprint fingerprint_begin(struct arena *a);
void fingerprint_add(struct fingerprint *f, struct slice s);
void fingerprint_add_int(struct fingerprint *f, uint64_t n);

/* `json` may be NULL. */
void fingerprint_add_json(struct fingerprint *f, const struct json *json);

void fingerprint_end(struct fingerprint *f, uint8_t out[FINGERPRINT_BYTES]);

#endif
