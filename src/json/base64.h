/*
 * Base64 (RFC 4648, with padding), as JSON carries B and BS.
 */
#ifndef JSON_BASE64_H
#define JSON_BASE64_H

#include "base/buf.h"

void base64_encode(struct buf *out, struct slice bytes);

/* False when the text is not base64: wrong letters, length, or padding.  Nonzero spare bits are
 * accepted (Java's decoder does). */
MUST_CHECK bool base64_decode(struct arena *a, struct slice text, struct slice *out);

#endif
