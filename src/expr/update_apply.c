/*
 * What an update makes of an item.
 *
 * First every action is turned into an effect on its target: keep, set to a value, or remove.  All
 * operands are read from the old item.  Then the old item is rebuilt along the tree of targets:
 * both are sorted, so each map and each list on the way is merged once, and everything beside the
 * way is shared.  Indexes of lists therefore mean the old list, whatever else happens to it.
 *
 * AWS: wrong types are reported before paths that do not fit, and those before attributes that are
 * missing.
 */
#include "expr/update_int.h"

enum effect_kind { EFFECT_KEEP, EFFECT_SET, EFFECT_REMOVE };

struct effect {
    enum effect_kind kind;
    struct value value; /* of EFFECT_SET */
};

struct update_run {
    struct arena *arena;
    bool legacy;
    const struct item *old;
    struct effect *effects; /* by number of the action */
    bool missing;           /* an operand is not in the item */
    size_t appended;        /* bytes of the lists made by list_append */
};

static struct error *update_type_error(struct update_run *run) {
    return error_new(run->arena, ERR_VALIDATION,
                     run->legacy
                         ? "Type mismatch for attribute to update"
                         : "An operand in the update expression has an incorrect data type");
}

static struct error *update_path_error(struct update_run *run) {
    return error_new(run->arena, ERR_VALIDATION,
                     "The document path provided in the update expression is invalid for update");
}

static struct error *update_missing_error(struct update_run *run) {
    return error_new(
        run->arena, ERR_VALIDATION,
        "The provided expression refers to an attribute that does not exist in the item");
}

/* --- Values ----------------------------------------------------------------------------------- */

/* NULL in `*out` when the operand is not there. */
static struct error *update_operand(struct update_run *run, const struct operand *o,
                                    const struct value **out);

/* The same of an operand that must be of this type if it is there. */
static struct error *update_typed_operand(struct update_run *run, const struct operand *o,
                                          enum value_type type, const struct value **out) {
    const struct value *v = NULL;
    TRY(update_operand(run, o, &v));
    if (v && v->type != type)
        return update_type_error(run);
    *out = v;
    return NULL;
}

/* Each list made becomes part of the new item, so their sum cannot be larger than one may be; seen
 * here, before many long lists are put together out of a short expression. */
static struct error *update_check_appended(struct update_run *run, const struct value *a,
                                           const struct value *b) {
    run->appended += value_size(a) + value_size(b);
    if (run->appended <= 2 * LIMIT_ITEM_BYTES)
        return NULL;
    return error_new(run->arena, ERR_VALIDATION,
                     "Item size to update has exceeded the maximum allowed size");
}

static struct error *update_join_lists(struct update_run *run, const struct value *a,
                                       const struct value *b, struct value *out) {
    TRY(update_check_appended(run, a, b));
    size_t count = a->list.count + b->list.count;
    struct value *members = arena_array(run->arena, count, sizeof *members);
    if (a->list.count)
        memcpy(members, a->list.members, a->list.count * sizeof *members);
    if (b->list.count)
        memcpy(members + a->list.count, b->list.members, b->list.count * sizeof *members);
    out->type = VALUE_L;
    out->list.members = members;
    out->list.count = count;
    return NULL;
}

static struct error *update_list_append(struct update_run *run, const struct operand *o,
                                        const struct value **out) {
    const struct value *a = NULL, *b = NULL;
    TRY(update_typed_operand(run, o->first, VALUE_L, &a));
    TRY(update_typed_operand(run, o->first->next, VALUE_L, &b));
    *out = NULL;
    if (!a || !b)
        return NULL;
    struct value *list = arena_alloc(run->arena, sizeof *list);
    TRY(update_join_lists(run, a, b, list));
    *out = list;
    return NULL;
}

static struct error *update_operand(struct update_run *run, const struct operand *o,
                                    const struct value **out) {
    if (o->kind == OPERAND_VALUE) {
        *out = o->value;
        return NULL;
    }
    if (o->kind == OPERAND_PATH) {
        *out = path_find(&o->path, run->old);
        return NULL;
    }
    if (o->function == FUNCTION_list_append)
        return update_list_append(run, o, out);
    *out = path_find(&o->first->path, run->old);
    return *out ? NULL : update_operand(run, o->first->next, out);
}

static struct error *update_sum(struct update_run *run, const struct update_action *action,
                                struct effect *out) {
    const struct value *a = NULL, *b = NULL;
    TRY(update_typed_operand(run, action->value, VALUE_N, &a));
    TRY(update_typed_operand(run, action->value->next, VALUE_N, &b));
    if (!a || !b) {
        run->missing = true;
        return NULL;
    }
    out->kind = EFFECT_SET;
    out->value.type = VALUE_N;
    if (action->arithmetic == TOKEN_PLUS)
        return number_add(run->arena, &a->number, &b->number, &out->value.number);
    return number_subtract(run->arena, &a->number, &b->number, &out->value.number);
}

static struct error *update_set(struct update_run *run, const struct update_action *action,
                                struct effect *out) {
    if (action->arithmetic != TOKEN_END)
        return update_sum(run, action, out);
    const struct value *v = NULL;
    TRY(update_operand(run, action->value, &v));
    if (v)
        *out = (struct effect){EFFECT_SET, *v};
    else
        run->missing = true;
    return NULL;
}

/* The members of both, of the same type. */
static struct value set_union(struct arena *a, const struct value *x, const struct value *y) {
    size_t count = x->list.count + y->list.count;
    struct value *members = arena_array(a, count, sizeof *members);
    memcpy(members, x->list.members, x->list.count * sizeof *members);
    memcpy(members + x->list.count, y->list.members, y->list.count * sizeof *members);
    struct value out = {.type = x->type};
    out.list.members = members;
    out.list.count = set_sort(members, count);
    return out;
}

