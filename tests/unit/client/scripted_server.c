#include "scripted_server.h"

#include <arpa/inet.h>
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SERVER_REQUEST_BYTES = 1024 * 1024 };

struct scripted_server {
    const struct script_step *steps;
    size_t step_count;
    int listener;
    int wake[2]; /* closing [1] ends the thread */
    unsigned port;
    unsigned connections;
    pthread_t thread;
    bool stopped;
    struct script_request requests[SCRIPT_STEPS];
    size_t request_count;
};

/* False when the server is to end instead. */
static bool server_readable(struct scripted_server *s, int fd) {
    struct pollfd fds[] = {{.fd = fd, .events = POLLIN}, {.fd = s->wake[0], .events = POLLIN}};
    while (poll(fds, 2, -1) < 0)
        continue;
    return fds[1].revents == 0;
}

static size_t server_content_length(const char *head) {
    const char *at = strcasestr(head, "content-length:");
    return at ? strtoul(at + strlen("content-length:"), NULL, 10) : 0;
}

/* Reads one request into `text`; false when the connection or the server ends. */
static bool server_read_request(struct scripted_server *s, int fd, char *text) {
    size_t len = 0;
    for (;;) {
        if (!server_readable(s, fd))
            return false;
        ssize_t got = read(fd, text + len, SERVER_REQUEST_BYTES - 1 - len);
        if (got <= 0)
            return false;
        len += (size_t)got;
        text[len] = '\0';
        const char *end = strstr(text, "\r\n\r\n");
        if (end && len >= (size_t)(end + 4 - text) + server_content_length(text))
            return true;
    }
}

static void server_keep_request(struct scripted_server *s, char *text) {
    char *end = strstr(text, "\r\n\r\n") + 4;
    s->requests[s->request_count++] =
        (struct script_request){.head = strndup(text, (size_t)(end - text)),
                                .body = strdup(end),
                                .connection = s->connections};
}

/* The steps of one connection. */
static void server_serve(struct scripted_server *s, int fd, char *text) {
    while (s->request_count < s->step_count && server_read_request(s, fd, text)) {
        const struct script_step *step = &s->steps[s->request_count];
        server_keep_request(s, text);
        if (step->kind == SCRIPT_HANG)
            server_readable(s, fd);
        else if (send(fd, step->bytes.ptr, step->bytes.len, MSG_NOSIGNAL) < 0)
            return;
        if (step->kind != SCRIPT_ANSWER)
            return;
    }
}

static void *server_main(void *context) {
    struct scripted_server *s = context;
    char *text = malloc(SERVER_REQUEST_BYTES);
    while (server_readable(s, s->listener)) {
        int fd = accept(s->listener, NULL, NULL);
        s->connections++;
        server_serve(s, fd, text);
        close(fd);
    }
    free(text);
    return NULL;
}

struct scripted_server *scripted_server_start(const struct script_step *steps, size_t count) {
    struct scripted_server *s = calloc(1, sizeof *s);
    assert(count <= SCRIPT_STEPS);
    s->steps = steps;
    s->step_count = count;
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(s->listener, (struct sockaddr *)&address, size) != 0 || listen(s->listener, 8) != 0 ||
        getsockname(s->listener, (struct sockaddr *)&address, &size) != 0 || pipe(s->wake) != 0)
        abort();
    s->port = ntohs(address.sin_port);
    pthread_create(&s->thread, NULL, server_main, s);
    return s;
}

unsigned scripted_server_port(const struct scripted_server *s) {
    return s->port;
}

static void server_end(struct scripted_server *s) {
    if (s->stopped)
        return;
    s->stopped = true;
    close(s->wake[1]);
    pthread_join(s->thread, NULL);
    close(s->wake[0]);
    close(s->listener);
}

size_t scripted_server_stop(struct scripted_server *s, const struct script_request **requests) {
    server_end(s);
    *requests = s->requests;
    return s->request_count;
}

void scripted_server_destroy(struct scripted_server *s) {
    server_end(s);
    for (size_t i = 0; i < s->request_count; i++) {
        free(s->requests[i].head);
        free(s->requests[i].body);
    }
    free(s);
}
