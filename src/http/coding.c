#include "http/coding.h"

#include <stdlib.h>
#define ZLIB_CONST
#include <zlib.h>

enum {
    WINDOW_BITS = 15,
    WINDOW_GZIP = 16, /* added: gzip's header and trailer instead of zlib's */
    INFLATE_STEP_BYTES = 16 * 1024,
    REPLY_LEVEL = 1, /* replies are made on an event loop: speed matters more than size */
};

static const struct http_fault bad_coding = {400, "the body is not what Content-Encoding says"};

/* --- Names */

bool coding_read(struct slice name, enum coding *out) {
    name = slice_trim(name);
    if (name.len == 0 || slice_equal_ignore_case(name, SLICE("identity")))
        *out = CODING_IDENTITY;
    else if (slice_equal_ignore_case(name, SLICE("gzip")) ||
             slice_equal_ignore_case(name, SLICE("x-gzip")))
        *out = CODING_GZIP;
    else if (slice_equal_ignore_case(name, SLICE("deflate")))
        *out = CODING_DEFLATE;
    else
        return false;
    return true;
}

/* A weight in thousandths: "1", "0.5", "0.125"; 0 for what is none. */
static unsigned read_weight(struct slice s) {
    if (s.len == 0 || (s.ptr[0] != '0' && s.ptr[0] != '1'))
        return 0;
    unsigned n = (unsigned)(s.ptr[0] - '0'), digits = 0;
    for (size_t i = 2; i < s.len && digits < 3; i++, digits++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return 0;
        n = n * 10 + (unsigned)(s.ptr[i] - '0');
    }
    for (; digits < 3; digits++)
        n *= 10;
    return n;
}

/* Of "gzip;q=0.5": the name is left in `part`, the weight returned. */
static unsigned split_weight(struct slice *part) {
    const char *semicolon = part->len > 0 ? memchr(part->ptr, ';', part->len) : NULL;
    if (!semicolon) {
        *part = slice_trim(*part);
        return 1000;
    }
    const char *end = part->ptr + part->len;
    struct slice q = slice_trim((struct slice){semicolon + 1, (size_t)(end - semicolon - 1)});
    *part = slice_trim((struct slice){part->ptr, (size_t)(semicolon - part->ptr)});
    if (q.len < 2 || (q.ptr[0] | 0x20) != 'q' || q.ptr[1] != '=')
        return 1000;
    return read_weight((struct slice){q.ptr + 2, q.len - 2});
}

enum coding coding_accepted(struct slice accept) {
    int weights[3] = {-1, -1, -1}, any = -1; /* -1: not named */
    const char *at = accept.ptr, *end = at + accept.len;
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        struct slice part = {at, (size_t)(stop - at)};
        int weight = (int)split_weight(&part);
        enum coding coding;
        if (slice_equal(part, SLICE("*")))
            any = weight;
        else if (part.len > 0 && coding_read(part, &coding))
            weights[coding] = weight;
        at = stop + 1;
    }
    int gzip = weights[CODING_GZIP] >= 0 ? weights[CODING_GZIP] : any;
    int deflate = weights[CODING_DEFLATE] >= 0 ? weights[CODING_DEFLATE] : any;
    if (gzip <= 0 && deflate <= 0)
        return CODING_IDENTITY;
    return gzip >= deflate ? CODING_GZIP : CODING_DEFLATE;
}

/* --- Requests */

/* zlib's header: method 8, a window of at most 32 KB, a checksum over both bytes. */
static bool is_zlib(struct slice s) {
    if (s.len < 2)
        return false;
    unsigned first = (unsigned char)s.ptr[0], second = (unsigned char)s.ptr[1];
    return (first & 0x0f) == 8 && first >> 4 <= 7 && (first << 8 | second) % 31 == 0;
}

static int window_bits(enum coding coding, struct slice coded) {
    if (coding == CODING_GZIP)
        return WINDOW_BITS + WINDOW_GZIP;
    return is_zlib(coded) ? WINDOW_BITS : -WINDOW_BITS;
}

/* One call of inflate() into the room that is left; fills `status`. */
static const struct http_fault *inflate_step(z_stream *z, struct body *out, int *status) {
    size_t left = out->ceiling - out->len;
    size_t step = left < INFLATE_STEP_BYTES ? left : INFLATE_STEP_BYTES;
    const struct http_fault *fault = body_reserve(out, step);
    if (fault)
        return fault;
    char beyond; /* at the ceiling: one byte more shows whether there is one */
    z->next_out = (Bytef *)(step > 0 ? out->ptr + out->len : &beyond);
    z->avail_out = (uInt)(step > 0 ? step : 1);
    uInt before = z->avail_out;
    *status = inflate(z, Z_NO_FLUSH);
    uInt made = before - z->avail_out;
    if (step == 0 && made > 0)
        return &body_too_large;
    out->len += made;
    if (*status != Z_OK && *status != Z_STREAM_END)
        return &bad_coding; /* bytes that end too early show as Z_BUF_ERROR */
    return NULL;
}

/* gzip may be several members, one after the other (RFC 1952, 2.2); anything else after the end is
 * an error. */
static const struct http_fault *inflate_all(z_stream *z, enum coding coding, struct body *out) {
    for (;;) {
        int status;
        const struct http_fault *fault = inflate_step(z, out, &status);
        if (fault)
            return fault;
        if (status != Z_STREAM_END)
            continue;
        if (z->avail_in == 0)
            return NULL;
        if (coding != CODING_GZIP || inflateReset(z) != Z_OK)
            return &bad_coding;
    }
}

const struct http_fault *coding_inflate(enum coding coding, struct slice coded, struct body *out) {
    if (coding == CODING_IDENTITY)
        return body_add(out, coded);
    z_stream z = {.next_in = (z_const Bytef *)coded.ptr, .avail_in = (uInt)coded.len};
    if (inflateInit2(&z, window_bits(coding, coded)) != Z_OK)
        abort();
    const struct http_fault *fault = inflate_all(&z, coding, out);
    inflateEnd(&z);
    return fault;
}

/* --- Replies */

static z_stream *coder_stream(struct coder *c, enum coding coding) {
    if (c->streams[coding])
        return deflateReset(c->streams[coding]) == Z_OK ? c->streams[coding] : NULL;
    z_stream *z = calloc(1, sizeof *z);
    int bits = coding == CODING_GZIP ? WINDOW_BITS + WINDOW_GZIP : WINDOW_BITS;
    if (!z || deflateInit2(z, REPLY_LEVEL, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    c->streams[coding] = z;
    return z;
}

struct slice coder_deflate(struct coder *c, enum coding coding, struct slice plain) {
    z_stream *z = coder_stream(c, coding);
    char *out = malloc(plain.len);
    if (!out)
        abort();
    z->next_in = (z_const Bytef *)plain.ptr;
    z->avail_in = (uInt)plain.len;
    z->next_out = (Bytef *)out;
    z->avail_out = (uInt)plain.len;
    if (deflate(z, Z_FINISH) == Z_STREAM_END && z->avail_out > 0)
        return (struct slice){out, plain.len - z->avail_out};
    free(out);
    return (struct slice){NULL, 0};
}

void coder_finish(struct coder *c) {
    for (int i = 0; i < 3; i++) {
        if (c->streams[i])
            deflateEnd(c->streams[i]);
        free(c->streams[i]);
        c->streams[i] = NULL;
    }
}
