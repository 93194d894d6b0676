/*
 * A closed-loop HTTP load generator for one kind of request.
 *
 *   load --port P --head FILE --body FILE [--connections 8] [--seconds 1.5 | --count N]
 *        [--keys 10000] [--start 0] [--min-bytes 0]
 *
 * Each connection sends a request, waits for its reply and sends the next.  The request is built
 * once from the head (request line and headers, ending in CRLF, without Content-Length) and the
 * body; only the marks in the body change, in place, all of them eight bytes wide like the digits
 * that replace them:
 *
 *   <random>  a number below --keys
 *   <serial>  0, 1, 2, … counted from --start over all connections
 *   <source>  <target>  a pair of numbers below 2000 that follows from the serial and is new for
 *             four million requests, so that a guarded edge never meets itself
 *
 * A reply counts when its status is 200 and its body has at least --min-bytes; anything else is an
 * error, and the first one is shown.  The answer is one line of JSON.  One thread, no allocation
 * and two system calls per request, so that the generator costs a fraction of any server.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    MARK_BYTES = 8,
    MAX_MARKS = 64,
    MAX_CONNECTIONS = 1024,
    PAIR_SIDE = 2000,
    READ_BYTES = 256 * 1024,
    HEAD_BYTES = 8 * 1024,
    MAX_FILE_BYTES = 1024 * 1024,
    STALL_SECONDS = 10, /* without any reply: the server hangs */
};

/* --- Latencies: buckets of 1/32 of a power of two, so within 3 per cent --------------------- */

enum { SUB_BITS = 5, SUB_COUNT = 1 << SUB_BITS, BUCKETS = 64 * SUB_COUNT };

struct histogram {
    uint64_t bucket[BUCKETS];
    uint64_t count;
};

static unsigned bucket_of(uint64_t ns) {
    if (ns < SUB_COUNT)
        return (unsigned)ns;
    unsigned power = 63 - (unsigned)__builtin_clzll(ns);
    unsigned sub = (unsigned)(ns >> (power - SUB_BITS)) & (SUB_COUNT - 1);
    return (power - SUB_BITS + 1) * SUB_COUNT + sub;
}

static double bucket_microseconds(unsigned bucket) {
    if (bucket < SUB_COUNT)
        return bucket / 1e3;
    unsigned power = bucket / SUB_COUNT + SUB_BITS - 1;
    uint64_t low = (UINT64_C(1) << power) + ((uint64_t)(bucket % SUB_COUNT) << (power - SUB_BITS));
    return (double)low / 1e3;
}

static void histogram_add(struct histogram *h, uint64_t ns) {
    h->bucket[bucket_of(ns)]++;
    h->count++;
}

static double histogram_percentile(const struct histogram *h, double part) {
    uint64_t wanted = (uint64_t)((double)h->count * part);
    uint64_t seen = 0;
    for (unsigned i = 0; i < BUCKETS; i++) {
        seen += h->bucket[i];
        if (seen > wanted)
            return bucket_microseconds(i);
    }
    return 0;
}

/* --- The request ----------------------------------------------------------------------------- */

enum mark_kind { MARK_RANDOM, MARK_SERIAL, MARK_SOURCE, MARK_TARGET, MARK_KINDS };

static const char *const mark_text[MARK_KINDS] = {"<random>", "<serial>", "<source>", "<target>"};

struct request {
    char *bytes;
    size_t len;
    struct {
        size_t at;
        enum mark_kind kind;
    } mark[MAX_MARKS];
    size_t marks;
    uint64_t keys;
    uint64_t serial;
    uint64_t random;
};

