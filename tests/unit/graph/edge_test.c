/*
 * Edges, nodes and counts, on an endpoint with transactions and on one without: the answers are the
 * same.  The keys are those of the articles.
 */
#include "unit.h"

#include "graph/endpoint.h"

#define SOCIAL                                                                                     \
    "{'graph':'social','table':'app','nodes':{'actor':{'pk':'ACTOR#{id}','sk':'PROFILE'},"         \
    "'student':{'pk':'STU#{id}','sk':'PROFILE'},'course':{'pk':'CRS#{id}','sk':'META'},"           \
    "'user':{'pk':'USER#{id}','sk':'PROFILE'},'team':{'pk':'TEAM#{id}','sk':'META'}},"             \
    "'edges':{'FOLLOW':{'from':'actor','to':'actor','pk':'ACTOR#{src}','sk':'TARGET#{dst}',"       \
    "'ipk':'TARGET#{dst}','isk':'ACTOR#{src}','outCount':'following','inCount':'followers'},"      \
    "'ENROLL':{'from':'student','to':'course','nodes':'required','pk':'STU#{src}',"                \
    "'sk':'ENROLL#CRS#{dst}','ipk':'CRS#{dst}','isk':'STU#{src}'},"                                \
    "'MEMBER':{'variant':'double','from':'user','to':'team','pk':'USER#{src}','sk':'TEAM#{dst}',"  \
    "'rpk':'TEAM#{dst}','rsk':'USER#{src}'},"                                                      \
    "'SEEN':{'counters':'none','pk':'ACTOR#{src}','sk':'SEEN#{dst}','ipk':'SEEN#{dst}',"           \
    "'isk':'BY#{src}'}}}"

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
    assert_ok(graph_init(&f->client.client, f->a, endpoint_json(f->a, SOCIAL)));
    assert_ok(graph_open(&f->client.client, f->a, SLICE("app"), SLICE("social"), &f->graph));
}

static void close_fixture(struct fixture *f) {
    graph_close(f->graph);
    endpoint_close(&f->endpoint);
}

/* Runs a test on both kinds of endpoint. */
static void on_both(void (*test)(struct fixture *f)) {
    for (int i = 0; i < 2; i++) {
        struct fixture f;
        open_fixture(&f, i == 0);
        test(&f);
        close_fixture(&f);
    }
}

static struct graph_edge edge(const char *type, const char *src, const char *dst) {
    return (struct graph_edge){slice_of(type), slice_of(src), slice_of(dst), NULL};
}

static bool put(struct fixture *f, const char *type, const char *src, const char *dst) {
    struct graph_edge e = edge(type, src, dst);
    bool created;
    assert_ok(graph_edge_put(f->graph, f->a, &e, GRAPH_IF_ABSENT, &created));
    return created;
}

static bool del(struct fixture *f, const char *type, const char *src, const char *dst) {
    struct graph_edge e = edge(type, src, dst);
    bool deleted;
    assert_ok(graph_edge_delete(f->graph, f->a, &e, &deleted));
    return deleted;
}

static int64_t count(struct fixture *f, const char *type, const char *id,
                     enum graph_direction direction) {
    int64_t n;
    assert_ok(graph_count(f->graph, f->a, slice_of(type), slice_of(id), direction, &n));
    return n;
}

static bool there(struct fixture *f, const char *type, const char *src, const char *dst) {
    struct graph_edge e = edge(type, src, dst);
    bool found;
    assert_ok(graph_edge_get(f->graph, f->a, &e, &found));
    return found;
}

/* The item as the API gives it, NULL when there is none. */
static const struct json *item(struct fixture *f, const char *pk, const char *sk) {
    const struct json *reply;
    struct slice text =
        arena_printf(f->a, "{'TableName':'app','Key':{'PK':{'S':'%s'},'SK':{'S':'%s'}}}", pk, sk);
    assert_ok(client_call(f->endpoint.inner, f->a, SLICE("GetItem"), endpoint_json(f->a, text.ptr),
                          &reply));
    return json_member(reply, SLICE("Item"));
}

static struct slice item_s(const struct json *i, const char *name) {
    const struct json *s = json_member(json_member(i, slice_of(name)), SLICE("S"));
    return s ? s->text : SLICE("");
}

