/*
 * TableDescription: what CreateTable, DescribeTable and DeleteTable tell of a table.
 */
#ifndef OPS_TABLE_DESCRIPTION_H
#define OPS_TABLE_DESCRIPTION_H

#include "ops/op.h"
#include "json/json_writer.h"

struct table_description {
    struct arena *arena;
    struct slice region;
    const struct table_schema *schema;
    enum table_status status; /* as shown: a table is active at once, but CREATING on AWS */
    struct table_counts counts;
    const struct table_counts *index_counts; /* as schema->indexes; NULL: all zero */
    bool without_global_indexes;             /* AWS: DeleteTable leaves them out */

    /* AWS: what the reply to UpdateTable shows as under way. */
    bool warming;            /* WarmThroughput of the table */
    bool encrypting;         /* another key */
    struct slice allocating; /* the name of an index that is not filled yet, or empty */
};

/* As the table is now. */
struct table_description table_description_of(struct op_call *call, const struct table *t);

/* What a table or an index can take at once: as set, else what follows from its billing mode. */
struct throughput warm_throughput_shown(enum billing_mode billing, const struct throughput *warm,
                                        const struct throughput *provisioned);

/* The key of a table with sse_kms. */
struct slice sse_key_arn(struct arena *a, struct slice region, const struct table_schema *t);

/* The object. */
void table_description_write(struct json_writer *w, const struct table_description *d);

#endif
