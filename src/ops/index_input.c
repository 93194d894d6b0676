#include "ops/index_input.h"

/* The orders of choices and rows are AWS's in its messages. (dynalite, captured) */

static const char *const attribute_type_choices[] = {"B", "N", "S", NULL};
static const char *const key_type_choices[] = {"HASH", "RANGE", NULL};
static const char *const projection_type_choices[] = {"ALL", "INCLUDE", "KEYS_ONLY", NULL};

enum {
    KEY_ATTRIBUTE_NAME_MAX_CHARS = 255,
    INDEX_NAME_MIN_CHARS = 3,
    INDEX_NAME_MAX_CHARS = 255,
    LOCAL_KEY_MAX = 2,
    GLOBAL_KEY_MAX = 2 * LIMIT_INDEX_KEY_ATTRIBUTES,
    NON_KEY_MAX = 20,
};

#define NAME_OF_KEY(input, member)                                                                 \
    FIELD("AttributeName", STRING, input, member), .required = true, .min = 1,                     \
                                                   .max = KEY_ATTRIBUTE_NAME_MAX_CHARS
#define NAME_OF_INDEX(input, member)                                                               \
    FIELD("IndexName", STRING, input, member), .required = true, .pattern = FIELD_PATTERN_NAME,    \
                                               .min = INDEX_NAME_MIN_CHARS,                        \
                                               .max = INDEX_NAME_MAX_CHARS
#define PROJECTION_OF_INDEX(input, member)                                                         \
    FIELD("Projection", STRUCT, input, member),                                                    \
        .required = true, .shape = "Projection",                                                   \
        FIELD_OF(projection_fields, struct projection_input)

const struct field attribute_definition_fields[ATTRIBUTE_DEFINITION_FIELDS] = {
    {NAME_OF_KEY(struct attribute_definition_input, name)},
    {FIELD("AttributeType", CHOICE, struct attribute_definition_input, type), .required = true,
     .choices = attribute_type_choices},
};

const struct field key_element_fields[KEY_ELEMENT_FIELDS] = {
    {NAME_OF_KEY(struct key_element_input, name)},
    {FIELD("KeyType", CHOICE, struct key_element_input, type), .required = true,
     .choices = key_type_choices},
};

const struct field provisioned_throughput_fields[THROUGHPUT_FIELDS] = {
    {FIELD("WriteCapacityUnits", LONG, struct throughput_input, write), .required = true, .min = 1},
    {FIELD("ReadCapacityUnits", LONG, struct throughput_input, read), .required = true, .min = 1},
};

const struct field on_demand_throughput_fields[THROUGHPUT_FIELDS] = {
    {FIELD("MaxReadRequestUnits", LONG, struct throughput_input, read)},
    {FIELD("MaxWriteRequestUnits", LONG, struct throughput_input, write)},
};

const struct field warm_throughput_fields[THROUGHPUT_FIELDS] = {
    {FIELD("ReadUnitsPerSecond", LONG, struct throughput_input, read)},
    {FIELD("WriteUnitsPerSecond", LONG, struct throughput_input, write)},
};

static const struct field projection_fields[] = {
    {FIELD("ProjectionType", CHOICE, struct projection_input, type),
     .choices = projection_type_choices},
    {FIELD("NonKeyAttributes", STRINGS, struct projection_input, non_key), .min = 1,
     .max = NON_KEY_MAX, .element_min = 1, .element_max = KEY_ATTRIBUTE_NAME_MAX_CHARS},
};

const struct field local_index_fields[LOCAL_INDEX_FIELDS] = {
    {NAME_OF_INDEX(struct index_input, name)},
    {FIELD_KEY_SCHEMA(struct index_input, key, LOCAL_KEY_MAX)},
    {PROJECTION_OF_INDEX(struct index_input, projection)},
};

const struct field global_index_fields[GLOBAL_INDEX_FIELDS] = {
    {FIELD_KEY_SCHEMA(struct index_input, key, GLOBAL_KEY_MAX)},
    {PROJECTION_OF_INDEX(struct index_input, projection)},
    {NAME_OF_INDEX(struct index_input, name)},
    {FIELD_PROVISIONED_THROUGHPUT(struct index_input, provisioned)},
    {FIELD_ON_DEMAND_THROUGHPUT(struct index_input, on_demand)},
    {FIELD_WARM_THROUGHPUT(struct index_input, warm)},
};

/* The same members as above in another order, which is AWS's too. */
static const struct field create_index_fields[] = {
    {PROJECTION_OF_INDEX(struct index_input, projection)},
    {NAME_OF_INDEX(struct index_input, name)},
    {FIELD_PROVISIONED_THROUGHPUT(struct index_input, provisioned)},
    {FIELD_KEY_SCHEMA(struct index_input, key, GLOBAL_KEY_MAX)},
    {FIELD_ON_DEMAND_THROUGHPUT(struct index_input, on_demand)},
    {FIELD_WARM_THROUGHPUT(struct index_input, warm)},
};

static const struct field update_index_fields[] = {
    {NAME_OF_INDEX(struct index_input, name)},
    {FIELD_PROVISIONED_THROUGHPUT(struct index_input, provisioned)},
    {FIELD_ON_DEMAND_THROUGHPUT(struct index_input, on_demand)},
    {FIELD_WARM_THROUGHPUT(struct index_input, warm)},
};

static const struct field delete_index_fields[] = {
    {NAME_OF_INDEX(struct index_input, name)},
};

const struct field index_update_fields[INDEX_UPDATE_FIELDS] = {
    {FIELD("Update", STRUCT, struct index_update_input, update),
     .shape = "UpdateGlobalSecondaryIndexAction",
     FIELD_OF(update_index_fields, struct index_input)},
    {FIELD("Create", STRUCT, struct index_update_input, create),
     .shape = "CreateGlobalSecondaryIndexAction",
     FIELD_OF(create_index_fields, struct index_input)},
    {FIELD("Delete", STRUCT, struct index_update_input, remove),
     .shape = "DeleteGlobalSecondaryIndexAction",
     FIELD_OF(delete_index_fields, struct index_input)},
};
