/*
 * ExclusiveStartKey: where a page of Query or Scan goes on.
 */
#ifndef OPS_START_KEY_H
#define OPS_START_KEY_H

#include "item/value.h"
#include "json/json.h"

/* The values, not yet whether they fit the table.  "The provided starting key is invalid: …". */
MUST_CHECK struct error *start_key_read(struct arena *a, const struct json *json, struct item *out);

#endif
