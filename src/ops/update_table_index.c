/*
 * The index updates of an UpdateTable.
 *
 * AWS: any number of indexes may get other throughputs, but one index at a time is created or
 * deleted.  A new one is filled in the background: until then it is CREATING, nobody can read it,
 * and only it can be deleted.
 */
#include "ops/update_table.h"

/* AWS: what more than this is answered with. */
static const int64_t INDEX_UNITS_MAX = 1000LL * 1000 * 1000 * 1000;

const struct index_input *update_of_index(const struct update_table *in, struct slice name) {
    const struct index_update_input *updates = in->index_updates.elements;
    for (size_t i = 0; i < in->index_updates.count; i++)
        if (updates[i].update && slice_equal(updates[i].update->name, name))
            return updates[i].update;
    return NULL;
}

static bool is_removed(const struct update_table *in, struct slice name) {
    const struct index_update_input *updates = in->index_updates.elements;
    for (size_t i = 0; i < in->index_updates.count; i++)
        if (updates[i].remove && slice_equal(updates[i].remove->name, name))
            return true;
    return false;
}

/* The index called so in the schema under way, or NULL. */
static struct index_schema *revision_find_index(const struct revision *r, struct slice name) {
    for (size_t i = 0; i < r->after.index_count; i++)
        if (slice_equal(r->indexes[i].name, name))
            return &r->indexes[i];
    return NULL;
}

/* --- One at a time ---------------------------------------------------------------------------- */

static struct error *only_one(const struct revision *r) {
    return error_new(r->arena, ERR_LIMIT_EXCEEDED,
                     "Subscriber limit exceeded: Only 1 online index can be created or deleted "
                     "simultaneously per table");
}

/* The name of the index that the request creates or deletes. */
static struct slice online_index(const struct update_table *in) {
    const struct index_update_input *updates = in->index_updates.elements;
    for (size_t i = 0; i < in->index_updates.count; i++) {
        if (updates[i].create)
            return updates[i].create->name;
        if (updates[i].remove)
            return updates[i].remove->name;
    }
    return SLICE("");
}

static struct error *one_online_check(const struct revision *r) {
    unsigned count = r->in->creations + r->in->removals;
    struct slice name = online_index(r->in);
    if (count > 1)
        return only_one(r);
    for (size_t i = 0; count && i < r->before->index_count; i++)
        if (r->before->indexes[i].status == STATUS_CREATING &&
            !slice_equal(r->before->indexes[i].name, name))
            return only_one(r);
    return NULL;
}

/* --- An index that exists --------------------------------------------------------------------- */

/* `verb` is what cannot be done to a local one. */
static struct error *global_index_find(const struct revision *r, struct slice name,
                                       const char *verb, struct index_schema **out) {
    *out = revision_find_index(r, name);
    if (!*out)
        return error_new(r->arena, ERR_RESOURCE_NOT_FOUND,
                         "Requested resource not found: Index %.*s for table %.*s", SLICE_ARG(name),
                         SLICE_ARG(r->before->name));
    if (!(*out)->global)
        return error_new(r->arena, ERR_VALIDATION,
                         "Cannot %s an index that is not a GlobalSecondaryIndex: %.*s", verb,
                         SLICE_ARG(name));
    return NULL;
}

static struct error *index_update(struct revision *r, const struct index_input *in) {
    const struct throughput_input *t = in->provisioned;
    struct index_schema *index;
    if (t && (t->read.value > INDEX_UNITS_MAX || t->write.value > INDEX_UNITS_MAX))
        return error_new(r->arena, ERR_VALIDATION,
                         "This operation cannot be performed with given input values. Please "
                         "contact DynamoDB service team for more info: Action Blocked: "
                         "IndexUpdate");
    TRY(global_index_find(r, in->name, "update", &index));
    return revision_set_index_throughput(r, in, index);
}

static struct error *index_remove(struct revision *r, const struct index_input *in) {
    struct index_schema *index;
    TRY(global_index_find(r, in->name, "delete", &index));
    size_t at = (size_t)(index - r->indexes);
    memmove(index, index + 1, (r->after.index_count - at - 1) * sizeof *index);
    r->after.index_count--;
    return NULL;
}

