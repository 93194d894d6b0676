/*
 * Key schemas, projections, throughputs and indexes as a request gives them, with AWS's checks.
 *
 * Reading is by the field tables here; the checks that need two members at once, and the making of
 * schemas, are in index_check.c.
 */
#ifndef OPS_INDEX_INPUT_H
#define OPS_INDEX_INPUT_H

#include "ops/field.h"
#include "schema/table_schema.h"

/* --- As given --------------------------------------------------------------------------------- */

enum { ATTRIBUTE_TYPE_B = 1, ATTRIBUTE_TYPE_N, ATTRIBUTE_TYPE_S };
struct attribute_definition_input {
    struct slice name;
    struct field_choice type;
};

enum { KEY_TYPE_HASH = 1, KEY_TYPE_RANGE };
struct key_element_input {
    struct slice name;
    struct field_choice type;
};

enum { PROJECTION_TYPE_ALL = 1, PROJECTION_TYPE_INCLUDE, PROJECTION_TYPE_KEYS_ONLY };
struct projection_input {
    struct field_choice type;
    struct field_list non_key;
};

/* Of all three kinds of throughput. */
struct throughput_input {
    struct field_int read;
    struct field_int write;
};

/* Of both kinds of index; a local one has no throughputs. */
struct index_input {
    struct slice name;
    struct field_list key;
    struct projection_input *projection;
    struct throughput_input *provisioned;
    struct throughput_input *on_demand;
    struct throughput_input *warm;
};

/* One of the three; for `update` and `remove` the members that they have. */
struct index_update_input {
    struct index_input *create;
    struct index_input *update;
    struct index_input *remove;
};

enum {
    ATTRIBUTE_DEFINITION_FIELDS = 2,
    KEY_ELEMENT_FIELDS = 2,
    THROUGHPUT_FIELDS = 2,
    LOCAL_INDEX_FIELDS = 3,
    GLOBAL_INDEX_FIELDS = 6,
    INDEX_UPDATE_FIELDS = 3,
};
extern const struct field attribute_definition_fields[ATTRIBUTE_DEFINITION_FIELDS];
extern const struct field key_element_fields[KEY_ELEMENT_FIELDS];
extern const struct field provisioned_throughput_fields[THROUGHPUT_FIELDS];
extern const struct field on_demand_throughput_fields[THROUGHPUT_FIELDS];
extern const struct field warm_throughput_fields[THROUGHPUT_FIELDS];
extern const struct field local_index_fields[LOCAL_INDEX_FIELDS];
extern const struct field global_index_fields[GLOBAL_INDEX_FIELDS];
extern const struct field index_update_fields[INDEX_UPDATE_FIELDS];

/* Rows; `most` bounds the key's elements. */
#define FIELD_ATTRIBUTE_DEFINITIONS(input, member)                                                 \
    FIELD("AttributeDefinitions", LIST, input, member),                                            \
        .shape = "AttributeDefinition",                                                            \
        FIELD_OF(attribute_definition_fields, struct attribute_definition_input)
#define FIELD_KEY_SCHEMA(input, member, most)                                                      \
    FIELD("KeySchema", LIST, input, member),                                                       \
        .required = true, .min = 1, .max = (most), .shape = "KeySchemaElement",                    \
        FIELD_OF(key_element_fields, struct key_element_input)
#define FIELD_PROVISIONED_THROUGHPUT(input, member)                                                \
    FIELD("ProvisionedThroughput", STRUCT, input, member),                                         \
        .shape = "ProvisionedThroughput",                                                          \
        FIELD_OF(provisioned_throughput_fields, struct throughput_input)
#define FIELD_ON_DEMAND_THROUGHPUT(input, member)                                                  \
    FIELD("OnDemandThroughput", STRUCT, input, member),                                            \
        .shape = "OnDemandThroughput",                                                             \
        FIELD_OF(on_demand_throughput_fields, struct throughput_input)
#define FIELD_WARM_THROUGHPUT(input, member)                                                       \
    FIELD("WarmThroughput", STRUCT, input, member),                                                \
        .shape = "WarmThroughput", FIELD_OF(warm_throughput_fields, struct throughput_input)

/* --- Checked ---------------------------------------------------------------------------------- */

/* The definitions as the schema keeps them. */
MUST_CHECK struct error *attribute_definitions_check(struct arena *a, const struct field_list *l,
                                                     const struct key_attribute **out);

/* A definition list under its checked form. */
struct definitions {
    const struct key_attribute *all;
    size_t count;
};

/* A table's or a local index's key: HASH, then perhaps RANGE. */
MUST_CHECK struct error *key_schema_check(struct arena *a, const struct field_list *key,
                                          const struct definitions *definitions,
                                          struct key_schema *out);

/* A global index's: up to LIMIT_INDEX_KEY_ATTRIBUTES of HASH, then as many of RANGE. */
MUST_CHECK struct error *global_key_schema_check(struct arena *a, const struct field_list *key,
                                                 const struct definitions *definitions,
                                                 struct key_schema *out);

/* All keys of a list of indexes are defined: "… Some index key attributes are not defined in
 * AttributeDefinitions. Keys: [c, d], AttributeDefinitions: [a, b]". */
MUST_CHECK struct error *index_keys_defined_check(struct arena *a, const struct field_list *key,
                                                  const struct definitions *definitions);

MUST_CHECK struct error *projection_check(struct arena *a, const struct projection_input *p,
                                          struct index_schema *out);

/* A table's throughput against its billing mode. */
MUST_CHECK struct error *provisioned_throughput_check(struct arena *a,
                                                      const struct throughput_input *t,
                                                      enum billing_mode billing,
                                                      struct throughput *out);

/* `of` is what the text says it is for: "table", "index gsi1". */
MUST_CHECK struct error *on_demand_throughput_check(struct arena *a,
                                                    const struct throughput_input *t,
                                                    enum billing_mode billing, struct slice of,
                                                    struct on_demand_throughput *out);

MUST_CHECK struct error *warm_throughput_check(struct arena *a, const struct throughput_input *t,
                                               struct throughput *out);

/* How many attributes INCLUDE names over all indexes. */
MUST_CHECK struct error *projected_attributes_check(struct arena *a, const struct table_schema *t);

/* Whether attributes that are defined are all used as a key. */
MUST_CHECK struct error *definitions_used_check(struct arena *a, const struct table_schema *t);

#endif
