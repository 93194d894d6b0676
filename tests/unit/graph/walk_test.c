/* Walks and paths against a plain search in memory, on random graphs; budgets; common neighbours.
 */
#include "unit.h"

#include "graph/endpoint.h"

#define GRAPH                                                                                      \
    "{'graph':'g','table':'app','nodes':{'n':{'pk':'N#{id}','sk':'PROFILE'}},'edges':{"            \
    "'S':{'from':'n','to':'n','pk':'N#{src}','sk':'T#{dst}','ipk':'T#{dst}','isk':'N#{src}'}}}"

enum { NODES = 14, FAR = 99 };

struct fixture {
    struct endpoint endpoint;
    struct faulty_client client;
    struct graph *graph;
    struct arena *a;
    bool edge[NODES][NODES];
};

static int setup(void **state) {
    static struct fixture f;
    f = (struct fixture){0};
    endpoint_open(&f.endpoint);
    endpoint_client(&f.endpoint, &f.client);
    f.a = f.endpoint.arena;
    assert_ok(graph_init(&f.client.client, f.a, endpoint_json(f.a, GRAPH)));
    assert_ok(graph_open(&f.client.client, f.a, SLICE("app"), SLICE("g"), &f.graph));
    uint64_t random = 7;
    for (int i = 0; i < 28; i++)
        f.edge[endpoint_random(&random) % NODES][endpoint_random(&random) % NODES] = true;
    for (int s = 0; s < NODES; s++)
        for (int d = 0; d < NODES; d++) {
            bool created;
            struct graph_edge e = {SLICE("S"), arena_printf(f.a, "%c", 'a' + s),
                                   arena_printf(f.a, "%c", 'a' + d), NULL};
            if (f.edge[s][d])
                assert_ok(graph_edge_put(f.graph, f.a, &e, GRAPH_IF_ABSENT, &created));
        }
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    graph_close(f->graph);
    endpoint_close(&f->endpoint);
    return 0;
}

/* Steps from `start` to each node along (or against) the edges. */
static void distances(const struct fixture *f, int start, bool against, int out[NODES]) {
    for (int i = 0; i < NODES; i++)
        out[i] = i == start ? 0 : FAR;
    for (int round = 0; round < NODES; round++)
        for (int s = 0; s < NODES; s++)
            for (int d = 0; d < NODES; d++) {
                bool edge = against ? f->edge[d][s] : f->edge[s][d];
                if (edge && out[s] + 1 < out[d])
                    out[d] = out[s] + 1;
            }
}

static struct slice node_id(struct arena *a, int i) {
    return arena_printf(a, "%c", 'a' + i);
}

static void walks_reach_what_can_be_reached(void **state) {
    struct fixture *f = *state;
    for (int start = 0; start < NODES; start++)
        for (uint32_t depth = 1; depth < 5; depth++)
            for (int against = 0; against < 2; against++) {
                struct graph_walk_budget budget = {.depth = depth};
                struct graph_walk walk;
                int distance[NODES], seen = 0;
                distances(f, start, against, distance);
                assert_ok(graph_walk(f->graph, f->a, SLICE("S"), node_id(f->a, start),
                                     against ? GRAPH_IN : GRAPH_OUT, &budget, &walk));
                assert_null(walk.truncated);
                for (size_t i = 0; i < walk.count; i++)
                    assert_int_equal(walk.nodes[i].depth, distance[walk.nodes[i].id.ptr[0] - 'a']);
                for (int i = 0; i < NODES; i++)
                    seen += i != start && distance[i] <= (int)depth;
                assert_int_equal(walk.count, seen);
            }
}

static void paths_are_shortest(void **state) {
    struct fixture *f = *state;
    for (int from = 0; from < NODES; from++) {
        int distance[NODES];
        distances(f, from, false, distance);
        for (int to = 0; to < NODES; to++)
            for (uint32_t depth = 1; depth < 8; depth += 3) {
                struct graph_walk_budget budget = {.depth = depth};
                struct graph_path path;
                assert_ok(graph_path(f->graph, f->a, SLICE("S"), node_id(f->a, from),
                                     node_id(f->a, to), &budget, &path));
                bool there = distance[to] <= (int)depth;
                assert_int_equal(path.count, there ? (size_t)distance[to] + 1 : 0);
                for (size_t i = 1; i < path.count; i++)
                    assert_true(f->edge[path.ids[i - 1].ptr[0] - 'a'][path.ids[i].ptr[0] - 'a']);
                if (there) {
                    assert_int_equal(path.ids[0].ptr[0], 'a' + from);
                    assert_int_equal(path.ids[path.count - 1].ptr[0], 'a' + to);
                }
            }
    }
}

static void budgets_end_walks_and_say_so(void **state) {
    struct fixture *f = *state;
    bool created;
    struct graph_walk walk;
    struct graph_path path;
    for (int i = 0; i < 30; i++) {
        struct graph_edge e = {SLICE("S"), SLICE("hub"), arena_printf(f->a, "x%02d", i), NULL};
        assert_ok(graph_edge_put(f->graph, f->a, &e, GRAPH_IF_ABSENT, &created));
    }
    struct graph_walk_budget nodes = {.depth = 2, .nodes = 11}, edges = {.depth = 2, .edges = 8};
    assert_ok(graph_walk(f->graph, f->a, SLICE("S"), SLICE("hub"), GRAPH_OUT, &nodes, &walk));
    assert_int_equal(walk.count, 10);
    assert_string_equal(walk.truncated, "max-nodes");
    assert_ok(graph_walk(f->graph, f->a, SLICE("S"), SLICE("hub"), GRAPH_OUT, &edges, &walk));
    assert_int_equal(walk.edges_examined, 8);
    assert_string_equal(walk.truncated, "max-edges");
    edges.edges = 30;
    assert_ok(graph_path(f->graph, f->a, SLICE("S"), SLICE("hub"), SLICE("x29"), &edges, &path));
    assert_int_equal(path.count, 2);
}

static void common_neighbours(void **state) {
    struct fixture *f = *state;
    const char *edges[][2] = {{"p", "1"},  {"p", "a#"}, {"p", "a%"}, {"p", "a$"}, {"p", "z"},
                              {"q", "a%"}, {"q", "a#"}, {"q", "b"},  {"q", "z"},  {"q", "a!"}};
    struct slice *ids;
    size_t count;
    bool created;
    for (size_t i = 0; i < ARRAY_LEN(edges); i++) {
        struct graph_edge e = {SLICE("S"), slice_of(edges[i][0]), slice_of(edges[i][1]), NULL};
        assert_ok(graph_edge_put(f->graph, f->a, &e, GRAPH_IF_ABSENT, &created));
    }
    assert_ok(graph_common(f->graph, f->a, SLICE("S"), SLICE("p"), SLICE("q"), GRAPH_OUT, 9, &ids,
                           &count));
    assert_int_equal(count, 3);
    assert_slice(ids[0], "a#");
    assert_slice(ids[1], "a%");
    assert_slice(ids[2], "z");
    assert_ok(graph_common(f->graph, f->a, SLICE("S"), SLICE("z"), SLICE("a#"), GRAPH_IN, 1, &ids,
                           &count));
    assert_int_equal(count, 1);
    assert_slice(ids[0], "p");
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
UNIT_TESTS(TEST(walks_reach_what_can_be_reached), TEST(paths_are_shortest),
           TEST(budgets_end_walks_and_say_so), TEST(common_neighbours))
