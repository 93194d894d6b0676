/*
 * DescribeEndpoints: where to send requests.
 *
 * A client that asks goes on with the answer, so it must be this server, by the name under which
 * the client reached it: AWS's own name would send the data to AWS.
 */
#include "ops/op.h"

enum { ENDPOINTS_CACHE_MINUTES = 1440 };

/* Nothing is asked. */
struct describe_endpoints {
    char none;
};

static struct error *describe_endpoints_run(struct op_call *call) {
    (void)call;
    return NULL;
}

static struct error *describe_endpoints_reply(struct op_call *call, struct json_writer *w) {
    json_write_name(w, SLICE("Endpoints"));
    json_write_array_begin(w);
    json_write_object_begin(w);
    json_member_string(w, "Address", call->host.len ? call->host : SLICE("localhost"));
    json_member_int(w, "CachePeriodInMinutes", ENDPOINTS_CACHE_MINUTES);
    json_write_object_end(w);
    json_write_array_end(w);
    return NULL;
}

const struct op op_describe_endpoints = {
    .name = "DescribeEndpoints",
    .service = SERVICE_DYNAMODB,
    .kind = OP_READ,
    .input_size = sizeof(struct describe_endpoints),
    .run = describe_endpoints_run,
    .reply = describe_endpoints_reply,
};
