/*
 * Tags as CreateTable and TagResource take them, with AWS's checks.
 */
#ifndef OPS_TAG_INPUT_H
#define OPS_TAG_INPUT_H

#include "ops/field.h"
#include "schema/table_schema.h"

struct tag_input {
    struct slice key;
    struct slice value;
};

enum { TAG_FIELDS = 2 };
extern const struct field tag_fields[TAG_FIELDS];

/* The row. */
#define FIELD_TAGS(input, member)                                                                  \
    FIELD("Tags", LIST, input, member), .shape = "Tag", FIELD_OF(tag_fields, struct tag_input)

/* Each tag by itself, and that no key is there twice. */
MUST_CHECK struct error *tags_check(struct arena *a, const struct field_list *tags);

/* Each of the keys of an UntagResource by itself, and their number. */
MUST_CHECK struct error *tag_keys_check(struct arena *a, const struct field_list *keys);

/* The schema gets the tags, checked, in addition to those it has: a known key gets the new value.
 * AWS: the limit is that of the outcome. */
MUST_CHECK struct error *tags_add(struct arena *a, const struct field_list *tags,
                                  struct table_schema *t);

/* The schema's tags without those of the keys. */
void tags_remove(struct arena *a, const struct field_list *keys, struct table_schema *t);

#endif
