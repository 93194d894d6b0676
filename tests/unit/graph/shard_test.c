/* Shards: lists and counts through expand, rebalance and shrink, with writers in between. */
#include <stdlib.h>
#include <ucontext.h>

#include "unit.h"

#include "graph/endpoint.h"

#define GRAPH                                                                                      \
    "{'graph':'g','table':'app','nodes':{'n':{'pk':'N#{id}','sk':'PROFILE'}},'edges':{"            \
    "'S':{'from':'n','to':'n','pk':'N#{src}','sk':'T#{dst}','ipk':'T#{dst}','isk':'N#{src}'},"     \
    "'D':{'variant':'double','from':'n','to':'n','pk':'N#{src}','sk':'D#{dst}','rpk':'R#{dst}',"   \
    "'rsk':'DN#{src}'}}}"

enum { EDGES = 40 };

struct fixture {
    struct endpoint endpoint;
    struct faulty_client client;
    struct graph *graph;
    struct arena *a;
};

static int setup(void **state) {
    static struct fixture f;
    endpoint_open(&f.endpoint);
    endpoint_client(&f.endpoint, &f.client);
    f.a = f.endpoint.arena;
    assert_ok(graph_init(&f.client.client, f.a, endpoint_json(f.a, GRAPH)));
    assert_ok(graph_open(&f.client.client, f.a, SLICE("app"), SLICE("g"), &f.graph));
    graph_set_wait(f.graph, 0);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    graph_close(f->graph);
    endpoint_close(&f->endpoint);
    return 0;
}

static struct slice source_id(struct arena *a, int i) {
    return arena_printf(a, "s%02d", i);
}

static void put(struct fixture *f, const char *type, int i) {
    bool created;
    struct graph_edge e = {slice_of(type), source_id(f->a, i), SLICE("star"), NULL};
    assert_ok(graph_edge_put(f->graph, f->a, &e, GRAPH_IF_ABSENT, &created));
}

static void del(struct fixture *f, const char *type, int i) {
    bool deleted;
    struct graph_edge e = {slice_of(type), source_id(f->a, i), SLICE("star"), NULL};
    assert_ok(graph_edge_delete(f->graph, f->a, &e, &deleted));
    assert_true(deleted);
}

/* The list, in pages of 7, is exactly the edges of `from` to `to`, and so is the count. */
static void assert_star(struct fixture *f, const char *type, int from, int to) {
    struct graph_list list = {
        .type = slice_of(type), .id = SLICE("star"), .direction = GRAPH_IN, .limit = 7};
    struct graph_page page;
    int64_t count;
    int next = from;
    do {
        assert_ok(graph_list(f->graph, f->a, &list, &page));
        for (size_t i = 0; i < page.count; i++) {
            struct slice wanted = source_id(f->a, next++);
            assert_true(slice_equal(page.edges[i].src, wanted));
        }
        list.cursor = page.cursor;
    } while (page.cursor.len > 0);
    assert_int_equal(next, to);
    assert_ok(graph_count(f->graph, f->a, slice_of(type), SLICE("star"), GRAPH_IN, &count));
    assert_int_equal(count, to - from);
}

static void lists_and_counts_survive_every_change(void **state) {
    struct fixture *f = *state;
    const char *types[] = {"S", "D"};
    uint64_t moved;
    struct graph_shards shards;
    for (size_t t = 0; t < 2; t++) {
        struct slice type = slice_of(types[t]);
        for (int i = 0; i < 10; i++)
            put(f, types[t], i);
        assert_ok(graph_shard_expand(f->graph, f->a, type, SLICE("star"), 4));
        assert_star(f, types[t], 0, 10);
        for (int i = 10; i < EDGES; i++)
            put(f, types[t], i);
        assert_star(f, types[t], 0, EDGES);
        assert_ok(graph_shard_rebalance(f->graph, f->a, type, SLICE("star"), &moved));
        assert_int_equal(moved, 10);
        assert_star(f, types[t], 0, EDGES);
        assert_ok(graph_shard_expand(f->graph, f->a, type, SLICE("star"), 8));
        assert_ok(graph_shard_rebalance(f->graph, f->a, type, SLICE("star"), &moved));
        assert_true(moved > 5);
        assert_star(f, types[t], 0, EDGES);
        for (int i = 0; i < 6; i++)
            del(f, types[t], i);
        assert_star(f, types[t], 6, EDGES);
        assert_ok(graph_shard_shrink(f->graph, f->a, type, SLICE("star"), 2, &moved));
        assert_star(f, types[t], 6, EDGES);
        assert_ok(graph_shard_status(f->graph, f->a, type, SLICE("star"), &shards));
        assert_int_equal(shards.read, 2);
        assert_int_equal(shards.write, 2);
        assert_ok(graph_shard_shrink(f->graph, f->a, type, SLICE("star"), 0, &moved));
        assert_int_equal(moved, EDGES - 6);
        assert_star(f, types[t], 6, EDGES);
        for (int i = 5; i >= 0; i--)
            put(f, types[t], i);
        assert_star(f, types[t], 0, EDGES);
        assert_ok(graph_shard_expand(f->graph, f->a, type, SLICE("star"), 16));
        for (int i = 0; i < 3; i++)
            del(f, types[t], i);
        assert_star(f, types[t], 3, EDGES);
    }
}

