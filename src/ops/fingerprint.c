/*
 * Canonical bytes: every string as length and bytes, every tree as kind, then its text or its count
 * and elements, an object's members sorted by name.
 */
#include "ops/fingerprint.h"

#include <stdlib.h>

#include <openssl/evp.h>

#include "base/limits.h"

struct fingerprint fingerprint_begin(struct arena *a) {
    /* Lengths and kinds make a body at most some times longer. */
    return (struct fingerprint){.bytes = buf_in(a, 4 * (size_t)LIMIT_BODY_BYTES)};
}

void fingerprint_add(struct fingerprint *f, struct slice s) {
    buf_add_varint(&f->bytes, s.len);
    buf_add(&f->bytes, s);
}

void fingerprint_add_int(struct fingerprint *f, uint64_t n) {
    buf_add_varint(&f->bytes, n);
}

static int member_compare(const void *a, const void *b) {
    const struct json *const *x = a, *const *y = b;
    return slice_compare((*x)->name, (*y)->name);
}

static void fingerprint_add_object(struct fingerprint *f, const struct json *object) {
    const struct json **members = arena_array(f->bytes.arena, object->count, sizeof *members);
    size_t n = 0;
    for (const struct json *m = object->first; m; m = m->next)
        members[n++] = m;
    if (n)
        qsort(members, n, sizeof *members, member_compare);
    for (size_t i = 0; i < n; i++) {
        fingerprint_add(f, members[i]->name);
        fingerprint_add_json(f, members[i]);
    }
}

void fingerprint_add_json(struct fingerprint *f, const struct json *json) {
    if (!json) {
        fingerprint_add_int(f, 0);
        return;
    }
    fingerprint_add_int(f, 1 + (uint64_t)json->kind);
    switch (json->kind) {
    case JSON_NULL:
    case JSON_FALSE:
    case JSON_TRUE:
        break;
    case JSON_NUMBER:
    case JSON_STRING:
        fingerprint_add(f, json->text);
        break;
    case JSON_ARRAY:
        fingerprint_add_int(f, json->count);
        for (const struct json *e = json->first; e; e = e->next)
            fingerprint_add_json(f, e);
        break;
    case JSON_OBJECT:
        fingerprint_add_int(f, json->count);
        fingerprint_add_object(f, json);
        break;
    }
}

void fingerprint_end(struct fingerprint *f, uint8_t out[FINGERPRINT_BYTES]) {
    struct slice bytes = buf_slice(&f->bytes);
    /* SHA-256 of OpenSSL's default provider does not fail but for want of memory. */
    if (!EVP_Digest(bytes.ptr, bytes.len, out, NULL, EVP_sha256(), NULL))
        abort();
}
