/*
 * AWS Signature Version 4: reading and checking a request's signature, and making one.
 *
 * Form and date are checked as AWS does, with its texts and in its order.  Any access key is
 * accepted; the signature itself is verified only when a secret is known for the key.
 */
#ifndef AUTH_SIGV4_H
#define AUTH_SIGV4_H

#include "base/error.h"

struct sigv4_header {
    struct slice name; /* lower case */
    struct slice value;
};

/* What is signed. */
struct sigv4_request {
    struct slice method;
    struct slice path;
    struct slice query; /* without '?' */
    const struct sigv4_header *headers;
    size_t header_count;
    struct slice body;
};

/* Who asks, read from the Authorization header or the query. */
struct sigv4_caller {
    struct slice access_key;
    struct slice region;
    struct slice service;
};

/*
 * Reads and checks the signature's form: missing (ERR_MISSING_AUTHENTICATION_TOKEN), both header
 * and query (ERR_INVALID_SIGNATURE), missing parts (ERR_INCOMPLETE_SIGNATURE), date not ISO-8601
 * basic, more than 15 minutes off `now_ms`, Host not signed, algorithm, credential's five parts.
 */
MUST_CHECK struct error *sigv4_check(struct arena *a, const struct sigv4_request *request,
                                     int64_t now_ms, struct sigv4_caller *out);

struct sigv4_key {
    struct slice access_key;
    struct slice secret_key;
    struct slice session_token; /* or empty */
    struct slice region;
    struct slice service;
};

/* The value of the Authorization header for `request`, whose headers include host and x-amz-date
 * (and x-amz-security-token when there is a session token). All headers given are signed. */
struct slice sigv4_sign(struct arena *a, const struct sigv4_request *request,
                        const struct sigv4_key *key);

/* The signature itself, in hex: what both sides compute. Comparison is for the caller, in constant
 * time (sigv4_equal). `date` is the x-amz-date text; `signed_headers` as in the header, `;`
 * between. */
struct slice sigv4_signature(struct arena *a, const struct sigv4_request *request,
                             const struct sigv4_key *key, struct slice date,
                             struct slice signed_headers);
bool sigv4_equal(struct slice a, struct slice b);

/* x-amz-date for a moment: 20261130T160000Z. */
struct slice sigv4_date(struct arena *a, int64_t now_ms);

#endif