static void a_cursor_goes_on_through_a_change(void **state) {
    struct fixture *f = *state;
    uint64_t moved;
    struct graph_list list = {
        .type = SLICE("S"), .id = SLICE("star"), .direction = GRAPH_IN, .limit = 15};
    struct graph_page page;
    for (int i = 0; i < EDGES; i++)
        put(f, "S", i);
    assert_ok(graph_list(f->graph, f->a, &list, &page));
    assert_int_equal(page.count, 15);
    assert_ok(graph_shard_expand(f->graph, f->a, SLICE("S"), SLICE("star"), 4));
    assert_ok(graph_shard_rebalance(f->graph, f->a, SLICE("S"), SLICE("star"), &moved));
    list.cursor = page.cursor;
    list.limit = 100;
    assert_ok(graph_list(f->graph, f->a, &list, &page));
    assert_int_equal(page.count, EDGES - 15);
    assert_slice(page.edges[0].src, "s15");
}

static void what_cannot_be_is_refused(void **state) {
    struct fixture *f = *state;
    struct slice s = SLICE("S"), star = SLICE("star");
    assert_int_equal(graph_error_code(graph_shard_expand(f->graph, f->a, s, star, 3)),
                     GRAPH_INVALID);
    assert_int_equal(graph_error_code(graph_shard_expand(f->graph, f->a, s, star, 128)),
                     GRAPH_INVALID);
    assert_ok(graph_shard_expand(f->graph, f->a, s, star, 4));
    assert_ok(graph_shard_expand(f->graph, f->a, s, star, 4));
    assert_int_equal(graph_error_code(graph_shard_expand(f->graph, f->a, s, star, 2)),
                     GRAPH_INVALID);
}

/* --- Interleaved ------------------------------------------------------------------------------ */

/*
 * Writers with maps that may be old, readers of pages, and a chain of changes, in random order.  An
 * edge that is there all the time must be in every scan, once.
 */
enum { ACTORS = 7, STACK = 512 * 1024, STABLE = 8, CHANGING = 6 };

enum role { ROLE_WRITE, ROLE_READ, ROLE_CHANGE };

struct actor {
    ucontext_t context;
    char *stack;
    struct faulty_client client;
    struct graph *graph;
    struct arena *arena;
    enum role role;
    uint64_t random;
    bool done;
    unsigned missed, doubled, failed;
};

static ucontext_t scheduler;
static struct actor *running;
static const char *running_type;
static bool running_moves;

static void hand_over(void *of) {
    struct actor *actor = of;
    if (running == actor)
        swapcontext(&actor->context, &scheduler);
}

static void actor_write(struct actor *x) {
    for (int i = 0; i < 5; i++) {
        struct slice id =
            arena_printf(x->arena, "x%d", (int)(endpoint_random(&x->random) % CHANGING));
        struct graph_edge e = {slice_of(running_type), id, SLICE("star"), NULL};
        bool answer;
        struct error *error = endpoint_random(&x->random) % 2
                                  ? graph_edge_put(x->graph, x->arena, &e, GRAPH_IF_ABSENT, &answer)
                                  : graph_edge_delete(x->graph, x->arena, &e, &answer);
        x->failed += error != NULL;
    }
}

static void actor_read(struct actor *x) {
    struct graph_list list = {
        .type = slice_of(running_type), .id = SLICE("star"), .direction = GRAPH_IN, .limit = 3};
    struct graph_page page;
    unsigned seen[100] = {0};
    do {
        struct error *error = graph_list(x->graph, x->arena, &list, &page);
        x->failed += error != NULL;
        if (error)
            return;
        for (size_t i = 0; i < page.count; i++)
            if (page.edges[i].src.ptr[0] == 's')
                seen[atoi(arena_string(x->arena, page.edges[i].src) + 1)]++;
        list.cursor = page.cursor;
    } while (page.cursor.len > 0);
    for (int i = 0; i < STABLE; i++) {
        x->missed += seen[i] == 0;
        x->doubled += seen[i] > 1;
    }
}

