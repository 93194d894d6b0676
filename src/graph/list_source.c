#include "graph/list_source.h"

struct list_query list_query_of(const struct graph *g, const struct edge_type *t,
                                const struct graph_list *list) {
    bool out = list->direction == GRAPH_OUT, indexed = !out && !t->twofold;
    return (struct list_query){.type = t,
                               .direction = list->direction,
                               .indexed = indexed,
                               .descending = list->descending,
                               .attributes = list->attributes,
                               .sort = out ? &t->sk : &t->isk,
                               .partition_name = indexed ? g->d.ipk : g->d.pk,
                               .sort_name = indexed ? g->d.isk : g->d.sk};
}

/* The first text after all that begin with `head`, which is printable ASCII. */
static struct slice head_end(struct arena *a, struct slice head) {
    struct slice end = arena_copy(a, head);
    char *last = arena_string(a, end);
    last[head.len - 1]++;
    return (struct slice){last, head.len};
}

/* The range: from the head or the last key, to the head's end; the other way when descending.  The
 * last key itself is read again and passed over: no key need be made that might be too long. */
static void request_range(struct request *r, struct arena *a, const struct list_query *q,
                          const struct list_source *s) {
    struct slice head = key_template_head(q->sort), low = head, high = head;
    if (head.len > 0)
        high = head_end(a, head);
    if (s->after.len > 0)
        *(q->descending ? &high : &low) = s->after;
    const char *condition = low.len && high.len ? "#p = :p AND #s BETWEEN :low AND :high"
                            : low.len           ? "#p = :p AND #s >= :low"
                            : high.len          ? "#p = :p AND #s <= :high"
                                                : "#p = :p";
    request_text(r, "KeyConditionExpression", condition);
    request_name(r, "#p", q->partition_name);
    request_s(r, ":p", s->partition);
    if (low.len || high.len)
        request_name(r, "#s", q->sort_name);
    if (low.len)
        request_s(r, ":low", low);
    if (high.len)
        request_s(r, ":high", high);
}

static const struct json *source_request(struct graph *g, struct arena *a,
                                         const struct list_query *q, const struct list_source *s,
                                         size_t limit) {
    struct request r;
    request_begin(&r, g, a);
    request_range(&r, a, q, s);
    if (q->indexed)
        json_member_string(&r.w, "IndexName", g->d.index);
    else
        json_member_bool(&r.w, "ConsistentRead", true);
    json_member_bool(&r.w, "ScanIndexForward", !q->descending);
    json_member_int(&r.w, "Limit", (int64_t)limit);
    /* Edges that are marked have left the index already. */
    if (q->direction == GRAPH_OUT) {
        request_text(&r, "FilterExpression", "attribute_not_exists(#x)");
        request_name(&r, "#x", SLICE("_x"));
    }
    if (!q->attributes || q->direction == GRAPH_IN) {
        request_text(&r, "ProjectionExpression", "#pk, #sk, #k");
        request_name(&r, "#pk", g->d.pk);
        request_name(&r, "#sk", g->d.sk);
        request_name(&r, "#k", q->indexed ? g->d.isk : SLICE("et"));
    }
    return request_end(&r);
}

/* The id at the other end; false when the item is none of the type's. */
static bool row_read(struct arena *a, const struct list_query *q, const struct json *item,
                     struct list_row *row) {
    struct key_binding ids[KEY_TEMPLATE_PARTS];
    row->item = item;
    row->key = item_text(item, q->sort_name);
    if (!key_template_match(a, q->sort, row->key, ids))
        return false;
    row->other = ids[key_template_variables(q->sort) - 1].id;
    return true;
}

static void source_take(struct arena *a, const struct list_query *q, struct list_source *s,
                        const struct json *reply) {
    const struct json *items = json_member(reply, SLICE("Items"));
    struct list_row *rows =
        arena_array(a, s->count - s->at + (items ? items->count : 0), sizeof *rows);
    size_t count = 0;
    for (size_t i = s->at; i < s->count; i++)
        rows[count++] = s->rows[i];
    struct slice after = s->after;
    for (const struct json *item = items ? items->first : NULL; item; item = item->next) {
        struct slice key = item_text(item, q->sort_name);
        bool passed = after.len > 0 && (q->descending ? slice_compare(key, after) >= 0
                                                      : slice_compare(key, after) <= 0);
        s->after = key;
        if (!passed && row_read(a, q, item, &rows[count]))
            count++;
    }
    s->rows = rows;
    s->count = count;
    s->at = 0;
    const struct json *last = json_member(reply, SLICE("LastEvaluatedKey"));
    s->done = last == NULL;
    if (last)
        s->after = item_text(last, q->sort_name);
}

struct error *list_source_fill(struct graph *g, struct arena *a, const struct list_query *q,
                               struct list_source *s, size_t want) {
    while (!s->done && s->count - s->at < want) {
        const struct json *reply;
        /* One more than wanted for the row that was passed; two at least, to get on. */
        size_t limit = want - (s->count - s->at) + 1;
        TRY(graph_call(g, a, "Query", source_request(g, a, q, s, limit), &reply));
        source_take(a, q, s, reply);
    }
    return NULL;
}
