/* Each invariant broken by hand: found, repaired, and clean afterwards. */
#include "unit.h"

#include "graph/endpoint.h"

#define GRAPH                                                                                      \
    "{'graph':'g','table':'app','nodes':{'n':{'pk':'N#{id}','sk':'PROFILE'}},'edges':{"            \
    "'S':{'from':'n','to':'n','pk':'N#{src}','sk':'T#{dst}','ipk':'T#{dst}','isk':'N#{src}'},"     \
    "'R':{'nodes':'required','from':'n','to':'n','pk':'N#{src}','sk':'R#{dst}','ipk':'R#{dst}',"   \
    "'isk':'RN#{src}'},"                                                                           \
    "'D':{'variant':'double','from':'n','to':'n','pk':'N#{src}','sk':'D#{dst}','rpk':'DR#{dst}',"  \
    "'rsk':'DN#{src}'}}}"

struct fixture {
    struct endpoint endpoint;
    struct faulty_client client;
    struct graph *graph;
    struct arena *a;
};

static void put(struct fixture *f, const char *type, const char *src, const char *dst) {
    bool created;
    struct graph_edge e = {slice_of(type), slice_of(src), slice_of(dst), NULL};
    assert_ok(graph_edge_put(f->graph, f->a, &e, GRAPH_IF_ABSENT, &created));
}

static void open_fixture(struct fixture *f, bool transactions) {
    endpoint_open(&f->endpoint);
    endpoint_client(&f->endpoint, &f->client);
    f->client.no_transactions = !transactions;
    f->a = f->endpoint.arena;
    assert_ok(graph_init(&f->client.client, f->a, endpoint_json(f->a, GRAPH)));
    assert_ok(graph_open(&f->client.client, f->a, SLICE("app"), SLICE("g"), &f->graph));
    graph_set_wait(f->graph, 0);
    assert_ok(graph_shard_expand(f->graph, f->a, SLICE("S"), SLICE("b"), 2));
    assert_ok(graph_node_put(f->graph, f->a, SLICE("n"), SLICE("a"), NULL));
    assert_ok(graph_node_put(f->graph, f->a, SLICE("n"), SLICE("b"), NULL));
    const char *types[] = {"S", "R", "D"};
    for (size_t i = 0; i < 3; i++) {
        put(f, types[i], "a", "b");
        put(f, types[i], "b", "a");
        put(f, types[i], "b", "b");
    }
}

static void close_fixture(struct fixture *f) {
    graph_close(f->graph);
    endpoint_close(&f->endpoint);
}

static struct graph_fsck fsck(struct fixture *f, bool repair) {
    struct graph_fsck result;
    assert_ok(graph_fsck(f->graph, f->a, repair, &result));
    return result;
}

/* One call past the library, with ' for ". */
static void damage(struct fixture *f, const char *operation, const char *text) {
    const struct json *reply;
    assert_ok(client_call(f->endpoint.inner, f->a, slice_of(operation), endpoint_json(f->a, text),
                          &reply));
}

static void whole_graphs_are_clean(void **state) {
    (void)state;
    for (int transactions = 0; transactions < 2; transactions++) {
        struct fixture f;
        open_fixture(&f, transactions);
        struct graph_fsck result = fsck(&f, false);
        for (size_t i = 0; i < result.count; i++)
            printf("%s %.*s %.*s %s\n", result.findings[i].code, SLICE_ARG(result.findings[i].pk),
                   SLICE_ARG(result.findings[i].sk), result.findings[i].what);
        assert_int_equal(result.found, 0);
        assert_int_equal(result.edges, 9);
        assert_int_equal(result.nodes, 2);
        close_fixture(&f);
    }
}

#define KEY(pk, sk) "{'TableName':'app','Key':{'PK':{'S':'" pk "'},'SK':{'S':'" sk "'}}"
#define SET(name, value)                                                                           \
    ",'UpdateExpression':'SET #n = :v','ExpressionAttributeNames':{'#n':'" name                    \
    "'},'ExpressionAttributeValues':{':v':" value "}}"

