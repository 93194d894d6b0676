#include "engine/item_write.h"

#include "base/clock.h"
#include "base/limits.h"
#include "engine/change.h"
#include "engine/collection.h"
#include "engine/index_entry.h"
#include "item/stored.h"

/* What deciding found out and staging needs. */
struct item_write_plan {
    struct slice old_stored; /* empty: there was no item */
    size_t old_size;
    size_t new_size; /* 0: there will be no item */
    bool changes_item;
    int64_t collection_delta;   /* bytes; tables with local indexes only */
    struct index_entry *before; /* as in schema->indexes */
    struct index_entry *after;
    bool *missing; /* `before` is still to come: the index is being filled */
};

/* --- Deciding --------------------------------------------------------------------------------- */

static struct error *item_write_read_old(struct write_view *view, struct arena *a,
                                         struct item_write *w) {
    struct item_write_plan *plan = w->plan;
    TRY(write_view_get(view, a, w->key.store_key, &plan->old_stored, &w->existed));
    if (!w->existed) {
        plan->old_stored = SLICE("");
        w->old_item = (struct item){0};
        return NULL;
    }
    if (!stored_decode(a, plan->old_stored, w->table->names, &w->old_item) ||
        !stored_size(plan->old_stored, &plan->old_size))
        return error_new(a, ERR_INTERNAL, "an item of table %.*s is malformed",
                         SLICE_ARG(w->table->schema->name));
    return NULL;
}

/* AWS: an update is refused somewhat below the item's limit, by what its actions might add.
 * (measured by dynoxide; in a transaction the plain rule holds) */
static struct error *item_write_check_update_size(struct arena *a, const struct item_write *w,
                                                  size_t size) {
    size_t allowance = 0, set_and_add = 0, remove_and_delete = 0;
    if (w->update && !w->in_transaction) {
        update_count_actions(w->update, &set_and_add, &remove_and_delete);
        allowance = 3 + 19 * set_and_add + 2 * remove_and_delete;
        size_t keys = item_size(&w->key.attributes);
        allowance = allowance > keys ? allowance - keys : 0;
    }
    if (size + allowance <= LIMIT_ITEM_BYTES)
        return NULL;
    return error_new(a, ERR_VALIDATION,
                     "Item size to update has exceeded the maximum allowed size");
}

static struct error *item_write_check_put_size(struct arena *a, size_t size) {
    if (size <= LIMIT_ITEM_BYTES)
        return NULL;
    return error_new(a, ERR_VALIDATION, "Item size has exceeded the maximum allowed size");
}

/* An update can nest one value into another: SET m.x = :deep. */
static struct error *item_write_check_depth(struct arena *a, const struct item *item) {
    for (size_t i = 0; i < item->count; i++)
        if (value_depth(&item->attributes[i].value) >= LIMIT_VALUE_DEPTH)
            return error_new(a, ERR_VALIDATION,
                             "Nesting Levels have exceeded supported limits: Attributes in the "
                             "item have nested levels beyond supported limit");
    return NULL;
}

/* AWS: an update that only removes makes no item where there is none, whatever paths it names.
 * (alternator's tests, run on AWS) */
static bool item_write_makes_nothing(const struct item_write *w) {
    size_t set_and_add = 0, remove_and_delete = 0;
    if (w->existed || !w->update)
        return false;
    update_count_actions(w->update, &set_and_add, &remove_and_delete);
    return set_and_add == 0;
}

static struct error *item_write_update(struct arena *a, struct item_write *w) {
    if (item_write_makes_nothing(w)) {
        w->new_item = (struct item){0};
        return NULL;
    }
    const struct item *from = w->existed ? &w->old_item : &w->key.attributes;
    if (w->update)
        TRY(update_apply(a, w->update, from, &w->new_item));
    else
        w->new_item = *from;
    TRY(item_write_check_depth(a, &w->new_item));
    TRY(index_keys_check_update(a, w->table->schema, from, &w->new_item));
    w->plan->new_size = item_size(&w->new_item);
    return item_write_check_update_size(a, w, w->plan->new_size);
}

static struct error *item_write_new_item(struct arena *a, struct item_write *w) {
    switch (w->kind) {
    case WRITE_PUT:
        w->new_item = *w->item;
        w->plan->new_size = item_size(w->item);
        return item_write_check_put_size(a, w->plan->new_size);
    case WRITE_UPDATE:
        return item_write_update(a, w);
    case WRITE_DELETE:
    case WRITE_CHECK:
        return NULL;
    }
    return NULL;
}

