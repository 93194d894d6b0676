/*
 * The HTTP entry.  The first byte says which part of it reads the rest: the head, the chunks, the
 * inflating, the negotiation, or all of it, a real server behind a real socket.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/chunked.h"
#include "http/coding.h"
#include "http/head.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CEILING = 64 * 1024, PATIENCE_MS = 10000, PORT_TRIES = 900 };

static struct body_budget budget = {.limit = SIZE_MAX};

#define need(holds) need_at((holds), __LINE__)

static void need_at(bool holds, int line) {
    if (holds)
        return;
    fprintf(stderr, "http_fuzz.c:%d: does not hold (%s)\n", line, strerror(errno));
    abort();
}

/* --- The parts */

static bool inside(struct slice part, const char *bytes, size_t len) {
    return part.len == 0 || (part.ptr >= bytes && part.ptr + part.len <= bytes + len);
}

static void fuzz_head(struct slice in) {
    (void)head_begin_check(in);
    size_t len = head_length(in, 0);
    need(len <= in.len);
    size_t half = in.len / 2; /* seen before, and no end in it */
    need((len > 0 && half >= len) || head_length(in, half) == len);
    if (len == 0)
        return;
    char *bytes = malloc(len); /* its own block, so that a step too far shows */
    memcpy(bytes, in.ptr, len);
    static struct head head;
    if (!head_read(bytes, len, &head)) {
        need(head.header_count <= HEAD_MAX_HEADERS);
        need(head.method.len > 0 && inside(head.method, bytes, len));
        need(head.path.len > 0 && inside(head.query, bytes, len));
        need(!(head.chunked && head.has_length));
        for (size_t i = 0; i < head.header_count; i++)
            need(inside(head.headers[i].name, bytes, len) &&
                 inside(head.headers[i].value, bytes, len));
    }
    free(bytes);
}

static enum chunked_step unchunk(struct slice in, size_t step, struct body *out) {
    struct chunked c = {.state = CHUNKED_SIZE};
    enum chunked_step s = CHUNKED_STEP_MORE;
    while (in.len > 0 && s == CHUNKED_STEP_MORE) {
        struct slice piece = {in.ptr, in.len < step ? in.len : step}, data;
        in = (struct slice){in.ptr + piece.len, in.len - piece.len};
        while ((s = chunked_next(&c, &piece, &data)) == CHUNKED_STEP_DATA)
            (void)body_add(out, data);
    }
    return s;
}

/* However the bytes are cut, the body is the same. */
static void fuzz_chunked(struct slice in) {
    struct body whole = {.ceiling = CEILING, .budget = &budget}, cut = whole;
    need(unchunk(in, SIZE_MAX, &whole) == unchunk(in, 3, &cut));
    need(whole.len == cut.len && (whole.len == 0 || memcmp(whole.ptr, cut.ptr, cut.len) == 0));
    body_release(&whole);
    body_release(&cut);
}

static void fuzz_inflate(struct slice in) {
    for (int coding = CODING_GZIP; coding <= CODING_DEFLATE; coding++) {
        struct body out = {.ceiling = CEILING, .budget = &budget};
        (void)coding_inflate((enum coding)coding, in, &out);
        need(out.len <= CEILING);
        body_release(&out);
    }
    need(atomic_load(&budget.used) == 0);
}

/* --- The whole */

static void fuzz_handle(void *context, struct http_request *r) {
    (void)context;
    struct http_header type = {SLICE("content-type"), SLICE("text/plain")};
    struct slice body = http_request_body(r);
    http_reply(r, 200, &type, 1, body);
}

static struct http_server *fuzz_server(void) {
    static struct http_server *server;
    static struct arena *a;
    if (server)
        return server;
    struct http_options options = {.host = "127.0.0.1",
                                   .loops = 1,
                                   .body_bytes = CEILING,
                                   .budget_bytes = 4 * CEILING,
                                   .crc_header = "x-crc32",
                                   .handler = fuzz_handle};
    a = arena_create();
    need(!http_server_create(a, &options, &server) && !http_server_start(server, a));
    return server;
}

static int dial(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(http_server_port(fuzz_server()))};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int tries = 0; connect(fd, (struct sockaddr *)&to, sizeof to) != 0; tries++) {
        need(errno == EADDRNOTAVAIL && tries < PORT_TRIES); /* others use up the ports, too */
        poll(NULL, 0, 100);
    }
    /* so that 20,000 connections a second do not use up the ports */
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){1, 0}, sizeof(struct linger));
    return fd;
}

/* Whatever was sent, the server answers in HTTP or closes, and always closes in the end. */
static void fuzz_socket(struct slice in) {
    int fd = dial();
    size_t half = in.len / 2;
    if (half > 0)
        (void)send(fd, in.ptr, half, MSG_NOSIGNAL);
    (void)send(fd, in.ptr + half, in.len - half, MSG_NOSIGNAL);
    shutdown(fd, SHUT_WR);
    char reply[4096];
    bool first = true;
    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        need(poll(&p, 1, PATIENCE_MS) == 1);
        ssize_t n = recv(fd, reply, sizeof reply, 0);
        if (n <= 0)
            break;
        need(!first || n < 9 || memcmp(reply, "HTTP/1.1 ", 9) == 0);
        first = false;
    }
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    struct slice in = {(const char *)data + 1, size - 1};
    switch (data[0] % 5) {
    case 0:
        fuzz_head(in);
        break;
    case 1:
        fuzz_chunked(in);
        break;
    case 2:
        fuzz_inflate(in);
        break;
    case 3:
        (void)coding_accepted(in);
        break;
    case 4:
        fuzz_socket(in);
        break;
    }
    return 0;
}
