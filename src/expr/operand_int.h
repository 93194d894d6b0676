/*
 * Operands: what conditions compare and what updates assign.  A path, a value, or a function of
 * them.
 */
#ifndef EXPR_OPERAND_INT_H
#define EXPR_OPERAND_INT_H

#include "expr/expr_int.h"
#include "expr/function_list.h"

enum function_id {
#define X(name, ...) FUNCTION_##name,
    FUNCTION_LIST(X)
#undef X
        FUNCTION_IDS
};

/* Where an operand stands. */
enum operand_place {
    PLACE_CONDITION,    /* a condition by itself */
    PLACE_OPERAND,      /* inside a condition */
    PLACE_UPDATE,       /* the whole value of a SET action */
    PLACE_UPDATE_INNER, /* an operand of a function, "+" or "-" in a SET action */
};

struct function {
    const char *name;
    unsigned operands;
    enum operand_place place;
    bool path_first;
    bool distinct;
    unsigned types;
};

extern const struct function functions[FUNCTION_IDS];

enum operand_kind { OPERAND_PATH, OPERAND_VALUE, OPERAND_CALL };

struct operand {
    enum operand_kind kind;
    enum function_id function; /* of a call, once checked */
    bool parenthesised;
    struct path path;          /* of a path */
    struct slice name;         /* of a value: its placeholder; of a call: its function's */
    const struct value *value; /* of a value, once resolved */
    const struct json *json;   /* the same, as sent */
    struct operand *first;     /* of a call: its operands */
    unsigned count;
    struct operand *next; /* in the list it belongs to */
};

/* A list under construction. */
struct operand_list {
    struct operand *first;
    struct operand **end;
    unsigned count;
};

/* An operand, in parentheses or not. */
MUST_CHECK struct error *operand_parse(struct parser *p, struct operand **out);

/* The same without parentheses around it. */
MUST_CHECK struct error *operand_parse_bare(struct parser *p, struct operand **out);

/* operand ("," operand)* up to the closing parenthesis, which is read too. */
MUST_CHECK struct error *operand_parse_list(struct parser *p, struct operand_list *out);

MUST_CHECK struct error *operand_check(struct parser *p, struct operand *o,
                                       enum operand_place place);

/* Which placeholders of an operand are resolved.  AWS does all of an update's names before its
 * values; everywhere else both at once. */
enum operand_part { OPERAND_NAMES = 1, OPERAND_VALUES = 2, OPERAND_WHOLE = 3 };

MUST_CHECK struct error *operand_resolve(struct parser *p, struct operand *o, unsigned parts);

/* The type, as far as the expression tells it; else VALUE_TYPES. */
enum value_type operand_type(const struct operand *o);

/* "Incorrect operand type for operator or function; …" unless all of the list may be of `types`. */
MUST_CHECK struct error *operand_check_types(struct parser *p, const char *name,
                                             const struct operand *list, unsigned types);

/* "The first operand must be distinct from the remaining operands …" */
MUST_CHECK struct error *operand_check_distinct(struct parser *p, const char *name,
                                                const struct operand *list);

/* Calls `visit` for every path in the list. */
void operand_visit_paths(const struct operand *list, path_visitor *visit, void *context);

/* Calls `visit` for the first name of every path in the list. */
void operand_visit_attributes(const struct operand *list,
                              void (*visit)(void *context, struct slice attribute), void *context);

#endif
