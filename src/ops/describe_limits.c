/* DescribeLimits: the account's quotas of provisioned throughput. */
#include "ops/op.h"

/* AWS's default quotas of a region.  Stator holds nobody to them. */
enum { LIMITS_ACCOUNT_UNITS = 80000, LIMITS_TABLE_UNITS = 40000 };

/* Nothing is asked. */
struct describe_limits {
    char none;
};

static struct error *describe_limits_run(struct op_call *call) {
    (void)call;
    return NULL;
}

static struct error *describe_limits_reply(struct op_call *call, struct json_writer *w) {
    (void)call;
    json_member_int(w, "AccountMaxReadCapacityUnits", LIMITS_ACCOUNT_UNITS);
    json_member_int(w, "AccountMaxWriteCapacityUnits", LIMITS_ACCOUNT_UNITS);
    json_member_int(w, "TableMaxReadCapacityUnits", LIMITS_TABLE_UNITS);
    json_member_int(w, "TableMaxWriteCapacityUnits", LIMITS_TABLE_UNITS);
    return NULL;
}

const struct op op_describe_limits = {
    .name = "DescribeLimits",
    .service = SERVICE_DYNAMODB,
    .kind = OP_READ,
    .input_size = sizeof(struct describe_limits),
    .run = describe_limits_run,
    .reply = describe_limits_reply,
};
