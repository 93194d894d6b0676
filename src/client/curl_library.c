#include "client/curl_library.h"

#include <dlfcn.h>
#include <pthread.h>

static struct curl_library curl_library;
static bool curl_library_loaded;

static void *curl_library_open(void) {
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
    void *handle = NULL;
    for (size_t i = 0; !handle && i < ARRAY_LEN(names); i++)
        handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return handle;
}

/* C has no conversion between the two kinds of pointer, POSIX says that they are alike. */
static bool curl_library_find(void *handle, const char *name, void *function, size_t size) {
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, size);
    return symbol != NULL;
}

static void curl_library_begin(void) {
    void *handle = curl_library_open();
    bool whole = handle != NULL;
#define X(name, result, parameters)                                                                \
    whole = whole && curl_library_find(handle, "curl_" #name, &curl_library.name, sizeof(void *));
    CURL_LIST(X)
#undef X
    curl_library_loaded = whole && curl_library.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

struct error *curl_library_load(struct arena *a, const struct curl_library **out) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, curl_library_begin);
    if (!curl_library_loaded)
        return error_new(a, ERR_LOCAL,
                         "calls over HTTP need libcurl, which is not there: install libcurl4");
    *out = &curl_library;
    return NULL;
}
