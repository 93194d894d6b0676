/*
 * Attribute values as people write them: {"grade": "A", "points": 3} for {"grade": {"S": "A"}, …}.
 *
 * Text, numbers, true, false, null, lists and maps are themselves; sets and bytes keep their form
 * of DynamoDB JSON ({"SS": ["a"]}, {"B": "AA=="}).
 */
#ifndef GRAPH_PLAIN_H
#define GRAPH_PLAIN_H

#include "json/json_writer.h"

/* An attribute's value, as plain JSON. */
void plain_write(struct json_writer *w, const struct json *value);

/* An item's attributes, as one plain object; NULL is an empty one. */
void plain_write_attributes(struct json_writer *w, const struct json *attributes);

/* A plain value as DynamoDB JSON. */
void plain_read(struct json_writer *w, const struct json *plain);

#endif
