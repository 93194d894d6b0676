/* Files of edges: what is read, what is refused, what is written. */
#include "unit.h"

#include "graph/endpoint.h"
#include "graph/transfer.h"

struct text_file {
    struct transfer_reader reader;
    struct arena *a;
};

static struct text_file open_text(struct arena *a, const char *text) {
    FILE *file = tmpfile();
    assert_non_null(file);
    fputs(text, file);
    rewind(file);
    return (struct text_file){{.file = file, .arena = a}, a};
}

/* All rows as "type src dst attributes|…", or the error's text. */
static struct slice rows(struct arena *a, const char *text) {
    struct text_file f = open_text(a, text);
    struct buf out = buf_in(a, 4096);
    struct graph_edge e;
    struct error *error;
    bool more = true;
    while ((error = transfer_read(&f.reader, a, SLICE("T"), &e, &more)) == NULL && more) {
        buf_printf(&out, "%.*s %.*s %.*s ", SLICE_ARG(e.type), SLICE_ARG(e.src), SLICE_ARG(e.dst));
        json_print(&out, e.attributes, 0);
        buf_add_char(&out, '|');
    }
    fclose(f.reader.file);
    if (error)
        return error->message;
    return out.len ? buf_slice(&out) : SLICE("");
}

static void reads_csv(void **state) {
    (void)state;
    struct arena *a = arena_create();
    assert_slice(rows(a, "src,dst\na,b\nc,d"), "T a b {}|T c d {}|");
    assert_slice(rows(a, "dst,note,src,type\r\nb,\"x \"\"y\"\", z\",a,\r\nd,,c,U\r\n"),
                 "T a b {\"note\":{\"S\":\"x \\\"y\\\", z\"}}|U c d {}|");
    assert_slice(rows(a, "src,dst,t\na,b,\"two\nlines\"\n"),
                 "T a b {\"t\":{\"S\":\"two\\nlines\"}}|");
    assert_slice(rows(a, ""), "");
    assert_slice(rows(a, "src,dst\n"), "");
    arena_destroy(a);
}

static void reads_ndjson(void **state) {
    (void)state;
    struct arena *a = arena_create();
    assert_slice(
        rows(a, "{\"src\":\"a\",\"dst\":\"b\"}\n\n {\"type\":\"U\",\"src\":\"c\",\"dst\":\"d\","
                "\"attributes\":{\"n\":1,\"t\":true,\"l\":[\"x\",null]}}"),
        "T a b {}|U c d {\"n\":{\"N\":\"1\"},\"t\":{\"BOOL\":true},\"l\":{\"L\":[{\"S\":"
        "\"x\"},{\"NULL\":true}]}}|");
    arena_destroy(a);
}

static void says_where_a_file_is_wrong(void **state) {
    (void)state;
    struct arena *a = arena_create();
    assert_slice(rows(a, "from,to\na,b\n"), "line 1: a CSV header needs the columns src and dst");
    assert_slice(rows(a, "src,dst\na,b,c\n"), "line 2: the row does not have the header's columns");
    assert_slice(rows(a, "src,dst\na,b\nc,\n"), "line 3: an edge needs a type, src and dst");
    assert_slice(rows(a, "src,dst\na,\"b\n"), "line 3: a quoted field does not end");
    assert_slice(rows(a, "{\"src\":\"a\",\"dst\":\"b\"}\n{\"src\":\n"),
                 "line 2: this is no JSON object");
    assert_slice(rows(a, "{\"src\":\"a\"}\n"), "line 1: an edge needs a type, src and dst");
    arena_destroy(a);
}

static struct slice written(struct arena *a, enum transfer_format format) {
    FILE *file = tmpfile();
    struct graph_edge e = {SLICE("T"), SLICE("a \"b\""), SLICE("<c>&,"),
                           endpoint_json(a, "{'n':{'N':'1'},'s':{'S':'x'}}")};
    transfer_write_begin(file, format);
    transfer_write_edge(file, a, format, &e);
    transfer_write_end(file, format);
    rewind(file);
    char *text = arena_bytes(a, 4096);
    size_t len = fread(text, 1, 4096, file);
    fclose(file);
    return (struct slice){text, len};
}

static void writes_each_format(void **state) {
    (void)state;
    struct arena *a = arena_create();
    enum transfer_format format;
    assert_slice(written(a, TRANSFER_NDJSON),
                 "{\"type\":\"T\",\"src\":\"a \\\"b\\\"\",\"dst\":\"<c>&,\","
                 "\"attributes\":{\"n\":1,\"s\":\"x\"}}\n");
    assert_slice(written(a, TRANSFER_CSV), "type,src,dst\nT,\"a \"\"b\"\"\",\"<c>&,\"\n");
    assert_slice(written(a, TRANSFER_DOT),
                 "digraph {\n  \"a \\\"b\\\"\" -> \"<c>&,\" [label=\"T\"];\n}\n");
    assert_true(slice_contains(
        written(a, TRANSFER_GRAPHML),
        SLICE("<edge source=\"a &quot;b&quot;\" target=\"&lt;c&gt;&amp;,\"><data key=\"type\">T")));
    assert_ok(transfer_format_find(a, SLICE("dot"), &format));
    assert_int_equal(format, TRANSFER_DOT);
    assert_non_null(transfer_format_find(a, SLICE("xml"), &format));
    arena_destroy(a);
}

UNIT_TESTS(cmocka_unit_test(reads_csv), cmocka_unit_test(reads_ndjson),
           cmocka_unit_test(says_where_a_file_is_wrong), cmocka_unit_test(writes_each_format))