/* An entry's arm of the capacity; entries of the same key and attributes are not written. */
static void item_write_charge_index(struct item_write *w, size_t i) {
    const struct index_entry *before = &w->plan->before[i], *after = &w->plan->after[i];
    bool same_key = before->present && after->present && slice_equal(before->key, after->key);
    bool same_entry = same_key && item_equal(&before->projected, &after->projected);
    w->capacity.index[i] =
        capacity_index_units(before->present ? before->size : 0, after->present ? after->size : 0,
                             same_key, same_entry, &w->capacity.index_used[i]);
}

/* Whether the old item's entry is there is known, unless the job that fills the index may not have
 * come to it. */
static struct error *item_write_find_missing(struct write_view *view, struct arena *a,
                                             struct item_write *w, size_t i) {
    struct slice stored;
    bool found;
    if (!w->table->schema->indexes[i].backfilling || !w->plan->before[i].present)
        return NULL;
    TRY(write_view_get(view, a, w->plan->before[i].key, &stored, &found));
    w->plan->missing[i] = !found;
    return NULL;
}

static struct error *item_write_plan_indexes(struct write_view *view, struct arena *a,
                                             struct item_write *w) {
    const struct table_schema *t = w->table->schema;
    struct item_write_plan *plan = w->plan;
    plan->before = arena_array(a, t->index_count, sizeof *plan->before);
    plan->after = arena_array(a, t->index_count, sizeof *plan->after);
    plan->missing = arena_array(a, t->index_count, sizeof *plan->missing);
    for (size_t i = 0; i < t->index_count; i++) {
        const struct index_schema *index = &t->indexes[i];
        plan->before[i] =
            index_entry_of(a, t, index, w->existed ? &w->old_item : NULL, w->key.store_key);
        plan->after[i] =
            index_entry_of(a, t, index, plan->new_size ? &w->new_item : NULL, w->key.store_key);
        TRY(item_write_find_missing(view, a, w, i));
        item_write_charge_index(w, i);
    }
    return NULL;
}

static void item_write_charge_table(struct item_write *w, size_t before, size_t after) {
    w->capacity.table = capacity_write_units(before, after) * (w->in_transaction ? 2 : 1);
}

/* AWS: a collection of a table with local indexes may not grow past 10 GB, only shrink. */
static struct error *item_write_plan_collection(struct write_view *view, struct arena *a,
                                                struct item_write *w) {
    const struct table_schema *t = w->table->schema;
    struct item_write_plan *plan = w->plan;
    if (!collection_is_kept(t))
        return NULL;
    plan->collection_delta = (int64_t)plan->new_size - (int64_t)plan->old_size;
    for (size_t i = 0; i < t->index_count; i++)
        if (!t->indexes[i].global)
            plan->collection_delta += (int64_t)plan->after[i].size - (int64_t)plan->before[i].size;
    TRY(collection_size(view, a, t, w->key.store_key, &w->collection_bytes));
    if (plan->collection_delta > 0 &&
        w->collection_bytes + (uint64_t)plan->collection_delta > LIMIT_ITEM_COLLECTION_BYTES)
        return error_new(a, ERR_ITEM_COLLECTION_SIZE, "Collection size exceeded.");
    return NULL;
}

/* AWS: a failed condition is charged for the item that is there, or for the put one. */
static void item_write_charge_failed(struct item_write *w) {
    size_t put = w->kind == WRITE_PUT && !w->existed ? item_size(w->item) : 0;
    item_write_charge_table(w, w->plan->old_size, put);
}

/* The write was checked against the table as it was then: its indexes may be others by now. */
static struct error *item_write_find_current(struct arena *a, struct item_write *w) {
    struct table_state *state = w->table->state;
    if (atomic_load(&state->dropped))
        return error_new(a, ERR_RESOURCE_NOT_FOUND, "Requested resource not found");
    if (w->table == state->current)
        return NULL;
    w->table = state->current;
    return w->kind == WRITE_PUT ? index_keys_check(a, w->table->schema, w->item) : NULL;
}

