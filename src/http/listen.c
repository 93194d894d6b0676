/*
 * Binding: one listening socket a loop, all on the same port.
 *
 * SO_REUSEPORT would let a second process take its share of our port without a word.  So the first
 * socket binds and listens without it, which fails when anybody else listens there, and opens the
 * port for its siblings afterwards; a second process that begins the same way is refused.
 */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/http_int.h"

enum { BACKLOG = 1024 };

static void option_set(int fd, int option) {
    setsockopt(fd, SOL_SOCKET, option, &(int){1}, sizeof(int));
}

static bool listen_bind(int fd, const struct sockaddr *address, socklen_t len, bool first) {
    option_set(fd, SO_REUSEADDR); /* connections of an earlier process, in TIME_WAIT, are no harm */
    if (!first)
        option_set(fd, SO_REUSEPORT);
    if (bind(fd, address, len) != 0 || listen(fd, BACKLOG) != 0)
        return false;
    option_set(fd, SO_REUSEPORT);
    return true;
}

/* A listening socket; -1 and errno when it fails. */
static int listen_open(const struct sockaddr *address, socklen_t len, bool first) {
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || listen_bind(fd, address, len, first))
        return fd;
    int cause = errno;
    close(fd);
    errno = cause;
    return -1;
}

static struct slice address_text(struct arena *a, const struct http_options *o) {
    bool v6 = strchr(o->host, ':') != NULL;
    return arena_printf(a, "%s%s%s:%u", v6 ? "[" : "", o->host, v6 ? "]" : "", (unsigned)o->port);
}

static struct error *bind_error(struct arena *a, const struct http_options *o, int cause) {
    struct slice address = address_text(a, o);
    if (cause == EADDRINUSE)
        return error_new(a, ERR_LOCAL, "%.*s is in use by another process", SLICE_ARG(address));
    if (cause == EADDRNOTAVAIL)
        return error_new(a, ERR_LOCAL, "%s is not an address of this machine", o->host);
    if (cause == EACCES)
        return error_new(a, ERR_LOCAL, "no permission to bind %.*s", SLICE_ARG(address));
    return error_new(a, ERR_LOCAL, "cannot bind %.*s: %s", SLICE_ARG(address), strerror(cause));
}

static struct error *resolve(struct arena *a, const struct http_options *o, struct addrinfo **out) {
    char port[8];
    snprintf(port, sizeof port, "%u", (unsigned)o->port);
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    int failed = getaddrinfo(o->host, port, &hints, out);
    if (failed)
        return error_new(a, ERR_LOCAL, "cannot resolve %s: %s", o->host, gai_strerror(failed));
    return NULL;
}

/* A name may have several addresses; IPv4 is what most clients try when told "localhost". */
static int bind_first(const struct addrinfo *list, struct sockaddr_storage *bound,
                      socklen_t *bound_len) {
    int fd = -1;
    for (int v4 = 1; v4 >= 0 && fd < 0; v4--)
        for (const struct addrinfo *i = list; i && fd < 0; i = i->ai_next)
            if ((i->ai_family == AF_INET) == v4) {
                fd = listen_open(i->ai_addr, i->ai_addrlen, true);
                if (fd < 0 && errno == EADDRINUSE)
                    return -1;
            }
    *bound_len = sizeof *bound;
    if (fd >= 0)
        getsockname(fd, (struct sockaddr *)bound, bound_len); /* tells the port when it was 0 */
    return fd;
}

static uint16_t address_port(const struct sockaddr_storage *s) {
    return ntohs(s->ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)s)->sin6_port
                                          : ((const struct sockaddr_in *)s)->sin_port);
}

static struct error *listen_siblings(struct http_server *s, struct arena *a,
                                     const struct sockaddr_storage *bound, socklen_t len) {
    for (unsigned i = 1; i < s->loop_count; i++) {
        s->loops[i].listen_fd = listen_open((const struct sockaddr *)bound, len, false);
        if (s->loops[i].listen_fd < 0)
            return bind_error(a, &s->options, errno);
    }
    return NULL;
}

struct error *listen_all(struct http_server *s, struct arena *a) {
    struct addrinfo *list = NULL;
    TRY(resolve(a, &s->options, &list));
    struct sockaddr_storage bound;
    socklen_t len;
    int fd = bind_first(list, &bound, &len), cause = errno;
    freeaddrinfo(list);
    if (fd < 0)
        return bind_error(a, &s->options, cause);
    s->loops[0].listen_fd = fd;
    s->options.port = s->port = address_port(&bound);
    return listen_siblings(s, a, &bound, len);
}
