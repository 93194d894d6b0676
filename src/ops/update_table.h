/*
 * UpdateTable: its typed input, and the steps of making one schema of another.
 *
 * `check` looks at the request alone, before it is known whether there is such a table
 * (update_table_check.c).  `run` makes a revised copy of the table's schema in the writer: billing
 * and throughputs (update_table_throughput.c), global indexes (update_table_index.c), then the
 * settings (update_table.c).  Nothing changes unless all of it is well.
 */
#ifndef OPS_UPDATE_TABLE_H
#define OPS_UPDATE_TABLE_H

#include "ops/index_input.h"
#include "ops/op.h"
#include "ops/table_description.h"
#include "ops/table_settings.h"

struct update_table {
    struct slice table_name;
    struct field_list definitions;
    struct field_choice billing;
    struct throughput_input *provisioned;
    struct throughput_input *on_demand;
    struct throughput_input *warm;
    struct field_list index_updates;
    struct stream_input *stream;
    struct sse_input *sse;
    struct field_choice table_class;
    struct field_bool deletion_protection;
    struct field_list replicas;
    struct field_list witnesses;

    const struct key_attribute *attributes; /* the definitions, checked, when an index is created */
    bool sse_on;
    unsigned creations; /* of indexes */
    unsigned removals;

    struct table_description reply;
};

/* The words of AWS before most of its texts here. */
#define UPDATE_INVALID "One or more parameter values were invalid: "
#define UPDATE_IN_USE "Attempt to change a resource which is still in use: "

/* What can be known of the request without the table. */
MUST_CHECK struct error *update_table_check(struct op_call *call);

/* A schema under way. */
struct revision {
    struct op_call *call;
    struct arena *arena;
    const struct update_table *in;
    const struct table_schema *before;
    struct table_schema after;
    struct index_schema *indexes; /* after's, with room for one more */
};

/* What the request says about the throughputs of an index; NULL: nothing. */
const struct index_input *update_of_index(const struct update_table *in, struct slice name);

/* BillingMode, ProvisionedThroughput, OnDemandThroughput and WarmThroughput of the table. */
MUST_CHECK struct error *revision_set_throughput(struct revision *r);

/* Those of an index that exists, as an Update gives them. */
MUST_CHECK struct error *revision_set_index_throughput(struct revision *r,
                                                       const struct index_input *in,
                                                       struct index_schema *index);

/* Those of a new index. */
MUST_CHECK struct error *revision_new_index_throughput(const struct revision *r,
                                                       const struct index_input *in,
                                                       struct index_schema *index);

/* GlobalSecondaryIndexUpdates, and the definitions that follow from them. */
MUST_CHECK struct error *revision_set_indexes(struct revision *r);

/* The schema as the reply shows it: what is still to come is shown as it was.  `before` outlives
 * the call. */
const struct table_schema *update_table_shown(const struct revision *r,
                                              const struct table_schema *stored);

#endif
