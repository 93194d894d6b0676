#include "client/inflate.h"

#include <zlib.h>

#include "base/buf.h"

enum {
    INFLATE_STEP = 64 * 1024,
    INFLATE_ANY_HEADER = 32, /* zlib: gzip or zlib, whichever it is */
};

static void inflate_release(z_stream *z) {
    inflateEnd(z);
}

static struct error *inflate_damaged(struct arena *a) {
    return error_new(a, ERR_LOCAL, "the reply's compressed body is damaged or too large");
}

struct error *inflate_whole(struct arena *a, struct slice packed, size_t ceiling,
                            struct slice *out) {
    CLEANUP(inflate_release) z_stream z = {.avail_in = (uInt)packed.len};
    /* zlib's own type is not const, it does not write there */
    memcpy(&z.next_in, &packed.ptr, sizeof z.next_in);
    if (inflateInit2(&z, MAX_WBITS + INFLATE_ANY_HEADER) != Z_OK)
        return inflate_damaged(a);
    struct buf plain = buf_in(a, ceiling);
    unsigned char *step = arena_alloc(a, INFLATE_STEP);
    int result = Z_OK;
    while (result == Z_OK && buf_ok(&plain)) {
        z.next_out = step;
        z.avail_out = INFLATE_STEP;
        result = inflate(&z, Z_NO_FLUSH);
        buf_add(&plain, (struct slice){(const char *)step, INFLATE_STEP - z.avail_out});
    }
    if (result != Z_STREAM_END || !buf_ok(&plain))
        return inflate_damaged(a);
    *out = buf_slice(&plain);
    return NULL;
}
