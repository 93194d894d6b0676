/*
 * The two passes of field_read (this room only): JSON types into the typed input, then constraints
 * over it.
 */
#ifndef OPS_FIELD_INT_H
#define OPS_FIELD_INT_H

#include "ops/field.h"

/* Fills the input; ERR_SERIALIZATION for the first value of a JSON type that cannot be. */
MUST_CHECK struct error *field_fill(struct arena *a, const struct field *fields, size_t count,
                                    const struct json *object, void *input);

/* ERR_VALIDATION for everything that is not as the rows ask. */
MUST_CHECK struct error *field_constrain(struct arena *a, const struct field *fields, size_t count,
                                         const void *input);

/* The place of a field's value in an input. */
static inline void *field_at(const struct field *f, void *input) {
    return (char *)input + f->offset;
}

static inline const void *field_at_const(const struct field *f, const void *input) {
    return (const char *)input + f->offset;
}

#endif