static struct value set_minus(struct arena *a, const struct value *x, const struct value *y) {
    struct value *members = arena_array(a, x->list.count, sizeof *members);
    struct value out = {.type = x->type};
    out.list.members = members;
    for (size_t i = 0; i < x->list.count; i++)
        if (!set_contains(y, &x->list.members[i]))
            members[out.list.count++] = x->list.members[i];
    return out;
}

static struct error *update_add(struct update_run *run, const struct update_action *action,
                                struct effect *out) {
    const struct value *old = path_find(&action->target, run->old), *v = action->value->value;
    *out = (struct effect){EFFECT_SET, *v};
    if (!old)
        return NULL;
    if (old->type != v->type)
        return update_type_error(run);
    if (v->type == VALUE_N)
        return number_add(run->arena, &old->number, &v->number, &out->value.number);
    if (v->type == VALUE_L)
        return update_join_lists(run, old, v, &out->value);
    out->value = set_union(run->arena, old, v);
    return NULL;
}

static struct error *update_delete(struct update_run *run, const struct update_action *action,
                                   struct effect *out) {
    const struct value *old = path_find(&action->target, run->old), *v = action->value->value;
    if (!old)
        return NULL;
    if (old->type != v->type)
        return update_type_error(run);
    out->value = set_minus(run->arena, old, v);
    /* There are no empty sets. */
    out->kind = out->value.list.count ? EFFECT_SET : EFFECT_REMOVE;
    return NULL;
}

static struct error *update_effect(struct update_run *run, const struct update_action *action,
                                   struct effect *out) {
    switch (action->section) {
    case UPDATE_SET:
        return update_set(run, action, out);
    case UPDATE_ADD:
        return update_add(run, action, out);
    case UPDATE_DELETE:
        return update_delete(run, action, out);
    default:
        out->kind = EFFECT_REMOVE;
        return NULL;
    }
}

/* --- Rebuilding ------------------------------------------------------------------------------- */

static struct error *update_child(struct update_run *run, const struct path_tree *node,
                                  const struct value *old, struct effect *out);

/* Merges the attributes of a map with the children of its node, both sorted by name. */
static struct error *update_map(struct update_run *run, const struct path_tree *node,
                                const struct item *old, struct item *out) {
    struct attribute *attributes =
        arena_array(run->arena, old->count + node->count, sizeof *attributes);
    size_t count = 0, at = 0;
    for (size_t i = 0; i < node->count; i++) {
        const struct path_tree *child = &node->children[i];
        int order = -1;
        while (at < old->count &&
               (order = slice_compare(old->attributes[at].name, child->step.name)) < 0)
            attributes[count++] = old->attributes[at++];
        bool there = at < old->count && order == 0;
        struct effect effect = {0};
        TRY(update_child(run, child, there ? &old->attributes[at].value : NULL, &effect));
        if (there && effect.kind == EFFECT_KEEP)
            attributes[count++] = old->attributes[at];
        if (effect.kind == EFFECT_SET)
            attributes[count++] = (struct attribute){child->step.name, effect.value};
        at += there;
    }
    while (at < old->count)
        attributes[count++] = old->attributes[at++];
    *out = (struct item){attributes, count};
    return NULL;
}

/* Merges the elements of a list with the children of its node, sorted by index.  AWS: those past
 * the end are appended in the order of their indexes. */
static struct error *update_list(struct update_run *run, const struct path_tree *node,
                                 const struct value *old, struct value *out) {
    size_t room = old->list.count + node->count, count = 0, at = 0;
    struct value *members = arena_array(run->arena, room, sizeof *members);
    for (size_t i = 0; i < node->count; i++) {
        const struct path_tree *child = &node->children[i];
        while (at < old->list.count && at < child->step.index)
            members[count++] = old->list.members[at++];
        bool there = at < old->list.count;
        struct effect effect = {0};
        TRY(update_child(run, child, there ? &old->list.members[at] : NULL, &effect));
        if (there && effect.kind == EFFECT_KEEP)
            members[count++] = old->list.members[at];
        if (effect.kind == EFFECT_SET)
            members[count++] = effect.value;
        at += there;
    }
    while (at < old->list.count)
        members[count++] = old->list.members[at++];
    *out = (struct value){.type = VALUE_L};
    out->list.members = members;
    out->list.count = count;
    return NULL;
}

/* The effect of a node on what stands at its place, NULL for nothing. */
static struct error *update_child(struct update_run *run, const struct path_tree *node,
                                  const struct value *old, struct effect *out) {
    if (node->path != PATH_TREE_INNER) {
        *out = run->effects[node->path];
        return NULL;
    }
    bool map = node->children[0].step.kind == PATH_NAME;
    if (!old || old->type != (map ? VALUE_M : VALUE_L))
        return update_path_error(run);
    out->kind = EFFECT_SET;
    if (!map)
        return update_list(run, node, old, &out->value);
    out->value.type = VALUE_M;
    return update_map(run, node, &old->map, &out->value.map);
}

struct error *update_apply(struct arena *a, const struct update *u, const struct item *old,
                           struct item *out) {
    struct update_run run = {.arena = a, .legacy = u->legacy, .old = old};
    struct item item;
    run.effects = arena_array(a, u->count, sizeof *run.effects);
    for (size_t i = 0; i < u->count; i++)
        TRY(update_effect(&run, &u->actions[i], &run.effects[i]));
    TRY(update_map(&run, u->tree, old, &item));
    if (run.missing)
        return update_missing_error(&run);
    *out = item;
    return NULL;
}

struct item update_touched(struct arena *a, const struct update *u, const struct item *item) {
    return path_tree_select(a, u->tree, item);
}
