/*
 * What a table is: its keys, indexes, projections, billing, stream and the rest that DescribeTable
 * tells.
 *
 * A schema is a plain value in an arena and is not changed once made; a change makes another one.
 * Its stored form is in schema_stored.h.
 */
#ifndef SCHEMA_TABLE_SCHEMA_H
#define SCHEMA_TABLE_SCHEMA_H

#include "base/error.h"
#include "base/limits.h"
#include "item/value.h"

struct key_attribute {
    struct slice name;
    enum value_type type; /* S, N or B */
};

/* Tables and local indexes have one HASH and at most one RANGE attribute, global indexes up to
 * LIMIT_INDEX_KEY_ATTRIBUTES of each. */
struct key_schema {
    struct key_attribute hash[LIMIT_INDEX_KEY_ATTRIBUTES];
    struct key_attribute range[LIMIT_INDEX_KEY_ATTRIBUTES];
    unsigned hash_count;
    unsigned range_count;
};

enum projection_type { PROJECTION_ALL, PROJECTION_KEYS_ONLY, PROJECTION_INCLUDE };
enum billing_mode { BILLING_PROVISIONED, BILLING_PAY_PER_REQUEST };
enum table_status { STATUS_CREATING, STATUS_ACTIVE, STATUS_UPDATING, STATUS_DELETING };
enum stream_view { STREAM_OFF, STREAM_KEYS_ONLY, STREAM_NEW_IMAGE, STREAM_OLD_IMAGE, STREAM_BOTH };
enum table_class { CLASS_STANDARD, CLASS_STANDARD_INFREQUENT_ACCESS };

struct throughput {
    int64_t read_units;
    int64_t write_units;
};

/* -1: not set. */
struct on_demand_throughput {
    int64_t max_read_units;
    int64_t max_write_units;
};

struct index_schema {
    struct slice name;
    bool global;
    struct key_schema key;
    enum projection_type projection;
    const struct slice *non_key_attributes; /* of PROJECTION_INCLUDE */
    size_t non_key_count;
    struct throughput throughput; /* global only; zeros on demand */
    struct on_demand_throughput on_demand;
    struct throughput warm; /* zeros: the service's default is shown */
    enum table_status status;
    bool backfilling;
    uint64_t space; /* where its entries are; given by the engine */
};

struct tag {
    struct slice key;
    struct slice value;
};

struct table_schema {
    struct slice name;
    struct slice id; /* a UUID; given by the engine */
    uint64_t space;  /* where its items are; given by the engine */
    uint64_t change_space;
    enum table_status status;
    int64_t created_ms;

    struct key_schema key;
    const struct key_attribute *attributes; /* AttributeDefinitions, in the request's order */
    size_t attribute_count;
    const struct index_schema *indexes; /* global ones first, each kind in the request's order */
    size_t index_count;

    enum billing_mode billing;
    int64_t billing_changed_ms; /* LastUpdateToPayPerRequestDateTime; 0: never on demand */
    struct throughput throughput;
    struct on_demand_throughput on_demand;
    struct throughput warm;

    enum stream_view stream;
    struct slice stream_label; /* the time the stream began, as in its ARN; empty: never had one */
    bool deletion_protection;
    enum table_class table_class;
    bool table_class_given;
    bool sse_kms; /* SSESpecification Enabled */
    struct slice sse_key;
    struct slice ttl_attribute; /* empty: off */
    const struct tag *tags;
    size_t tag_count;
    struct slice resource_policy; /* JSON text; empty: none */
};

/* NULL when there is none of that name. */
const struct index_schema *table_schema_find_index(const struct table_schema *t, struct slice name);

/* NULL when `name` is not an attribute of that key. `hash` (may be NULL) says of which role. */
const struct key_attribute *key_schema_find(const struct key_schema *key, struct slice name,
                                            bool *hash);

/* Whether an attribute is in the index's entries: key attributes of table and index always are. */
bool index_schema_projects(const struct table_schema *t, const struct index_schema *index,
                           struct slice attribute);

/* arn:aws:dynamodb:REGION:000000000000:table/NAME, and what hangs below it. */
struct slice table_schema_arn(struct arena *a, struct slice region, struct slice table);

/* The table's name out of a TableName member, which may be an ARN. */
struct slice table_name_from_arn(struct slice name_or_arn);

#endif
