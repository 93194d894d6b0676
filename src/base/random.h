/*
 * Random bytes and the identifiers made of them.  Not for secrets; safe from any thread.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

uint64_t random_u64(void);

enum { RANDOM_REQUEST_ID_CHARS = 52, RANDOM_UUID_CHARS = 36 };

/* A request id as AWS makes them: 52 of A-Z0-9.  Not NUL-ended. */
void random_request_id(char out[RANDOM_REQUEST_ID_CHARS]);

/* A version 4 UUID in lower case.  Not NUL-ended. */
void random_uuid(char out[RANDOM_UUID_CHARS]);

#endif
