#include "ops/stored_row.h"

#include "item/item_json.h"
#include "item/stored.h"

static struct error *stored_row_corrupt(struct arena *a) {
    return error_new(a, ERR_INTERNAL, "a stored item is corrupt");
}

struct error *stored_row_project(struct arena *a, const struct table *t, struct slice stored,
                                 const struct projection *projection, struct item *out) {
    struct item item;
    if (!stored_decode(a, stored, t->names, &item))
        return stored_row_corrupt(a);
    *out = projection_apply(a, projection, &item);
    return NULL;
}

struct error *stored_row_write(struct arena *a, const struct table *t, struct slice stored,
                               const struct projection *projection, struct json_writer *w) {
    if (!projection)
        return stored_to_json(a, stored, t->names, w) ? NULL : stored_row_corrupt(a);
    struct item shown;
    TRY(stored_row_project(a, t, stored, projection, &shown));
    item_to_json(w, &shown);
    return NULL;
}

struct error *stored_row_size(struct arena *a, struct slice stored, size_t *out) {
    return stored_size(stored, out) ? NULL : stored_row_corrupt(a);
}