/* --- A new index ------------------------------------------------------------------------------ */

static struct error *index_name_check(const struct revision *r, struct slice name) {
    const struct index_schema *index = revision_find_index(r, name);
    if (!index)
        return NULL;
    if (index->status == STATUS_CREATING)
        return error_new(r->arena, ERR_RESOURCE_IN_USE,
                         UPDATE_IN_USE "Index is being created.  Table: %.*s Index: %.*s",
                         SLICE_ARG(r->before->name), SLICE_ARG(name));
    return error_new(r->arena, ERR_VALIDATION,
                     "Attempting to create an index which already exists");
}

/* HASH or RANGE: what the attribute is where it is a key now. */
static const char *known_role(const struct table_schema *t, struct slice name) {
    bool hash = false;
    const struct key_attribute *found = key_schema_find(&t->key, name, &hash);
    for (size_t i = 0; i < t->index_count && !found; i++)
        found = key_schema_find(&t->indexes[i].key, name, &hash);
    return hash ? "HASH" : "RANGE";
}

static struct error *redefined_check(const struct revision *r, const struct key_attribute *new,
                                     unsigned count, const char *role) {
    const struct table_schema *t = r->before;
    for (unsigned i = 0; i < count; i++)
        for (size_t k = 0; k < t->attribute_count; k++) {
            const struct key_attribute *known = &t->attributes[k];
            if (!slice_equal(known->name, new[i].name) || known->type == new[i].type)
                continue;
            return error_new(
                r->arena, ERR_VALIDATION,
                UPDATE_INVALID "Attributes cannot be redefined. Please check that your attribute "
                               "has the same type as previously defined. Existing schema: "
                               "Schema:[SchemaElement: key{%.*s:%s:%s}] New schema: "
                               "Schema:[SchemaElement: key{%.*s:%s:%s}]",
                SLICE_ARG(known->name), value_type_name(known->type), known_role(t, known->name),
                SLICE_ARG(new[i].name), value_type_name(new[i].type), role);
        }
    return NULL;
}

/* Global indexes stand before local ones. */
static void index_insert(struct revision *r, const struct index_schema *new) {
    size_t at = 0;
    while (at < r->after.index_count && r->indexes[at].global)
        at++;
    memmove(&r->indexes[at + 1], &r->indexes[at], (r->after.index_count - at) * sizeof *r->indexes);
    r->indexes[at] = *new;
    r->after.index_count++;
}

static struct error *index_count_check(const struct revision *r) {
    size_t count = 0;
    for (size_t i = 0; i < r->after.index_count; i++)
        count += r->indexes[i].global;
    if (count < LIMIT_GLOBAL_INDEXES)
        return NULL;
    return error_new(r->arena, ERR_LIMIT_EXCEEDED,
                     "Subscriber limit exceeded: Number of global secondary indexes exceeds "
                     "per-table limit of %d",
                     LIMIT_GLOBAL_INDEXES);
}

static struct error *index_create(struct revision *r, const struct index_input *in) {
    struct definitions defined = {r->in->attributes, r->in->definitions.count};
    struct index_schema new = {
        .name = in->name, .global = true, .status = STATUS_CREATING, .on_demand = {-1, -1}};
    TRY(index_name_check(r, in->name));
    TRY(global_key_schema_check(r->arena, &in->key, &defined, &new.key));
    TRY(redefined_check(r, new.key.hash, new.key.hash_count, "HASH"));
    TRY(redefined_check(r, new.key.range, new.key.range_count, "RANGE"));
    TRY(projection_check(r->arena, in->projection, &new));
    TRY(revision_new_index_throughput(r, in, &new));
    TRY(index_count_check(r));
    index_insert(r, &new);
    return projected_attributes_check(r->arena, &r->after);
}

/* --- Definitions ------------------------------------------------------------------------------ */

