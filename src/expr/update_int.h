/*
 * The tree of an update, as the parser leaves it and as update_apply.c reads it.
 */
#ifndef EXPR_UPDATE_INT_H
#define EXPR_UPDATE_INT_H

#include "expr/operand_int.h"

enum update_section { UPDATE_SET, UPDATE_REMOVE, UPDATE_ADD, UPDATE_DELETE, UPDATE_SECTIONS };

struct update_action {
    enum update_section section;
    enum token_kind arithmetic; /* TOKEN_PLUS or TOKEN_MINUS of a SET; else TOKEN_END */
    struct path target;
    struct operand *value; /* NULL for REMOVE; arithmetic has a second one as `next` */
};

struct update {
    struct update_action *actions; /* in the order of the text */
    size_t count;
    const struct path_tree *tree; /* their targets */
    bool legacy;                  /* AttributeUpdates: ADD appends to lists, other words */
};

#endif
