/* UntagResource: takes tags off a table. */
#include "engine/catalogue.h"
#include "ops/op.h"
#include "ops/resource_arn.h"
#include "ops/tag_input.h"

struct untag_resource {
    struct slice arn;
    struct field_list keys;

    struct slice table_name;
};

static const struct field untag_resource_fields[] = {
    {FIELD_RESOURCE_ARN(struct untag_resource, arn)},
    {FIELD("TagKeys", STRINGS, struct untag_resource, keys)},
};

static struct error *untag_resource_check(struct op_call *call) {
    struct untag_resource *in = call->input;
    TRY(resource_arn_check(call->arena, in->arn, &in->table_name));
    if (!in->keys.given)
        return error_new(call->arena, ERR_VALIDATION,
                         "1 validation error detected: Value null at 'tagKeys' failed to satisfy "
                         "constraint: Member must not be null");
    if (in->keys.count == 0)
        return error_new(call->arena, ERR_VALIDATION,
                         "Atleast one Tag Key needs to be provided as Input.");
    return tag_keys_check(call->arena, &in->keys);
}

static struct error *untag_resource_run(struct op_call *call) {
    struct untag_resource *in = call->input;
    const struct table *t = catalogue_current(call->view, in->table_name);
    if (!t)
        return resource_arn_denied(call->arena);
    struct table_schema revised = *t->schema;
    tags_remove(call->arena, &in->keys, &revised);
    const struct table_schema *stored;
    return catalogue_update(call->view, call->arena, &revised, &stored);
}

static struct error *untag_resource_reply(struct op_call *call, struct json_writer *w) {
    (void)call;
    (void)w;
    return NULL;
}

const struct op op_untag_resource = {
    .name = "UntagResource",
    .service = SERVICE_DYNAMODB,
    .kind = OP_CONTROL,
    .fields = untag_resource_fields,
    .field_count = ARRAY_LEN(untag_resource_fields),
    .input_size = sizeof(struct untag_resource),
    .check = untag_resource_check,
    .run = untag_resource_run,
    .reply = untag_resource_reply,
};
