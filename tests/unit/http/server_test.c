/*
 * What the wire cases cannot show: binding, the budget over connections, messages between threads,
 * dead clients, stopping.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "echo.h"
#include "unit.h"

static struct arena *arena;

static struct http_server *server_start(const struct http_options *options) {
    if (!arena)
        arena = arena_create();
    struct http_server *s = NULL;
    assert_ok(http_server_create(arena, options, &s));
    assert_ok(http_server_start(s, arena));
    return s;
}

static void server_end(struct http_server *s) {
    http_server_stop(s, 2000);
    http_server_destroy(s);
    assert_int_equal(atomic_load(&echo_living), 0);
}

static int dial(const struct http_server *s) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(http_server_port(s))};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

static void say(int fd, const char *text) {
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* What comes within `ms`, up to a whole reply with a short body; "" at the end. */
static const char *hear(int fd, int ms) {
    static char text[8192];
    size_t len = 0;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    text[0] = 0;
    while (!strstr(text, "\r\n\r\n") && poll(&p, 1, ms) == 1) {
        ssize_t n = recv(fd, text + len, sizeof text - 1 - len, 0);
        if (n <= 0)
            break;
        len += (size_t)n;
        text[len] = 0;
    }
    return text;
}

static bool is_closed(int fd) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    char byte;
    return poll(&p, 1, 5000) == 1 && recv(fd, &byte, 1, 0) <= 0;
}

/* --- Binding */

static void a_taken_port_is_an_error(void **state) {
    (void)state;
    struct http_options options = echo_options();
    struct http_server *s = server_start(&options), *other = NULL;
    options.port = http_server_port(s);
    assert_true(options.port > 0);
    char text[64];
    snprintf(text, sizeof text, "127.0.0.1:%u is in use by another process", options.port);
    assert_error(http_server_create(arena, &options, &other), ERR_LOCAL, text);
    assert_null(other);
    server_end(s);
}

