/*
 * What a request holds in memory, counted in one budget with the bodies of all requests.
 *
 * A tree is many times its text when the text is small tokens: 16 MB of them become 112 MB of nodes
 * and as much again of values.  So a large body is looked through before it is read, and what it
 * may become is counted first; what it has become is counted afterwards.  Small requests are not
 * counted: they cost less than the counting.
 */
#include "base/limits.h"
#include "item/value.h"
#include "server/server_int.h"
#include "json/json.h"

enum { MEMORY_SMALL_BYTES = 64 * 1024 };

/* At most: every node but the root follows one of three characters. */
static size_t memory_nodes(struct slice text) {
    size_t nodes = 1;
    for (size_t i = 0; i < text.len; i++)
        nodes += (text.ptr[i] == ',') + (text.ptr[i] == '[') + (text.ptr[i] == '{');
    return nodes < LIMIT_JSON_NODES ? nodes : LIMIT_JSON_NODES;
}

static struct error *memory_hold(struct request *r, size_t bytes) {
    if (http_request_hold(r->http, bytes < MEMORY_SMALL_BYTES ? 0 : bytes))
        return NULL;
    return error_new(r->arena, ERR_SERVICE_UNAVAILABLE, "%s", MEMORY_REFUSAL);
}

struct error *memory_expect_tree(struct request *r) {
    struct slice body = http_request_body(r->http);
    if (body.len < MEMORY_SMALL_BYTES)
        return NULL;
    size_t a_node = sizeof(struct json) + sizeof(struct value);
    return memory_hold(r, memory_nodes(body) * a_node);
}

struct error *memory_count(struct request *r, size_t more) {
    return memory_hold(r, arena_held(r->arena) + more);
}
