#include "ops/read_select.h"

#include "base/buf.h"

enum { READ_SELECT_NAMES_BYTES = 64 * 1024 };

/* In AWS's order of the message. */
const char *const select_choices[] = {"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES",
                                      "ALL_PROJECTED_ATTRIBUTES", NULL};

struct error *read_select_check(struct arena *a, const struct field_choice *select,
                                const char *projection, bool index, const char *doing) {
    if (select->is == SELECT_SPECIFIC && !projection)
        /* AWS: this one is worded like a constraint. (conformance suite) */
        return error_new(a, ERR_VALIDATION,
                         "1 validation error detected: Must specify the AttributesToGet or "
                         "ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES");
    if (projection && select->is && select->is != SELECT_SPECIFIC)
        return error_new(
            a, ERR_VALIDATION, "Cannot specify the %s when choosing to get %s", projection,
            select->is == SELECT_COUNT ? "only the Count" : select_choices[select->is - 1]);
    if (select->is == SELECT_ALL_PROJECTED && !index)
        return error_new(a, ERR_VALIDATION,
                         "ALL_PROJECTED_ATTRIBUTES can be used only when %s using an IndexName",
                         doing);
    return NULL;
}

static bool index_lacks(const struct query *q, struct slice attribute) {
    return !index_schema_projects(q->table->schema, q->index, attribute);
}

/* The attributes that the projection's paths begin with and the index does not have. */
static struct slice projection_lacks(struct arena *a, const struct query *q,
                                     const struct projection *projection) {
    struct buf names = buf_in(a, READ_SELECT_NAMES_BYTES);
    for (size_t i = 0; i < projection->count; i++) {
        struct slice name = projection->paths[i].steps[0].name;
        if (!index_lacks(q, name))
            continue;
        if (names.len)
            buf_add_text(&names, ", ");
        buf_add(&names, name);
    }
    return buf_slice(&names);
}

struct filter_lacks {
    const struct query *query;
    bool any;
};

static void filter_lacks_visit(void *context, struct slice attribute) {
    struct filter_lacks *lacks = context;
    lacks->any |= index_lacks(lacks->query, attribute);
}

static bool projection_lacks_any(const struct query *q, const struct projection *projection) {
    for (size_t i = 0; i < projection->count; i++)
        if (index_lacks(q, projection->paths[i].steps[0].name))
            return true;
    return false;
}

bool read_select_fetches(const struct query *q, const struct field_choice *select,
                         const struct projection *projection) {
    if (!q->index || q->index->global || q->index->projection == PROJECTION_ALL)
        return false;
    if (select->is == SELECT_ALL || (projection && projection_lacks_any(q, projection)))
        return true;
    struct filter_lacks lacks = {.query = q};
    if (q->filter)
        condition_visit_attributes(q->filter, filter_lacks_visit, &lacks);
    return lacks.any;
}

struct error *read_select_check_index(struct arena *a, const struct query *q,
                                      const struct field_choice *select,
                                      const struct projection *projection) {
    if (!q->index || !q->index->global || q->index->projection == PROJECTION_ALL)
        return NULL;
    if (select->is == SELECT_ALL)
        return error_new(a, ERR_VALIDATION,
                         "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is "
                         "not supported for global secondary index %.*s because its projection "
                         "type is not ALL",
                         SLICE_ARG(q->index->name));
    if (!projection || !projection_lacks_any(q, projection))
        return NULL;
    struct slice names = projection_lacks(a, q, projection);
    return error_new(a, ERR_VALIDATION,
                     "One or more parameter values were invalid: Global secondary index %.*s does "
                     "not project [%.*s]",
                     SLICE_ARG(q->index->name), SLICE_ARG(names));
}

struct capacity read_select_capacity(const struct query *q) {
    struct capacity c = {0};
    double units = capacity_read_units(q->bytes, q->consistent);
    if (!q->index) {
        c.table = units;
        return c;
    }
    size_t at = (size_t)(q->index - q->table->schema->indexes);
    c.index[at] = units;
    c.index_used[at] = true;
    if (q->fetched_units_bytes)
        c.table = capacity_read_units(q->fetched_units_bytes, q->consistent);
    return c;
}
