/*
 * What AWS checks about keys, projections and throughputs once each member is well by itself.
 */
#include "base/buf.h"
#include "ops/index_input.h"

#define INVALID "One or more parameter values were invalid: "

enum {
    NAMES_TEXT_BYTES = 64 * 1024,
    /* As many as a table and its indexes can use as keys: bounds the search for doubles. */
    DEFINITIONS_MAX =
        2 + LIMIT_LOCAL_INDEXES + LIMIT_GLOBAL_INDEXES * 2 * LIMIT_INDEX_KEY_ATTRIBUTES,
};
static const int64_t THROUGHPUT_MAX = 1000LL * 1000 * 1000 * 1000;

/* --- Attribute definitions -------------------------------------------------------------------- */

static struct error *definitions_differ(struct arena *a) {
    return error_new(a, ERR_VALIDATION,
                     INVALID "Number of attributes in KeySchema does not exactly match number of "
                             "attributes defined in AttributeDefinitions");
}

static enum value_type definition_type(const struct field_choice *type) {
    if (type->is == ATTRIBUTE_TYPE_S)
        return VALUE_S;
    return type->is == ATTRIBUTE_TYPE_N ? VALUE_N : VALUE_B;
}

static const struct key_attribute *definition_find(const struct definitions *d, struct slice name) {
    for (size_t i = 0; i < d->count; i++)
        if (slice_equal(d->all[i].name, name))
            return &d->all[i];
    return NULL;
}

struct error *attribute_definitions_check(struct arena *a, const struct field_list *l,
                                          const struct key_attribute **out) {
    const struct attribute_definition_input *given = l->elements;
    if (l->count > DEFINITIONS_MAX)
        return definitions_differ(a);
    struct key_attribute *all = arena_array(a, l->count, sizeof *all);
    for (size_t i = 0; i < l->count; i++) {
        struct definitions before = {all, i};
        if (definition_find(&before, given[i].name))
            return error_new(a, ERR_VALIDATION, "Attribute Name is duplicated: %.*s",
                             SLICE_ARG(given[i].name));
        all[i] = (struct key_attribute){given[i].name, definition_type(&given[i].type)};
    }
    *out = all;
    return NULL;
}

static void names_add(struct buf *names, struct slice name) {
    if (names->len)
        buf_add_text(names, ", ");
    buf_add(names, name);
}

static struct slice definition_names(struct arena *a, const struct definitions *d) {
    struct buf names = buf_in(a, NAMES_TEXT_BYTES);
    for (size_t i = 0; i < d->count; i++)
        names_add(&names, d->all[i].name);
    return buf_slice(&names);
}

static struct slice key_names(struct arena *a, const struct field_list *key) {
    const struct key_element_input *elements = key->elements;
    struct buf names = buf_in(a, NAMES_TEXT_BYTES);
    for (size_t i = 0; i < key->count; i++)
        names_add(&names, elements[i].name);
    return buf_slice(&names);
}

struct error *index_keys_defined_check(struct arena *a, const struct field_list *key,
                                       const struct definitions *d) {
    const struct key_element_input *elements = key->elements;
    for (size_t i = 0; i < key->count; i++) {
        if (definition_find(d, elements[i].name))
            continue;
        struct slice keys = key_names(a, key);
        struct slice defined = definition_names(a, d);
        return error_new(a, ERR_VALIDATION,
                         INVALID "Some index key attributes are not defined in "
                                 "AttributeDefinitions. Keys: [%.*s], AttributeDefinitions: "
                                 "[%.*s]",
                         SLICE_ARG(keys), SLICE_ARG(defined));
    }
    return NULL;
}

struct error *definitions_used_check(struct arena *a, const struct table_schema *t) {
    struct definitions defined = {t->attributes, t->attribute_count};
    struct buf used = buf_in(a, NAMES_TEXT_BYTES);
    size_t count = 0;
    for (size_t i = 0; i < t->attribute_count; i++) {
        struct slice name = t->attributes[i].name;
        bool is_key = key_schema_find(&t->key, name, NULL) != NULL;
        for (size_t k = 0; k < t->index_count && !is_key; k++)
            is_key = key_schema_find(&t->indexes[k].key, name, NULL) != NULL;
        if (is_key)
            names_add(&used, name);
        count += is_key;
    }
    if (count == t->attribute_count)
        return NULL;
    /* AWS: without indexes the numbers are compared, with them the names. */
    if (t->index_count == 0)
        return definitions_differ(a);
    struct slice all = definition_names(a, &defined);
    struct slice keys = buf_slice(&used);
    return error_new(a, ERR_VALIDATION,
                     INVALID "Some AttributeDefinitions are not used. AttributeDefinitions: "
                             "[%.*s], keys used: [%.*s]",
                     SLICE_ARG(all), SLICE_ARG(keys));
}

