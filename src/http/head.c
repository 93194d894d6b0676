#include "http/head.h"

#include "base/compiler.h"
#include "base/limits.h"

/* The lower case of each character that a token may have; 0 for all others (RFC 9110, 5.6.2). */
static const unsigned char token_chars[256] = {
    ['!'] = '!', ['#'] = '#', ['$'] = '$', ['%'] = '%', ['&'] = '&', ['\''] = '\'', ['*'] = '*',
    ['+'] = '+', ['-'] = '-', ['.'] = '.', ['^'] = '^', ['_'] = '_', ['`'] = '`',   ['|'] = '|',
    ['~'] = '~', ['0'] = '0', ['1'] = '1', ['2'] = '2', ['3'] = '3', ['4'] = '4',   ['5'] = '5',
    ['6'] = '6', ['7'] = '7', ['8'] = '8', ['9'] = '9', ['A'] = 'a', ['B'] = 'b',   ['C'] = 'c',
    ['D'] = 'd', ['E'] = 'e', ['F'] = 'f', ['G'] = 'g', ['H'] = 'h', ['I'] = 'i',   ['J'] = 'j',
    ['K'] = 'k', ['L'] = 'l', ['M'] = 'm', ['N'] = 'n', ['O'] = 'o', ['P'] = 'p',   ['Q'] = 'q',
    ['R'] = 'r', ['S'] = 's', ['T'] = 't', ['U'] = 'u', ['V'] = 'v', ['W'] = 'w',   ['X'] = 'x',
    ['Y'] = 'y', ['Z'] = 'z', ['a'] = 'a', ['b'] = 'b', ['c'] = 'c', ['d'] = 'd',   ['e'] = 'e',
    ['f'] = 'f', ['g'] = 'g', ['h'] = 'h', ['i'] = 'i', ['j'] = 'j', ['k'] = 'k',   ['l'] = 'l',
    ['m'] = 'm', ['n'] = 'n', ['o'] = 'o', ['p'] = 'p', ['q'] = 'q', ['r'] = 'r',   ['s'] = 's',
    ['t'] = 't', ['u'] = 'u', ['v'] = 'v', ['w'] = 'w', ['x'] = 'x', ['y'] = 'y',   ['z'] = 'z'};

static const struct http_fault bad_line = {400, "malformed request line"};
static const struct http_fault bad_target = {400, "malformed request target"};
static const struct http_fault bad_header = {400, "malformed header"};
static const struct http_fault bad_length = {400, "malformed Content-Length"};
static const struct http_fault two_lengths = {400, "more than one Content-Length"};
static const struct http_fault two_hosts = {400, "more than one Host"};
static const struct http_fault no_host = {400, "missing Host"};
static const struct http_fault two_framings = {
    400, "Transfer-Encoding together with Content-Length, or twice, or in HTTP/1.0"};
static const struct http_fault unknown_coding = {501, "unknown Transfer-Encoding"};
static const struct http_fault wrong_version = {505, "HTTP/1.1 is spoken here"};
static const struct http_fault too_large = {431, "head too large"};
static const struct http_fault too_many = {431, "too many headers"};

size_t head_length(struct slice bytes, size_t seen) {
    size_t from = seen > 3 ? seen - 3 : 0;
    const char *end = memmem(bytes.ptr + from, bytes.len - from, "\r\n\r\n", 4);
    return end ? (size_t)(end - bytes.ptr) + 4 : 0;
}

const struct http_fault *head_begin_check(struct slice bytes) {
    if (bytes.len == 0)
        return NULL;
    if (!token_chars[(unsigned char)bytes.ptr[0]] && bytes.ptr[0] != '\r')
        return &bad_line;
    const char *newline = memchr(bytes.ptr, '\n', bytes.len);
    if (newline && (newline == bytes.ptr || newline[-1] != '\r'))
        return &bad_line;
    return bytes.len > LIMIT_HEAD_BYTES ? &too_large : NULL;
}

