/*
 * ReturnItemCollectionMetrics, and the ItemCollectionMetrics of a reply.
 *
 * An item collection is what shares a partition key in a table with local indexes.  Its size is
 * given as AWS does, as a range of gigabytes that it lies in.
 */
#ifndef OPS_ITEM_COLLECTION_METRICS_H
#define OPS_ITEM_COLLECTION_METRICS_H

#include "engine/item_write.h"
#include "ops/field.h"
#include "json/json_writer.h"

enum { RETURN_METRICS_SIZE = 1, RETURN_METRICS_NONE };
extern const char *const return_item_collection_metrics_choices[];

#define FIELD_RETURN_ITEM_COLLECTION_METRICS(input, member)                                        \
    FIELD("ReturnItemCollectionMetrics", CHOICE, input, member),                                   \
        .choices = return_item_collection_metrics_choices

/* Whether a write to the table reports them. */
bool item_collection_metrics_asked(const struct table *t, const struct field_choice *asked);

/* The object, for the collection of a staged write. */
void item_collection_metrics_write(struct json_writer *w, const struct item_write *write);

#endif
