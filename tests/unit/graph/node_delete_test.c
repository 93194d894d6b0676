/* Deleting nodes: with shards, interrupted, with puts in between. */
#include <stdlib.h>

#include "unit.h"

#include "graph/endpoint.h"

#define GRAPH                                                                                      \
    "{'graph':'g','table':'app','nodes':{'n':{'pk':'N#{id}','sk':'PROFILE'}},'edges':{"            \
    "'S':{'from':'n','to':'n','pk':'N#{src}','sk':'T#{dst}','ipk':'T#{dst}','isk':'N#{src}'},"     \
    "'D':{'variant':'double','from':'n','to':'n','pk':'N#{src}','sk':'D#{dst}','rpk':'R#{dst}',"   \
    "'rsk':'DN#{src}'}}}"

struct fixture {
    struct endpoint endpoint;
    struct faulty_client client;
    struct graph *graph;
    struct arena *a;
};

static void open_fixture(struct fixture *f, bool transactions) {
    endpoint_open(&f->endpoint);
    endpoint_client(&f->endpoint, &f->client);
    f->client.no_transactions = !transactions;
    f->a = f->endpoint.arena;
    assert_ok(graph_init(&f->client.client, f->a, endpoint_json(f->a, GRAPH)));
    assert_ok(graph_open(&f->client.client, f->a, SLICE("app"), SLICE("g"), &f->graph));
    graph_set_wait(f->graph, 0);
}

static void close_fixture(struct fixture *f) {
    graph_close(f->graph);
    endpoint_close(&f->endpoint);
}

static void put(struct fixture *f, const char *type, const char *src, const char *dst) {
    bool created;
    struct graph_edge e = {slice_of(type), slice_of(src), slice_of(dst), NULL};
    assert_ok(graph_edge_put(f->graph, f->a, &e, GRAPH_IF_ABSENT, &created));
}

static int64_t count(struct fixture *f, const char *type, const char *id,
                     enum graph_direction direction) {
    int64_t n;
    assert_ok(graph_count(f->graph, f->a, slice_of(type), slice_of(id), direction, &n));
    return n;
}

/* `star` with edges of both types in both directions, to itself too. */
static void make_star(struct fixture *f, int n) {
    for (int i = 0; i < n; i++) {
        const char *id = arena_printf(f->a, "x%d", i).ptr;
        put(f, "S", "star", id);
        put(f, "S", id, "star");
        put(f, "D", id, "star");
        put(f, "D", "star", id);
    }
    put(f, "S", "star", "star");
    put(f, "S", "x0", "x1");
}

static void assert_star_is_gone(struct fixture *f, int n) {
    const struct json *reply, *attributes;
    bool found;
    for (int i = 0; i < n; i++) {
        const char *id = arena_printf(f->a, "x%d", i).ptr;
        assert_int_equal(count(f, "S", id, GRAPH_OUT), i == 0);
        assert_int_equal(count(f, "S", id, GRAPH_IN), i == 1);
        assert_int_equal(count(f, "D", id, GRAPH_OUT), 0);
        assert_int_equal(count(f, "D", id, GRAPH_IN), 0);
    }
    assert_ok(graph_node_get(f->graph, f->a, SLICE("n"), SLICE("star"), &attributes, &found));
    assert_false(found);
    assert_ok(client_call(f->endpoint.inner, f->a, SLICE("Scan"),
                          endpoint_json(f->a, "{'TableName':'app'}"), &reply));
    const struct json *items = json_member(reply, SLICE("Items"));
    for (const struct json *item = items->first; item; item = item->next)
        for (const struct json *m = item->first; m; m = m->next) {
            const struct json *s = json_member(m, SLICE("S"));
            if (s && slice_contains(s->text, SLICE("star")))
                assert_non_null(json_member(item, SLICE("_closed")));
        }
}

