/*
 * libcurl, loaded at the first remote call: a server that makes none does not pay for it.
 */
#ifndef CLIENT_CURL_LIBRARY_H
#define CLIENT_CURL_LIBRARY_H

#include <curl/curl.h>

#include "base/error.h"

/* The functions that the room uses: name without "curl_", result, parameters. */
#define CURL_LIST(X)                                                                               \
    X(global_init, CURLcode, (long flags))                                                         \
    X(easy_init, CURL *, (void))                                                                   \
    X(easy_cleanup, void, (CURL * handle))                                                         \
    X(easy_setopt, CURLcode, (CURL * handle, CURLoption option, ...))                              \
    X(easy_getinfo, CURLcode, (CURL * handle, CURLINFO info, ...))                                 \
    X(easy_perform, CURLcode, (CURL * handle))                                                     \
    X(easy_strerror, const char *, (CURLcode code))                                                \
    X(slist_append, struct curl_slist *, (struct curl_slist * list, const char *text))             \
    X(slist_free_all, void, (struct curl_slist * list))

struct curl_library {
#define X(name, result, parameters) result(*name) parameters;
    CURL_LIST(X)
#undef X
};

/* ERR_LOCAL when the machine has no libcurl.  Safe from any thread; stays loaded. */
MUST_CHECK struct error *curl_library_load(struct arena *a, const struct curl_library **out);

#endif