/* --- The tests -------------------------------------------------------------------------------- */

static void an_edge_is_put_once(struct fixture *f) {
    assert_true(put(f, "FOLLOW", "alice", "bob"));
    assert_false(put(f, "FOLLOW", "alice", "bob"));
    assert_true(there(f, "FOLLOW", "alice", "bob"));
    assert_false(there(f, "FOLLOW", "bob", "alice"));
    assert_int_equal(count(f, "FOLLOW", "alice", GRAPH_OUT), 1);
    assert_int_equal(count(f, "FOLLOW", "bob", GRAPH_IN), 1);
    assert_int_equal(count(f, "FOLLOW", "bob", GRAPH_OUT), 0);
    assert_true(put(f, "FOLLOW", "carol", "bob"));
    assert_int_equal(count(f, "FOLLOW", "bob", GRAPH_IN), 2);
    assert_true(del(f, "FOLLOW", "alice", "bob"));
    assert_false(del(f, "FOLLOW", "alice", "bob"));
    assert_false(there(f, "FOLLOW", "alice", "bob"));
    assert_int_equal(count(f, "FOLLOW", "alice", GRAPH_OUT), 0);
    assert_int_equal(count(f, "FOLLOW", "bob", GRAPH_IN), 1);
    assert_true(put(f, "FOLLOW", "alice", "bob"));
    assert_int_equal(count(f, "FOLLOW", "bob", GRAPH_IN), 2);
}

static void the_keys_are_those_of_the_articles(struct fixture *f) {
    assert_true(put(f, "FOLLOW", "alice", "bob#1"));
    const struct json *follow = item(f, "ACTOR#alice", "TARGET#bob%231");
    assert_slice(item_s(follow, "GSI1PK"), "TARGET#bob%231");
    assert_slice(item_s(follow, "GSI1SK"), "ACTOR#alice");
    assert_slice(item_s(follow, "et"), "FOLLOW");
    assert_null(json_member(follow, SLICE("_f")));
    assert_null(json_member(follow, SLICE("GSIQPK")));
    const struct json *alice = item(f, "ACTOR#alice", "PROFILE");
    const struct json *n = json_member(json_member(alice, SLICE("following")), SLICE("N"));
    assert_slice(n->text, "1");
    assert_true(put(f, "MEMBER", "1", "9"));
    assert_non_null(item(f, "USER#1", "TEAM#9"));
    assert_non_null(item(f, "TEAM#9", "USER#1"));
    assert_null(json_member(item(f, "USER#1", "TEAM#9"), SLICE("_p")));
    assert_true(del(f, "MEMBER", "1", "9"));
    assert_null(item(f, "USER#1", "TEAM#9"));
    assert_null(item(f, "TEAM#9", "USER#1"));
    assert_int_equal(count(f, "MEMBER", "9", GRAPH_IN), 0);
}

static void a_loop_counts_in_both_directions(struct fixture *f) {
    assert_true(put(f, "FOLLOW", "me", "me"));
    assert_int_equal(count(f, "FOLLOW", "me", GRAPH_OUT), 1);
    assert_int_equal(count(f, "FOLLOW", "me", GRAPH_IN), 1);
    assert_true(del(f, "FOLLOW", "me", "me"));
    assert_int_equal(count(f, "FOLLOW", "me", GRAPH_OUT), 0);
    assert_int_equal(count(f, "FOLLOW", "me", GRAPH_IN), 0);
}

