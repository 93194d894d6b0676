#include "cli/demo.h"

#include "cli/example.h"
#include "client/client.h"

static void demo_client_release(struct client **c) {
    client_close(*c);
}

static struct error *demo_run_all(struct arena *a, struct client *c, const struct json *requests) {
    for (const struct json *r = requests->first; r; r = r->next) {
        const struct json *operation = json_member(r, SLICE("operation"));
        const struct json *reply;
        TRY(client_call(c, a, operation->text, json_member(r, SLICE("input")), &reply));
    }
    return NULL;
}

static struct error *demo_load_one(struct arena *a, struct client *c, const struct example *example,
                                   size_t *created) {
    const struct json *table, *requests, *reply;
    TRY(json_parse(a, example->table, &table));
    TRY(json_parse(a, example->requests, &requests));
    struct error *error = client_call(c, a, SLICE("CreateTable"), table, &reply);
    if (error)
        return error->kind == ERR_RESOURCE_IN_USE ? NULL : error;
    ++*created;
    return demo_run_all(a, c, requests);
}

struct error *demo_load(struct arena *a, struct engine *engine, size_t *created) {
    CLEANUP(demo_client_release) struct client *c = client_in_process(engine);
    *created = 0;
    for (size_t i = 0; i < example_count; i++)
        TRY(demo_load_one(a, c, &example_list[i], created));
    return NULL;
}
