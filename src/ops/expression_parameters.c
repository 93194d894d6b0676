#include "ops/expression_parameters.h"

#include "base/buf.h"

enum { PARAMETERS_TEXT_BYTES = 1024 };

static bool parameters_given(struct parameter_list list) {
    for (size_t i = 0; i < list.count; i++)
        if (list.all[i].given)
            return true;
    return false;
}

static struct slice parameters_names(struct arena *a, struct parameter_list list) {
    struct buf names = buf_in(a, PARAMETERS_TEXT_BYTES);
    for (size_t i = 0; i < list.count; i++)
        if (list.all[i].given)
            buf_printf(&names, "%s%s", names.len ? ", " : "", list.all[i].name);
    return buf_slice(&names);
}

struct error *expression_parameters_check(struct arena *a, struct parameter_list legacy,
                                          struct parameter_list expressions) {
    if (!parameters_given(legacy) || !parameters_given(expressions))
        return NULL;
    struct slice old = parameters_names(a, legacy);
    struct slice new = parameters_names(a, expressions);
    return error_new(a, ERR_VALIDATION,
                     "Can not use both expression and non-expression parameters in the same "
                     "request: Non-expression parameters: {%.*s} Expression parameters: {%.*s}",
                     SLICE_ARG(old), SLICE_ARG(new));
}