/* --- Key schemas ------------------------------------------------------------------------------ */

static struct error *key_names_differ(struct arena *a, const struct field_list *key) {
    const struct key_element_input *e = key->elements;
    for (size_t i = 0; i < key->count; i++)
        for (size_t k = i + 1; k < key->count; k++)
            if (slice_equal(e[i].name, e[k].name))
                return error_new(a, ERR_VALIDATION,
                                 "Both the Hash Key and the Range Key element in the KeySchema "
                                 "have the same name");
    return NULL;
}

static struct error *key_begins_with_hash(struct arena *a, const struct field_list *key) {
    const struct key_element_input *e = key->elements;
    if (e[0].type.is == KEY_TYPE_HASH)
        return NULL;
    return error_new(a, ERR_VALIDATION,
                     "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
}

/* The elements, checked, as a schema. */
static struct key_schema key_schema_of(const struct field_list *key, const struct definitions *d) {
    const struct key_element_input *e = key->elements;
    struct key_schema made = {0};
    for (size_t i = 0; i < key->count; i++) {
        const struct key_attribute *attribute = definition_find(d, e[i].name);
        if (e[i].type.is == KEY_TYPE_HASH)
            made.hash[made.hash_count++] = *attribute;
        else
            made.range[made.range_count++] = *attribute;
    }
    return made;
}

struct error *key_schema_check(struct arena *a, const struct field_list *key,
                               const struct definitions *d, struct key_schema *out) {
    const struct key_element_input *e = key->elements;
    TRY(index_keys_defined_check(a, key, d));
    TRY(key_names_differ(a, key));
    TRY(key_begins_with_hash(a, key));
    if (key->count > 1 && e[1].type.is != KEY_TYPE_RANGE)
        return error_new(a, ERR_VALIDATION,
                         "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
    *out = key_schema_of(key, d);
    return NULL;
}

struct error *global_key_schema_check(struct arena *a, const struct field_list *key,
                                      const struct definitions *d, struct key_schema *out) {
    const struct key_element_input *e = key->elements;
    size_t hashes = 0;
    TRY(index_keys_defined_check(a, key, d));
    TRY(key_names_differ(a, key));
    TRY(key_begins_with_hash(a, key));
    while (hashes < key->count && e[hashes].type.is == KEY_TYPE_HASH)
        hashes++;
    for (size_t i = hashes; i < key->count; i++)
        if (e[i].type.is == KEY_TYPE_HASH)
            return error_new(a, ERR_VALIDATION,
                             INVALID "All HASH key attributes must precede RANGE key attributes in "
                                     "the KeySchema");
    bool many_hashes = hashes > LIMIT_INDEX_KEY_ATTRIBUTES;
    if (many_hashes || key->count - hashes > LIMIT_INDEX_KEY_ATTRIBUTES)
        return error_new(a, ERR_VALIDATION,
                         INVALID "The KeySchema exceeds the maximum allowed number of %s key "
                                 "attributes",
                         many_hashes ? "HASH" : "RANGE");
    *out = key_schema_of(key, d);
    return NULL;
}

/* --- Projections ------------------------------------------------------------------------------ */

static enum projection_type projection_type_of(const struct field_choice *type) {
    if (type->is == PROJECTION_TYPE_ALL)
        return PROJECTION_ALL;
    return type->is == PROJECTION_TYPE_INCLUDE ? PROJECTION_INCLUDE : PROJECTION_KEYS_ONLY;
}

struct error *projection_check(struct arena *a, const struct projection_input *p,
                               struct index_schema *out) {
    if (!p->type.is)
        return error_new(a, ERR_VALIDATION, INVALID "Unknown ProjectionType: null");
    bool include = p->type.is == PROJECTION_TYPE_INCLUDE;
    if (include && !p->non_key.given)
        return error_new(a, ERR_VALIDATION,
                         INVALID "ProjectionType is INCLUDE, but NonKeyAttributes is not "
                                 "specified");
    if (!include && p->non_key.given)
        return error_new(a, ERR_VALIDATION,
                         INVALID "ProjectionType is %.*s, but NonKeyAttributes is specified",
                         SLICE_ARG(p->type.text));
    out->projection = projection_type_of(&p->type);
    out->non_key_attributes = p->non_key.elements;
    out->non_key_count = p->non_key.count;
    return NULL;
}

struct error *projected_attributes_check(struct arena *a, const struct table_schema *t) {
    size_t count = 0;
    for (size_t i = 0; i < t->index_count; i++)
        count += t->indexes[i].non_key_count;
    if (count <= LIMIT_PROJECTED_ATTRIBUTES)
        return NULL;
    return error_new(a, ERR_VALIDATION,
                     INVALID "The total number of NonKeyAttributes over all indexes exceeds the "
                             "per-table limit of %d",
                     LIMIT_PROJECTED_ATTRIBUTES);
}

/* --- Throughput ------------------------------------------------------------------------------- */

static struct error *throughput_bound(struct arena *a, const char *member, int64_t units) {
    if (units <= THROUGHPUT_MAX)
        return NULL;
    return error_new(a, ERR_VALIDATION, "Given value %lld for %s is out of bounds",
                     (long long)units, member);
}

struct error *provisioned_throughput_check(struct arena *a, const struct throughput_input *t,
                                           enum billing_mode billing, struct throughput *out) {
    if (billing == BILLING_PAY_PER_REQUEST && t)
        return error_new(a, ERR_VALIDATION,
                         INVALID "Neither ReadCapacityUnits nor WriteCapacityUnits can be "
                                 "specified when BillingMode is PAY_PER_REQUEST");
    if (billing == BILLING_PAY_PER_REQUEST)
        return NULL;
    if (!t)
        return error_new(a, ERR_VALIDATION,
                         INVALID "ReadCapacityUnits and WriteCapacityUnits must both be specified "
                                 "when BillingMode is PROVISIONED");
    TRY(throughput_bound(a, "ReadCapacityUnits", t->read.value));
    TRY(throughput_bound(a, "WriteCapacityUnits", t->write.value));
    *out = (struct throughput){t->read.value, t->write.value};
    return NULL;
}

static struct error *on_demand_bound(struct arena *a, const char *member,
                                     const struct field_int *units, struct slice of) {
    if (!units->given || units->value >= 1)
        return NULL;
    return error_new(a, ERR_VALIDATION,
                     INVALID "Requested %s for OnDemandThroughput for %.*s is outside of valid "
                             "range",
                     member, SLICE_ARG(of));
}

struct error *on_demand_throughput_check(struct arena *a, const struct throughput_input *t,
                                         enum billing_mode billing, struct slice of,
                                         struct on_demand_throughput *out) {
    *out = (struct on_demand_throughput){-1, -1};
    if (!t || (!t->read.given && !t->write.given))
        return NULL;
    if (billing == BILLING_PROVISIONED)
        return error_new(a, ERR_VALIDATION,
                         INVALID "%s for OnDemandThroughput cannot be specified when table "
                                 "BillingMode is PROVISIONED.",
                         t->read.given ? "MaxReadRequestUnits" : "MaxWriteRequestUnits");
    TRY(on_demand_bound(a, "MaxReadRequestUnits", &t->read, of));
    TRY(on_demand_bound(a, "MaxWriteRequestUnits", &t->write, of));
    if (t->read.given)
        out->max_read_units = t->read.value;
    if (t->write.given)
        out->max_write_units = t->write.value;
    return NULL;
}

static struct error *warm_bound(struct arena *a, const char *member,
                                const struct field_int *units) {
    if (!units->given || units->value >= 1)
        return NULL;
    return error_new(a, ERR_VALIDATION, INVALID "WarmThroughput %s must be at least 1", member);
}

struct error *warm_throughput_check(struct arena *a, const struct throughput_input *t,
                                    struct throughput *out) {
    if (!t)
        return NULL;
    TRY(warm_bound(a, "ReadUnitsPerSecond", &t->read));
    TRY(warm_bound(a, "WriteUnitsPerSecond", &t->write));
    *out = (struct throughput){t->read.value, t->write.value};
    return NULL;
}