static void die(const char *what) {
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static char *file_read(const char *path, size_t *len) {
    FILE *f = fopen(path, "rb");
    if (!f)
        die(path);
    char *bytes = malloc(MAX_FILE_BYTES);
    if (!bytes)
        die("memory");
    *len = fread(bytes, 1, MAX_FILE_BYTES, f);
    fclose(f);
    return bytes;
}

static void request_find_marks(struct request *r, size_t from) {
    for (size_t at = from; at + MARK_BYTES <= r->len; at++) {
        for (int kind = 0; kind < MARK_KINDS; kind++) {
            if (memcmp(r->bytes + at, mark_text[kind], MARK_BYTES) != 0)
                continue;
            if (r->marks == MAX_MARKS) {
                fprintf(stderr, "load: more than %d marks in the body\n", MAX_MARKS);
                exit(1);
            }
            r->mark[r->marks].at = at;
            r->mark[r->marks].kind = kind;
            r->marks++;
        }
    }
}

static void request_build(struct request *r, const char *head_path, const char *body_path) {
    size_t head_len;
    size_t body_len;
    char *head = file_read(head_path, &head_len);
    char *body = file_read(body_path, &body_len);
    r->bytes = malloc(head_len + body_len + 64);
    if (!r->bytes)
        die("memory");
    memcpy(r->bytes, head, head_len);
    int length = sprintf(r->bytes + head_len, "Content-Length: %zu\r\n\r\n", body_len);
    size_t body_at = head_len + (size_t)length;
    memcpy(r->bytes + body_at, body, body_len);
    r->len = body_at + body_len;
    request_find_marks(r, body_at);
    free(head);
    free(body);
}

static void put_digits(char *at, uint64_t value) {
    for (int i = MARK_BYTES - 1; i >= 0; i--) {
        at[i] = (char)('0' + value % 10);
        value /= 10;
    }
}

/* Both sides move with each serial, so neither a source nor a target is hot; within a run of 2000
 * the source is never repeated, and each run shifts the targets by one. */
static uint64_t mark_value(struct request *r, enum mark_kind kind) {
    switch (kind) {
    case MARK_RANDOM:
        r->random = r->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        return (r->random >> 33) % r->keys;
    case MARK_SOURCE:
        return r->serial % PAIR_SIDE;
    case MARK_TARGET:
        return (r->serial % PAIR_SIDE + r->serial / PAIR_SIDE) % PAIR_SIDE;
    case MARK_SERIAL:
    case MARK_KINDS:
        break;
    }
    return r->serial;
}

static void request_next(struct request *r) {
    for (size_t i = 0; i < r->marks; i++)
        put_digits(r->bytes + r->mark[i].at, mark_value(r, r->mark[i].kind));
    r->serial++;
}

/* --- Connections ----------------------------------------------------------------------------- */

struct connection {
    int fd;
    uint64_t sent_ns;
    char head[HEAD_BYTES]; /* of the reply under way */
    size_t head_len;
    bool in_body;
    bool ok;
    size_t body_len;
    size_t body_left;
};

struct run {
    struct request request;
    struct histogram latency;
    int epoll;
    uint64_t requests;
    uint64_t errors;
    uint64_t asked; /* requests sent */
    uint64_t limit; /* of requests; 0: none */
    uint64_t end_ns;
    size_t min_bytes;
    size_t idle; /* connections that have nothing left to do */
    size_t connections;
    char first_error[400];
    char buf[READ_BYTES];
    struct connection connection[MAX_CONNECTIONS];
};

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Keeps the first one, in a form that fits into a JSON string. */
static void note_error(struct run *run, const char *text, size_t len) {
    if (run->first_error[0])
        return;
    size_t n = 0;
    for (size_t i = 0; i < len && n + 1 < sizeof run->first_error; i++) {
        char c = text[i];
        run->first_error[n++] = c == '"' || c == '\\' || (unsigned char)c < 32 ? ' ' : c;
    }
}

static void connection_open(struct run *run, struct connection *c, const struct sockaddr_in *to) {
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (c->fd < 0 || connect(c->fd, (const struct sockaddr *)to, sizeof *to) != 0)
        die("connect");
    int on = 1;
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    if (epoll_ctl(run->epoll, EPOLL_CTL_ADD, c->fd, &event) != 0)
        die("epoll_ctl");
}

/* The socket blocks for sending: a request is far smaller than its send buffer. */
static void connection_send(struct run *run, struct connection *c, uint64_t now) {
    if (now >= run->end_ns || (run->limit && run->asked == run->limit)) {
        run->idle++;
        return;
    }
    request_next(&run->request);
    run->asked++;
    c->sent_ns = now;
    c->head_len = 0;
    c->in_body = false;
    if (send(c->fd, run->request.bytes, run->request.len, MSG_NOSIGNAL) !=
        (ssize_t)run->request.len)
        die("send");
}

/* The value of Content-Length in a reply's head, or -1. */
static long head_content_length(const char *head, size_t len) {
    static const char name[] = "\ncontent-length:";
    for (size_t i = 0; i + sizeof name < len; i++) {
        if (strncasecmp(head + i, name, sizeof name - 1) == 0)
            return strtol(head + i + sizeof name - 1, NULL, 10);
    }
    return -1;
}

static void connection_reply_done(struct run *run, struct connection *c) {
    uint64_t now = now_ns();
    histogram_add(&run->latency, now - c->sent_ns);
    if (c->ok && c->body_len >= run->min_bytes)
        run->requests++;
    else
        run->errors++;
    connection_send(run, c, now);
}

static void connection_head_done(struct connection *c) {
    c->head[c->head_len] = '\0';
    c->ok = strncmp(c->head, "HTTP/1.1 200", 12) == 0;
    long length = head_content_length(c->head, c->head_len);
    if (length < 0) {
        fprintf(stderr, "load: a reply without Content-Length:\n%s\n", c->head);
        exit(1);
    }
    c->body_len = c->body_left = (size_t)length;
    c->in_body = true;
}

/* Takes what it can of the reply's head; the number of bytes taken. */
static size_t connection_take_head(struct connection *c, const char *bytes, size_t len) {
    size_t taken = 0;
    while (taken < len && !c->in_body) {
        if (c->head_len + 1 == HEAD_BYTES) {
            fprintf(stderr, "load: the head of a reply is over %d bytes\n", HEAD_BYTES);
            exit(1);
        }
        c->head[c->head_len++] = bytes[taken++];
        if (c->head_len >= 4 && memcmp(c->head + c->head_len - 4, "\r\n\r\n", 4) == 0)
            connection_head_done(c);
    }
    return taken;
}

static void connection_take(struct run *run, struct connection *c, const char *bytes, size_t len) {
    size_t taken = c->in_body ? 0 : connection_take_head(c, bytes, len);
    if (!c->in_body)
        return;
    size_t body = len - taken;
    if (body > c->body_left) {
        fprintf(stderr, "load: more bytes than the reply's Content-Length\n");
        exit(1);
    }
    if (!c->ok || c->body_len < run->min_bytes)
        note_error(run, body ? bytes + taken : c->head, body ? body : c->head_len);
    c->body_left -= body;
    if (c->body_left == 0)
        connection_reply_done(run, c);
}

static void connection_read(struct run *run, struct connection *c) {
    ssize_t n = recv(c->fd, run->buf, sizeof run->buf, MSG_DONTWAIT);
    if (n > 0)
        connection_take(run, c, run->buf, (size_t)n);
    else if (n == 0)
        errno = ECONNRESET, die("the server closed a connection");
    else if (errno != EAGAIN && errno != EINTR)
        die("recv");
}

static void run_loop(struct run *run) {
    struct epoll_event events[MAX_CONNECTIONS];
    while (run->idle < run->connections) {
        int n = epoll_wait(run->epoll, events, MAX_CONNECTIONS, STALL_SECONDS * 1000);
        if (n < 0 && errno != EINTR)
            die("epoll_wait");
        if (n == 0) {
            fprintf(stderr, "load: no reply for %d seconds\n", STALL_SECONDS);
            exit(1);
        }
        for (int i = 0; i < n; i++)
            connection_read(run, events[i].data.ptr);
    }
}

/* --- The command line ------------------------------------------------------------------------ */

struct settings {
    const char *head;
    const char *body;
    unsigned long port;
    double seconds;
};

static bool setting_take(struct settings *s, struct run *run, const char *name, const char *value) {
    if (strcmp(name, "--head") == 0)
        s->head = value;
    else if (strcmp(name, "--body") == 0)
        s->body = value;
    else if (strcmp(name, "--port") == 0)
        s->port = strtoul(value, NULL, 10);
    else if (strcmp(name, "--seconds") == 0)
        s->seconds = strtod(value, NULL);
    else if (strcmp(name, "--connections") == 0)
        run->connections = strtoul(value, NULL, 10);
    else if (strcmp(name, "--count") == 0)
        run->limit = strtoull(value, NULL, 10);
    else if (strcmp(name, "--keys") == 0)
        run->request.keys = strtoull(value, NULL, 10);
    else if (strcmp(name, "--start") == 0)
        run->request.serial = strtoull(value, NULL, 10);
    else if (strcmp(name, "--min-bytes") == 0)
        run->min_bytes = strtoul(value, NULL, 10);
    else
        return false;
    return true;
}

static void settings_read(struct settings *s, struct run *run, int argc, char **argv) {
    bool good = argc % 2 == 1;
    for (int i = 1; good && i < argc; i += 2)
        good = setting_take(s, run, argv[i], argv[i + 1]);
    good = good && s->head && s->body && s->port && run->connections && run->request.keys &&
           run->connections <= MAX_CONNECTIONS;
    if (good)
        return;
    fprintf(stderr, "usage: load --port P --head FILE --body FILE [--connections N] [--seconds S] "
                    "[--count N] [--keys N] [--start N] [--min-bytes N]\n");
    exit(2);
}

static void run_report(const struct run *run, uint64_t started_ns) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
                 (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    printf("{\"requests\": %" PRIu64 ", \"errors\": %" PRIu64 ", \"seconds\": %.6f, "
           "\"p50_us\": %.1f, \"p99_us\": %.1f, \"load_cpu_us\": %.0f, \"next\": %" PRIu64
           ", \"first_error\": \"%s\"}\n",
           run->requests, run->errors, (double)(now_ns() - started_ns) / 1e9,
           histogram_percentile(&run->latency, 0.50), histogram_percentile(&run->latency, 0.99),
           cpu, run->request.serial, run->first_error);
}

int main(int argc, char **argv) {
    static struct run run = {.connections = 8, .request.keys = 10000};
    struct settings s = {.seconds = 1.5};
    settings_read(&s, &run, argc, argv);
    run.request.random = now_ns();
    request_build(&run.request, s.head, s.body);

    run.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (run.epoll < 0)
        die("epoll_create1");
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)s.port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (size_t i = 0; i < run.connections; i++)
        connection_open(&run, &run.connection[i], &to);

    uint64_t started = now_ns();
    run.end_ns = run.limit ? UINT64_MAX : started + (uint64_t)(s.seconds * 1e9);
    for (size_t i = 0; i < run.connections; i++)
        connection_send(&run, &run.connection[i], now_ns());
    run_loop(&run);
    run_report(&run, started);
    return run.errors ? 1 : 0;
}
