/*
 * The tables of the parameters that expressions replaced: Expected, AttributeUpdates,
 * KeyConditions, QueryFilter, ConditionalOperator.  Their types and constraints are checked as AWS
 * does.
 */
#ifndef OPS_LEGACY_FIELDS_H
#define OPS_LEGACY_FIELDS_H

#include "ops/field.h"

enum { CONDITIONAL_OPERATOR_OR = 1, CONDITIONAL_OPERATOR_AND };
extern const char *const conditional_operator_choices[];

/* A value of Expected. */
struct expected_input {
    struct field_list values;
    struct field_choice comparison;
    struct field_bool exists;
    const struct json *value;
};
enum { EXPECTED_FIELDS = 4 };
extern const struct field expected_fields[EXPECTED_FIELDS];

/* A value of KeyConditions or QueryFilter. */
struct condition_input {
    struct field_list values;
    struct field_choice comparison;
};
enum { CONDITION_FIELDS = 2 };
extern const struct field condition_fields[CONDITION_FIELDS];

/* A value of AttributeUpdates. */
struct attribute_update_input {
    struct field_choice action;
    const struct json *value;
};
enum { ATTRIBUTE_UPDATE_FIELDS = 2 };
extern const struct field attribute_update_fields[ATTRIBUTE_UPDATE_FIELDS];

/* Rows of an operation's table. */
#define FIELD_CONDITIONAL_OPERATOR(input, member)                                                  \
    FIELD("ConditionalOperator", CHOICE, input, member), .choices = conditional_operator_choices
#define FIELD_EXPECTED(input, member)                                                              \
    FIELD("Expected", MAP, input, member), .shape = "ExpectedAttributeValue",                      \
                                           FIELD_OF(expected_fields, struct expected_input)
#define FIELD_CONDITIONS(wire, input, member)                                                      \
    FIELD(wire, MAP, input, member), .shape = "Condition",                                         \
                                     FIELD_OF(condition_fields, struct condition_input)
#define FIELD_ATTRIBUTE_UPDATES(input, member)                                                     \
    FIELD("AttributeUpdates", MAP, input, member),                                                 \
        .shape = "AttributeValueUpdate",                                                           \
        FIELD_OF(attribute_update_fields, struct attribute_update_input)

#endif
