/*
 * DynamoDB's expression language: condition, filter, key condition, projection, update.
 *
 * An operation makes one scope from its ExpressionAttributeNames and ExpressionAttributeValues,
 * parses its expressions against it in AWS's order, then asks expr_scope_check_unused.  Parsing
 * resolves every placeholder and checks everything that can be known without an item: syntax,
 * reserved words, operand types, paths that overlap, counts and depths.  The trees live in the
 * arena, are never changed by evaluation, and may be evaluated by another thread.
 *
 * Every error is ERR_VALIDATION with AWS's text, as in
 *   Invalid ConditionExpression: Syntax error; token: "=", near: "a = ="
 */
#ifndef EXPR_EXPR_H
#define EXPR_EXPR_H

#include "item/value.h"
#include "json/json.h"

/* Placeholders of one request, and which were used. */
struct expr_scope;

/*
 * `names` and `values` are the request's members or NULL when absent.  Checks them as AWS does:
 * empty maps, placeholder syntax, empty names, values (by item_json).  Called only when the request
 * has an expression; expr_scope_without_expressions is for when it has none.
 */
MUST_CHECK struct error *expr_scope_create(struct arena *a, const struct json *names,
                                           const struct json *values, struct expr_scope **out);

/* The error when names or values are given and no expression is: "ExpressionAttributeNames can only
 * be specified when using expressions", values likewise ("…: ConditionExpression is null"; the
 * operation names which: `expressions` is "ConditionExpression" or "UpdateExpression and …"). */
MUST_CHECK struct error *expr_scope_without_expressions(struct arena *a, const struct json *names,
                                                        const struct json *values,
                                                        const char *expressions);

/* "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}" and its twin. */
MUST_CHECK struct error *expr_scope_check_unused(struct arena *a, const struct expr_scope *scope);

/* --- Paths ------------------------------------------------------------------------------------ */

enum path_step_kind { PATH_NAME, PATH_INDEX };

struct path_step {
    enum path_step_kind kind;
    struct slice name;
    uint32_t index;
};

/* a.b[3].c: the first step is always a name. */
struct path {
    const struct path_step *steps;
    size_t count;
};

/* The value at the path, or NULL. */
const struct value *path_find(const struct path *path, const struct item *item);

typedef void path_visitor(void *context, const struct path *path);

/* --- Conditions ------------------------------------------------------------------------------- */

struct condition; /* condition_int.h holds the tree */

/* `parameter` names the expression in errors: "ConditionExpression", "FilterExpression". */
MUST_CHECK struct error *condition_parse(struct arena *a, struct expr_scope *scope,
                                         struct slice text, const char *parameter,
                                         const struct condition **out);

/* `item` is never NULL; a missing item is an empty one.  Nothing can go wrong: an operand that is
 * missing or of another type makes its comparison false. */
bool condition_matches(const struct condition *c, const struct item *item);

/* Calls `visit` for the first name of every path in the condition: AWS refuses key attributes in a
 * FilterExpression. */
void condition_visit_attributes(const struct condition *c,
                                void (*visit)(void *context, struct slice attribute),
                                void *context);

/* Calls `visit` for every path in the condition. */
void condition_visit_paths(const struct condition *c, path_visitor *visit, void *context);

/* --- Key conditions --------------------------------------------------------------------------- */

enum key_operator { KEY_EQ, KEY_LT, KEY_LE, KEY_GT, KEY_GE, KEY_BETWEEN, KEY_BEGINS_WITH };

/* One `attribute operator value` of a KeyConditionExpression; all are joined by AND. */
struct key_term {
    struct slice attribute;
    enum key_operator op;
    struct value low;  /* the operand, or BETWEEN's first */
    struct value high; /* BETWEEN's second */
};

struct key_condition {
    const struct key_term *terms; /* in the order of the text */
    size_t count;
};

/* Only what every key condition must be is checked: the grammar, one term an attribute, operand
 * types of BETWEEN and begins_with.  Whether it fits a table's keys is for the engine's query. */
MUST_CHECK struct error *key_condition_parse(struct arena *a, struct expr_scope *scope,
                                             struct slice text, struct key_condition *out);

/*
 * The same in two steps, for AWS's order of errors: a KeyConditionExpression is first parsed as any
 * condition (condition_parse with "KeyConditionExpression"), then the request's other expressions
 * are, then unused placeholders are reported, and only then what a key condition may not be
 * ("Invalid operator used in KeyConditionExpression: OR", …), which is this.
 */
MUST_CHECK struct error *key_condition_from(struct arena *a, const struct condition *c,
                                            struct key_condition *out);

/* --- Projections ------------------------------------------------------------------------------ */

struct path_tree; /* expr_int.h */

struct projection {
    const struct path *paths; /* in the order of the text */
    size_t count;
    const struct path_tree *tree; /* the same, as projection_apply needs them */
};

MUST_CHECK struct error *projection_parse(struct arena *a, struct expr_scope *scope,
                                          struct slice text, struct projection *out);

/* The projection on these attributes, distinct and not documents: AttributesToGet and what an index
 * projects. */
struct projection projection_of_attributes(struct arena *a, const struct slice *names,
                                           size_t count);

/* What of the item the paths select, as a new item that shares its values. Elements of a list keep
 * their order and close up. */
struct item projection_apply(struct arena *a, const struct projection *p, const struct item *item);

/* --- Updates ---------------------------------------------------------------------------------- */

struct update; /* update_int.h holds the tree */

MUST_CHECK struct error *update_parse(struct arena *a, struct expr_scope *scope, struct slice text,
                                      const struct update **out);

/*
 * The item as the update would leave it.  `old` is the item before, or a new item that has its key
 * attributes only.  Pure: may be called again.  Operands are read from `old`, never from what
 * another action of the same update did.  ERR_VALIDATION with AWS's texts: "The provided expression
 * refers to an attribute that does not exist in the item", "An operand in the update expression has
 * an incorrect data type", "The document path provided in the update expression is invalid for
 * update", number faults.
 */
MUST_CHECK struct error *update_apply(struct arena *a, const struct update *u,
                                      const struct item *old, struct item *out);

/* Calls `visit` for the first name of every path that the update changes: keys may not be. */
void update_visit_attributes(const struct update *u,
                             void (*visit)(void *context, struct slice attribute), void *context);

/* Calls `visit` for every attribute that the update gives a value of a type that is known without
 * an item: index keys must be of theirs. */
void update_visit_types(const struct update *u,
                        void (*visit)(void *context, struct slice attribute, enum value_type type),
                        void *context);

/* Calls `visit` for every path in the update, those that it only reads too. */
void update_visit_paths(const struct update *u, path_visitor *visit, void *context);

/* For ReturnValues UPDATED_OLD and UPDATED_NEW: what of `item` (before or after) stands at the
 * paths that the update names, shaped as projection_apply does. */
struct item update_touched(struct arena *a, const struct update *u, const struct item *item);

/* Numbers of SET and ADD actions, and of REMOVE and DELETE actions: AWS's size rule uses them. */
void update_count_actions(const struct update *u, size_t *set_and_add, size_t *remove_and_delete);

#endif
