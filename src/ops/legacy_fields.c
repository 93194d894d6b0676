#include "ops/legacy_fields.h"

#include "expr/legacy.h"

const char *const conditional_operator_choices[] = {"OR", "AND", NULL};

static const char *const action_choices[] = {"ADD", "PUT", "DELETE", NULL};

const struct field expected_fields[EXPECTED_FIELDS] = {
    {FIELD("AttributeValueList", VALUES, struct expected_input, values)},
    {FIELD("ComparisonOperator", CHOICE, struct expected_input, comparison),
     .choices = legacy_comparison_names},
    {FIELD("Exists", BOOL, struct expected_input, exists)},
    {FIELD("Value", VALUE, struct expected_input, value)},
};

const struct field condition_fields[CONDITION_FIELDS] = {
    {FIELD("AttributeValueList", VALUES, struct condition_input, values)},
    {FIELD("ComparisonOperator", CHOICE, struct condition_input, comparison), .required = true,
     .choices = legacy_comparison_names},
};

const struct field attribute_update_fields[ATTRIBUTE_UPDATE_FIELDS] = {
    {FIELD("Action", CHOICE, struct attribute_update_input, action), .choices = action_choices},
    {FIELD("Value", VALUE, struct attribute_update_input, value)},
};
