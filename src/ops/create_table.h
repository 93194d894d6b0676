/*
 * CreateTable's typed input, and the schema that is made of it.
 */
#ifndef OPS_CREATE_TABLE_H
#define OPS_CREATE_TABLE_H

#include "ops/index_input.h"
#include "ops/op.h"

enum { BILLING_MODE_PROVISIONED = 1, BILLING_MODE_PAY_PER_REQUEST };
enum { VIEW_TYPE_NEW_IMAGE = 1, VIEW_TYPE_OLD_IMAGE, VIEW_TYPE_BOTH, VIEW_TYPE_KEYS_ONLY };
enum { SSE_TYPE_AES256 = 1, SSE_TYPE_KMS };
enum { TABLE_CLASS_STANDARD = 1, TABLE_CLASS_INFREQUENT_ACCESS };

struct stream_input {
    struct field_bool enabled;
    struct field_choice view;
};

struct sse_input {
    struct field_bool enabled;
    struct field_choice type;
    struct slice key;
};

struct tag_input {
    struct slice key;
    struct slice value;
};

struct create_table {
    struct slice table_name;
    struct field_list definitions;
    struct field_list key;
    struct field_list local_indexes;
    struct field_list global_indexes;
    struct field_choice billing;
    struct throughput_input *provisioned;
    struct throughput_input *on_demand;
    struct throughput_input *warm;
    struct stream_input *stream;
    struct sse_input *sse;
    struct field_list tags;
    struct field_choice table_class;
    struct field_bool deletion_protection;
    struct slice resource_policy;

    struct table_schema schema;        /* made by check */
    const struct table_schema *stored; /* as the catalogue has it */
};

/* Everything that AWS checks of a new table beyond single members; fills in->schema. */
MUST_CHECK struct error *create_table_make_schema(struct op_call *call, struct create_table *in);

#endif
