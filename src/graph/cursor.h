/*
 * A cursor: where a list goes on, as text that may stand in a URL.
 *
 * base64url of: version (1), flags (bit 0: descending), a hash of the list's graph, type, node and
 * direction (u32), the key of the last row, a CRC-32 of all that.  Shards of a target share one
 * order, so the last row's key is all there is to know: a cursor has one size however many shards
 * there are and stays good when their number changes.
 */
#ifndef GRAPH_CURSOR_H
#define GRAPH_CURSOR_H

#include "graph/graph_int.h"

/* What a list's cursors are bound to. */
uint32_t cursor_binding(const struct graph *g, const struct graph_list *list);

struct slice cursor_write(struct arena *a, uint32_t binding, bool descending, struct slice key);

/* ECURSOR when the text is damaged or was made by another list. */
MUST_CHECK struct error *cursor_read(struct arena *a, struct slice text, uint32_t binding,
                                     bool descending, struct slice *key);

#endif
