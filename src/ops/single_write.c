#include "ops/single_write.h"

#include "item/item_json.h"
#include "ops/condition_check.h"
#include "ops/consumed_capacity.h"
#include "ops/expression_parameters.h"
#include "ops/item_collection_metrics.h"
#include "ops/key_paths.h"
#include "ops/legacy_fields.h"
#include "ops/legacy_parameters.h"
#include "ops/return_values.h"
#include "ops/update_rules.h"

struct error *single_write_parameters(struct op_call *call, const struct single_write *s) {
    const struct parameter legacy[] = {
        {"Expected", s->expected.given},
        {"ConditionalOperator", s->conditional_operator.is != 0},
    };
    const struct parameter expressions[] = {{"ConditionExpression", s->condition.ptr != NULL}};
    TRY(expression_parameters_check(call->arena, PARAMETERS(legacy), PARAMETERS(expressions)));
    if (!s->condition.ptr)
        TRY(expr_scope_without_expressions(call->arena, s->names, s->values,
                                           "ConditionExpression"));
    return conditional_operator_check(call->arena, &s->conditional_operator, &s->expected);
}

struct error *single_write_expected(struct op_call *call, struct single_write *s) {
    const struct legacy_condition *all;
    if (!s->expected.given)
        return NULL;
    TRY(legacy_expected_read(call->arena, &s->expected, &all));
    s->write.condition = legacy_condition_join(
        call->arena, all, s->expected.count, s->conditional_operator.is == CONDITIONAL_OPERATOR_OR);
    return NULL;
}

struct error *single_write_parse(struct op_call *call, struct single_write *s) {
    struct arena *a = call->arena;
    TRY(single_write_expected(call, s));
    if (!s->condition.ptr)
        return NULL;
    struct expr_scope *scope;
    TRY(expr_scope_create(a, s->names, s->values, &scope));
    TRY(condition_parse(a, scope, s->condition, "ConditionExpression", &s->write.condition));
    return expr_scope_check_unused(a, scope);
}

struct error *single_write_check_paths(struct op_call *call, const struct single_write *s) {
    return key_paths_check_condition(call->arena, s->write.table->schema, s->write.condition);
}

struct error *single_write_run(struct op_call *call, struct single_write *s) {
    TRY(item_write_decide(call->view, call->arena, &s->write));
    if (!s->write.condition_held)
        return condition_check_error(call->arena, &s->write, &s->return_on_failure);
    item_write_stage(call->view, call->arena, &s->write);
    return NULL;
}

const struct item *single_write_old(const struct single_write *s) {
    bool wanted = s->return_values.is == RETURN_ALL_OLD && s->write.existed;
    return wanted ? &s->write.old_item : NULL;
}

void single_write_reply(struct single_write *s, const struct item *attributes,
                        struct json_writer *w) {
    const struct table *t = s->write.table;
    if (attributes && attributes->count) {
        json_write_name(w, SLICE("Attributes"));
        item_to_json(w, attributes);
    }
    consumed_capacity_reply(w, t->schema, &s->write.capacity, &s->return_capacity);
    if (item_collection_metrics_asked(t, &s->return_metrics)) {
        json_write_name(w, SLICE("ItemCollectionMetrics"));
        item_collection_metrics_write(w, &s->write);
    }
}
