/*
 * Base64 (RFC 4648, with padding), as JSON carries B and BS.
 *
 * Strict, as AWS is: each byte string has exactly one text, so wrong letters, length, padding and
 * spare bits that are not zero are refused.
 */
#ifndef JSON_BASE64_H
#define JSON_BASE64_H

#include "base/buf.h"

void base64_encode(struct buf *out, struct slice bytes);

/* Whether the text is base64. */
MUST_CHECK bool base64_check(struct slice text);

/* The bytes; false when the text is not base64. */
MUST_CHECK bool base64_decode(struct arena *a, struct slice text, struct slice *out);

#endif
