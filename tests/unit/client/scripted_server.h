/*
 * A loopback HTTP server that answers from a script: one step a request, in order.
 */
#ifndef TESTS_SCRIPTED_SERVER_H
#define TESTS_SCRIPTED_SERVER_H

#include "base/arena.h"

enum { SCRIPT_STEPS = 16 };

enum script_kind {
    SCRIPT_ANSWER, /* sends `bytes` and keeps the connection */
    SCRIPT_CUT,    /* sends `bytes` and closes */
    SCRIPT_HANG,   /* says nothing until the client leaves */
};

struct script_step {
    enum script_kind kind;
    struct slice bytes;
};

/* What was asked. */
struct script_request {
    char *head;
    char *body;
    unsigned connection; /* 1, 2, … */
};

struct scripted_server;

/* The steps must outlive the server. */
struct scripted_server *scripted_server_start(const struct script_step *steps, size_t count);
unsigned scripted_server_port(const struct scripted_server *s);

/* Ends the thread; the requests live until destroy. */
size_t scripted_server_stop(struct scripted_server *s, const struct script_request **requests);
/* Stops it if need be. */
void scripted_server_destroy(struct scripted_server *s);

#endif