static void modes_and_attributes(struct fixture *f) {
    bool created, found;
    struct graph_edge e = edge("FOLLOW", "a", "b");
    e.attributes = endpoint_json(f->a, "{'since':{'S':'2024'},'note':{'S':'x'}}");
    assert_ok(graph_edge_put(f->graph, f->a, &e, GRAPH_STRICT, &created));
    struct error *again = graph_edge_put(f->graph, f->a, &e, GRAPH_STRICT, &created);
    assert_int_equal(graph_error_code(again), GRAPH_EXISTS);
    e.attributes = endpoint_json(f->a, "{'since':{'S':'2025'},'size':{'N':'3'}}");
    assert_ok(graph_edge_put(f->graph, f->a, &e, GRAPH_IF_ABSENT, &created));
    assert_false(created);
    struct graph_edge read = edge("FOLLOW", "a", "b");
    assert_ok(graph_edge_get(f->graph, f->a, &read, &found));
    assert_true(json_equal(read.attributes,
                           endpoint_json(f->a, "{'since':{'S':'2024'},'note':{'S':'x'}}")));
    assert_ok(graph_edge_put(f->graph, f->a, &e, GRAPH_UPSERT, &created));
    assert_false(created);
    assert_ok(graph_edge_get(f->graph, f->a, &read, &found));
    assert_true(json_equal(read.attributes, e.attributes));
    assert_int_equal(count(f, "FOLLOW", "b", GRAPH_IN), 1);
    e.attributes = endpoint_json(f->a, "{'size':{'N':'4'}}");
    assert_ok(graph_edge_set(f->graph, f->a, &e));
    assert_ok(graph_edge_get(f->graph, f->a, &read, &found));
    assert_true(json_equal(read.attributes,
                           endpoint_json(f->a, "{'since':{'S':'2025'},'size':{'N':'4'}}")));
    e.attributes = endpoint_json(f->a, "{'_op':{'S':'1'}}");
    assert_int_equal(graph_error_code(graph_edge_set(f->graph, f->a, &e)), GRAPH_INVALID);
    e = edge("FOLLOW", "a", "nobody");
    e.attributes = read.attributes;
    assert_int_equal(graph_error_code(graph_edge_set(f->graph, f->a, &e)), GRAPH_NOT_FOUND);
}

static void required_nodes_must_be_there(struct fixture *f) {
    bool created, found;
    const struct json *attributes;
    struct graph_edge e = edge("ENROLL", "a91", "math204");
    struct error *no = graph_edge_put(f->graph, f->a, &e, GRAPH_IF_ABSENT, &created);
    assert_int_equal(graph_error_code(no), GRAPH_NOT_FOUND);
    assert_false(there(f, "ENROLL", "a91", "math204"));
    assert_ok(graph_node_put(f->graph, f->a, SLICE("student"), SLICE("a91"),
                             endpoint_json(f->a, "{'name':{'S':'Ann'}}")));
    assert_ok(graph_node_put(f->graph, f->a, SLICE("course"), SLICE("math204"), NULL));
    assert_true(put(f, "ENROLL", "a91", "math204"));
    assert_ok(graph_node_get(f->graph, f->a, SLICE("student"), SLICE("a91"), &attributes, &found));
    assert_true(found);
    assert_true(json_equal(attributes, endpoint_json(f->a, "{'name':{'S':'Ann'}}")));
    assert_ok(graph_node_get(f->graph, f->a, SLICE("student"), SLICE("zz"), &attributes, &found));
    assert_false(found);
}

static void types_without_counters_say_so(struct fixture *f) {
    int64_t n;
    assert_true(put(f, "SEEN", "a", "b"));
    assert_false(put(f, "SEEN", "a", "b"));
    struct error *no = graph_count(f->graph, f->a, SLICE("SEEN"), SLICE("a"), GRAPH_OUT, &n);
    assert_int_equal(graph_error_code(no), GRAPH_UNSUPPORTED);
    assert_true(del(f, "SEEN", "a", "b"));
    assert_false(del(f, "SEEN", "a", "b"));
}

