/*
 * The TableName of the operations on tables, which AWS words differently from that of the
 * operations on items.
 */
#ifndef OPS_TABLE_NAME_H
#define OPS_TABLE_NAME_H

#include "ops/op.h"

/* A row: of DescribeTable, DeleteTable and CreateTable. */
#define FIELD_TABLE_PARAMETER(input, member)                                                       \
    FIELD("TableName", TABLE, input, member),                                                      \
        .parameter = true, .alone = true, .pattern = FIELD_PATTERN_NAME,                           \
        .min = LIMIT_TABLE_NAME_MIN_CHARS, .max = LIMIT_TABLE_NAME_MAX_CHARS

/* Finds and holds the table: "Requested resource not found: Table: NAME not found". */
MUST_CHECK struct error *table_name_find(struct op_call *call, struct slice name,
                                         struct table **out);

/* In the writer: the table as it is now.  The same error. */
MUST_CHECK struct error *table_name_current(struct op_call *call, struct slice name,
                                            const struct table **out);

#endif
