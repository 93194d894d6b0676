#include "ops/consumed_capacity.h"

const char *const return_consumed_capacity_choices[] = {"INDEXES", "TOTAL", "NONE", NULL};

static void units_write(struct json_writer *w, double units, enum capacity_repeat repeat) {
    json_member_double(w, "CapacityUnits", units);
    if (repeat == CAPACITY_AS_READ)
        json_member_double(w, "ReadCapacityUnits", units);
    if (repeat == CAPACITY_AS_WRITE)
        json_member_double(w, "WriteCapacityUnits", units);
}

static void units_member(struct json_writer *w, struct slice name, double units,
                         enum capacity_repeat repeat) {
    json_write_name(w, name);
    json_write_object_begin(w);
    units_write(w, units, repeat);
    json_write_object_end(w);
}

/* AWS: arms that did not change are left out, and so is the map when none did. */
static void indexes_member(struct json_writer *w, const struct table_schema *t,
                           const struct capacity *c, bool global, enum capacity_repeat repeat) {
    bool any = false;
    for (size_t i = 0; i < t->index_count; i++) {
        if (!c->index_used[i] || t->indexes[i].global != global)
            continue;
        if (!any) {
            json_write_name(w, global ? SLICE("GlobalSecondaryIndexes")
                                      : SLICE("LocalSecondaryIndexes"));
            json_write_object_begin(w);
            any = true;
        }
        units_member(w, t->indexes[i].name, c->index[i], repeat);
    }
    if (any)
        json_write_object_end(w);
}

void consumed_capacity_write(struct json_writer *w, const struct table_schema *t,
                             const struct capacity *c, const struct field_choice *asked,
                             enum capacity_repeat repeat) {
    json_write_object_begin(w);
    json_member_string(w, "TableName", t->name);
    units_write(w, capacity_total(c), repeat);
    if (asked->is == RETURN_CAPACITY_INDEXES) {
        units_member(w, SLICE("Table"), c->table, repeat);
        indexes_member(w, t, c, false, repeat);
        indexes_member(w, t, c, true, repeat);
    }
    json_write_object_end(w);
}

void consumed_capacity_reply(struct json_writer *w, const struct table_schema *t,
                             const struct capacity *c, const struct field_choice *asked) {
    if (!consumed_capacity_asked(asked))
        return;
    json_write_name(w, SLICE("ConsumedCapacity"));
    consumed_capacity_write(w, t, c, asked, CAPACITY_ONCE);
}