static void lost_replies_are_told_apart(struct fixture *f) {
    graph_set_patience(f->graph, 60000);
    f->client.lost_reply = 300;
    f->client.throttled = 100;
    f->client.conflicts = 200;
    for (int i = 0; i < 30; i++) {
        struct slice dst = arena_printf(f->a, "t%d", i);
        assert_true(put(f, "FOLLOW", "src", dst.ptr));
        assert_true(put(f, "MEMBER", "src", dst.ptr));
        assert_false(put(f, "FOLLOW", "src", dst.ptr));
    }
    for (int i = 0; i < 30; i += 2) {
        struct slice dst = arena_printf(f->a, "t%d", i);
        (void)del(f, "FOLLOW", "src", dst.ptr);
        (void)del(f, "MEMBER", "src", dst.ptr);
    }
    f->client.lost_reply = f->client.throttled = f->client.conflicts = 0;
    uint64_t folded;
    assert_ok(graph_fold(f->graph, f->a, &folded));
    assert_int_equal(count(f, "FOLLOW", "src", GRAPH_OUT), 15);
    assert_int_equal(count(f, "MEMBER", "src", GRAPH_OUT), 15);
    for (int i = 0; i < 30; i++) {
        struct slice dst = arena_printf(f->a, "t%d", i);
        assert_int_equal(count(f, "FOLLOW", dst.ptr, GRAPH_IN), i % 2);
        assert_int_equal(count(f, "MEMBER", dst.ptr, GRAPH_IN), i % 2);
        struct slice pk = arena_printf(f->a, "TEAM#t%d", i);
        assert_int_equal(item(f, pk.ptr, "USER#src") != NULL, i % 2);
    }
}

/* More than one request holds, keys twice, keys that are left undone: the order stays. */
static void many_edges_come_in_the_order_asked(struct fixture *f) {
    enum { MANY = 230 };
    struct graph_edge edges[MANY];
    bool found[MANY];
    for (int i = 0; i < 40; i++)
        assert_true(put(f, "FOLLOW", "src", arena_printf(f->a, "t%d", i).ptr));
    for (int i = 0; i < MANY; i++)
        edges[i] = edge("FOLLOW", "src", arena_printf(f->a, "t%d", (i * 7) % 60).ptr);
    f->client.unprocessed = 700;
    f->client.throttled = 50;
    graph_set_wait(f->graph, 0);
    assert_ok(graph_edge_get_many(f->graph, f->a, edges, MANY, found));
    for (int i = 0; i < MANY; i++)
        assert_int_equal(found[i], (i * 7) % 60 < 40);
    assert_ok(graph_edge_get_many(f->graph, f->a, edges, 0, found));
}

static void debts_are_found_by_a_sweep(struct fixture *f) {
    uint64_t folded;
    graph_set_deferred(f->graph, true);
    for (int i = 0; i < 12; i++)
        assert_true(put(f, "FOLLOW", arena_printf(f->a, "s%d", i).ptr, "star"));
    assert_true(del(f, "FOLLOW", "s3", "star"));
    assert_false(there(f, "FOLLOW", "s3", "star"));
    assert_ok(graph_fold(f->graph, f->a, &folded));
    assert_int_equal(count(f, "FOLLOW", "star", GRAPH_IN), 11);
    assert_int_equal(count(f, "FOLLOW", "s3", GRAPH_OUT), 0);
    assert_int_equal(folded, f->client.no_transactions ? 12 : 0);
    assert_ok(graph_fold(f->graph, f->a, &folded));
    assert_int_equal(folded, 0);
}

#define ON_BOTH(test)                                                                              \
    static void test##_on_both(void **state) {                                                     \
        (void)state;                                                                               \
        on_both(test);                                                                             \
    }

ON_BOTH(an_edge_is_put_once)
ON_BOTH(the_keys_are_those_of_the_articles)
ON_BOTH(a_loop_counts_in_both_directions)
ON_BOTH(modes_and_attributes)
ON_BOTH(required_nodes_must_be_there)
ON_BOTH(types_without_counters_say_so)
ON_BOTH(lost_replies_are_told_apart)
ON_BOTH(many_edges_come_in_the_order_asked)
ON_BOTH(debts_are_found_by_a_sweep)

UNIT_TESTS(cmocka_unit_test(an_edge_is_put_once_on_both),
           cmocka_unit_test(the_keys_are_those_of_the_articles_on_both),
           cmocka_unit_test(a_loop_counts_in_both_directions_on_both),
           cmocka_unit_test(modes_and_attributes_on_both),
           cmocka_unit_test(required_nodes_must_be_there_on_both),
           cmocka_unit_test(types_without_counters_say_so_on_both),
           cmocka_unit_test(lost_replies_are_told_apart_on_both),
           cmocka_unit_test(many_edges_come_in_the_order_asked_on_both),
           cmocka_unit_test(debts_are_found_by_a_sweep_on_both))
