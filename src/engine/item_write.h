/*
 * What PutItem, UpdateItem, DeleteItem and ConditionCheck do to one item.
 *
 * A write is decided (old item read, condition evaluated, new item computed and checked, capacity
 * counted) and then staged (item, index entries, change record, counts).  Deciding is a pure
 * function of the view and may be repeated.  A transaction decides all its writes and stages all or
 * none.
 */
#ifndef ENGINE_ITEM_WRITE_H
#define ENGINE_ITEM_WRITE_H

#include "engine/capacity.h"
#include "engine/primary_key.h"
#include "engine/table.h"
#include "engine/writer.h"
#include "expr/expr.h"

enum item_write_kind { WRITE_PUT, WRITE_UPDATE, WRITE_DELETE, WRITE_CHECK };

struct item_write {
    /* What is asked. */
    enum item_write_kind kind;
    struct table *table; /* decide brings it up to the newest version */
    struct primary_key key;
    const struct item *item;           /* WRITE_PUT: the whole item, keys checked */
    const struct condition *condition; /* or NULL */
    const struct update *update;       /* WRITE_UPDATE; NULL: make the item if it is not there */
    bool in_transaction;               /* AWS: the plain size rule and doubled table units */

    /* What was decided. */
    bool condition_held;
    bool existed;
    struct item old_item;      /* when existed; lives in the arena */
    struct item new_item;      /* put and update */
    struct capacity capacity;  /* also of a write whose condition failed */
    uint64_t collection_bytes; /* staged: of the item collection, for tables with local indexes */
    struct item_write_plan *plan; /* what staging needs */
};

/* ERR_RESOURCE_NOT_FOUND when the table was dropped meanwhile; ERR_VALIDATION of update and size
 * ("Item size has exceeded the maximum allowed size", "Item size to update has exceeded the maximum
 * allowed size").  A condition that does not hold is an answer: condition_held. */
MUST_CHECK struct error *item_write_decide(struct write_view *view, struct arena *a,
                                           struct item_write *w);

/* After decide, when the condition held. */
void item_write_stage(struct write_view *view, struct arena *a, struct item_write *w);

#endif
