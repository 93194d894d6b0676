/*
 * No two kinds of a graph's items may meet: each key must tell what it is, and a list by a head
 * must not run into others.  Kinds are gathered as pairs of templates (partition, sort) and
 * compared one with another: partitions that meet need sort keys with distinct heads.
 */
#include "graph/descriptor.h"

#include "graph/code.h"

struct kind {
    struct slice owner;
    const char *what;
    struct key_template pk, sk;
};

struct kinds {
    struct kind *items;
    size_t count;
};

static void kinds_add(struct kinds *k, struct slice owner, const char *what,
                      const struct key_template *pk, const struct key_template *sk) {
    k->items[k->count++] = (struct kind){owner, what, *pk, *sk};
}

/* The template of the partitions of a target's shards: "TARGET#{dst}#{shard}". */
static struct error *shard_template(struct arena *a, const struct key_template *pk,
                                    struct key_template *out) {
    return key_template_parse(a, arena_printf(a, "%.*s#{shard}", SLICE_ARG(pk->text)), out);
}

static struct error *kinds_compare(struct arena *a, const struct kinds *k) {
    for (size_t i = 0; i < k->count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct kind *left = &k->items[j], *right = &k->items[i];
            if (!key_templates_meet(&left->pk, &right->pk) ||
                !key_template_heads_meet(&left->sk, &right->sk))
                continue;
            return graph_error(a, GRAPH_INVALID,
                               "%s of %.*s and %s of %.*s would have the same keys: %.*s, %.*s and "
                               "%.*s, %.*s",
                               left->what, SLICE_ARG(left->owner), right->what,
                               SLICE_ARG(right->owner), SLICE_ARG(left->pk.text),
                               SLICE_ARG(left->sk.text), SLICE_ARG(right->pk.text),
                               SLICE_ARG(right->sk.text));
        }
    return NULL;
}

/* The graph's own items are under partitions that begin with `#`. */
static struct error *check_reserved(struct arena *a, const struct kinds *k) {
    for (size_t i = 0; i < k->count; i++)
        if (slice_starts_with(k->items[i].pk.text, SLICE("#")) ||
            slice_starts_with(k->items[i].sk.text, SLICE("#")))
            return graph_error(a, GRAPH_INVALID, "%s of %.*s: no key may begin with '#'",
                               k->items[i].what, SLICE_ARG(k->items[i].owner));
    return NULL;
}

static struct error *check_table(struct arena *a, const struct descriptor *d) {
    struct kinds k = {arena_array(a, d->node_count + 3 * d->edge_count, sizeof *k.items), 0};
    for (size_t i = 0; i < d->node_count; i++)
        kinds_add(&k, d->nodes[i].name, "the node", &d->nodes[i].pk, &d->nodes[i].sk);
    for (size_t i = 0; i < d->edge_count; i++) {
        const struct edge_type *t = &d->edges[i];
        kinds_add(&k, t->name, "the edge", &t->pk, &t->sk);
        if (!t->twofold)
            continue;
        struct key_template shard;
        TRY(shard_template(a, &t->ipk, &shard));
        kinds_add(&k, t->name, "the reverse item", &t->ipk, &t->isk);
        kinds_add(&k, t->name, "the reverse item's shard", &shard, &t->isk);
    }
    TRY(check_reserved(a, &k));
    return kinds_compare(a, &k);
}

static struct error *check_index(struct arena *a, const struct descriptor *d) {
    struct kinds k = {arena_array(a, 2 * d->edge_count, sizeof *k.items), 0};
    for (size_t i = 0; i < d->edge_count; i++) {
        const struct edge_type *t = &d->edges[i];
        if (t->twofold)
            continue;
        struct key_template shard;
        TRY(shard_template(a, &t->ipk, &shard));
        kinds_add(&k, t->name, "the index", &t->ipk, &t->isk);
        kinds_add(&k, t->name, "the index's shard", &shard, &t->isk);
    }
    TRY(check_reserved(a, &k));
    return kinds_compare(a, &k);
}

/* Counters of several types at one node's item need attributes of their own. */
static struct error *check_counters(struct arena *a, const struct descriptor *d) {
    for (size_t i = 0; i < d->edge_count; i++) {
        const struct edge_type *t = &d->edges[i];
        for (size_t j = 0; j <= i; j++) {
            const struct edge_type *u = &d->edges[j];
            bool same = slice_equal(t->out_count, u->in_count) ||
                        slice_equal(t->in_count, u->out_count) ||
                        (i != j && (slice_equal(t->out_count, u->out_count) ||
                                    slice_equal(t->in_count, u->in_count)));
            if (same)
                return graph_error(a, GRAPH_INVALID,
                                   "%.*s and %.*s have a counter's name in common",
                                   SLICE_ARG(t->name), SLICE_ARG(u->name));
        }
    }
    return NULL;
}

struct error *descriptor_check(struct arena *a, const struct descriptor *d) {
    TRY(check_table(a, d));
    TRY(check_index(a, d));
    return check_counters(a, d);
}
