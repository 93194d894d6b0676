/*
 * One event loop and its thread.
 *
 * Messages from other threads come in over a stack that nobody locks.  The loop takes them all at
 * once before it waits; a post wakes it only when it waits, or is about to: it says so in `asleep`
 * before it looks a last time.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "http/http_int.h"

enum {
    IDLE_MS = 300 * 1000,   /* SDKs keep sockets idle and dislike to find them closed */
    READING_MS = 30 * 1000, /* a head; each 16 KB of a body */
    WRITING_MS = 120 * 1000,
    LINGERING_MS = 2 * 1000,
    ACCEPT_PAUSE_MS = 100, /* when out of descriptors */
    ACCEPTS_AT_ONCE = 32,
    WAIT_MS = 60 * 1000,
};

/* --- Messages */

void http_post(struct http_loop *loop, struct http_message *message) {
    /* The loop may run the message, answer the last request and be destroyed before we return. */
    atomic_fetch_add(&loop->posting, 1);
    struct http_message *head = atomic_load_explicit(&loop->inbox, memory_order_relaxed);
    do
        message->next = head;
    while (!atomic_compare_exchange_weak(&loop->inbox, &head, message));
    if (atomic_exchange(&loop->asleep, false))
        (void)!write(loop->wake_fd, &(uint64_t){1}, sizeof(uint64_t));
    atomic_fetch_sub(&loop->posting, 1);
}

static void loop_wait_posted(struct http_loop *loop) {
    while (atomic_load(&loop->posting) > 0)
        sched_yield();
}

