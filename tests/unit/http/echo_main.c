/*
 * The echo server on a port, until the end of its input: for measuring with wrk.
 *
 *   http_echo PORT LOOPS
 */
#include <stdio.h>

#include "echo.h"

/* As little as a handler can do: what is measured is the room. */
static void bare_handle(void *context, struct http_request *r) {
    (void)context;
    struct http_header type = {SLICE("content-type"), SLICE("application/x-amz-json-1.0")};
    static const char text[] =
        "{\"Item\":{\"PK\":{\"S\":\"USER#ann\"},\"SK\":{\"S\":\"PROFILE\"},\"name\":{\"S\":\"Ann\"}"
        ","
        "\"followers\":{\"N\":\"1234\"},\"following\":{\"N\":\"321\"},\"joined\":{\"S\":"
        "\"2026-11-30\"}}}";
    http_reply(r, 200, &type, 1, slice_of(text));
}

int main(int argc, char **argv) {
    struct arena *a = arena_create();
    struct http_options options = echo_options();
    options.port = (uint16_t)(argc > 1 ? atoi(argv[1]) : 0);
    options.loops = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    options.handler = bare_handle;
    struct http_server *server;
    struct error *error = http_server_create(a, &options, &server);
    if (!error)
        error = http_server_start(server, a);
    if (error) {
        printf("%.*s\n", SLICE_ARG(error->message));
        return 1;
    }
    printf("listening on %u\n", http_server_port(server));
    fflush(stdout);
    while (getchar() != EOF)
        ;
    http_server_stop(server, 1000);
    http_server_destroy(server);
    arena_destroy(a);
    return 0;
}