static void every_damage_is_found_and_repaired(void **state) {
    (void)state;
    static const struct {
        const char *code, *operation, *text;
        bool repairable;
    } damages[] = {
        {"F1", "UpdateItem", KEY("N#a", "T#b") SET("GSI1SK", "{'S':'N#zz'}"), true},
        {"F3", "DeleteItem", KEY("DR#b", "DN#a") "}", true},
        {"F3", "UpdateItem", KEY("DR#c", "DN#a") SET("_op", "{'S':'gone'}"), true},
        {"F4", "UpdateItem", KEY("N#a", "PROFILE") SET("c:S:out", "{'N':'7'}"), true},
        {"F4", "UpdateItem", KEY("N#a", "PROFILE") SET("c:D:in", "{'N':'-1'}"), true},
        {"F6", "UpdateItem", KEY("N#a", "PROFILE") SET("f:S:out", "{'L':[]}"), true},
        {"F5", "UpdateItem",
         KEY("N#a", "PROFILE") SET("_sh:S", "{'M':{'g':{'N':'1'},'r':{'N':'3'},'w':{'N':'1'}}}"),
         false},
        {"F7", "UpdateItem", KEY("N#a", "PROFILE") SET("_del", "{'S':'x'}"), false},
        {"F8", "UpdateItem", KEY("N#a", "PROFILE") ",'UpdateExpression':'REMOVE et'}", false},
        {"F9", "UpdateItem",
         KEY("N#a", "WHAT") ",'UpdateExpression':'SET et = :v, #o = "
                            ":v','ExpressionAttributeNames':{'#o':'_op'},"
                            "'ExpressionAttributeValues':{':v':{'S':'S'}}}",
         false},
    };
    for (size_t i = 0; i < ARRAY_LEN(damages); i++) {
        struct fixture f;
        open_fixture(&f, true);
        damage(&f, damages[i].operation, damages[i].text);
        struct graph_fsck result = fsck(&f, false);
        assert_true(result.found > 0);
        assert_string_equal(result.findings[0].code, damages[i].code);
        assert_int_equal(result.repaired, 0);
        result = fsck(&f, true);
        assert_int_equal(result.repaired > 0, damages[i].repairable);
        assert_int_equal(fsck(&f, false).found == 0, damages[i].repairable);
        close_fixture(&f);
    }
}

static void debts_are_findings_until_they_are_folded(void **state) {
    (void)state;
    struct fixture f;
    int64_t count;
    open_fixture(&f, false);
    graph_set_deferred(f.graph, true);
    put(&f, "S", "a", "a");
    put(&f, "D", "a", "a");
    struct graph_fsck result = fsck(&f, false);
    assert_true(result.found > 0);
    for (size_t i = 0; i < result.count; i++)
        assert_string_equal(result.findings[i].code, "F6");
    result = fsck(&f, true);
    assert_int_equal(result.found, result.repaired);
    assert_int_equal(fsck(&f, false).found, 0);
    assert_ok(graph_count(f.graph, f.a, SLICE("S"), SLICE("a"), GRAPH_OUT, &count));
    assert_int_equal(count, 2);
    close_fixture(&f);
}

/* Edges that an application wrote by hand, before there was a graph. */
static void edges_of_others_are_adopted(void **state) {
    (void)state;
    for (int transactions = 0; transactions < 2; transactions++) {
        struct fixture f;
        bool deleted;
        int64_t count;
        struct graph_edge e = {SLICE("S"), SLICE("x"), SLICE("y"), NULL};
        open_fixture(&f, transactions);
        damage(&f, "PutItem",
               "{'TableName':'app','Item':{'PK':{'S':'N#x'},'SK':{'S':'T#y'},"
               "'GSI1PK':{'S':'T#y'},'GSI1SK':{'S':'N#x'}}}");
        assert_int_equal(fsck(&f, true).repaired, 2);
        assert_int_equal(fsck(&f, false).found, 0);
        assert_ok(graph_count(f.graph, f.a, e.type, e.dst, GRAPH_IN, &count));
        assert_int_equal(count, 1);
        assert_ok(graph_edge_delete(f.graph, f.a, &e, &deleted));
        assert_true(deleted);
        assert_ok(graph_count(f.graph, f.a, e.type, e.dst, GRAPH_IN, &count));
        assert_int_equal(count, 0);
        assert_int_equal(fsck(&f, false).found, 0);
        close_fixture(&f);
    }
}

UNIT_TESTS(cmocka_unit_test(whole_graphs_are_clean),
           cmocka_unit_test(every_damage_is_found_and_repaired),
           cmocka_unit_test(edges_of_others_are_adopted),
           cmocka_unit_test(debts_are_findings_until_they_are_folded))
