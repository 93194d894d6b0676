/*
 * operand  = "(" operand ")" | value | path | name "(" operand ("," operand)* ")"
 */
#include "expr/operand_int.h"

const struct function functions[FUNCTION_IDS] = {
#define X(name, operands, place, path_first, distinct, types)                                      \
    [FUNCTION_##name] = {#name, operands, PLACE_##place, path_first, distinct, types},
    FUNCTION_LIST(X)
#undef X
};

/* --- Parsing ---------------------------------------------------------------------------------- */

static struct operand *operand_new(struct parser *p, enum operand_kind kind) {
    struct operand *o = arena_alloc(p->arena, sizeof *o);
    o->kind = kind;
    o->name = p->token.text;
    return o;
}

/* A call nested too deep is an error whatever is in it; AWS, which reads on, names the function. */
static struct error *operand_depth_error(struct parser *p, struct slice function) {
    return parser_error(p,
                        "The function is not allowed to be used this way in an expression; "
                        "function: %.*s",
                        SLICE_ARG(function));
}

static struct error *operand_parse_call(struct parser *p, struct operand **out) {
    struct operand *o = operand_new(p, OPERAND_CALL);
    if (!parser_enter(p))
        return operand_depth_error(p, o->name);
    parser_next(p);
    TRY(parser_expect(p, TOKEN_OPEN));
    struct operand_list list;
    TRY(operand_parse_list(p, &list));
    p->depth--;
    o->first = list.first;
    o->count = list.count;
    *out = o;
    return NULL;
}

static struct error *operand_parse_path(struct parser *p, struct operand **out) {
    struct operand *o = operand_new(p, OPERAND_PATH);
    TRY(path_parse(p, &o->path));
    *out = o;
    return NULL;
}

struct error *operand_parse_bare(struct parser *p, struct operand **out) {
    if (p->token.kind == TOKEN_NAME && p->after.kind == TOKEN_OPEN)
        return operand_parse_call(p, out);
    if (p->token.kind != TOKEN_VALUE)
        return operand_parse_path(p, out);
    *out = operand_new(p, OPERAND_VALUE);
    parser_next(p);
    return NULL;
}

struct error *operand_parse(struct parser *p, struct operand **out) {
    if (p->token.kind != TOKEN_OPEN)
        return operand_parse_bare(p, out);
    if (!parser_enter(p))
        return parser_redundant_error(p);
    parser_next(p);
    struct operand *o;
    TRY(operand_parse(p, &o));
    TRY(parser_expect(p, TOKEN_CLOSE));
    p->depth--;
    if (o->parenthesised)
        return parser_redundant_error(p);
    o->parenthesised = true;
    *out = o;
    return NULL;
}

struct error *operand_parse_list(struct parser *p, struct operand_list *out) {
    *out = (struct operand_list){.end = &out->first};
    do {
        TRY(operand_parse(p, out->end));
        out->end = &(*out->end)->next;
        out->count++;
    } while (parser_take(p, TOKEN_COMMA));
    return parser_expect(p, TOKEN_CLOSE);
}

/* --- Checking --------------------------------------------------------------------------------- */

static bool function_find(struct slice name, enum function_id *out) {
    for (size_t i = 0; i < FUNCTION_IDS; i++)
        if (slice_is(name, functions[i].name)) {
            *out = (enum function_id)i;
            return true;
        }
    return false;
}

static bool operand_place_in_update(enum operand_place place) {
    return place == PLACE_UPDATE || place == PLACE_UPDATE_INNER;
}

/* AWS: list_append stands only as the whole value; if_not_exists stands inside others too
 * (alternator's tests, run on AWS). */
static bool function_fits(enum function_id function, enum operand_place place) {
    if (operand_place_in_update(place))
        return place == PLACE_UPDATE || function != FUNCTION_list_append;
    return functions[function].place == place;
}

static struct error *operand_check_call(struct parser *p, struct operand *o,
                                        enum operand_place place) {
    if (!function_find(o->name, &o->function))
        return parser_error(p, "Invalid function name; function: %.*s", SLICE_ARG(o->name));
    bool in_update = operand_place_in_update(place);
    if ((functions[o->function].place == PLACE_UPDATE) != in_update)
        return parser_error(p, "The function is not allowed in %s expression; function: %.*s",
                            in_update ? "an update" : "a condition", SLICE_ARG(o->name));
    if (!function_fits(o->function, place))
        return operand_depth_error(p, o->name);
    for (struct operand *inner = o->first; inner; inner = inner->next)
        TRY(operand_check(p, inner, in_update ? PLACE_UPDATE_INNER : PLACE_OPERAND));
    return NULL;
}

struct error *operand_check(struct parser *p, struct operand *o, enum operand_place place) {
    switch (o->kind) {
    case OPERAND_PATH:
        return path_check(p, &o->path);
    case OPERAND_CALL:
        return operand_check_call(p, o, place);
    case OPERAND_VALUE:
        break;
    }
    return NULL;
}

/* --- Resolving -------------------------------------------------------------------------------- */

enum value_type operand_type(const struct operand *o) {
    if (o->kind == OPERAND_VALUE)
        return o->value->type;
    if (o->kind == OPERAND_CALL && o->function == FUNCTION_size)
        return VALUE_N;
    return VALUE_TYPES;
}

static struct error *operand_type_error(struct parser *p, const char *name, const char *type) {
    return parser_error(p,
                        "Incorrect operand type for operator or function; operator or function: "
                        "%s, operand type: %s",
                        name, type);
}

struct error *operand_check_types(struct parser *p, const char *name, const struct operand *list,
                                  unsigned types) {
    for (const struct operand *o = list; o; o = o->next) {
        enum value_type type = operand_type(o);
        if (type != VALUE_TYPES && !(types & 1u << type))
            return operand_type_error(p, name, value_type_name(type));
    }
    return NULL;
}

struct error *operand_check_distinct(struct parser *p, const char *name,
                                     const struct operand *list) {
    if (list->kind != OPERAND_PATH)
        return NULL;
    for (const struct operand *o = list->next; o; o = o->next)
        if (o->kind == OPERAND_PATH && path_compare(&list->path, &o->path) == 0)
            return parser_error(p,
                                "The first operand must be distinct from the remaining operands "
                                "for this operator or function; operator: %s, first operand: %.*s",
                                name, SLICE_ARG(path_print(p->arena, &list->path)));
    return NULL;
}

/* AWS: the type asked for must be a value, known now. */
static struct error *operand_check_type_name(struct parser *p, const struct operand *o) {
    enum value_type type = operand_type(o), asked;
    if (type == VALUE_TYPES)
        return operand_type_error(p, "attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
    if (type != VALUE_S)
        return operand_type_error(p, "attribute_type", value_type_name(type));
    if (!value_type_find(o->value->bytes, &asked))
        return parser_error(p,
                            "Invalid attribute type name found; type: %.*s, valid types: "
                            "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
                            SLICE_ARG(o->value->bytes));
    return NULL;
}

/* After its operands: AWS reports an undefined placeholder before a wrong number of operands. */
static struct error *operand_check_resolved_call(struct parser *p, const struct operand *o) {
    const struct function *f = &functions[o->function];
    if (o->count != f->operands)
        return parser_error(p,
                            "Incorrect number of operands for operator or function; operator or "
                            "function: %s, number of operands: %u",
                            f->name, o->count);
    if (f->path_first && o->first->kind != OPERAND_PATH)
        return parser_error(p,
                            "Operator or function requires a document path; operator or function: "
                            "%s",
                            f->name);
    if (f->distinct)
        TRY(operand_check_distinct(p, f->name, o->first));
    if (o->function == FUNCTION_attribute_type)
        return operand_check_type_name(p, o->first->next);
    return operand_check_types(p, f->name, o->first, f->types);
}

static struct error *operand_resolve_call(struct parser *p, struct operand *o, unsigned parts) {
    for (struct operand *inner = o->first; inner; inner = inner->next)
        TRY(operand_resolve(p, inner, parts));
    return parts & OPERAND_VALUES ? operand_check_resolved_call(p, o) : NULL;
}

static struct error *operand_resolve_value(struct parser *p, struct operand *o) {
    o->value = scope_find_value(p->scope, o->name, &o->json);
    if (!o->value)
        return parser_error(p,
                            "An expression attribute value used in expression is not defined; "
                            "attribute value: %.*s",
                            SLICE_ARG(o->name));
    return NULL;
}

struct error *operand_resolve(struct parser *p, struct operand *o, unsigned parts) {
    switch (o->kind) {
    case OPERAND_PATH:
        return parts & OPERAND_NAMES ? path_resolve(p, &o->path) : NULL;
    case OPERAND_VALUE:
        return parts & OPERAND_VALUES ? operand_resolve_value(p, o) : NULL;
    case OPERAND_CALL:
        break;
    }
    return operand_resolve_call(p, o, parts);
}

void operand_visit_paths(const struct operand *list, path_visitor *visit, void *context) {
    for (const struct operand *o = list; o; o = o->next) {
        if (o->kind == OPERAND_PATH)
            visit(context, &o->path);
        operand_visit_paths(o->first, visit, context);
    }
}

void operand_visit_attributes(const struct operand *list,
                              void (*visit)(void *context, struct slice attribute), void *context) {
    for (const struct operand *o = list; o; o = o->next) {
        if (o->kind == OPERAND_PATH)
            visit(context, o->path.steps[0].name);
        operand_visit_attributes(o->first, visit, context);
    }
}
