#include "ops/legacy_parameters.h"

#include <stdlib.h>

#include "item/item_json.h"
#include "ops/legacy_fields.h"

/* --- Conditions ------------------------------------------------------------------------------- */

static struct error *legacy_values_read(struct arena *a, const struct field_list *list,
                                        struct legacy_condition *out) {
    const struct json *const *elements = list->elements;
    struct value *values = arena_array(a, list->count, sizeof *values);
    for (size_t i = 0; i < list->count; i++)
        TRY(value_from_json(a, elements[i], &values[i]));
    out->values = values;
    out->count = list->count;
    return NULL;
}

struct error *legacy_conditions_read(struct arena *a, const struct field_map *map,
                                     const struct legacy_condition **out) {
    const struct condition_input *inputs = map->values;
    struct legacy_condition *all = arena_array(a, map->count, sizeof *all);
    for (size_t i = 0; i < map->count; i++) {
        all[i].attribute = map->keys[i];
        all[i].comparison = (enum legacy_comparison)inputs[i].comparison.is;
        TRY(legacy_values_read(a, &inputs[i].values, &all[i]));
        TRY(legacy_condition_check(a, &all[i]));
    }
    *out = all;
    return NULL;
}

struct error *legacy_filter_read(struct arena *a, const struct field_map *map,
                                 const struct field_choice *conditional_operator,
                                 const struct condition **out) {
    const struct legacy_condition *all;
    TRY(legacy_conditions_read(a, map, &all));
    *out = legacy_condition_join(a, all, map->count,
                                 conditional_operator->is == CONDITIONAL_OPERATOR_OR);
    return NULL;
}

struct error *conditional_operator_check(struct arena *a, const struct field_choice *asked,
                                         const struct field_map *conditions) {
    if (!asked->is || conditions->count > 1)
        return NULL;
    return error_new(a, ERR_VALIDATION,
                     conditions->count
                         ? "ConditionalOperator can only be used when Filter or Expected has two "
                           "or more elements"
                         : "ConditionalOperator cannot be used without Filter or Expected");
}

/* --- Expected --------------------------------------------------------------------------------- */

static struct error *expected_error(struct arena *a, struct slice attribute, const char *what) {
    return error_new(a, ERR_VALIDATION,
                     "One or more parameter values were invalid: %s for Attribute: %.*s", what,
                     SLICE_ARG(attribute));
}

static bool comparison_is_unary(unsigned comparison) {
    return comparison == LEGACY_NULL || comparison == LEGACY_NOT_NULL;
}

static struct error *expected_check_comparison(struct arena *a, struct slice attribute,
                                               const struct expected_input *in) {
    if (in->exists.given)
        return expected_error(a, attribute,
                              "Exists and ComparisonOperator cannot be used together");
    if (in->values.given || in->value || comparison_is_unary(in->comparison.is))
        return NULL;
    struct slice what =
        arena_printf(a, "Value or AttributeValueList must be used with ComparisonOperator: %s",
                     legacy_comparison_names[in->comparison.is - 1]);
    return expected_error(a, attribute, what.ptr);
}

/* Without a ComparisonOperator: a value that must be equal, or that nothing be there. */
static struct error *expected_check_exists(struct arena *a, struct slice attribute,
                                           const struct expected_input *in) {
    if (in->values.given)
        return expected_error(a, attribute,
                              "AttributeValueList can only be used with a ComparisonOperator");
    if (in->exists.given && !in->exists.value)
        return in->value ? expected_error(a, attribute, "Value cannot be used when Exists is false")
                         : NULL;
    if (in->value)
        return NULL;
    return expected_error(a, attribute,
                          in->exists.given ? "Value must be provided when Exists is true"
                                           : "Value must be provided when Exists is null");
}

static struct error *expected_check(struct arena *a, struct slice attribute,
                                    const struct expected_input *in) {
    if (in->values.given && in->value)
        return expected_error(a, attribute, "Value and AttributeValueList cannot be used together");
    return in->comparison.is ? expected_check_comparison(a, attribute, in)
                             : expected_check_exists(a, attribute, in);
}

static struct error *expected_read(struct arena *a, struct slice attribute,
                                   const struct expected_input *in, struct legacy_condition *out) {
    TRY(expected_check(a, attribute, in));
    out->attribute = attribute;
    out->comparison = in->comparison.is ? (enum legacy_comparison)in->comparison.is
                      : in->value       ? LEGACY_EQ
                                        : LEGACY_NULL;
    const struct json *one = in->value;
    struct field_list values = in->values;
    if (one)
        values = (struct field_list){.given = true, .count = 1, .elements = &one};
    TRY(legacy_values_read(a, &values, out));
    return legacy_condition_check(a, out);
}

struct error *legacy_expected_read(struct arena *a, const struct field_map *map,
                                   const struct legacy_condition **out) {
    const struct expected_input *inputs = map->values;
    struct legacy_condition *all = arena_array(a, map->count, sizeof *all);
    for (size_t i = 0; i < map->count; i++)
        TRY(expected_read(a, map->keys[i], &inputs[i], &all[i]));
    *out = all;
    return NULL;
}

/* --- Updates ---------------------------------------------------------------------------------- */

struct error *legacy_updates_read(struct arena *a, const struct field_map *map,
                                  const struct update **out) {
    const struct attribute_update_input *inputs = map->values;
    struct legacy_update *all = arena_array(a, map->count, sizeof *all);
    for (size_t i = 0; i < map->count; i++) {
        all[i].attribute = map->keys[i];
        all[i].action = (enum legacy_action)inputs[i].action.is;
        if (inputs[i].value) {
            struct value *value = arena_alloc(a, sizeof *value);
            TRY(value_from_json(a, inputs[i].value, value));
            all[i].value = value;
        }
        TRY(legacy_update_check(a, &all[i]));
    }
    *out = legacy_update_join(a, all, map->count);
    return NULL;
}

/* --- AttributesToGet -------------------------------------------------------------------------- */

static int compare_names(const void *x, const void *y) {
    const struct slice *const *a = x, *const *b = y;
    int order = slice_compare(**a, **b);
    return order ? order : (*a > *b) - (*a < *b);
}

/* The name that is the first of the list to repeat an earlier one; NULL when all differ. */
static const struct slice *repeated_name(struct arena *a, const struct slice *names, size_t count) {
    const struct slice **sorted = arena_array(a, count, sizeof *sorted);
    const struct slice *first = NULL;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &names[i];
    qsort(sorted, count, sizeof *sorted, compare_names);
    for (size_t i = 1; i < count; i++)
        if (slice_equal(*sorted[i - 1], *sorted[i]) && (!first || sorted[i] < first))
            first = sorted[i];
    return first;
}

struct error *attributes_to_get_read(struct arena *a, const struct field_list *names,
                                     struct projection *out) {
    const struct slice *repeated = repeated_name(a, names->elements, names->count);
    if (repeated)
        return error_new(a, ERR_VALIDATION,
                         "One or more parameter values were invalid: Duplicate value in attribute "
                         "name: %.*s",
                         SLICE_ARG(*repeated));
    *out = projection_of_attributes(a, names->elements, names->count);
    return NULL;
}
