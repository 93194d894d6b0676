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
};

/* As the table is now. */
struct table_description table_description_of(struct op_call *call, const struct table *t);

/* The object. */
void table_description_write(struct json_writer *w, const struct table_description *d);

#endif
