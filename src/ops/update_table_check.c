/*
 * What AWS checks of an UpdateTable before it looks for the table.
 *
 * AWS: a request is one change.  Most members "must be the only operation in the request"; of the
 * others only BillingMode goes with a stream or with OnDemandThroughput, and the index updates with
 * BillingMode and throughput as far as they need each other.  (Texts and the order of precedence as
 * measured on AWS in 2026.)
 */
#include "ops/update_table.h"

static struct error *invalid(struct op_call *call, const char *text) {
    return error_new(call->arena, ERR_VALIDATION, UPDATE_INVALID "%s", text);
}

/* AWS: an empty one counts as none. */
static struct throughput_input *throughput_given(struct throughput_input *t) {
    return t && (t->read.given || t->write.given) ? t : NULL;
}

static struct error *something_check(struct op_call *call, const struct update_table *in) {
    if (in->provisioned || in->billing.is || in->stream || in->index_updates.count || in->sse ||
        in->deletion_protection.given || in->on_demand || in->warm || in->table_class.is)
        return NULL;
    return error_new(call->arena, ERR_VALIDATION,
                     "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
                     "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, "
                     "MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, "
                     "DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass "
                     "is required");
}

static struct error *throughput_check(struct op_call *call, const struct update_table *in) {
    struct throughput unused;
    if (in->billing.is == BILLING_MODE_PROVISIONED && !in->provisioned)
        return invalid(call, "ProvisionedThroughput must be specified when BillingMode is "
                             "PROVISIONED");
    if (!in->provisioned)
        return NULL;
    return provisioned_throughput_check(call->arena, in->provisioned,
                                        in->billing.is == BILLING_MODE_PAY_PER_REQUEST
                                            ? BILLING_PAY_PER_REQUEST
                                            : BILLING_PROVISIONED,
                                        &unused);
}

/* --- Indexes ---------------------------------------------------------------------------------- */

static const struct index_input *index_of_update(const struct index_update_input *u) {
    return u->update ? u->update : u->create ? u->create : u->remove;
}

static struct error *index_update_check(struct op_call *call, struct update_table *in,
                                        const struct index_update_input *u) {
    unsigned actions = (u->update != NULL) + (u->create != NULL) + (u->remove != NULL);
    if (actions == 0)
        return invalid(call, "One of GlobalSecondaryIndexUpdate.Update, "
                             "GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete "
                             "must not be null");
    if (actions > 1)
        return invalid(call, "Only one global secondary index action is allowed per "
                             "GlobalSecondaryIndexUpdate object");
    if (u->update && u->update->warm && !throughput_given(u->update->warm))
        return error_new(call->arena, ERR_VALIDATION,
                         UPDATE_INVALID "WarmThroughput must have at least one of "
                                        "ReadUnitsPerSecond or WriteUnitsPerSecond specified for "
                                        "index: %.*s",
                         SLICE_ARG(u->update->name));
    if (u->create && !in->definitions.count)
        return error_new(call->arena, ERR_VALIDATION,
                         UPDATE_INVALID "AttributeDefinitions is not specified for index: %.*s",
                         SLICE_ARG(u->create->name));
    in->creations += u->create != NULL;
    in->removals += u->remove != NULL;
    return NULL;
}

/* So many different names cannot all be right: those after them need not be compared. */
enum { INDEX_UPDATES_COMPARED = LIMIT_GLOBAL_INDEXES + LIMIT_LOCAL_INDEXES + 2 };

static struct error *index_update_is_first(struct op_call *call,
                                           const struct index_update_input *updates, size_t at) {
    struct slice name = index_of_update(&updates[at])->name;
    for (size_t i = 0; i < at && at < INDEX_UPDATES_COMPARED; i++)
        if (slice_equal(index_of_update(&updates[i])->name, name))
            return error_new(call->arena, ERR_VALIDATION,
                             UPDATE_INVALID "Only one global secondary index update per index is "
                                            "allowed simultaneously. Index: %.*s",
                             SLICE_ARG(name));
    return NULL;
}

