/*
 * Billing mode and throughputs of an UpdateTable.
 *
 * Provisioned throughput changes at once here, and as often as one likes: AWS's rule of so many
 * decreases a day guards its machines.  Warm throughput never goes down; on a provisioned table it
 * follows the highest throughput that there was.
 */
#include "ops/update_table.h"

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static struct throughput throughput_of(const struct throughput_input *t) {
    return (struct throughput){t->read.value, t->write.value};
}

/* What the table or index could take before, and what it is to take now, whatever is more. */
static struct throughput warm_kept(const struct revision *r, const struct throughput *warm,
                                   const struct throughput *before,
                                   const struct throughput *after) {
    static const struct throughput never_warmed = {0, 0};
    struct throughput was = warm_throughput_shown(r->before->billing, warm, before);
    struct throughput will = warm_throughput_shown(r->after.billing, &never_warmed, after);
    return (struct throughput){larger(was.read_units, will.read_units),
                               larger(was.write_units, will.write_units)};
}

/* `of` is "table" or "index NAME". */
static struct error *will_not_change(const struct revision *r, struct slice of,
                                     const struct throughput *t) {
    return error_new(r->arena, ERR_VALIDATION,
                     "The provisioned throughput for the %.*s will not change. The requested value "
                     "equals the current value. Current ReadCapacityUnits provisioned for the "
                     "%.*s: %lld. Requested ReadCapacityUnits: %lld. Current WriteCapacityUnits "
                     "provisioned for the %.*s: %lld. Requested WriteCapacityUnits: %lld. Refer to "
                     "the Amazon DynamoDB Developer Guide for current limits and how to request "
                     "higher limits.",
                     SLICE_ARG(of), SLICE_ARG(of), (long long)t->read_units,
                     (long long)t->read_units, SLICE_ARG(of), (long long)t->write_units,
                     (long long)t->write_units);
}

static bool is_same(const struct throughput *a, const struct throughput *b) {
    return a->read_units == b->read_units && a->write_units == b->write_units;
}

/* --- On demand -------------------------------------------------------------------------------- */

static struct error *on_demand_set(const struct revision *r, const char *member, struct slice of,
                                   const struct field_int *units, int64_t *out) {
    if (!units->given)
        return NULL;
    /* AWS: -1 takes the maximum away. */
    if (units->value < 1 && units->value != -1)
        return error_new(r->arena, ERR_VALIDATION,
                         UPDATE_INVALID "Requested %s for OnDemandThroughput for %.*s is outside "
                                        "of valid range",
                         member, SLICE_ARG(of));
    *out = units->value;
    return NULL;
}

/* A member that is not given stays. */
static struct error *on_demand_revise(const struct revision *r, const struct throughput_input *in,
                                      struct slice index, struct on_demand_throughput *out) {
    bool of_table = index.len == 0;
    if (!in || (!in->read.given && !in->write.given))
        return NULL;
    struct slice of =
        of_table ? SLICE("table") : arena_printf(r->arena, "index : %.*s", SLICE_ARG(index));
    if (r->after.billing == BILLING_PROVISIONED)
        return error_new(r->arena, ERR_VALIDATION,
                         UPDATE_INVALID "%s for OnDemandThroughput%s%.*s cannot be specified when "
                                        "the table BillingMode is PROVISIONED",
                         in->read.given ? "MaxReadRequestUnits" : "MaxWriteRequestUnits",
                         of_table ? "" : " for ", SLICE_ARG(of_table ? SLICE("") : of));
    TRY(on_demand_set(r, "MaxReadRequestUnits", of, &in->read, &out->max_read_units));
    return on_demand_set(r, "MaxWriteRequestUnits", of, &in->write, &out->max_write_units);
}

/* --- Warm ------------------------------------------------------------------------------------- */

static struct error *warm_set(const struct revision *r, const char *member, struct slice of,
                              const struct field_int *units, int64_t current, int64_t *out) {
    *out = current;
    if (!units->given)
        return NULL;
    if (units->value < current)
        return error_new(r->arena, ERR_VALIDATION,
                         UPDATE_INVALID "Requested %s for WarmThroughput for %.*s is lower than "
                                        "current WarmThroughput, decreasing WarmThroughput is not "
                                        "supported",
                         member, SLICE_ARG(of));
    *out = units->value;
    return NULL;
}

static struct error *warm_revise(const struct revision *r, const struct throughput_input *in,
                                 struct slice of, const struct throughput *provisioned,
                                 struct throughput *out) {
    if (!in)
        return NULL;
    struct throughput now = warm_throughput_shown(r->after.billing, out, provisioned), next;
    TRY(warm_set(r, "ReadUnitsPerSecond", of, &in->read, now.read_units, &next.read_units));
    TRY(warm_set(r, "WriteUnitsPerSecond", of, &in->write, now.write_units, &next.write_units));
    *out = next;
    return NULL;
}

/* --- The table -------------------------------------------------------------------------------- */

/* What another billing mode takes away, from table and indexes alike. */
static void billing_switch(struct revision *r) {
    static const struct throughput none = {0, 0};
    const struct on_demand_throughput unlimited = {-1, -1};
    r->after.warm = warm_kept(r, &r->after.warm, &r->before->throughput, &none);
    r->after.throughput = none;
    r->after.on_demand = unlimited;
    for (size_t i = 0; i < r->after.index_count; i++) {
        struct index_schema *index = &r->indexes[i];
        if (!index->global)
            continue;
        index->warm = warm_kept(r, &index->warm, &index->throughput, &none);
        index->throughput = none;
        index->on_demand = unlimited;
    }
    if (r->after.billing == BILLING_PAY_PER_REQUEST)
        r->after.billing_changed_ms = r->call->now_ms;
}