/* --- The request line */

static bool is_token(struct slice s) {
    for (size_t i = 0; i < s.len; i++)
        if (!token_chars[(unsigned char)s.ptr[i]])
            return false;
    return s.len > 0;
}

/* A control character other than a tab?  Eight bytes at a time: the high bit of a byte in `low` is
 * set for those below space, in `del` for DEL; a tab sets it too, and so is looked at again. */
static bool has_control(struct slice s) {
    const uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
    size_t i = 0;
    for (; i + 8 <= s.len; i += 8) {
        uint64_t w;
        memcpy(&w, s.ptr + i, 8);
        uint64_t del = w ^ ones * 0x7f;
        if (UNLIKELY((((w - ones * 0x20) & ~w) | ((del - ones) & ~del)) & highs))
            break;
    }
    for (; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f)
            return true;
    }
    return false;
}

static void split_query(struct head *h, struct slice target) {
    const char *mark = memchr(target.ptr, '?', target.len);
    size_t len = mark ? (size_t)(mark - target.ptr) : target.len;
    h->path = (struct slice){target.ptr, len};
    h->query =
        mark ? (struct slice){mark + 1, target.len - len - 1} : (struct slice){target.ptr, 0};
}

/* "http://host/path": a proxy's form, which a server must understand too (RFC 9112, 3.2.2). */
static const struct http_fault *read_absolute(struct head *h, struct slice target) {
    struct slice rest = {target.ptr + 7, target.len - 7};
    size_t authority = 0;
    while (authority < rest.len && rest.ptr[authority] != '/' && rest.ptr[authority] != '?')
        authority++;
    if (authority == 0)
        return &bad_target;
    h->host = (struct slice){rest.ptr, authority};
    split_query(h, (struct slice){rest.ptr + authority, rest.len - authority});
    if (h->path.len == 0)
        h->path = SLICE("/");
    return NULL;
}

static const struct http_fault *read_target(struct head *h, struct slice target) {
    if (target.len == 0 || memchr(target.ptr, ' ', target.len) ||
        memchr(target.ptr, '\t', target.len) || has_control(target))
        return &bad_target;
    if (target.ptr[0] == '/' || slice_equal(target, SLICE("*"))) {
        split_query(h, target);
        return NULL;
    }
    if (target.len > 7 && slice_equal_ignore_case((struct slice){target.ptr, 7}, SLICE("http://")))
        return read_absolute(h, target);
    return &bad_target;
}

static const struct http_fault *read_version(struct head *h, struct slice version) {
    if (version.len != 8 || memcmp(version.ptr, "HTTP/", 5) != 0 || version.ptr[6] != '.')
        return &bad_line;
    char major = version.ptr[5], minor = version.ptr[7];
    if (major < '0' || major > '9' || minor < '0' || minor > '9')
        return &bad_line;
    h->http_1_1 = minor != '0';
    return major == '1' ? NULL : &wrong_version;
}

static const struct http_fault *read_request_line(struct head *h, struct slice line) {
    const char *first = memchr(line.ptr, ' ', line.len), *last = memrchr(line.ptr, ' ', line.len);
    if (!first || first == last)
        return &bad_line;
    const char *end = line.ptr + line.len;
    h->method = (struct slice){line.ptr, (size_t)(first - line.ptr)};
    if (!is_token(h->method))
        return &bad_line;
    const struct http_fault *fault =
        read_version(h, (struct slice){last + 1, (size_t)(end - last - 1)});
    return fault ? fault : read_target(h, (struct slice){first + 1, (size_t)(last - first - 1)});
}

/* --- The headers that frame a request */

static const struct http_fault *take_length(struct head *h, struct slice value) {
    if (h->has_length)
        return &two_lengths;
    h->has_length = true;
    /* slice_to_u64 takes digits alone; a number past 64 bits is as malformed as any. */
    return slice_to_u64(value, &h->content_length) ? NULL : &bad_length;
}

