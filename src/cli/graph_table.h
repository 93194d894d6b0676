/*
 * A graph verb's answer for people: a table of its rows, a line for each other member.
 */
#ifndef CLI_GRAPH_TABLE_H
#define CLI_GRAPH_TABLE_H

#include "base/buf.h"
#include "json/json.h"

void graph_table_print(struct buf *out, const struct json *answer);

#endif
