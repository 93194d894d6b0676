/*
 * Content codings: gzip and deflate, of requests' bodies and of replies.
 *
 * "deflate" means zlib's format; many clients send raw deflate under that name, so both are read.
 * Reading stops at the body's ceiling, however much a small body would become.
 */
#ifndef HTTP_CODING_H
#define HTTP_CODING_H

#include "http/body.h"

enum coding {
    CODING_IDENTITY,
    CODING_GZIP,
    CODING_DEFLATE,
};

/* What a Content-Encoding header says; false for one we do not know (or a list of several). */
bool coding_read(struct slice content_encoding, enum coding *out);

/* What a reply may use: the first of gzip and deflate with the highest weight above 0 in an
 * Accept-Encoding header. */
enum coding coding_accepted(struct slice accept_encoding);

/* Appends what `coded` stands for. */
const struct http_fault *coding_inflate(enum coding coding, struct slice coded, struct body *out);

/* Codes replies; keeps zlib's memory between them.  One thread at a time; all zero to begin with.
 */
struct coder {
    struct z_stream_s *streams[3]; /* by coding, made on first use */
};

/* The coded bytes, for free(); ptr is NULL when they would not be fewer. */
struct slice coder_deflate(struct coder *c, enum coding coding, struct slice plain);
void coder_finish(struct coder *c);

#endif
