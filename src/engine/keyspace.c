#include "engine/keyspace.h"

#include <openssl/evp.h>
#include <pthread.h>

#include "item/key_bytes.h"

enum { KEYSPACE_KEY_MAX = 16 * 1024 };

/* Fetched once: looking an algorithm up by name costs more than hashing a key. */
static EVP_MD *keyspace_sha256;

static void keyspace_fetch_sha256(void) {
    keyspace_sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    if (!keyspace_sha256)
        abort();
}

static void keyspace_digest_release(EVP_MD_CTX **context) {
    EVP_MD_CTX_free(*context);
}

static void keyspace_add_hash(struct buf *key, struct slice components) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, keyspace_fetch_sha256);
    CLEANUP(keyspace_digest_release) EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char digest[EVP_MAX_MD_SIZE];
    if (!context || !EVP_DigestInit_ex2(context, keyspace_sha256, NULL) ||
        !EVP_DigestUpdate(context, components.ptr, components.len) ||
        !EVP_DigestFinal_ex(context, digest, NULL))
        abort();
    buf_add(key, (struct slice){(const char *)digest, KEYSPACE_HASH_BYTES});
}

struct slice keyspace_key(struct arena *a, uint64_t space, struct slice suffix) {
    struct buf key = buf_in(a, 8 + suffix.len);
    buf_add_u64(&key, space);
    buf_add(&key, suffix);
    return buf_slice(&key);
}

struct slice keyspace_first(struct arena *a, uint64_t space) {
    return keyspace_key(a, space, SLICE(""));
}

struct slice keyspace_end(struct arena *a, uint64_t space) {
    return keyspace_key(a, space + 1, SLICE(""));
}

static struct buf keyspace_begin(struct arena *a, uint64_t space, const struct value *const *hash,
                                 size_t count) {
    struct buf components = buf_in(a, KEYSPACE_KEY_MAX);
    for (size_t i = 0; i < count; i++)
        key_bytes_add(&components, hash[i]);
    struct buf key = buf_in(a, KEYSPACE_KEY_MAX);
    buf_add_u64(&key, space);
    keyspace_add_hash(&key, buf_slice(&components));
    return key;
}

struct slice keyspace_partition(struct arena *a, uint64_t space, const struct value *const *hash,
                                size_t count) {
    struct buf key = keyspace_begin(a, space, hash, count);
    return buf_slice(&key);
}

struct slice keyspace_item(struct arena *a, const struct table_schema *t, const struct item *item) {
    const struct value *hash = item_find(item, t->key.hash[0].name);
    struct buf key = keyspace_begin(a, t->space, &hash, 1);
    if (t->key.range_count)
        key_bytes_add(&key, item_find(item, t->key.range[0].name));
    return buf_slice(&key);
}

/* The values of some key attributes; false when one is missing or of another type. */
static bool keyspace_values(const struct key_attribute *attributes, unsigned count,
                            const struct item *item, const struct value **out) {
    for (unsigned i = 0; i < count; i++) {
        out[i] = item_find(item, attributes[i].name);
        if (!out[i] || out[i]->type != attributes[i].type)
            return false;
    }
    return true;
}

bool keyspace_index_entry(struct arena *a, const struct index_schema *index,
                          const struct item *item, struct slice item_key, struct slice *out) {
    const struct value *hash[LIMIT_INDEX_KEY_ATTRIBUTES], *range[LIMIT_INDEX_KEY_ATTRIBUTES];
    if (!keyspace_values(index->key.hash, index->key.hash_count, item, hash) ||
        !keyspace_values(index->key.range, index->key.range_count, item, range))
        return false;
    struct buf key = keyspace_begin(a, index->space, hash, index->key.hash_count);
    for (unsigned i = 0; i < index->key.range_count; i++)
        key_bytes_add(&key, range[i]);
    size_t skipped = index->global ? 8 : KEYSPACE_PREFIX_BYTES;
    buf_add(&key, (struct slice){item_key.ptr + skipped, item_key.len - skipped});
    *out = buf_slice(&key);
    return true;
}