static const struct http_fault *take_transfer_encoding(struct head *h, struct slice value) {
    if (h->chunked)
        return &two_framings;
    h->chunked = true;
    return slice_equal_ignore_case(value, SLICE("chunked")) ? NULL : &unknown_coding;
}

static const struct http_fault *take_host(struct head *h, struct slice value) {
    if (h->has_host)
        return &two_hosts;
    h->has_host = true;
    if (h->host.len == 0) /* else the target named it */
        h->host = value;
    return NULL;
}

/* Connection is a list: `keep-alive, TE`. */
static void take_connection(struct head *h, struct slice value) {
    const char *at = value.ptr, *end = at + value.len;
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        struct slice option = slice_trim((struct slice){at, (size_t)(stop - at)});
        h->asks_close = h->asks_close || slice_equal_ignore_case(option, SLICE("close"));
        h->asks_keep_alive =
            h->asks_keep_alive || slice_equal_ignore_case(option, SLICE("keep-alive"));
        at = stop + 1;
    }
}

static void take_expect(struct head *h, struct slice value) {
    if (slice_equal_ignore_case(value, SLICE("100-continue")))
        h->expects_continue = true;
    else
        h->expects_other = true;
}

static const struct http_fault *take_header(struct head *h, struct slice name, struct slice value) {
    switch (name.len) {
    case 4:
        if (memcmp(name.ptr, "host", 4) == 0)
            return take_host(h, value);
        break;
    case 6:
        if (memcmp(name.ptr, "expect", 6) == 0)
            take_expect(h, value);
        break;
    case 10:
        if (memcmp(name.ptr, "connection", 10) == 0)
            take_connection(h, value);
        break;
    case 14:
        if (memcmp(name.ptr, "content-length", 14) == 0)
            return take_length(h, value);
        break;
    case 15:
        if (memcmp(name.ptr, "accept-encoding", 15) == 0)
            h->accept_encoding = value;
        break;
    case 16:
        if (memcmp(name.ptr, "content-encoding", 16) == 0)
            h->content_encoding = value;
        break;
    case 17:
        if (memcmp(name.ptr, "transfer-encoding", 17) == 0)
            return take_transfer_encoding(h, value);
        break;
    }
    return NULL;
}

static const struct http_fault *read_header(struct head *h, char *line, size_t len) {
    size_t name = 0;
    for (unsigned char c; name < len && (c = token_chars[(unsigned char)line[name]]); name++)
        line[name] = (char)c;
    if (name == 0 || name == len || line[name] != ':')
        return &bad_header;
    struct slice value = {line + name + 1, len - name - 1};
    if (has_control(value))
        return &bad_header;
    if (h->header_count == HEAD_MAX_HEADERS)
        return &too_many;
    struct http_header *header = &h->headers[h->header_count++];
    *header = (struct http_header){{line, name}, slice_trim(value)};
    return take_header(h, header->name, header->value);
}

static const struct http_fault *check_framing(const struct head *h) {
    if (h->chunked && (h->has_length || !h->http_1_1))
        return &two_framings;
    return h->http_1_1 && !h->has_host ? &no_host : NULL;
}

const struct http_fault *head_read(char *bytes, size_t len, struct head *out) {
    memset(out, 0, offsetof(struct head, headers));
    char *at = bytes, *end = bytes + len - 2; /* the blank line is not a line */
    const struct http_fault *fault = NULL;
    while (at < end && !fault) {
        char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline || newline == at || newline[-1] != '\r')
            return at == bytes ? &bad_line : &bad_header;
        size_t line = (size_t)(newline - at) - 1;
        fault = at == bytes ? read_request_line(out, (struct slice){at, line})
                            : read_header(out, at, line);
        at = newline + 1;
    }
    if (!fault && len > LIMIT_HEAD_BYTES)
        return &too_large;
    return fault ? fault : check_framing(out);
}
