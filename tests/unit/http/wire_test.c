/*
 * Runs the files of tests/cases/wire: raw bytes into a real socket, raw bytes out.
 *
 * A file is lines; `#` begins a comment.  Text has \r \n \t \\ \xNN and is otherwise as it stands.
 *
 *   case NAME            a new connection
 *   send TEXT            one write
 *   dribble TEXT         one write a byte
 *   repeat N TEXT        N times that text, in large writes
 *   coded HOW TEXT       a POST to /echo whose body is TEXT in gzip, deflate (zlib) or raw (deflate
 *                        without zlib's header)
 *   zeros HOW N          the same with N zero bytes
 *   shutdown             we have nothing more to send
 *   pause MS
 *   want PATTERN         the next reply, whole; `*` stands for anything
 *   want-head PATTERN    the next reply's head alone (after HEAD)
 *   want-coded HOW PATTERN  the next reply's body, which is coded that way
 *   silent               nothing comes for a while
 *   closed               the server has closed the connection
 *
 * Date and x-crc32 are checked in each reply and taken out before it is compared.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <zlib.h>

#include "echo.h"
#include "unit.h"

enum { PATIENCE_MS = 5000, SILENCE_MS = 60, BODY_MOST = 40 * 1000 * 1000 };

static uint16_t port;
static const char *cases_folder;

struct wire {
    int fd;
    char *in;
    size_t len, room;
    char name[256];
    const char *file;
    int line;
    int failures;
};

static void wire_fail(struct wire *w, const char *what, struct slice got) {
    printf("%s:%d: %s: %s\n  got: ", w->file, w->line, w->name, what);
    for (size_t i = 0; i < got.len && i < 600; i++) {
        unsigned char c = (unsigned char)got.ptr[i];
        if (c == '\r')
            printf("\\r");
        else if (c == '\n')
            printf("\\n");
        else if (isprint(c))
            putchar(c);
        else
            printf("\\x%02x", c);
    }
    printf("\n");
    w->failures++;
}

/* --- Sending */

static void wire_connect(struct wire *w) {
    w->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(w->fd, (struct sockaddr *)&to, sizeof to), 0);
    setsockopt(w->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    w->len = 0;
}

static void wire_close(struct wire *w) {
    if (w->fd >= 0)
        close(w->fd);
    w->fd = -1;
}

/* Even a server that has refused reads on for a while, so that its reply is not lost. */
static void wire_send(struct wire *w, const char *text, size_t len) {
    while (len > 0) {
        ssize_t n = send(w->fd, text, len, MSG_NOSIGNAL);
        if (n <= 0) {
            wire_fail(w, "cannot send", (struct slice){text, len});
            return;
        }
        text += n;
        len -= (size_t)n;
    }
}

static void wire_dribble(struct wire *w, const char *text, size_t len) {
    for (size_t i = 0; i < len; i++)
        wire_send(w, text + i, 1);
}

static void wire_repeat(struct wire *w, size_t times, const char *text, size_t len) {
    char *all = malloc(times * len);
    for (size_t i = 0; i < times; i++)
        memcpy(all + i * len, text, len);
    wire_send(w, all, times * len);
    free(all);
}

static int how_bits(const char *how) {
    return strcmp(how, "gzip") == 0 ? 15 + 16 : strcmp(how, "deflate") == 0 ? 15 : -15;
}

static void wire_send_coded(struct wire *w, const char *how, const char *text, size_t len) {
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, how_bits(how), 8, 0), Z_OK);
    size_t room = deflateBound(&z, len) + 64;
    char *out = malloc(room);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.avail_in = (uInt)len;
    z.next_out = (Bytef *)out;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    char head[256];
    int head_len = snprintf(head, sizeof head,
                            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Encoding: %s\r\n"
                            "Content-Length: %lu\r\n\r\n",
                            how[0] == 'g' ? "gzip" : "deflate", z.total_out);
    wire_send(w, head, (size_t)head_len);
    wire_send(w, out, z.total_out);
    deflateEnd(&z);
    free(out);
}

/* --- Receiving */

/* More bytes; false at the end or when none come for `ms`. */
static bool wire_more(struct wire *w, int ms) {
    struct pollfd p = {.fd = w->fd, .events = POLLIN};
    if (poll(&p, 1, ms) != 1)
        return false;
    if (w->room - w->len < 65536) {
        w->room = w->room ? w->room * 2 : 262144;
        w->in = realloc(w->in, w->room);
    }
    ssize_t n = recv(w->fd, w->in + w->len, w->room - w->len, 0);
    if (n <= 0)
        return false;
    w->len += (size_t)n;
    return true;
}

static void wire_consume(struct wire *w, size_t len) {
    memmove(w->in, w->in + len, w->len - len);
    w->len -= len;
}

/* The value of a header of the reply at the start of `in`, as a number; -1 without. */
static int64_t reply_number(const char *head, size_t len, const char *name) {
    const char *at = memmem(head, len, name, strlen(name));
    return at ? strtoll(at + strlen(name), NULL, 10) : -1;
}

