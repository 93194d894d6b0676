#include "ops/field_int.h"

struct error *field_read(struct arena *a, const struct field *fields, size_t count,
                         const struct json *body, void *input) {
    if (body->kind != JSON_OBJECT)
        return error_bare(a, ERR_SERIALIZATION);
    TRY(field_fill(a, fields, count, body, input));
    return field_constrain(a, fields, count, input);
}