static void a_port_is_free_again_at_once(void **state) {
    (void)state;
    struct http_options options = echo_options();
    struct http_server *s = server_start(&options);
    options.port = http_server_port(s);
    int fd = dial(s);
    say(fd, "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert_non_null(strstr(hear(fd, 5000), "200 OK"));
    assert_true(is_closed(fd)); /* by the server: its side is in TIME_WAIT */
    close(fd);
    server_end(s);
    s = server_start(&options);
    assert_int_equal(http_server_port(s), options.port);
    server_end(s);
}

static atomic_int loops_seen; /* a bit each */

static void note_loop(void *context, struct http_request *r) {
    atomic_fetch_or(&loops_seen, 1 << http_loop_index(http_request_loop(r)));
    echo_handle(context, r);
}

static void every_loop_gets_connections(void **state) {
    (void)state;
    struct http_options options = echo_options();
    options.loops = 3;
    options.handler = note_loop;
    struct http_server *s = server_start(&options);
    for (int i = 0; i < 100; i++) {
        int fd = dial(s);
        say(fd, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
        assert_non_null(strstr(hear(fd, 5000), "200 OK"));
        close(fd);
    }
    assert_int_equal(atomic_load(&loops_seen), 7);
    server_end(s);
}

static void hosts_that_cannot_be_bound(void **state) {
    (void)state;
    struct http_options options = echo_options();
    struct http_server *s = NULL;
    options.host = "192.0.2.1";
    assert_error(http_server_create(arena, &options, &s), ERR_LOCAL,
                 "192.0.2.1 is not an address of this machine");
    options.host = "no.such.host.invalid";
    struct error *e = http_server_create(arena, &options, &s);
    assert_non_null(e);
    assert_true(slice_starts_with(e->message, SLICE("cannot resolve no.such.host.invalid: ")));
    assert_null(s);
}

static void names_and_ipv6(void **state) {
    (void)state;
    struct http_options options = echo_options();
    options.host = "localhost";
    server_end(server_start(&options));
    options.host = "::1";
    struct http_server *s = NULL, *other = NULL;
    if (http_server_create(arena, &options, &s))
        return; /* a machine without IPv6 */
    options.port = http_server_port(s);
    char text[64];
    snprintf(text, sizeof text, "[::1]:%u is in use by another process", options.port);
    assert_error(http_server_create(arena, &options, &other), ERR_LOCAL, text);
    http_server_destroy(s);
}

/* --- The budget */

#define HEAD_90K "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n"

static void bodies_in_flight_are_counted_over_all_connections(void **state) {
    (void)state;
    struct http_options options = echo_options(); /* 250,000 bytes */
    struct http_server *s = server_start(&options);
    int one = dial(s), two = dial(s), three = dial(s), four = dial(s);
    say(one, HEAD_90K);
    say(two, HEAD_90K);
    assert_string_equal(hear(one, 50), "");
    assert_string_equal(hear(two, 50), "");
    say(three, HEAD_90K);
    const char *reply = hear(three, 5000);
    assert_non_null(strstr(reply, "HTTP/1.1 503 Service Unavailable\r\n"));
    assert_non_null(strstr(reply, "Connection: close\r\n"));
    assert_non_null(strstr(reply, "\r\n\r\n{\"over\":\"budget\"}"));
    assert_true(is_closed(three));
    close(one);
    for (int tries = 0; tries < 100; tries++) { /* until the server has seen it */
        int again = dial(s);
        say(again, HEAD_90K);
        bool admitted = hear(again, 20)[0] == 0;
        close(again);
        if (admitted)
            break;
        assert_int_not_equal(tries, 99);
    }
    close(two);
    close(three);
    say(four, "GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_non_null(strstr(hear(four, 5000), "200 OK"));
    close(four);
    server_end(s);
}

/* --- Threads */

enum { POSTERS = 4, POSTS = 20000 };

static atomic_int posts_run;
static atomic_int posts_disordered;

struct post {
    struct http_message message;
    int poster, number;
};

static void post_run(struct http_message *m) {
    static int last[POSTERS];
    struct post *p = (struct post *)m;
    if (p->number != last[p->poster] + 1)
        atomic_fetch_add(&posts_disordered, 1);
    last[p->poster] = p->number;
    atomic_fetch_add(&posts_run, 1);
    free(p);
}

struct poster {
    struct http_loop *loop;
    int index;
};

static void *post_many(void *argument) {
    struct poster *poster = argument;
    for (int i = 1; i <= POSTS; i++) {
        struct post *p = malloc(sizeof *p);
        *p = (struct post){{.run = post_run}, poster->index, i};
        http_post(poster->loop, &p->message);
    }
    return NULL;
}

static struct http_loop *_Atomic seen_loop;

static void remember_loop(void *context, struct http_request *r) {
    seen_loop = http_request_loop(r);
    echo_handle(context, r);
}

static void messages_are_run_once_and_in_order(void **state) {
    (void)state;
    struct http_options options = echo_options();
    options.handler = remember_loop;
    options.loops = 1;
    struct http_server *s = server_start(&options);
    int fd = dial(s);
    say(fd, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_non_null(strstr(hear(fd, 5000), "200 OK"));
    assert_int_equal(http_loop_index(seen_loop), 0);

    pthread_t threads[POSTERS];
    struct poster posters[POSTERS];
    for (int i = 0; i < POSTERS; i++) {
        posters[i] = (struct poster){seen_loop, i};
        assert_int_equal(pthread_create(&threads[i], NULL, post_many, &posters[i]), 0);
    }
    for (int i = 0; i < POSTERS; i++)
        pthread_join(threads[i], NULL);
    for (int tries = 0; atomic_load(&posts_run) < POSTERS * POSTS && tries < 5000; tries++)
        usleep(1000);
    assert_int_equal(atomic_load(&posts_run), POSTERS * POSTS);
    assert_int_equal(atomic_load(&posts_disordered), 0);
    close(fd);
    server_end(s);
}

static void a_client_that_resets_marks_its_request_dead(void **state) {
    (void)state;
    struct http_options options = echo_options();
    struct http_server *s = server_start(&options);
    int before = atomic_load(&echo_dead_seen);
    int fd = dial(s);
    say(fd, "GET /later?200 HTTP/1.1\r\nHost: x\r\n\r\n");
    usleep(50000);
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){1, 0}, sizeof(struct linger));
    close(fd);
    for (int tries = 0; atomic_load(&echo_living) > 0 && tries < 3000; tries++)
        usleep(1000);
    assert_int_equal(atomic_load(&echo_living), 0);
    assert_int_equal(atomic_load(&echo_dead_seen), before + 1);
    server_end(s);
}

/* --- Patience */

static void slow_requests_are_refused(void **state) {
    (void)state;
    struct http_options options = echo_options();
    options.reading_ms = 150;
    struct http_server *s = server_start(&options);
    int head = dial(s), body = dial(s), idle = dial(s), late = dial(s);
    say(head, "GET /a HT");
    say(body, "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n");
    say(late, "GET /later?300 HTTP/1.1\r\nHost: x\r\n\r\n");
    for (int i = 0; i < 5; i++) { /* dribbling does not help */
        usleep(20000);
        say(head, "T");
        say(body, "x");
    }
    assert_non_null(strstr(hear(head, 5000), "HTTP/1.1 408 Request Timeout\r\n"));
    assert_non_null(strstr(hear(body, 5000), "HTTP/1.1 408 Request Timeout\r\n"));
    assert_true(is_closed(head));
    assert_true(is_closed(body));
    assert_non_null(strstr(hear(late, 5000), "200 OK")); /* the handler may take its time */
    say(idle, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_non_null(strstr(hear(idle, 5000), "200 OK"));
    close(head);
    close(body);
    close(idle);
    close(late);
    server_end(s);
}

static void idle_connections_are_closed(void **state) {
    (void)state;
    struct http_options options = echo_options();
    options.idle_ms = 150;
    struct http_server *s = server_start(&options);
    int fresh = dial(s), used = dial(s);
    usleep(100000);
    say(used, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_non_null(strstr(hear(used, 5000), "200 OK"));
    usleep(100000); /* 200 ms old, idle for 100 */
    say(used, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_non_null(strstr(hear(used, 5000), "200 OK"));
    assert_true(is_closed(fresh));
    assert_true(is_closed(used));
    close(fresh);
    close(used);
    server_end(s);
}

static void out_of_descriptors_is_no_end(void **state) {
    (void)state;
    struct http_options options = echo_options();
    options.loops = 1;
    struct http_server *s = server_start(&options);
    int first = dial(s); /* its reply shows that the loop has all it needs */
    say(first, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_non_null(strstr(hear(first, 5000), "200 OK"));
    struct rlimit before, tight;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    tight = before;
    tight.rlim_cur = (rlim_t)fd + 1; /* none left for the server's side */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &tight), 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(http_server_port(s))};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    say(fd, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    const char *early = hear(fd, 150);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_string_equal(early, "");
    assert_non_null(strstr(hear(fd, 5000), "200 OK"));
    close(first);
    close(fd);
    server_end(s);
}

/* --- Stopping */

static void stopping_lets_requests_finish(void **state) {
    (void)state;
    struct http_options options = echo_options();
    struct http_server *s = server_start(&options);
    int busy = dial(s), idle = dial(s);
    say(idle, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_non_null(strstr(hear(idle, 5000), "200 OK"));
    say(busy, "GET /later?200 HTTP/1.1\r\nHost: x\r\n\r\n");
    usleep(50000);
    http_server_stop(s, 5000);
    const char *reply = hear(busy, 100);
    assert_non_null(strstr(reply, "200 OK"));
    assert_non_null(strstr(reply, "Connection: close\r\n"));
    assert_non_null(strstr(reply, "GET /later?200\n"));
    assert_true(is_closed(busy));
    assert_true(is_closed(idle));
    close(busy);
    close(idle);
    http_server_destroy(s);
    assert_int_equal(atomic_load(&echo_living), 0);
}

static void stopping_does_not_wait_for_ever(void **state) {
    (void)state;
    struct http_options options = echo_options();
    struct http_server *s = server_start(&options);
    int busy = dial(s), half = dial(s);
    say(busy, "GET /later?400 HTTP/1.1\r\nHost: x\r\n\r\n");
    say(half, "GET /a HT");
    usleep(50000);
    http_server_stop(s, 50);
    assert_int_equal(atomic_load(&echo_living), 1); /* its reply is still owed */
    assert_true(is_closed(busy));
    assert_true(is_closed(half));
    usleep(500000); /* the message is posted to a loop that runs no more */
    http_server_destroy(s);
    assert_int_equal(atomic_load(&echo_living), 0);
    close(busy);
    close(half);
}

static struct http_request *owed;

static void never_reply(void *context, struct http_request *r) {
    (void)context;
    owed = r;
    struct arena *a = arena_create();
    struct echo *e = arena_alloc(a, sizeof *e);
    e->arena = a;
    atomic_fetch_add(&echo_living, 1);
    http_request_attach(r, e, echo_drop);
}

static void requests_without_a_reply_are_dropped_at_the_end(void **state) {
    (void)state;
    struct http_options options = echo_options();
    options.handler = never_reply;
    struct http_server *s = server_start(&options);
    int fd = dial(s);
    say(fd, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    usleep(50000);
    http_server_stop(s, 10);
    assert_int_equal(atomic_load(&echo_living), 1);
    assert_true(http_request_is_dead(owed));
    http_server_destroy(s);
    assert_int_equal(atomic_load(&echo_living), 0);
    close(fd);
}

static void a_server_that_never_ran(void **state) {
    (void)state;
    struct http_options options = echo_options();
    struct http_server *s = NULL;
    assert_ok(http_server_create(arena, &options, &s));
    http_server_stop(s, 10);
    http_server_destroy(s);
    http_server_destroy(NULL);
}

UNIT_TESTS(cmocka_unit_test(a_taken_port_is_an_error),
           cmocka_unit_test(a_port_is_free_again_at_once),
           cmocka_unit_test(every_loop_gets_connections),
           cmocka_unit_test(hosts_that_cannot_be_bound), cmocka_unit_test(names_and_ipv6),
           cmocka_unit_test(bodies_in_flight_are_counted_over_all_connections),
           cmocka_unit_test(messages_are_run_once_and_in_order),
           cmocka_unit_test(a_client_that_resets_marks_its_request_dead),
           cmocka_unit_test(slow_requests_are_refused),
           cmocka_unit_test(idle_connections_are_closed),
           cmocka_unit_test(out_of_descriptors_is_no_end),
           cmocka_unit_test(stopping_lets_requests_finish),
           cmocka_unit_test(stopping_does_not_wait_for_ever),
           cmocka_unit_test(requests_without_a_reply_are_dropped_at_the_end),
           cmocka_unit_test(a_server_that_never_ran))