static bool is_key(const struct table_schema *t, struct slice name) {
    bool found = key_schema_find(&t->key, name, NULL) != NULL;
    for (size_t i = 0; i < t->index_count && !found; i++)
        found = key_schema_find(&t->indexes[i].key, name, NULL) != NULL;
    return found;
}

static bool is_defined(const struct key_attribute *attributes, size_t count, struct slice name) {
    for (size_t i = 0; i < count; i++)
        if (slice_equal(attributes[i].name, name))
            return true;
    return false;
}

/* AWS: what no key uses any more is gone, what a new one uses is there; others are not noticed. */
static void definitions_follow(struct revision *r) {
    const struct update_table *in = r->in;
    size_t given = in->creations ? in->definitions.count : 0, count = 0;
    struct key_attribute *all =
        arena_array(r->arena, r->before->attribute_count + given, sizeof *all);
    for (size_t i = 0; i < r->before->attribute_count; i++)
        if (is_key(&r->after, r->before->attributes[i].name))
            all[count++] = r->before->attributes[i];
    for (size_t i = 0; i < given; i++)
        if (is_key(&r->after, in->attributes[i].name) &&
            !is_defined(all, count, in->attributes[i].name))
            all[count++] = in->attributes[i];
    r->after.attributes = all;
    r->after.attribute_count = count;
}

/* --- All of them ------------------------------------------------------------------------------ */

struct error *revision_set_indexes(struct revision *r) {
    const struct index_update_input *updates = r->in->index_updates.elements;
    TRY(one_online_check(r));
    for (size_t i = 0; i < r->in->index_updates.count; i++) {
        if (updates[i].update)
            TRY(index_update(r, updates[i].update));
        else if (updates[i].create)
            TRY(index_create(r, updates[i].create));
        else
            TRY(index_remove(r, updates[i].remove));
    }
    if (r->in->creations || r->in->removals)
        definitions_follow(r);
    return NULL;
}

/* --- As the reply shows it -------------------------------------------------------------------- */

/* AWS: a throughput that changes is shown as it was; what a switch of the billing mode makes of it
 * is shown at once. */
static struct index_schema index_shown(const struct revision *r, const struct index_schema *was,
                                       const struct index_schema *now) {
    bool switched = r->before->billing != r->after.billing;
    if (is_removed(r->in, was->name)) {
        struct index_schema shown = *was;
        shown.status = STATUS_DELETING;
        shown.backfilling = false;
        return shown;
    }
    if (!update_of_index(r->in, was->name))
        return *now;
    struct index_schema shown = switched ? *now : *was;
    if (now->status == STATUS_ACTIVE)
        shown.status = STATUS_UPDATING;
    return shown;
}

static const struct index_schema *indexes_shown(const struct revision *r,
                                                const struct table_schema *stored, size_t *count) {
    const struct table_schema *before = r->before;
    struct index_schema *all =
        arena_array(r->arena, before->index_count + stored->index_count, sizeof *all);
    *count = 0;
    for (size_t i = 0; i < before->index_count; i++)
        all[(*count)++] = index_shown(r, &before->indexes[i],
                                      table_schema_find_index(stored, before->indexes[i].name));
    for (size_t i = 0; i < stored->index_count; i++)
        if (!table_schema_find_index(before, stored->indexes[i].name))
            all[(*count)++] = stored->indexes[i];
    return all;
}

const struct table_schema *update_table_shown(const struct revision *r,
                                              const struct table_schema *stored) {
    const struct table_schema *before = r->before;
    struct table_schema *shown = arena_alloc(r->arena, sizeof *shown);
    *shown = *stored;
    if (before->billing == stored->billing) {
        shown->throughput = before->throughput;
        shown->warm = before->warm;
    }
    shown->billing_changed_ms = before->billing_changed_ms;
    shown->table_class = before->table_class;
    shown->table_class_given = before->table_class_given;
    if (before->sse_kms) {
        shown->sse_kms = true;
        shown->sse_key = before->sse_key;
    }
    if (r->in->removals) {
        shown->attributes = before->attributes;
        shown->attribute_count = before->attribute_count;
    }
    shown->indexes = indexes_shown(r, stored, &shown->index_count);
    return shown;
}
