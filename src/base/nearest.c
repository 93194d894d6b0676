#include "base/nearest.h"

#include <ctype.h>

enum { NEAREST_BYTES = 64 };

static size_t nearest_min(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Letters to change, add, drop or swap with their neighbour (optimal string alignment). */
static size_t nearest_distance(struct slice a, struct slice b) {
    size_t rows[3][NEAREST_BYTES + 1];
    for (size_t j = 0; j <= b.len; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            int x = tolower((unsigned char)a.ptr[i - 1]), y = tolower((unsigned char)b.ptr[j - 1]);
            row[j] = nearest_min(above[j - 1] + (x != y), nearest_min(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && x == tolower((unsigned char)b.ptr[j - 2]) &&
                y == tolower((unsigned char)a.ptr[i - 2]))
                row[j] = nearest_min(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[a.len % 3][b.len];
}

void nearest_offer(struct nearest *n, const char *name) {
    struct slice other = slice_of(name);
    if (n->word.len > NEAREST_BYTES || other.len > NEAREST_BYTES)
        return;
    size_t distance = nearest_distance(n->word, other);
    size_t bound = 1 + other.len / 4; /* one slip in a short name, more in a long one */
    if (distance > bound || (n->name && distance >= n->distance))
        return;
    n->name = name;
    n->distance = distance;
}
