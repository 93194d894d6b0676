/*
 * Updates: text to tree.
 *
 *   update  = section+                                  each kind at most once
 *   section = "SET" set ("," set)* | "REMOVE" path ("," path)*
 *           | "ADD" path value ("," path value)* | "DELETE" path value ("," path value)*
 *   set     = path "=" sum
 *   sum     = term | operand ("+" | "-") operand | "(" sum ")"
 *
 * A sum of a sum is not in the grammar, with parentheses or without.
 */
#include "expr/update_int.h"

struct action_item {
    struct update_action action;
    struct action_item *next;
};

/* What has been read so far. */
struct update_reader {
    struct action_item *first;
    struct action_item **end;
    size_t count;
    enum update_section order[UPDATE_SECTIONS]; /* kinds as they first appear */
    size_t kinds;
    unsigned times[UPDATE_SECTIONS];
};

static const char *const section_names[] = {"SET", "REMOVE", "ADD", "DELETE"};

/* The value of a SET. */
struct sum {
    struct operand *value;
    enum token_kind arithmetic;
    bool parenthesised;
};

static struct error *sum_parse(struct parser *p, struct sum *out);

static struct error *sum_parse_parentheses(struct parser *p, struct sum *out) {
    if (!parser_enter(p))
        return parser_redundant_error(p);
    parser_next(p);
    struct sum inner;
    TRY(sum_parse(p, &inner));
    TRY(parser_expect(p, TOKEN_CLOSE));
    p->depth--;
    if (inner.parenthesised)
        return parser_redundant_error(p);
    inner.parenthesised = true;
    *out = inner;
    return NULL;
}

static struct error *sum_parse_term(struct parser *p, struct sum *out) {
    if (p->token.kind == TOKEN_OPEN)
        return sum_parse_parentheses(p, out);
    *out = (struct sum){.arithmetic = TOKEN_END};
    return operand_parse_bare(p, &out->value);
}

static struct error *sum_parse(struct parser *p, struct sum *out) {
    TRY(sum_parse_term(p, out));
    bool sign = p->token.kind == TOKEN_PLUS || p->token.kind == TOKEN_MINUS;
    if (!sign || out->arithmetic != TOKEN_END)
        return NULL;
    out->arithmetic = p->token.kind;
    out->parenthesised = false;
    p->operators++;
    parser_next(p);
    return operand_parse(p, &out->value->next);
}

static struct error *action_parse_set(struct parser *p, struct update_action *out) {
    struct sum sum;
    TRY(parser_expect(p, TOKEN_EQ));
    TRY(sum_parse(p, &sum));
    out->value = sum.value;
    out->arithmetic = sum.arithmetic;
    return NULL;
}

static struct error *action_parse(struct parser *p, enum update_section section,
                                  struct update_action *out) {
    *out = (struct update_action){.section = section, .arithmetic = TOKEN_END};
    TRY(path_parse(p, &out->target));
    if (section == UPDATE_REMOVE)
        return NULL;
    if (section == UPDATE_SET)
        return action_parse_set(p, out);
    if (p->token.kind != TOKEN_VALUE)
        return parser_syntax_error(p);
    return operand_parse_bare(p, &out->value);
}

static bool section_of(enum token_kind kind, enum update_section *out) {
    switch (kind) {
    case TOKEN_SET:
        *out = UPDATE_SET;
        return true;
    case TOKEN_REMOVE:
        *out = UPDATE_REMOVE;
        return true;
    case TOKEN_ADD:
        *out = UPDATE_ADD;
        return true;
    case TOKEN_DELETE:
        *out = UPDATE_DELETE;
        return true;
    default:
        return false;
    }
}

static struct error *section_parse(struct parser *p, struct update_reader *r) {
    enum update_section section;
    if (!section_of(p->token.kind, &section))
        return parser_syntax_error(p);
    parser_next(p);
    if (r->times[section]++ == 0)
        r->order[r->kinds++] = section;
    do {
        struct action_item *item = arena_alloc(p->arena, sizeof *item);
        TRY(action_parse(p, section, &item->action));
        *r->end = item;
        r->end = &item->next;
        r->count++;
    } while (parser_take(p, TOKEN_COMMA));
    return NULL;
}

static struct error *update_parse_text(struct parser *p, struct update_reader *r,
                                       struct update *out) {
    do {
        TRY(section_parse(p, r));
    } while (p->token.kind != TOKEN_END);
    out->actions = arena_array(p->arena, r->count, sizeof *out->actions);
    for (const struct action_item *item = r->first; item; item = item->next)
        out->actions[out->count++] = item->action;
    return NULL;
}

/* --- Checking --------------------------------------------------------------------------------- */

static struct error *action_check(struct parser *p, const struct update_action *action) {
    TRY(path_check(p, &action->target));
    bool whole = action->arithmetic == TOKEN_END;
    for (struct operand *o = action->value; o; o = o->next)
        TRY(operand_check(p, o, whole ? PLACE_UPDATE : PLACE_UPDATE_INNER));
    return NULL;
}

/* AWS: section by section, as they first appear; a second one of a kind is reported after the
 * actions of both. */
