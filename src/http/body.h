/*
 * A request's body as it grows: a ceiling of its own, and a budget that all bodies share.
 *
 * Memory comes from malloc, not from an arena: a body grows and goes while others live, and its
 * bytes are counted until it is let go.
 */
#ifndef HTTP_BODY_H
#define HTTP_BODY_H

#include <stdatomic.h>

#include "base/slice.h"
#include "http/fault.h"

/* Bytes in flight over all loops: bodies, and what else their requests hold. */
struct body_budget {
    atomic_size_t used;
    size_t limit;
};

/* False, and nothing is counted, when they do not fit. */
bool body_budget_take(struct body_budget *budget, size_t bytes);
void body_budget_give(struct body_budget *budget, size_t bytes);

extern const struct http_fault body_too_large;
extern const struct http_fault body_over_budget;

struct body {
    char *ptr; /* NULL when the bytes live elsewhere */
    size_t len;
    size_t room;
    size_t ceiling;
    size_t counted; /* in the budget */
    struct body_budget *budget;
};

/* Counts `bytes` more in the budget. */
const struct http_fault *body_admit(struct body *b, size_t bytes);

/* Room for exactly `bytes` in all, admitted before: for a body whose length is known. */
void body_allocate(struct body *b, size_t bytes);

/* Room for `more` at the end; admits what it allocates. */
const struct http_fault *body_reserve(struct body *b, size_t more);

const struct http_fault *body_add(struct body *b, struct slice s);

/* Frees the bytes and gives them back to the budget; the body is empty again. */
void body_release(struct body *b);

#endif
