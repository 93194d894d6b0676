#include "unit.h"

#include "graph/code.h"
#include "graph/descriptor.h"
#include "graph/endpoint.h"

#define HEAD "{'graph':'g','table':'app','nodes':{'n':{'pk':'N#{id}','sk':'PROFILE'}},'edges':"
#define ENDS "'from':'n','to':'n',"
#define KEYS "'pk':'N#{src}','sk':'T#{dst}','ipk':'T#{dst}','isk':'N#{src}'"

static struct error *read(struct arena *a, const char *text, struct descriptor *d) {
    return descriptor_read(a, endpoint_json(a, text), d);
}

static void reads_types_and_defaults(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct descriptor d;
    assert_ok(read(a, HEAD "{'E':{" ENDS KEYS "}}}", &d));
    assert_slice(d.pk, "PK");
    assert_slice(d.ipk, "GSI1PK");
    assert_int_equal(d.edge_count, 1);
    assert_int_equal(d.edges[0].counters, COUNTERS_EXACT);
    assert_slice(d.edges[0].in_count, "c:E:in");
    assert_ptr_equal(d.edges[0].from, &d.nodes[0]);
    assert_ok(read(a, HEAD "{'E':{" ENDS KEYS "}},'transactions':false}", &d));
    assert_int_equal(d.edges[0].counters, COUNTERS_FOLD);
    assert_true(descriptor_uses_attribute(&d, SLICE("GSI1SK")));
    assert_true(descriptor_uses_attribute(&d, SLICE("_x")));
    assert_true(descriptor_uses_attribute(&d, SLICE("c:E:out")));
    assert_false(descriptor_uses_attribute(&d, SLICE("grade")));
    arena_destroy(a);
}

static void says_what_is_wrong(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct descriptor d;
    const struct {
        const char *text, *fault;
    } wrong[] = {
        {"[]", "a graph's description must be a JSON object"},
        {"{'graph':'g'}", "the description needs a string \"table\""},
        {HEAD "{}}", "a graph needs \"edges\": at least one edge type"},
        {HEAD "{'E':{" KEYS "}}}", "E needs a string \"from\""},
        {HEAD "{'E':{'from':'n','to':'m'," KEYS "}}}", "the graph has no node type m; it has n"},
        {HEAD "{'E':{" ENDS "'pk':'N#{src}','sk':'T#{src}','ipk':'T#{dst}','isk':'N#{src}'}}}",
         "\"sk\" of E must have {dst} as its only variable"},
        {HEAD "{'E':{'order':'time'," ENDS KEYS "}}}",
         "\"isk\" of E must begin with {ts} and have {src}: it is ordered by time"},
        {HEAD "{'E':{'counters':'some'," ENDS KEYS "}}}", "\"counters\" of E cannot be \"some\""},
        {HEAD "{'E':{'maxShards':3," ENDS KEYS "}}}",
         "\"maxShards\" of E must be a power of two, at most 64"},
        {HEAD "{'E':{'counters':'exact'," ENDS KEYS "}},'transactions':false}",
         "the endpoint has no TransactWriteItems, which exact counters need: \"counters\": "
         "\"fold\" works"},
        {HEAD "{'E F':{" ENDS KEYS "}}}", "the name \"E F\" may hold a-z A-Z 0-9 _ -"},
        {HEAD "{'E':{'inCount':'c:E:out'," ENDS KEYS "}}}",
         "E and E have a counter's name in common"},
    };
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct error *e = read(a, wrong[i].text, &d);
        assert_non_null(e);
        if (!slice_is(e->message, wrong[i].fault))
            fail_msg("got  %.*s\nwant %s", SLICE_ARG(e->message), wrong[i].fault);
    }
    arena_destroy(a);
}

static void kinds_of_items_must_not_meet(void **state) {
    (void)state;
    struct arena *a = arena_create();
    struct descriptor d;
    const char *meet[] = {
        /* two types in one index partition */
        HEAD "{'E':{" ENDS KEYS "},'F':{" ENDS
             "'pk':'N#{src}','sk':'F#{dst}','ipk':'T#{dst}','isk':'N#{src}'}}}",
        /* a list of E would run into F */
        HEAD "{'E':{" ENDS
             "'pk':'N#{src}','sk':'X#{dst}','ipk':'A#{dst}','isk':'N#{src}'},'F':{" ENDS
             "'pk':'N#{src}','sk':'X#Y#{dst}','ipk':'B#{dst}','isk':'N#{src}'}}}",
        /* the edge and the node */
        HEAD "{'E':{" ENDS "'pk':'N#{src}','sk':'PRO{dst}','ipk':'A#{dst}','isk':'N#{src}'}}}",
        /* a shard of E's targets and F's targets */
        HEAD "{'E':{" ENDS KEYS "},'F':{" ENDS
             "'pk':'N#{src}','sk':'F#{dst}','ipk':'T#{dst}#1','isk':'N#{src}'}}}",
        /* the two items of one edge */
        HEAD "{'E':{'variant':'double'," ENDS
             "'pk':'N#{src}','sk':'E#{dst}','rpk':'N#{dst}','rsk':'E#{src}'}}}",
        /* a key that begins as the graph's own do */
        HEAD "{'E':{" ENDS "'pk':'#N#{src}','sk':'T#{dst}','ipk':'T#{dst}','isk':'N#{src}'}}}",
    };
    for (size_t i = 0; i < ARRAY_LEN(meet); i++)
        assert_int_equal(graph_error_code(read(a, meet[i], &d)), GRAPH_INVALID);
    assert_ok(read(a,
                   HEAD "{'E':{" ENDS KEYS "},'F':{" ENDS
                        "'pk':'N#{src}','sk':'F#{dst}','ipk':'T#{dst}','isk':'FN#{src}'}}}",
                   &d));
    arena_destroy(a);
}

UNIT_TESTS(cmocka_unit_test(reads_types_and_defaults), cmocka_unit_test(says_what_is_wrong),
           cmocka_unit_test(kinds_of_items_must_not_meet))