static void a_node_goes_with_its_edges(void **state) {
    (void)state;
    for (int transactions = 0; transactions < 2; transactions++)
        for (int shards = 0; shards < 2; shards++) {
            struct fixture f;
            bool deleted;
            uint64_t edges;
            open_fixture(&f, transactions);
            if (shards)
                assert_ok(graph_shard_expand(f.graph, f.a, SLICE("S"), SLICE("star"), 4));
            make_star(&f, 9);
            assert_ok(graph_node_delete(f.graph, f.a, SLICE("n"), SLICE("star"), &deleted, &edges));
            assert_true(deleted);
            assert_int_equal(edges, 37);
            assert_star_is_gone(&f, 9);
            assert_ok(graph_node_delete(f.graph, f.a, SLICE("n"), SLICE("star"), &deleted, &edges));
            assert_false(deleted);
            put(&f, "S", "x1", "star");
            assert_int_equal(count(&f, "S", "star", GRAPH_IN), 1);
            close_fixture(&f);
        }
}

/* The process dies after each call in turn; asked for again, it finishes. */
static void an_interrupted_deletion_goes_on(void **state) {
    (void)state;
    for (int transactions = 0; transactions < 2; transactions++) {
        struct fixture f;
        bool deleted = false, created;
        uint64_t edges;
        open_fixture(&f, transactions);
        assert_ok(graph_shard_expand(f.graph, f.a, SLICE("S"), SLICE("star"), 2));
        make_star(&f, 3);
        for (int life = 7; !deleted; life += 3) {
            f.client.dies_in = life;
            struct error *e =
                graph_node_delete(f.graph, f.a, SLICE("n"), SLICE("star"), &deleted, &edges);
            f.client.dies_in = 0;
            f.client.dead = false;
            if (!e)
                break;
            struct graph_edge late = {SLICE("S"), SLICE("late"), SLICE("star"), NULL};
            e = graph_edge_put(f.graph, f.a, &late, GRAPH_IF_ABSENT, &created);
            assert_int_equal(graph_error_code(e), GRAPH_DELETING);
            late = (struct graph_edge){SLICE("D"), SLICE("star"), SLICE("late"), NULL};
            e = graph_edge_put(f.graph, f.a, &late, GRAPH_IF_ABSENT, &created);
            assert_int_equal(graph_error_code(e), GRAPH_DELETING);
        }
        assert_ok(graph_fold(f.graph, f.a, &edges));
        assert_star_is_gone(&f, 3);
        close_fixture(&f);
    }
}

static void put_spokes(struct fixture *f, int n) {
    struct arena *a = arena_create();
    for (int i = 0; i < n; i++) {
        bool created;
        struct graph_edge e = {SLICE("S"), arena_printf(a, "x%d", i), SLICE("star"), NULL};
        assert_ok(graph_edge_put(f->graph, a, &e, GRAPH_IF_ABSENT, &created));
        if (i % 100 == 0)
            arena_reset(a);
    }
    arena_destroy(a);
}

/* 20,000 edges, and a crash every now and then; GRAPH_EDGES makes it more. */
static void a_hub_goes_in_several_lives(void **state) {
    (void)state;
    const char *more = getenv("GRAPH_EDGES");
    int n = more ? atoi(more) : 20000, lives = 1;
    struct fixture f;
    struct graph_fsck checked;
    bool deleted = false;
    uint64_t edges;
    open_fixture(&f, true);
    put_spokes(&f, n);
    for (;; lives++) {
        f.client.dies_in = 2 + (unsigned)n / 2;
        struct error *e =
            graph_node_delete(f.graph, f.a, SLICE("n"), SLICE("star"), &deleted, &edges);
        f.client.dies_in = 0;
        f.client.dead = false;
        if (!e)
            break;
    }
    assert_true(deleted);
    assert_true(lives > 2);
    assert_ok(graph_fsck(f.graph, f.a, false, &checked));
    assert_int_equal(checked.found, 0);
    assert_int_equal(checked.edges, 0);
    close_fixture(&f);
}

UNIT_TESTS(cmocka_unit_test(a_node_goes_with_its_edges),
           cmocka_unit_test(an_interrupted_deletion_goes_on),
           cmocka_unit_test(a_hub_goes_in_several_lives))