struct reply {
    char *head; /* without Date and x-crc32 */
    size_t head_len;
    char *body;
    size_t body_len;
};

/* Takes the line that begins with `name` out of the head. */
static bool head_cut(struct reply *r, const char *name) {
    char *at = memmem(r->head, r->head_len, name, strlen(name));
    if (!at)
        return false;
    char *end = memmem(at, r->head_len - (size_t)(at - r->head), "\r\n", 2);
    end += 2;
    memmove(at, end, r->head_len - (size_t)(end - r->head));
    r->head_len -= (size_t)(end - at);
    return true;
}

static void reply_free(struct reply *r) {
    free(r->head);
    free(r->body);
}

static bool wire_reply(struct wire *w, bool head_only, struct reply *r) {
    char *end;
    while (!(end = w->len ? memmem(w->in, w->len, "\r\n\r\n", 4) : NULL))
        if (!wire_more(w, PATIENCE_MS)) {
            wire_fail(w, "no reply", (struct slice){w->in, w->len});
            return false;
        }
    size_t head_len = (size_t)(end - w->in) + 4;
    int64_t length = reply_number(w->in, head_len, "\r\nContent-Length: ");
    int64_t crc = reply_number(w->in, head_len, "\r\nx-crc32: ");
    size_t body_len = head_only || length < 0 ? 0 : (size_t)length;
    while (w->len < head_len + body_len)
        if (!wire_more(w, PATIENCE_MS)) {
            wire_fail(w, "a body too short", (struct slice){w->in, w->len});
            return false;
        }
    *r = (struct reply){malloc(head_len), head_len, malloc(body_len + 1), body_len};
    memcpy(r->head, w->in, head_len);
    memcpy(r->body, w->in + head_len, body_len);
    wire_consume(w, head_len + body_len);
    bool interim = r->head_len > 10 && r->head[9] == '1';
    if (!head_cut(r, "Date: ") && !interim)
        wire_fail(w, "no Date", (struct slice){r->head, r->head_len});
    head_cut(r, "x-crc32: ");
    if (!head_only && length >= 0 && crc != (int64_t)crc32(0, (Bytef *)r->body, (uInt)body_len))
        wire_fail(w, "a wrong crc", (struct slice){r->head, r->head_len});
    return true;
}

/* --- Comparing */

static bool match(const char *pattern, size_t plen, const char *text, size_t len) {
    const char *p = pattern, *t = text, *star = NULL, *retry = NULL;
    const char *pend = pattern + plen, *tend = text + len;
    while (t < tend) {
        if (p < pend && *p == '*') {
            star = ++p;
            retry = t;
        } else if (p < pend && *p == *t) {
            p++;
            t++;
        } else if (star) {
            p = star;
            t = ++retry;
        } else {
            return false;
        }
    }
    while (p < pend && *p == '*')
        p++;
    return p == pend;
}

static void wire_want(struct wire *w, bool head_only, const char *pattern, size_t len) {
    struct reply r;
    if (!wire_reply(w, head_only, &r))
        return;
    size_t all_len = r.head_len + r.body_len;
    char *all = malloc(all_len + 1);
    memcpy(all, r.head, r.head_len);
    memcpy(all + r.head_len, r.body, r.body_len);
    if (!match(pattern, len, all, all_len))
        wire_fail(w, "another reply", (struct slice){all, all_len});
    free(all);
    reply_free(&r);
}

static void wire_want_coded(struct wire *w, const char *how, const char *pattern, size_t len) {
    struct reply r;
    if (!wire_reply(w, false, &r))
        return;
    char *plain = malloc(BODY_MOST);
    z_stream z = {.next_in = (Bytef *)r.body,
                  .avail_in = (uInt)r.body_len,
                  .next_out = (Bytef *)plain,
                  .avail_out = BODY_MOST};
    char header[64];
    snprintf(header, sizeof header, "\r\nContent-Encoding: %s\r\n", how);
    if (!memmem(r.head, r.head_len, header, strlen(header)))
        wire_fail(w, "not coded so", (struct slice){r.head, r.head_len});
    else if (inflateInit2(&z, how_bits(how)) != Z_OK || inflate(&z, Z_FINISH) != Z_STREAM_END)
        wire_fail(w, "badly coded", (struct slice){r.body, r.body_len});
    else if (!match(pattern, len, plain, z.total_out))
        wire_fail(w, "another body", (struct slice){plain, z.total_out});
    inflateEnd(&z);
    free(plain);
    reply_free(&r);
}

static void wire_silent(struct wire *w) {
    struct pollfd p = {.fd = w->fd, .events = POLLIN};
    if (w->len > 0 || poll(&p, 1, SILENCE_MS) != 0)
        wire_fail(w, "not silent", (struct slice){w->in, w->len});
}

