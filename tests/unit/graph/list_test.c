/* Lists in both directions, their order, pages and cursors. */
#include <time.h>

#include "unit.h"

#include "graph/endpoint.h"

#define GRAPH                                                                                      \
    "{'graph':'g','table':'app','nodes':{'n':{'pk':'N#{id}','sk':'PROFILE'}},'edges':{"            \
    "'S':{'from':'n','to':'n','pk':'N#{src}','sk':'T#{dst}','ipk':'T#{dst}','isk':'N#{src}'},"     \
    "'TIMED':{'order':'time','from':'n','to':'n','pk':'N#{src}','sk':'TT#{dst}',"                  \
    "'ipk':'TT#{dst}','isk':'{ts}#N#{src}'},"                                                      \
    "'D':{'variant':'double','from':'n','to':'n','pk':'N#{src}','sk':'D#{dst}','rpk':'R#{dst}',"   \
    "'rsk':'DN#{src}'}}}"

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
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    graph_close(f->graph);
    endpoint_close(&f->endpoint);
    return 0;
}

static void put(struct fixture *f, const char *type, const char *src, const char *dst) {
    bool created;
    struct graph_edge e = {slice_of(type), slice_of(src), slice_of(dst),
                           endpoint_json(f->a, "{'k':{'N':'1'}}")};
    assert_ok(graph_edge_put(f->graph, f->a, &e, GRAPH_IF_ABSENT, &created));
}

/* The other ends of the whole list, read in pages of `limit`, as "a b c". */
static struct slice all(struct fixture *f, struct graph_list list) {
    struct buf out = buf_in(f->a, 4096);
    struct graph_page page;
    do {
        assert_ok(graph_list(f->graph, f->a, &list, &page));
        assert_true(page.count <= list.limit);
        for (size_t i = 0; i < page.count; i++) {
            struct slice id = list.direction == GRAPH_OUT ? page.edges[i].dst : page.edges[i].src;
            buf_printf(&out, "%s%.*s", out.len ? " " : "", SLICE_ARG(id));
            assert_int_equal(page.edges[i].attributes != NULL, list.attributes);
        }
        list.cursor = page.cursor;
    } while (page.cursor.len > 0);
    return buf_slice(&out);
}

static struct graph_list list_of(const char *type, const char *id, enum graph_direction direction,
                                 uint32_t limit) {
    return (struct graph_list){
        .type = slice_of(type), .id = slice_of(id), .direction = direction, .limit = limit};
}

static void lists_both_ways_in_order(void **state) {
    struct fixture *f = *state;
    const char *types[] = {"S", "D"};
    for (size_t t = 0; t < 2; t++) {
        const char *ids[] = {"d", "b", "e#1", "a", "c"};
        for (size_t i = 0; i < 5; i++) {
            put(f, types[t], "x", ids[i]);
            put(f, types[t], ids[i], "x");
        }
        put(f, types[t], "y", "a");
        for (uint32_t limit = 1; limit < 7; limit++)
            for (unsigned cut = 0; cut < 3; cut++)
                for (int attributes = 0; attributes < 2; attributes++) {
                    struct graph_list out = list_of(types[t], "x", GRAPH_OUT, limit);
                    struct graph_list in = list_of(types[t], "x", GRAPH_IN, limit);
                    out.attributes = in.attributes = attributes;
                    f->client.page_cut = cut == 0 ? 0 : cut + 1;
                    assert_slice(all(f, out), "a b c d e#1");
                    assert_slice(all(f, in), "a b c d e#1");
                    out.descending = in.descending = true;
                    assert_slice(all(f, out), "e#1 d c b a");
                    assert_slice(all(f, in), "e#1 d c b a");
                }
        f->client.page_cut = 0;
        assert_slice(all(f, list_of(types[t], "a", GRAPH_IN, 9)), "x y");
        assert_slice(all(f, list_of(types[t], "nobody", GRAPH_IN, 9)), "");
    }
}

static void a_cursor_outlives_its_row(void **state) {
    struct fixture *f = *state;
    const char *ids[] = {"a", "b", "c", "d"};
    bool deleted;
    for (size_t i = 0; i < 4; i++)
        put(f, "S", "x", ids[i]);
    struct graph_list list = list_of("S", "x", GRAPH_OUT, 2);
    struct graph_page page;
    assert_ok(graph_list(f->graph, f->a, &list, &page));
    assert_int_equal(page.count, 2);
    struct graph_edge gone = {SLICE("S"), SLICE("x"), SLICE("b"), NULL};
    assert_ok(graph_edge_delete(f->graph, f->a, &gone, &deleted));
    put(f, "S", "x", "bb");
    list.cursor = page.cursor;
    assert_ok(graph_list(f->graph, f->a, &list, &page));
    assert_slice(page.edges[0].dst, "bb");
    assert_slice(page.edges[1].dst, "c");
    list.direction = GRAPH_IN;
    assert_int_equal(graph_error_code(graph_list(f->graph, f->a, &list, &page)), GRAPH_CURSOR);
}

static void by_time_when_the_type_says_so(void **state) {
    struct fixture *f = *state;
    const char *ids[] = {"zoe", "bob", "amy"};
    for (size_t i = 0; i < 3; i++) {
        put(f, "TIMED", ids[i], "x");
        struct timespec pause = {0, 2000000};
        nanosleep(&pause, NULL);
    }
    struct graph_list list = list_of("TIMED", "x", GRAPH_IN, 2);
    assert_slice(all(f, list), "zoe bob amy");
    list.descending = true;
    assert_slice(all(f, list), "amy bob zoe");
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
UNIT_TESTS(TEST(lists_both_ways_in_order), TEST(a_cursor_outlives_its_row),
           TEST(by_time_when_the_type_says_so))
