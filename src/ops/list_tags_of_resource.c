/* ListTagsOfResource: the tags of a table, all of them at once. */
#include "ops/op.h"
#include "ops/resource_arn.h"

struct list_tags_of_resource {
    struct slice arn;
    struct slice next_token;

    struct table *table;
};

static const struct field list_tags_of_resource_fields[] = {
    {FIELD_RESOURCE_ARN(struct list_tags_of_resource, arn)},
    {FIELD("NextToken", STRING, struct list_tags_of_resource, next_token)},
};

static struct error *list_tags_of_resource_run(struct op_call *call) {
    struct list_tags_of_resource *in = call->input;
    struct slice name;
    TRY(resource_arn_check(call->arena, in->arn, &name));
    struct error *fault = op_call_table(call, name, &in->table);
    if (fault)
        return fault->kind == ERR_RESOURCE_NOT_FOUND ? resource_arn_denied(call->arena) : fault;
    /* None was ever given out. */
    if (in->next_token.ptr)
        return error_new(call->arena, ERR_VALIDATION, "Invalid NextToken");
    return NULL;
}

static struct error *list_tags_of_resource_reply(struct op_call *call, struct json_writer *w) {
    const struct list_tags_of_resource *in = call->input;
    const struct table_schema *schema = in->table->schema;
    json_write_name(w, SLICE("Tags"));
    json_write_array_begin(w);
    for (size_t i = 0; i < schema->tag_count; i++) {
        json_write_object_begin(w);
        json_member_string(w, "Key", schema->tags[i].key);
        json_member_string(w, "Value", schema->tags[i].value);
        json_write_object_end(w);
    }
    json_write_array_end(w);
    return NULL;
}

const struct op op_list_tags_of_resource = {
    .name = "ListTagsOfResource",
    .service = SERVICE_DYNAMODB,
    .kind = OP_READ,
    .fields = list_tags_of_resource_fields,
    .field_count = ARRAY_LEN(list_tags_of_resource_fields),
    .input_size = sizeof(struct list_tags_of_resource),
    .run = list_tags_of_resource_run,
    .reply = list_tags_of_resource_reply,
};
