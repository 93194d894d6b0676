/*
 * Why a request is refused by the HTTP layer itself: a status and a line of text.
 *
 * Functions return `const struct http_fault *`, NULL when well.  After a fault the connection is
 * closed: what follows on it cannot be trusted, or has not been read.
 */
#ifndef HTTP_FAULT_H
#define HTTP_FAULT_H

struct http_fault {
    int status;
    const char *text;
};

#endif
