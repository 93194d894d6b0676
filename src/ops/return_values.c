#include "ops/return_values.h"

const char *const return_values_choices[] = {"ALL_NEW", "UPDATED_OLD", "ALL_OLD",
                                             "NONE",    "UPDATED_NEW", NULL};

struct error *return_values_check_old(struct arena *a, const struct field_choice *asked) {
    if (asked->is == 0 || asked->is == RETURN_ALL_OLD || asked->is == RETURN_NONE)
        return NULL;
    return error_new(a, ERR_VALIDATION, "ReturnValues can only be ALL_OLD or NONE");
}
