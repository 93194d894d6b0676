/*
 * What the files of this room share: the token stream, the scope, paths before they are resolved.
 *
 * An expression is read in three steps, which is also the order of AWS's errors:
 *
 *   1. text to tree (…_parse): syntax, doubled parentheses
 *   2. the tree alone (…_check): number of operators, reserved words, list indexes, names and
 * places of functions
 *   3. the tree in its scope (…_resolve): placeholders, numbers and types of operands, equal
 * operands, overlapping paths
 *
 * Each step walks the whole expression before the next begins (dynalite, captured on AWS).
 */
#ifndef EXPR_EXPR_INT_H
#define EXPR_EXPR_INT_H

#include "expr/expr.h"

/* --- Tokens (lexer.c) ------------------------------------------------------------------------- */

enum token_kind {
    TOKEN_END,
    TOKEN_BAD,   /* one character that no token begins with */
    TOKEN_NAME,  /* an attribute or a function */
    TOKEN_ALIAS, /* #name */
    TOKEN_VALUE, /* :value */
    TOKEN_INDEX, /* digits, without leading zeros */
    TOKEN_AND,
    TOKEN_OR,
    TOKEN_NOT,
    TOKEN_BETWEEN,
    TOKEN_IN,
    TOKEN_SET,
    TOKEN_REMOVE,
    TOKEN_ADD,
    TOKEN_DELETE,
    TOKEN_EQ,
    TOKEN_NE,
    TOKEN_LT,
    TOKEN_LE,
    TOKEN_GT,
    TOKEN_GE,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_DOT,
    TOKEN_COMMA,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_OPEN_INDEX,
    TOKEN_CLOSE_INDEX,
};

struct token {
    enum token_kind kind;
    struct slice text;
};

/* The next token of the text; `*at` moves behind it. */
struct token token_read(struct slice text, size_t *at);

/* --- The parser's state (parser.c) ------------------------------------------------------------ */

struct parser {
    struct arena *arena;
    struct expr_scope *scope;
    const char *parameter; /* "ConditionExpression" */
    struct slice text;
    size_t at; /* of what follows `after` */
    struct token before;
    struct token token; /* the one to be read next */
    struct token after;
    unsigned depth;     /* of parentheses, NOT and calls */
    unsigned operators; /* seen so far */
};

/* Errors: an expression that is empty or too long. */
MUST_CHECK struct error *parser_start(struct parser *p, struct arena *a, struct expr_scope *scope,
                                      struct slice text, const char *parameter);

void parser_next(struct parser *p);

/* Goes past the token when it is of this kind. */
bool parser_take(struct parser *p, enum token_kind kind);

/* Goes past the token, which must be of this kind. */
MUST_CHECK struct error *parser_expect(struct parser *p, enum token_kind kind);

/* "Invalid <parameter>: …" */
struct error *parser_error(struct parser *p, const char *format, ...) PRINTF_LIKE(2, 3);

/* "Syntax error; token: …" at the current token. */
struct error *parser_syntax_error(struct parser *p);

struct error *parser_redundant_error(struct parser *p);

/* For each level that recurses; false past LIMIT_EXPRESSION_DEPTH. Left by `p->depth--`. */
bool parser_enter(struct parser *p);

/* After the whole text: LIMIT_EXPRESSION_OPERATORS. */
MUST_CHECK struct error *parser_check_operators(struct parser *p);

/* --- Reserved words (reserved.gperf) ---------------------------------------------------------- */

/* In any case. */
bool reserved_word(struct slice word);
size_t reserved_word_count(void);

/* --- The scope (scope.c) ---------------------------------------------------------------------- */

/* False when not defined; counts as a use. */
bool scope_find_name(struct expr_scope *scope, struct slice alias, struct slice *out);

/* NULL when not defined; counts as a use.  `*json` is the value as it was sent. */
const struct value *scope_find_value(struct expr_scope *scope, struct slice placeholder,
                                     const struct json **json);

/* --- Paths (path.c) --------------------------------------------------------------------------- */

/* A path as written: names may be aliases; the name of an index is its digits. */
MUST_CHECK struct error *path_parse(struct parser *p, struct path *out);

/* Reserved words and the range of list indexes. */
MUST_CHECK struct error *path_check(struct parser *p, const struct path *path);

/* Puts names for aliases; nesting levels. */
MUST_CHECK struct error *path_resolve(struct parser *p, struct path *path);

/* Order by steps; a path sorts before those it is the beginning of, names before indexes. */
int path_compare(const struct path *a, const struct path *b);

/* "[a, [1], b]" */
struct slice path_print(struct arena *a, const struct path *path);

/* --- Several paths as a tree (path_tree.c) ---------------------------------------------------- */

enum { PATH_TREE_INNER = -1 };

/* Children are sorted: names by bytes, indexes by number, never both. */
struct path_tree {
    struct path_step step;
    int path; /* the number of the path that ends here; else PATH_TREE_INNER */
    const struct path_tree *children;
    size_t count;
};

/* "Two document paths overlap with each other; …" and "… conflict …"; else the tree. */
MUST_CHECK struct error *path_tree_create(struct parser *p, const struct path *paths, size_t count,
                                          const struct path_tree **out);

/* The same without an expression: paths that are known not to overlap. */
const struct path_tree *path_tree_of(struct arena *a, const struct path *paths, size_t count);

/* What of the item the tree selects. */
struct item path_tree_select(struct arena *a, const struct path_tree *tree,
                             const struct item *item);

#endif