static struct error *index_updates_check(struct op_call *call, struct update_table *in) {
    const struct index_update_input *updates = in->index_updates.elements;
    if (!in->index_updates.given)
        return NULL;
    if (in->index_updates.count == 0)
        return invalid(call, "List of GlobalSecondaryIndexUpdates is empty");
    for (size_t i = 0; i < in->index_updates.count; i++) {
        TRY(index_update_check(call, in, &updates[i]));
        TRY(index_update_is_first(call, updates, i));
    }
    return NULL;
}

/* --- One change ------------------------------------------------------------------------------- */

/* How many of the members are there that AWS counts as changes. */
static unsigned changes_count(const struct update_table *in) {
    return (in->billing.is || in->provisioned) + (in->stream != NULL) +
           (in->index_updates.count != 0) + (in->sse != NULL) + in->deletion_protection.given +
           (in->on_demand != NULL) + (in->warm != NULL) + (in->table_class.is != 0);
}

static struct error *alone_check(struct op_call *call, const struct update_table *in) {
    unsigned count = changes_count(in);
    if (in->sse && count > 1)
        return invalid(call, "Server-Side Encryption modification must be the only operation in "
                             "the request");
    if (in->table_class.is && count > 1)
        return invalid(call, "TableClass modification must be the only operation in the request");
    if (in->deletion_protection.given && count > 1)
        return invalid(call, "DeletionProtection modification must be the only operation in the "
                             "request");
    if (in->on_demand && count > 1 && !(in->billing.is && !in->provisioned && count == 2))
        return invalid(call, "OnDemandThroughput can only be combined with BillingMode in an "
                             "UpdateTable request");
    return NULL;
}

/* AWS: the warm throughput of a table and of its indexes can go up in one request. */
static struct error *warm_alone_check(struct op_call *call, const struct update_table *in) {
    if (!in->warm)
        return NULL;
    if (in->creations)
        return invalid(call, "Create global secondary index cannot be specified when updating "
                             "WarmThroughput");
    if (changes_count(in) > 1 + (in->index_updates.count != 0) || in->removals)
        return invalid(call, "WarmThroughput must be the only operation in the request");
    return NULL;
}

static struct error *together_check(struct op_call *call, const struct update_table *in) {
    bool iops = in->provisioned || in->billing.is == BILLING_MODE_PROVISIONED;
    if (in->stream && iops)
        return invalid(call, "You cannot modify stream status while updating table IOPS");
    if ((in->creations || in->removals) && in->provisioned)
        return invalid(call, "You cannot create or delete index while updating table IOPS");
    if ((in->creations || in->removals) && in->stream)
        return invalid(call, "You cannot create or delete index while changing stream status");
    return NULL;
}

/* --- Settings --------------------------------------------------------------------------------- */

static struct error *stream_check(struct op_call *call, const struct stream_input *in) {
    if (in && in->enabled.value && !in->view.is)
        return invalid(call, "If stream is being enabled then UpdateViewType is required");
    if (in && !in->enabled.value && in->view.is)
        return invalid(call, "If stream is being disabled, then UpdateViewType must not be "
                             "specified");
    return NULL;
}

/* This one has one region. */
static struct error *regions_check(struct op_call *call, const struct update_table *in) {
    if (!in->replicas.given && !in->witnesses.given)
        return NULL;
    return error_new(call->arena, ERR_VALIDATION,
                     "Stator has one region: ReplicaUpdates and GlobalTableWitnessUpdates are not "
                     "supported");
}

struct error *update_table_check(struct op_call *call) {
    struct update_table *in = call->input;
    in->on_demand = throughput_given(in->on_demand);
    in->warm = throughput_given(in->warm);
    TRY(regions_check(call, in));
    TRY(something_check(call, in));
    TRY(throughput_check(call, in));
    TRY(index_updates_check(call, in));
    TRY(alone_check(call, in));
    TRY(warm_alone_check(call, in));
    TRY(together_check(call, in));
    TRY(stream_check(call, in->stream));
    if (in->sse)
        TRY(sse_check(call->arena, in->sse, &in->sse_on));
    if (in->creations)
        TRY(attribute_definitions_check(call->arena, &in->definitions, &in->attributes));
    return NULL;
}