struct error *item_write_decide(struct write_view *view, struct arena *a, struct item_write *w) {
    TRY(item_write_find_current(a, w));
    w->plan = arena_alloc(a, sizeof *w->plan);
    w->capacity = (struct capacity){0};
    TRY(item_write_read_old(view, a, w));
    w->condition_held = !w->condition || condition_matches(w->condition, &w->old_item);
    if (!w->condition_held) {
        item_write_charge_failed(w);
        return NULL;
    }
    TRY(item_write_new_item(a, w));
    if (w->kind == WRITE_CHECK) {
        item_write_charge_table(w, w->plan->old_size, 0);
        return NULL;
    }
    item_write_charge_table(w, w->plan->old_size, w->plan->new_size);
    TRY(item_write_plan_indexes(view, a, w));
    w->plan->changes_item = w->existed || w->plan->new_size;
    return item_write_plan_collection(view, a, w);
}

/* --- Staging ---------------------------------------------------------------------------------- */

static struct slice item_write_encode(struct write_view *view, struct table *t,
                                      const struct item *item) {
    struct buf stored = buf_in(view->arena, 4 * LIMIT_ITEM_BYTES);
    write_view_name(view, t, item);
    stored_encode(&stored, item, t->names);
    return buf_slice(&stored);
}

static void item_write_stage_item(struct write_view *view, struct item_write *w,
                                  struct slice new_stored) {
    const struct item_write_plan *plan = w->plan;
    if (plan->new_size)
        write_view_put(view, w->key.store_key, new_stored);
    else
        write_view_delete(view, w->key.store_key);
    write_view_count(view, w->table, NULL, (plan->new_size ? 1 : 0) - (w->existed ? 1 : 0),
                     (int64_t)plan->new_size - (int64_t)plan->old_size);
}

/* Nobody reads an entry in the writer, but for what item_write_find_missing asks. */
static void item_write_stage_entry(struct write_view *view, const struct index_schema *index,
                                   struct slice key, struct slice value) {
    if (index->backfilling)
        write_view_put(view, key, value);
    else
        write_view_put_unseen(view, key, value);
}

static void item_write_stage_removal(struct write_view *view, const struct index_schema *index,
                                     struct slice key) {
    if (index->backfilling)
        write_view_delete(view, key);
    else
        write_view_delete_unseen(view, key);
}

static void item_write_stage_index(struct write_view *view, struct item_write *w, size_t i,
                                   struct slice new_stored) {
    const struct index_schema *index = &w->table->schema->indexes[i];
    const struct index_entry *before = &w->plan->before[i], *after = &w->plan->after[i];
    bool was_there = before->present && !w->plan->missing[i];
    if (!w->capacity.index_used[i])
        return;
    if (was_there && !(after->present && slice_equal(before->key, after->key)))
        item_write_stage_removal(view, index, before->key);
    if (after->present)
        item_write_stage_entry(view, index, after->key,
                               index->projection == PROJECTION_ALL
                                   ? new_stored
                                   : item_write_encode(view, w->table, &after->projected));
    write_view_count(view, w->table, index, (after->present ? 1 : 0) - (was_there ? 1 : 0),
                     (int64_t)(after->present ? after->size : 0) -
                         (int64_t)(was_there ? before->size : 0));
}

static void item_write_stage_change(struct write_view *view, struct item_write *w,
                                    struct slice new_stored) {
    if (w->table->schema->stream == STREAM_OFF || slice_equal(w->plan->old_stored, new_stored))
        return; /* AWS: a write that changes nothing leaves no record. */
    struct change change = {clock_wall_ms(), w->plan->old_stored, new_stored};
    change_stage(view, w->table, &change);
}

void item_write_stage(struct write_view *view, struct arena *a, struct item_write *w) {
    (void)a;
    if (!w->plan->changes_item)
        return;
    struct slice new_stored = SLICE("");
    if (w->plan->new_size)
        new_stored = item_write_encode(view, w->table, &w->new_item);
    item_write_stage_item(view, w, new_stored);
    for (size_t i = 0; i < w->table->schema->index_count; i++)
        item_write_stage_index(view, w, i, new_stored);
    if (collection_is_kept(w->table->schema))
        w->collection_bytes =
            collection_change(view, w->table->schema, w->key.store_key, w->plan->collection_delta);
    item_write_stage_change(view, w, new_stored);
}