static void actor_change(struct actor *x) {
    uint64_t moved;
    struct slice type = slice_of(running_type), star = SLICE("star");
    struct error *e = graph_shard_expand(x->graph, x->arena, type, star, 2);
    if (!e && running_moves)
        e = graph_shard_rebalance(x->graph, x->arena, type, star, &moved);
    if (!e)
        e = graph_shard_expand(x->graph, x->arena, type, star, 4);
    if (!e && running_moves)
        e = graph_shard_rebalance(x->graph, x->arena, type, star, &moved);
    if (!e && running_moves)
        e = graph_shard_shrink(x->graph, x->arena, type, star, 1, &moved);
    x->failed += e != NULL;
    if (e)
        printf("%.*s\n", SLICE_ARG(e->message));
}

static void actor_run(void) {
    struct actor *x = running;
    if (x->role == ROLE_WRITE)
        actor_write(x);
    else if (x->role == ROLE_READ)
        actor_read(x);
    else
        actor_change(x);
    x->done = true;
    swapcontext(&x->context, &scheduler);
}

static void actor_start(struct fixture *f, struct actor *x, size_t i) {
    x->role = i == 0 ? ROLE_CHANGE : i < 4 ? ROLE_READ : ROLE_WRITE;
    x->arena = arena_create();
    x->done = false;
    x->stack = malloc(STACK);
    endpoint_client(&f->endpoint, &x->client);
    assert_ok(graph_open(&x->client.client, x->arena, SLICE("app"), SLICE("g"), &x->graph));
    graph_set_wait(x->graph, 0);
    graph_set_patience(x->graph, 60000);
    x->client.yield = hand_over;
    x->client.yield_of = x;
    x->client.random = x->random;
    x->client.lost_reply = x->role == ROLE_READ ? 0 : 10;
    x->client.conflicts = 30;
    getcontext(&x->context);
    x->context.uc_stack.ss_sp = x->stack;
    x->context.uc_stack.ss_size = STACK;
    makecontext(&x->context, actor_run, 0);
}

static void run_together(struct fixture *f, uint64_t seed) {
    struct actor actors[ACTORS] = {0};
    for (size_t i = 0; i < ACTORS; i++) {
        actors[i].random = seed * 100 + i;
        actor_start(f, &actors[i], i);
    }
    for (size_t left = ACTORS; left > 0;) {
        struct actor *x = &actors[endpoint_random(&seed) % ACTORS];
        if (x->done)
            continue;
        running = x;
        swapcontext(&scheduler, &x->context);
        running = NULL;
        left -= x->done;
    }
    for (size_t i = 0; i < ACTORS; i++) {
        assert_int_equal(actors[i].missed, 0);
        assert_int_equal(actors[i].doubled, 0);
        assert_int_equal(actors[i].failed, 0);
        graph_close(actors[i].graph);
        arena_destroy(actors[i].arena);
        free(actors[i].stack);
    }
}

static void assert_counted(struct fixture *f) {
    struct graph_list list = {
        .type = slice_of(running_type), .id = SLICE("star"), .direction = GRAPH_IN, .limit = 100};
    struct graph_page page;
    int64_t count;
    assert_ok(graph_list(f->graph, f->a, &list, &page));
    assert_ok(graph_count(f->graph, f->a, slice_of(running_type), SLICE("star"), GRAPH_IN, &count));
    assert_int_equal(count, page.count);
}

static void no_edge_is_missed_or_doubled(void **state) {
    struct fixture *f = *state;
    const char *more = getenv("GRAPH_RUNS");
    uint64_t runs = more ? strtoull(more, NULL, 10) : 12, moved;
    for (uint64_t seed = 1; seed <= runs; seed++) {
        running_type = seed % 2 ? "S" : "D";
        running_moves = seed % 3 != 0;
        for (int i = 0; i < STABLE; i++)
            put(f, running_type, i);
        run_together(f, seed);
        assert_counted(f);
        assert_ok(
            graph_shard_shrink(f->graph, f->a, slice_of(running_type), SLICE("star"), 0, &moved));
        assert_counted(f);
    }
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
UNIT_TESTS(TEST(lists_and_counts_survive_every_change), TEST(a_cursor_goes_on_through_a_change),
           TEST(what_cannot_be_is_refused), TEST(no_edge_is_missed_or_doubled))
