/*
 * The functions of the expression language.
 *
 * X(name, operands, place, first operand is a path, first operand differs from the others, types)
 *
 * `place` is where the function may stand: as a condition, as an operand inside a condition, or in
 * the value of a SET action.  `types` are those that each operand may have, as far as the
 * expression tells its type.  Names are case-sensitive.
 */
#ifndef EXPR_FUNCTION_LIST_H
#define EXPR_FUNCTION_LIST_H

#define TYPE_BIT(type) (1u << VALUE_##type)
#define TYPES_ANY ((1u << VALUE_TYPES) - 1)
#define TYPES_ORDERED (TYPE_BIT(S) | TYPE_BIT(N) | TYPE_BIT(B))
#define TYPES_TEXT (TYPE_BIT(S) | TYPE_BIT(B))
#define TYPES_SET (TYPE_BIT(SS) | TYPE_BIT(NS) | TYPE_BIT(BS))
#define TYPES_SIZED (TYPES_TEXT | TYPES_SET | TYPE_BIT(L) | TYPE_BIT(M))

/* AWS: the first operand of attribute_type may be a value, though the guide says path (alternator's
 * tests, run on AWS); its second is checked apart (operand.c). */
#define FUNCTION_LIST(X)                                                                           \
    X(attribute_exists, 1, CONDITION, true, true, TYPES_ANY)                                       \
    X(attribute_not_exists, 1, CONDITION, true, true, TYPES_ANY)                                   \
    X(attribute_type, 2, CONDITION, false, true, TYPES_ANY)                                        \
    X(begins_with, 2, CONDITION, false, true, TYPES_TEXT)                                          \
    X(contains, 2, CONDITION, false, true, TYPES_ANY)                                              \
    X(size, 1, OPERAND, false, false, TYPES_SIZED)                                                 \
    X(if_not_exists, 2, UPDATE, true, true, TYPES_ANY)                                             \
    X(list_append, 2, UPDATE, false, false, TYPE_BIT(L))

#endif
