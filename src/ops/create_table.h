/*
 * CreateTable's typed input, and the schema that is made of it.
 */
#ifndef OPS_CREATE_TABLE_H
#define OPS_CREATE_TABLE_H

#include "ops/index_input.h"
#include "ops/op.h"
#include "ops/table_settings.h"

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
