#include "ops/resource_arn.h"

/* arn:aws:dynamodb:us-east-1:000000000000:table/NAME */
enum { ARN_PARTS = 6, ARN_SERVICE = 2, ARN_RESOURCE = 5 };

/* The parts between the first colons; the last one is all that is left.  False for too few. */
static bool arn_split(struct slice arn, struct slice parts[static ARN_PARTS]) {
    for (size_t i = 0; i + 1 < ARN_PARTS; i++) {
        const char *colon = arn.len ? memchr(arn.ptr, ':', arn.len) : NULL;
        if (!colon)
            return false;
        size_t len = (size_t)(colon - arn.ptr);
        parts[i] = (struct slice){arn.ptr, len};
        arn = (struct slice){colon + 1, arn.len - len - 1};
    }
    parts[ARN_RESOURCE] = arn;
    return true;
}

static bool is_table_name(struct slice name) {
    return name.len >= LIMIT_TABLE_NAME_MIN_CHARS && name.len <= LIMIT_TABLE_NAME_MAX_CHARS &&
           !memchr(name.ptr, '/', name.len);
}

struct error *resource_arn_check(struct arena *a, struct slice arn, struct slice *name) {
    struct slice parts[ARN_PARTS], table = SLICE("table/");
    if (!arn.ptr)
        return error_new(a, ERR_VALIDATION, "Invalid TableArn");
    if (!slice_starts_with(arn, SLICE("arn:")))
        return error_new(a, ERR_VALIDATION,
                         "One or more parameter values were invalid: ARNs must start with 'arn:': "
                         "%.*s",
                         SLICE_ARG(arn));
    if (!arn_split(arn, parts) || !slice_is(parts[ARN_SERVICE], "dynamodb"))
        return error_new(a, ERR_VALIDATION,
                         "One or more parameter values were invalid: Provided Arn is not a "
                         "DynamoDB resource arn: %.*s",
                         SLICE_ARG(arn));
    struct slice resource = parts[ARN_RESOURCE];
    if (slice_starts_with(resource, table)) {
        *name = (struct slice){resource.ptr + table.len, resource.len - table.len};
        if (is_table_name(*name))
            return NULL;
    }
    return error_new(a, ERR_VALIDATION,
                     "Invalid TableArn: Invalid ResourceArn provided as input %.*s",
                     SLICE_ARG(arn));
}

struct error *resource_arn_denied(struct arena *a) {
    return error_new(a, ERR_ACCESS_DENIED, "Access is denied");
}
