/* TagResource: tags of a table, in addition to those it has. */
#include "engine/catalogue.h"
#include "ops/op.h"
#include "ops/resource_arn.h"
#include "ops/tag_input.h"

struct tag_resource {
    struct slice arn;
    struct field_list tags;

    struct slice table_name;
};

static const struct field tag_resource_fields[] = {
    {FIELD_RESOURCE_ARN(struct tag_resource, arn)},
    {FIELD_TAGS(struct tag_resource, tags)},
};

static struct error *tag_resource_check(struct op_call *call) {
    struct tag_resource *in = call->input;
    TRY(resource_arn_check(call->arena, in->arn, &in->table_name));
    if (!in->tags.given)
        return error_new(call->arena, ERR_VALIDATION,
                         "1 validation error detected: Value null at 'tags' failed to satisfy "
                         "constraint: Member must not be null");
    if (in->tags.count == 0)
        return error_new(call->arena, ERR_VALIDATION,
                         "Atleast one Tag needs to be provided as Input.");
    return tags_check(call->arena, &in->tags);
}

static struct error *tag_resource_run(struct op_call *call) {
    struct tag_resource *in = call->input;
    const struct table *t = catalogue_current(call->view, in->table_name);
    if (!t)
        return resource_arn_denied(call->arena);
    struct table_schema revised = *t->schema;
    TRY(tags_add(call->arena, &in->tags, &revised));
    const struct table_schema *stored;
    return catalogue_update(call->view, call->arena, &revised, &stored);
}

static struct error *tag_resource_reply(struct op_call *call, struct json_writer *w) {
    (void)call;
    (void)w;
    return NULL;
}

const struct op op_tag_resource = {
    .name = "TagResource",
    .service = SERVICE_DYNAMODB,
    .kind = OP_CONTROL,
    .fields = tag_resource_fields,
    .field_count = ARRAY_LEN(tag_resource_fields),
    .input_size = sizeof(struct tag_resource),
    .check = tag_resource_check,
    .run = tag_resource_run,
    .reply = tag_resource_reply,
};
