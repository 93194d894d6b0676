/*
 * Errors: NULL is well, anything else says what the client will read.
 *
 * A function that can fail returns `struct error *`.  The error is made where the fault is seen,
 * in the request's arena, with its whole text, and is handed up unchanged.  Outputs of a function
 * that fails are not touched.  "Not there" and "the condition is false" are answers, not errors.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/arena.h"
#include "base/error_list.h"

enum error_kind {
#define X(name, type, status, member) ERR_##name,
    ERROR_LIST(X)
#undef X
        ERROR_KINDS
};

struct error {
    enum error_kind kind;
    struct slice type;    /* on the wire, as in "com.amazon…#ValidationException" */
    struct slice message; /* as the client reads it; no text at all when ptr is NULL */
    struct slice details; /* further members of the reply's object, `"Item":{…}`, or empty */
};

struct error *error_new(struct arena *a, enum error_kind kind, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* An error that carries no text (AWS sends some so). */
struct error *error_bare(struct arena *a, enum error_kind kind);

int error_status(const struct error *e);
const char *error_text_member(const struct error *e); /* "message" or "Message" */

/* The type without its namespace: "ValidationException". */
struct slice error_short_type(const struct error *e);

/* Hands a failure up.  The one macro of the house with a return in it. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        struct error *try_error_ = (call);                                                         \
        if (UNLIKELY(try_error_ != NULL))                                                          \
            return try_error_;                                                                     \
    } while (0)

#endif