/* AWS: going provisioned, every index must be told its throughput in the same request. */
static struct error *every_index_check(const struct revision *r) {
    enum { NAMES_BYTES = 16 * 1024 };
    struct buf missing = buf_in(r->arena, NAMES_BYTES);
    for (size_t i = 0; i < r->before->index_count; i++) {
        const struct index_schema *index = &r->before->indexes[i];
        if (!index->global || update_of_index(r->in, index->name))
            continue;
        if (missing.len)
            buf_add_char(&missing, ',');
        buf_add(&missing, index->name);
    }
    if (!missing.len)
        return NULL;
    return error_new(r->arena, ERR_VALIDATION,
                     UPDATE_INVALID "ProvisionedThroughput must be specified for index: %.*s",
                     SLICE_ARG(buf_slice(&missing)));
}

static struct error *billing_set(struct revision *r) {
    if (r->in->billing.is)
        r->after.billing = r->in->billing.is == BILLING_MODE_PAY_PER_REQUEST
                               ? BILLING_PAY_PER_REQUEST
                               : BILLING_PROVISIONED;
    if (r->in->provisioned && r->after.billing == BILLING_PAY_PER_REQUEST)
        return error_new(r->arena, ERR_VALIDATION,
                         UPDATE_INVALID "Neither ReadCapacityUnits nor WriteCapacityUnits can be "
                                        "specified when BillingMode is PAY_PER_REQUEST");
    if (r->after.billing == r->before->billing)
        return NULL;
    if (r->after.billing == BILLING_PROVISIONED)
        TRY(every_index_check(r));
    billing_switch(r);
    return NULL;
}

static struct error *provisioned_set(struct revision *r) {
    if (!r->in->provisioned)
        return NULL;
    struct throughput next = throughput_of(r->in->provisioned);
    if (is_same(&next, &r->after.throughput))
        return will_not_change(r, SLICE("table"), &next);
    r->after.warm = warm_kept(r, &r->after.warm, &r->after.throughput, &next);
    r->after.throughput = next;
    return NULL;
}

struct error *revision_set_throughput(struct revision *r) {
    TRY(billing_set(r));
    TRY(provisioned_set(r));
    TRY(on_demand_revise(r, r->in->on_demand, SLICE(""), &r->after.on_demand));
    return warm_revise(r, r->in->warm, SLICE("table"), &r->after.throughput, &r->after.warm);
}

/* --- Indexes ---------------------------------------------------------------------------------- */

static struct error *index_provisioned_set(struct revision *r, const struct index_input *in,
                                           struct index_schema *index) {
    struct throughput next = throughput_of(in->provisioned);
    if (is_same(&next, &index->throughput))
        return will_not_change(r, arena_printf(r->arena, "index %.*s", SLICE_ARG(index->name)),
                               &next);
    index->warm = warm_kept(r, &index->warm, &index->throughput, &next);
    index->throughput = next;
    return NULL;
}

static bool throughput_is_given(const struct throughput_input *t) {
    return t && (t->read.given || t->write.given);
}

/* Whether there is anything to set that goes with the table's billing mode. */
static struct error *index_members_check(const struct revision *r, const struct index_input *in) {
    bool on_demand = throughput_is_given(in->on_demand), warm = in->warm != NULL;
    if (r->after.billing == BILLING_PAY_PER_REQUEST && (in->provisioned || !(on_demand || warm)))
        return error_new(r->arena, ERR_VALIDATION,
                         UPDATE_INVALID "The only Updates for index: %.*s when TableThroughputMode "
                                        "is PAY_PER_REQUEST can be to OnDemandThroughput, "
                                        "WarmThroughput",
                         SLICE_ARG(in->name));
    bool switched = r->after.billing != r->before->billing;
    if (r->after.billing == BILLING_PROVISIONED && !in->provisioned &&
        (switched || !(on_demand || warm)))
        return error_new(r->arena, ERR_VALIDATION,
                         UPDATE_INVALID "Both ReadCapacityUnits and WriteCapacityUnits must be "
                                        "specified for index: %.*s",
                         SLICE_ARG(in->name));
    return NULL;
}

struct error *revision_set_index_throughput(struct revision *r, const struct index_input *in,
                                            struct index_schema *index) {
    struct slice of = arena_printf(r->arena, "index %.*s", SLICE_ARG(in->name));
    TRY(index_members_check(r, in));
    if (in->provisioned)
        TRY(index_provisioned_set(r, in, index));
    TRY(on_demand_revise(r, in->on_demand, in->name, &index->on_demand));
    return warm_revise(r, in->warm, of, &index->throughput, &index->warm);
}

struct error *revision_new_index_throughput(const struct revision *r, const struct index_input *in,
                                            struct index_schema *index) {
    struct slice of = arena_printf(r->arena, "index %.*s", SLICE_ARG(in->name));
    bool on_demand = r->after.billing == BILLING_PAY_PER_REQUEST;
    if (on_demand && in->provisioned)
        return error_new(r->arena, ERR_VALIDATION,
                         UPDATE_INVALID "Neither ReadCapacityUnits nor WriteCapacityUnits can be "
                                        "specified for index: %.*s when BillingMode is "
                                        "PAY_PER_REQUEST",
                         SLICE_ARG(in->name));
    if (!on_demand && !in->provisioned)
        return error_new(r->arena, ERR_VALIDATION,
                         UPDATE_INVALID "Both ReadCapacityUnits and WriteCapacityUnits must be "
                                        "specified for index: %.*s",
                         SLICE_ARG(in->name));
    TRY(provisioned_throughput_check(r->arena, in->provisioned, r->after.billing,
                                     &index->throughput));
    TRY(on_demand_revise(r, in->on_demand, in->name, &index->on_demand));
    return warm_revise(r, in->warm, of, &index->throughput, &index->warm);
}