static struct error *update_check(struct parser *p, const struct update_reader *r,
                                  const struct update *u) {
    for (size_t k = 0; k < r->kinds; k++) {
        enum update_section section = r->order[k];
        for (size_t i = 0; i < u->count; i++)
            if (u->actions[i].section == section)
                TRY(action_check(p, &u->actions[i]));
        if (r->times[section] > 1)
            return parser_error(p,
                                "The \"%s\" section can only be used once in an update expression;",
                                section_names[section]);
    }
    return NULL;
}

/* --- Resolving -------------------------------------------------------------------------------- */

static struct error *update_resolve_targets(struct parser *p, struct update *u) {
    struct path *targets = arena_array(p->arena, u->count, sizeof *targets);
    for (size_t i = 0; i < u->count; i++) {
        TRY(path_resolve(p, &u->actions[i].target));
        targets[i] = u->actions[i].target;
    }
    return path_tree_create(p, targets, u->count, &u->tree);
}

static struct error *action_resolve(struct parser *p, const struct update_action *action,
                                    unsigned parts) {
    for (struct operand *o = action->value; o; o = o->next)
        TRY(operand_resolve(p, o, parts));
    return NULL;
}

/* "ADD" and "DELETE" have their own names for types. */
static const char *const long_type_names[VALUE_TYPES] = {
    [VALUE_S] = "STRING",      [VALUE_N] = "NUMBER",      [VALUE_B] = "BINARY",
    [VALUE_BOOL] = "BOOLEAN",  [VALUE_NULL] = "NULL",     [VALUE_SS] = "STRING_SET",
    [VALUE_NS] = "NUMBER_SET", [VALUE_BS] = "BINARY_SET", [VALUE_L] = "LIST",
    [VALUE_M] = "MAP",
};

static struct error *action_check_types(struct parser *p, const struct update_action *action) {
    if (action->arithmetic != TOKEN_END)
        return operand_check_types(p, action->arithmetic == TOKEN_PLUS ? "+" : "-", action->value,
                                   TYPE_BIT(N));
    if (action->section != UPDATE_ADD && action->section != UPDATE_DELETE)
        return NULL;
    unsigned types = TYPES_SET | (action->section == UPDATE_ADD ? TYPE_BIT(N) : 0);
    enum value_type type = action->value->value->type;
    if (types & 1u << type)
        return NULL;
    const char *name = section_names[action->section];
    return parser_error(p,
                        "Incorrect operand type for operator or function; operator: %s, operand "
                        "type: %s, typeSet: ALLOWED_FOR_%s_OPERAND",
                        name, long_type_names[type], name);
}

/* AWS: overlapping targets come before undefined values; then from the last action to the first,
 * all names before any value. */
static struct error *update_resolve(struct parser *p, struct update *u) {
    TRY(update_resolve_targets(p, u));
    for (size_t i = u->count; i-- > 0;)
        TRY(action_resolve(p, &u->actions[i], OPERAND_NAMES));
    for (size_t i = u->count; i-- > 0;) {
        TRY(action_resolve(p, &u->actions[i], OPERAND_VALUES));
        TRY(action_check_types(p, &u->actions[i]));
    }
    return NULL;
}

struct error *update_parse(struct arena *a, struct expr_scope *scope, struct slice text,
                           const struct update **out) {
    struct parser p;
    struct update_reader r = {.end = &r.first};
    struct update *u = arena_alloc(a, sizeof *u);
    TRY(parser_start(&p, a, scope, text, "UpdateExpression"));
    TRY(update_parse_text(&p, &r, u));
    TRY(parser_check_operators(&p));
    TRY(update_check(&p, &r, u));
    TRY(update_resolve(&p, u));
    *out = u;
    return NULL;
}

void update_visit_attributes(const struct update *u,
                             void (*visit)(void *context, struct slice attribute), void *context) {
    for (size_t i = 0; i < u->count; i++)
        visit(context, u->actions[i].target.steps[0].name);
}

/* VALUE_TYPES: not known, or no value at all. */
static enum value_type action_type(const struct update_action *action) {
    if (action->section == UPDATE_REMOVE)
        return VALUE_TYPES;
    if (action->arithmetic != TOKEN_END)
        return VALUE_N;
    if (action->value->kind == OPERAND_CALL && action->value->function == FUNCTION_list_append)
        return VALUE_L;
    return operand_type(action->value);
}

void update_visit_types(const struct update *u,
                        void (*visit)(void *context, struct slice attribute, enum value_type type),
                        void *context) {
    for (size_t i = 0; i < u->count; i++) {
        const struct path *target = &u->actions[i].target;
        enum value_type type = action_type(&u->actions[i]);
        if (target->count == 1 && type != VALUE_TYPES)
            visit(context, target->steps[0].name, type);
    }
}

void update_visit_paths(const struct update *u, path_visitor *visit, void *context) {
    for (size_t i = 0; i < u->count; i++) {
        visit(context, &u->actions[i].target);
        operand_visit_paths(u->actions[i].value, visit, context);
    }
}

void update_count_actions(const struct update *u, size_t *set_and_add, size_t *remove_and_delete) {
    *set_and_add = *remove_and_delete = 0;
    for (size_t i = 0; i < u->count; i++) {
        enum update_section section = u->actions[i].section;
        ++*(section == UPDATE_SET || section == UPDATE_ADD ? set_and_add : remove_and_delete);
    }
}
