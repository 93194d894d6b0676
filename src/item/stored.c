/*
 * The stored form of an item.  It is on disk: another form needs another version.
 *
 *   item        version (01) · size · count · attributes, sorted by name
 *   attribute   name · value
 *   name        its number in the table's dictionary; or 00 · sized name
 *   value       head · what the type needs
 *   head        1 byte: type (high 4 bits), n (low 4 bits; 15: n - 15 follows as a varint)
 *
 *   type        n                   then
 *   0 S, 2 B    length              bytes
 *   1 N         0 … 14: the number  nothing
 *               15                  the form of number_bytes.c (no varint)
 *   3 BOOL      0 or 1              nothing
 *   4 NULL      0                   nothing
 *   5 SS, 7 BS  members             each sized, sorted
 *   6 NS        members             each in the form of number_bytes.c, sorted
 *   8 L         elements            values
 *   9 M         attributes          each: sized name · value, sorted by name
 *
 * Size, count and numbers of names are varints; "sized" is a varint length, then the bytes.  Size
 * is DynamoDB's size of the item (item_size).
 *
 * Attributes are sorted by the bytes of their names also where these are written as numbers.  Keys
 * of nested maps are always written in full: they are often data (ids of users), would fill the
 * dictionary, and would then have two forms.
 *
 *   {"PK": "ab", "n": 7, "x": 150}, where PK is 1 and n is 2:
 *   01 · 0B · 03 · 01 02 'a' 'b' · 02 17 · 00 01 'x' 1F C2 03 64
 */
#include "item/stored.h"

#include "item/stored_int.h"

_Static_assert(VALUE_S == 0 && VALUE_N == 1 && VALUE_B == 2 && VALUE_BOOL == 3 && VALUE_NULL == 4 &&
                   VALUE_SS == 5 && VALUE_NS == 6 && VALUE_BS == 7 && VALUE_L == 8 && VALUE_M == 9,
               "types are on disk");

/* Nearly all are of one byte. */
static bool stored_read_varint(struct reader *r, size_t *out) {
    if (r->at < r->end && (uint8_t)*r->at < 0x80) {
        *out = (uint8_t)*r->at++;
        return true;
    }
    uint64_t n;
    if (!reader_varint(r, &n) || n > UINT32_MAX)
        return false;
    *out = (size_t)n;
    return true;
}

bool stored_read_start(struct reader *r, size_t *size, size_t *count) {
    uint8_t version;
    return reader_u8(r, &version) && version == STORED_VERSION && stored_read_varint(r, size) &&
           stored_read_varint(r, count);
}

bool stored_read_head(struct reader *r, enum value_type *type, size_t *n) {
    uint8_t head;
    if (!reader_u8(r, &head) || head >> 4 >= VALUE_TYPES)
        return false;
    *type = (enum value_type)(head >> 4);
    *n = head & 15;
    if (*n < STORED_SMALL || *type == VALUE_N)
        return true;
    size_t more;
    if (!stored_read_varint(r, &more))
        return false;
    *n += more;
    return true;
}

bool stored_number_is_small(const struct number *n, unsigned *small) {
    if (n->negative || n->exponent < n->count || n->exponent > 2)
        return false;
    *small = n->exponent == 2 ? n->digits[0] * 10u + n->digits[1] : n->digits[0];
    return *small < STORED_SMALL;
}

bool stored_read_number(struct reader *r, size_t n, struct number *out) {
    if (n < STORED_SMALL) {
        *out = number_of_int((int64_t)n);
        return true;
    }
    struct number number;
    unsigned small;
    size_t len = number_decode((struct slice){r->at, reader_left(r)}, &number);
    if (len == 0 || stored_number_is_small(&number, &small))
        return false;
    r->at += len;
    *out = number;
    return true;
}

bool stored_read_name(struct reader *r, const struct names *names, struct slice *out) {
    size_t id;
    if (!stored_read_varint(r, &id))
        return false;
    if (id == 0)
        return reader_sized(r, out);
    return names && names_get(names, (uint32_t)id, out);
}

bool stored_size(struct slice bytes, size_t *out) {
    struct reader r = reader_of(bytes);
    size_t size, count;
    if (!stored_read_start(&r, &size, &count))
        return false;
    *out = size;
    return true;
}