static void wire_closed(struct wire *w) {
    while (w->len == 0 && wire_more(w, PATIENCE_MS))
        ;
    struct pollfd p = {.fd = w->fd, .events = POLLIN};
    char byte;
    if (w->len > 0 || poll(&p, 1, PATIENCE_MS) != 1 || recv(w->fd, &byte, 1, MSG_PEEK) > 0)
        wire_fail(w, "not closed", (struct slice){w->in, w->len});
}

/* --- Files */

static size_t unescape(char *text) {
    char *out = text;
    for (char *at = text; *at; at++) {
        if (*at != '\\') {
            *out++ = *at;
            continue;
        }
        at++;
        unsigned value;
        if (*at == 'x' && sscanf(at + 1, "%2x", &value) == 1) {
            *out++ = (char)value;
            at += 2;
        } else {
            *out++ = *at == 'r' ? '\r' : *at == 'n' ? '\n' : *at == 't' ? '\t' : *at;
        }
    }
    return (size_t)(out - text);
}

/* The word at the start of `*rest`, which is moved behind it. */
static const char *word(char **rest) {
    char *start = *rest, *end = start + strcspn(start, " ");
    *rest = *end ? end + 1 : end;
    *end = 0;
    return start;
}

static void wire_step(struct wire *w, char *line) {
    const char *verb = word(&line);
    if (strcmp(verb, "case") == 0) {
        wire_close(w);
        snprintf(w->name, sizeof w->name, "%s", line);
        wire_connect(w);
    } else if (strcmp(verb, "send") == 0) {
        wire_send(w, line, unescape(line));
    } else if (strcmp(verb, "dribble") == 0) {
        wire_dribble(w, line, unescape(line));
    } else if (strcmp(verb, "repeat") == 0) {
        size_t times = strtoul(word(&line), NULL, 10);
        wire_repeat(w, times, line, unescape(line));
    } else if (strcmp(verb, "coded") == 0) {
        const char *how = word(&line);
        wire_send_coded(w, how, line, unescape(line));
    } else if (strcmp(verb, "zeros") == 0) {
        const char *how = word(&line);
        size_t len = strtoul(line, NULL, 10);
        char *zeros = calloc(1, len);
        wire_send_coded(w, how, zeros, len);
        free(zeros);
    } else if (strcmp(verb, "want") == 0) {
        wire_want(w, false, line, unescape(line));
    } else if (strcmp(verb, "want-head") == 0) {
        wire_want(w, true, line, unescape(line));
    } else if (strcmp(verb, "want-coded") == 0) {
        const char *how = word(&line);
        wire_want_coded(w, how, line, unescape(line));
    } else if (strcmp(verb, "shutdown") == 0) {
        shutdown(w->fd, SHUT_WR);
    } else if (strcmp(verb, "pause") == 0) {
        usleep((useconds_t)strtoul(line, NULL, 10) * 1000);
    } else if (strcmp(verb, "silent") == 0) {
        wire_silent(w);
    } else if (strcmp(verb, "closed") == 0) {
        wire_closed(w);
    } else {
        wire_fail(w, "unknown step", slice_of(verb));
    }
}

/* Runs one file; the number of its cases goes to `cases`. */
static int wire_file(const char *path, int *cases) {
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    struct wire w = {.fd = -1, .file = strrchr(path, '/') + 1};
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, f) > 0) {
        w.line++;
        line[strcspn(line, "\n")] = 0;
        if (line[0] == 0 || line[0] == '#')
            continue;
        *cases += strncmp(line, "case ", 5) == 0;
        wire_step(&w, line);
    }
    wire_close(&w);
    free(line);
    free(w.in);
    fclose(f);
    return w.failures;
}

static void the_case_files_hold(void **state) {
    (void)state;
    DIR *folder = opendir(cases_folder);
    assert_non_null(folder);
    int failures = 0, cases = 0;
    for (struct dirent *d; (d = readdir(folder));) {
        size_t len = strlen(d->d_name);
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", cases_folder, d->d_name);
        if (len > 5 && strcmp(d->d_name + len - 5, ".case") == 0)
            failures += wire_file(path, &cases);
    }
    closedir(folder);
    printf("%d wire cases\n", cases);
    assert_int_equal(failures, 0);
    assert_true(cases > 50);
}

int main(int argc, char **argv) {
    cases_folder = argc > 1 ? argv[1] : ".";
    struct arena *a = arena_create();
    struct http_options options = echo_options();
    struct http_server *server = NULL;
    struct error *error = http_server_create(a, &options, &server);
    if (!error)
        error = http_server_start(server, a);
    if (error) {
        printf("%.*s\n", SLICE_ARG(error->message));
        return 1;
    }
    port = http_server_port(server);
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_case_files_hold)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    http_server_stop(server, 2000);
    http_server_destroy(server);
    arena_destroy(a);
    if (atomic_load(&echo_living) != 0) {
        printf("%d requests were never dropped\n", atomic_load(&echo_living));
        failed++;
    }
    printf("%d passed, %d failed\n", 1 - (failed > 0), failed > 0);
    return failed ? 1 : 0;
}
