/*
 * Chunked bodies (RFC 9112, 7.1), taken apart as their bytes come in.
 *
 *   size in hex [; extension] CRLF  size bytes CRLF  …  0 CRLF  [trailer lines]  CRLF
 *
 * Extensions and trailers are passed over, and bounded.
 */
#ifndef HTTP_CHUNKED_H
#define HTTP_CHUNKED_H

#include "base/slice.h"

enum chunked_state {
    CHUNKED_SIZE,
    CHUNKED_EXTENSION,
    CHUNKED_SIZE_LF,
    CHUNKED_DATA,
    CHUNKED_DATA_CR,
    CHUNKED_DATA_LF,
    CHUNKED_TRAILER_START,
    CHUNKED_TRAILER,
    CHUNKED_TRAILER_LF,
    CHUNKED_END_LF,
};

struct chunked { /* all zero to begin with */
    enum chunked_state state;
    unsigned digits;
    size_t passed_over; /* bytes of extensions and trailers */
    uint64_t left;      /* bytes of the chunk to come */
};

enum chunked_step {
    CHUNKED_STEP_MORE, /* all bytes are used up, more are needed */
    CHUNKED_STEP_DATA, /* `data` is the next piece of the body */
    CHUNKED_STEP_END,  /* the body is whole; `in` is what follows it */
    CHUNKED_STEP_BAD,
};

/* Moves `in` forward. */
enum chunked_step chunked_next(struct chunked *c, struct slice *in, struct slice *data);

#endif
