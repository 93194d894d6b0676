/*
 * The settings that CreateTable and UpdateTable share: stream, encryption and table class, as a
 * request gives them and as a schema keeps them.
 */
#ifndef OPS_TABLE_SETTINGS_H
#define OPS_TABLE_SETTINGS_H

#include "ops/field.h"
#include "schema/table_schema.h"

enum { BILLING_MODE_PROVISIONED = 1, BILLING_MODE_PAY_PER_REQUEST };
enum { VIEW_TYPE_NEW_IMAGE = 1, VIEW_TYPE_OLD_IMAGE, VIEW_TYPE_BOTH, VIEW_TYPE_KEYS_ONLY };
enum { SSE_TYPE_AES256 = 1, SSE_TYPE_KMS };
enum { TABLE_CLASS_STANDARD = 1, TABLE_CLASS_INFREQUENT_ACCESS };

struct stream_input {
    struct field_bool enabled;
    struct field_choice view;
};

struct sse_input {
    struct field_bool enabled;
    struct field_choice type;
    struct slice key;
};

enum { STREAM_FIELDS = 2, SSE_FIELDS = 3 };
extern const struct field stream_fields[STREAM_FIELDS];
extern const struct field sse_fields[SSE_FIELDS];
extern const char *const billing_choices[];
extern const char *const table_class_choices[];

/* Rows. */
#define FIELD_BILLING_MODE(input, member)                                                          \
    FIELD("BillingMode", CHOICE, input, member), .choices = billing_choices
#define FIELD_STREAM_SPECIFICATION(input, member)                                                  \
    FIELD("StreamSpecification", STRUCT, input, member),                                           \
        .shape = "StreamSpecification", FIELD_OF(stream_fields, struct stream_input)
#define FIELD_SSE_SPECIFICATION(input, member)                                                     \
    FIELD("SSESpecification", STRUCT, input, member), .shape = "SSESpecification",                 \
                                                      FIELD_OF(sse_fields, struct sse_input)
#define FIELD_TABLE_CLASS(input, member)                                                           \
    FIELD("TableClass", CHOICE, input, member), .choices = table_class_choices

/* A stream begins, at `now_ms`, which names it. */
void stream_begin(struct arena *a, struct table_schema *t, const struct field_choice *view,
                  int64_t now_ms);

/* Whether the members agree with each other; `*on` says whether the key is to be KMS's. */
MUST_CHECK struct error *sse_check(struct arena *a, const struct sse_input *in, bool *on);

/* The table is encrypted with the key that is given, else with the one it has, else with the
 * account's own. */
void sse_begin(struct arena *a, struct table_schema *t, const struct sse_input *in);

void table_class_set(struct table_schema *t, const struct field_choice *class);

#endif
