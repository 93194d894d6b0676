/*
 * Compressed replies.
 */
#ifndef CLIENT_INFLATE_H
#define CLIENT_INFLATE_H

#include "base/error.h"

/* The content of a gzip or zlib stream of at most `ceiling` bytes; ERR_LOCAL when it is damaged or
 * larger. */
MUST_CHECK struct error *inflate_whole(struct arena *a, struct slice packed, size_t ceiling,
                                       struct slice *out);

#endif
