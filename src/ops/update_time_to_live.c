/* UpdateTimeToLive: which attribute of the items says when they expire. */
#include "engine/catalogue.h"
#include "ops/op.h"
#include "ops/table_name.h"

enum { TTL_ATTRIBUTE_MAX_CHARS = 255 };

struct ttl_input {
    struct field_bool enabled;
    struct slice attribute;
};

struct update_time_to_live {
    struct slice table_name;
    struct ttl_input *specification;
};

static const struct field ttl_fields[] = {
    {FIELD("AttributeName", STRING, struct ttl_input, attribute), .required = true, .min = 1,
     .max = TTL_ATTRIBUTE_MAX_CHARS},
    {FIELD("Enabled", BOOL, struct ttl_input, enabled), .required = true},
};

static const struct field update_time_to_live_fields[] = {
    {FIELD_TABLE_PARAMETER(struct update_time_to_live, table_name), .whole_length = true},
    {FIELD("TimeToLiveSpecification", STRUCT, struct update_time_to_live, specification),
     .required = true, .shape = "TimeToLiveSpecification", FIELD_OF(ttl_fields, struct ttl_input)},
};

/* AWS: a change of the attribute is two changes, off and on. */
static struct error *ttl_change_check(struct arena *a, struct slice current,
                                      const struct ttl_input *in) {
    bool on = current.len != 0;
    if (on && !slice_equal(current, in->attribute))
        return error_new(a, ERR_VALIDATION,
                         "TimeToLive is active on a different AttributeName: current "
                         "AttributeName is %.*s",
                         SLICE_ARG(current));
    if (on == in->enabled.value)
        return error_new(a, ERR_VALIDATION, "TimeToLive is already %s",
                         on ? "enabled" : "disabled");
    return NULL;
}

static struct error *update_time_to_live_run(struct op_call *call) {
    struct update_time_to_live *in = call->input;
    const struct table *t;
    TRY(table_name_current(call, in->table_name, &t));
    TRY(ttl_change_check(call->arena, t->schema->ttl_attribute, in->specification));
    struct table_schema revised = *t->schema;
    revised.ttl_attribute =
        in->specification->enabled.value ? in->specification->attribute : SLICE("");
    const struct table_schema *stored;
    return catalogue_update(call->view, call->arena, &revised, &stored);
}

static struct error *update_time_to_live_reply(struct op_call *call, struct json_writer *w) {
    const struct update_time_to_live *in = call->input;
    json_write_name(w, SLICE("TimeToLiveSpecification"));
    json_write_object_begin(w);
    json_member_bool(w, "Enabled", in->specification->enabled.value);
    json_member_string(w, "AttributeName", in->specification->attribute);
    json_write_object_end(w);
    return NULL;
}

const struct op op_update_time_to_live = {
    .name = "UpdateTimeToLive",
    .service = SERVICE_DYNAMODB,
    .kind = OP_CONTROL,
    .fields = update_time_to_live_fields,
    .field_count = ARRAY_LEN(update_time_to_live_fields),
    .input_size = sizeof(struct update_time_to_live),
    .run = update_time_to_live_run,
    .reply = update_time_to_live_reply,
};
