/*
 * Items in DynamoDB JSON: {"name": {"S": "text"}, …}.
 *
 * Reading checks what AWS checks and says it in AWS's words: one type per value, empty sets,
 * doubles in sets, numbers, base64, nesting (LIMIT_VALUE_DEPTH), empty attribute names.  The two
 * kinds of fault are kept apart as on AWS: a JSON type that cannot be (a number where a string
 * belongs) is ERR_SERIALIZATION, a value that is not allowed is ERR_VALIDATION.
 */
#ifndef ITEM_ITEM_JSON_H
#define ITEM_ITEM_JSON_H

#include "item/value.h"
#include "json/json_writer.h"

/*
 * First pass, before any constraint is looked at: JSON types and base64 (ERR_SERIALIZATION).  A
 * JSON null is well here.  A scalar in place of a value is told as AWS does for a member of a map
 * or list.
 */
MUST_CHECK struct error *value_json_check(struct arena *a, const struct json *json);
MUST_CHECK struct error *item_json_check(struct arena *a, const struct json *json);

/* Second pass, over what the first let through: the value (ERR_VALIDATION).  Sets and maps come out
 * sorted; strings borrow from the tree. */
MUST_CHECK struct error *value_from_json(struct arena *a, const struct json *json,
                                         struct value *out);
MUST_CHECK struct error *item_from_json(struct arena *a, const struct json *json, struct item *out);

void value_to_json(struct json_writer *w, const struct value *v);
void item_to_json(struct json_writer *w, const struct item *item);

#endif
