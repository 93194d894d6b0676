#include "engine/capacity.h"

enum { CAPACITY_READ_BYTES = 4096, CAPACITY_WRITE_BYTES = 1024 };

static double capacity_round_up(size_t bytes, size_t unit) {
    return (double)((bytes + unit - 1) / unit);
}

double capacity_total(const struct capacity *c) {
    double total = c->table;
    for (size_t i = 0; i < ARRAY_LEN(c->index); i++)
        total += c->index[i];
    return total;
}

void capacity_add(struct capacity *sum, const struct capacity *more) {
    sum->table += more->table;
    for (size_t i = 0; i < ARRAY_LEN(sum->index); i++) {
        sum->index[i] += more->index[i];
        sum->index_used[i] |= more->index_used[i];
    }
}

double capacity_read_units(size_t bytes, bool consistent) {
    double units = bytes ? capacity_round_up(bytes, CAPACITY_READ_BYTES) : 1;
    return consistent ? units : units / 2;
}

double capacity_write_units(size_t before, size_t after) {
    size_t larger = before > after ? before : after;
    return larger ? capacity_round_up(larger, CAPACITY_WRITE_BYTES) : 1;
}

double capacity_index_units(size_t before, size_t after, bool same_key, bool same_entry,
                            bool *used) {
    *used = (before || after) && !(before && after && same_key && same_entry);
    if (!*used)
        return 0;
    double old = before ? capacity_round_up(before, CAPACITY_WRITE_BYTES) : 0;
    double new = after ? capacity_round_up(after, CAPACITY_WRITE_BYTES) : 0;
    if (before && after && same_key)
        return old > new ? old : new;
    return old + new;
}
