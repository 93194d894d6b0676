#include "client/client_int.h"

void client_close(struct client *c) {
    if (c)
        c->ways->close(c);
}

struct error *client_call(struct client *c, struct arena *a, struct slice operation,
                          const struct json *input, const struct json **out) {
    return c->ways->call(c, a, operation, input, out);
}
