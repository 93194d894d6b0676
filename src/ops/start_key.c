#include "ops/start_key.h"

#include "item/item_json.h"

/* AWS: these faults keep their own words. (dynalite, captured) */
static bool start_key_fault_is_bare(struct slice text) {
    static const char *const bare[] = {"contains duplicates", "number set", "numeric value",
                                       "significant digits", "number with magnitude"};
    for (size_t i = 0; i < ARRAY_LEN(bare); i++)
        if (slice_contains(text, slice_of(bare[i])))
            return true;
    return false;
}

struct error *start_key_read(struct arena *a, const struct json *json, struct item *out) {
    struct error *fault = item_from_json(a, json, out);
    if (!fault || start_key_fault_is_bare(fault->message))
        return fault;
    return error_new(a, ERR_VALIDATION, "The provided starting key is invalid: %.*s",
                     SLICE_ARG(fault->message));
}