bool loop_run_messages(struct http_loop *loop) {
    struct http_message *newest = atomic_exchange(&loop->inbox, NULL), *oldest = NULL;
    while (newest) {
        struct http_message *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    bool any = oldest != NULL;
    while (oldest) {
        struct http_message *next = oldest->next; /* `run` may free the message */
        oldest->run(oldest);
        oldest = next;
    }
    return any;
}

static void on_wake(h2o_socket_t *socket, const char *error) {
    (void)error;
    uint64_t count;
    (void)!read(h2o_socket_get_fd(socket), &count, sizeof count);
}

/* --- Accepting */

static void on_connection(h2o_socket_t *listener, const char *error) {
    (void)error;
    struct http_loop *loop = listener->data;
    for (int i = 0; i < ACCEPTS_AT_ONCE; i++) {
        h2o_socket_t *socket = h2o_evloop_socket_accept(listener);
        if (socket) {
            connection_open(loop, socket);
            continue;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            h2o_socket_read_stop(listener); /* else we would spin until a descriptor is free */
            h2o_timeout_link(loop->ev, &loop->accept_pause, &loop->accept_timer);
        }
        return;
    }
}

static void on_accept_pause(h2o_timeout_entry_t *entry) {
    struct http_loop *loop = H2O_STRUCT_FROM_MEMBER(struct http_loop, accept_timer, entry);
    if (loop->listener)
        h2o_socket_read_start(loop->listener, on_connection);
}

/* --- Date */

const char *loop_date(struct http_loop *loop) {
    uint64_t second = h2o_now(loop->ev) / 1000;
    if (second != loop->date_second) {
        loop->date_second = second;
        struct tm t;
        gmtime_r(&(time_t){(time_t)second}, &t);
        strftime(loop->date, sizeof loop->date, "%a, %d %b %Y %H:%M:%S GMT", &t);
    }
    return loop->date;
}

/* --- The thread */

static void loop_open(struct http_loop *loop) {
    loop->ev = h2o_evloop_create();
    const struct http_options *o = &loop->server->options;
    h2o_timeout_init(loop->ev, &loop->idle, o->idle_ms ? o->idle_ms : IDLE_MS);
    h2o_timeout_init(loop->ev, &loop->reading, o->reading_ms ? o->reading_ms : READING_MS);
    h2o_timeout_init(loop->ev, &loop->writing, WRITING_MS);
    h2o_timeout_init(loop->ev, &loop->lingering, LINGERING_MS);
    h2o_timeout_init(loop->ev, &loop->accept_pause, ACCEPT_PAUSE_MS);
    loop->accept_timer.cb = on_accept_pause;
    /* H2O closes what it is given; the descriptor that others post to must outlive the thread. */
    loop->waker = h2o_evloop_socket_create(loop->ev, dup(loop->wake_fd), H2O_SOCKET_FLAG_DONT_READ);
    h2o_socket_read_start(loop->waker, on_wake);
    loop->listener = h2o_evloop_socket_create(loop->ev, loop->listen_fd, H2O_SOCKET_FLAG_DONT_READ);
    loop->listen_fd = -1;
    loop->listener->data = loop;
    h2o_socket_read_start(loop->listener, on_connection);
}

static void loop_close_listener(struct http_loop *loop) {
    h2o_timeout_unlink(&loop->accept_timer);
    h2o_socket_close(loop->listener);
    loop->listener = NULL;
}

static void loop_close(struct http_loop *loop) {
    struct connection *c = loop->ring.next;
    while (c != &loop->ring) {
        struct connection *next = c->next;
        if (c->socket)
            connection_close(c);
        c = next;
    }
    h2o_socket_close(loop->waker);
    h2o_timeout_dispose(loop->ev, &loop->idle);
    h2o_timeout_dispose(loop->ev, &loop->reading);
    h2o_timeout_dispose(loop->ev, &loop->writing);
    h2o_timeout_dispose(loop->ev, &loop->lingering);
    h2o_timeout_dispose(loop->ev, &loop->accept_pause);
    h2o_evloop_destroy(loop->ev);
    loop->ev = NULL;
}

static bool loop_is_done(const struct http_loop *loop) {
    return loop->stopping && (loop->ring.next == &loop->ring || h2o_now(loop->ev) >= loop->stop_at);
}

/* What messages have written, H2O calls back about only after it has polled: then it must not wait.
 */
static int32_t loop_wait_ms(struct http_loop *loop, bool ran_messages) {
    if (ran_messages || atomic_load(&loop->inbox))
        return 0;
    if (!loop->stopping)
        return WAIT_MS;
    uint64_t now = h2o_now(loop->ev);
    return now < loop->stop_at ? (int32_t)(loop->stop_at - now) : 0;
}

static void *loop_main(void *argument) {
    struct http_loop *loop = argument;
    loop_open(loop);
    /* The check comes after H2O's turn: sockets that have callbacks pending must not be closed
     * outside of it. */
    do {
        bool ran = loop_run_messages(loop);
        atomic_store(&loop->asleep, true);
        h2o_evloop_run(loop->ev, loop_wait_ms(loop, ran));
        atomic_store(&loop->asleep, false);
    } while (!loop_is_done(loop));
    loop_close(loop);
    return NULL;
}

/* --- Start and stop */

static void loop_stop(struct http_message *message) {
    struct http_loop *loop = H2O_STRUCT_FROM_MEMBER(struct http_loop, stop, message);
    loop->stopping = true;
    loop->stop_at = h2o_now(loop->ev) + loop->server->grace_ms;
    loop_close_listener(loop);
    struct connection *c = loop->ring.next;
    while (c != &loop->ring) {
        struct connection *next = c->next;
        bool idle = c->state == CONNECTION_HEAD && !c->request;
        if (idle || c->state == CONNECTION_LINGER)
            connection_close(c);
        c = next;
    }
}

struct error *loop_init(struct http_loop *loop, struct arena *a, struct http_server *server,
                        unsigned index) {
    loop->server = server;
    loop->index = index;
    loop->listen_fd = -1;
    loop->ring.next = loop->ring.previous = &loop->ring;
    loop->stop.run = loop_stop;
    loop->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (loop->wake_fd < 0)
        return error_new(a, ERR_LOCAL, "cannot create an event descriptor: %s", strerror(errno));
    return NULL;
}

/* Signals are for the main thread; and a blocked SIGPIPE makes a write to a closed socket fail
 * instead. */
struct error *loop_start(struct http_loop *loop, struct arena *a) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&loop->thread, NULL, loop_main, loop);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        return error_new(a, ERR_LOCAL, "cannot start a thread: %s", strerror(failed));
    char name[16];
    snprintf(name, sizeof name, "http-%u", loop->index);
    pthread_setname_np(loop->thread, name);
    return NULL;
}

void loop_finish(struct http_loop *loop) {
    loop_wait_posted(loop);
    loop_run_messages(loop);
    while (loop->ring.next != &loop->ring)
        connection_forget(loop->ring.next);
    while (loop->spare) {
        struct http_request *r = loop->spare;
        loop->spare = r->next_spare;
        free(r);
    }
    coder_finish(&loop->coder);
    if (loop->listen_fd >= 0)
        close(loop->listen_fd);
    close(loop->wake_fd);
}

unsigned http_loop_index(const struct http_loop *loop) {
    return loop->index;
}
