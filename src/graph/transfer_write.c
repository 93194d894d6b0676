#include "graph/plain.h"
#include "graph/transfer.h"

static const char *const format_names[] = {
    [TRANSFER_NDJSON] = "ndjson",
    [TRANSFER_CSV] = "csv",
    [TRANSFER_DOT] = "dot",
    [TRANSFER_GRAPHML] = "graphml",
};

struct error *transfer_format_find(struct arena *a, struct slice name, enum transfer_format *out) {
    for (size_t i = 0; i < ARRAY_LEN(format_names); i++) {
        if (slice_is(name, format_names[i])) {
            *out = (enum transfer_format)i;
            return NULL;
        }
    }
    return graph_error(a, GRAPH_INVALID, "the format is ndjson, csv, dot or graphml, not \"%.*s\"",
                       SLICE_ARG(name));
}

static void write_slice(FILE *out, struct slice s) {
    fwrite(s.ptr, 1, s.len, out);
}

static void write_ndjson(FILE *out, struct arena *a, const struct graph_edge *e) {
    struct buf text = buf_in(a, SIZE_MAX);
    struct json_writer w = json_writer_text(&text);
    json_write_object_begin(&w);
    json_member_string(&w, "type", e->type);
    json_member_string(&w, "src", e->src);
    json_member_string(&w, "dst", e->dst);
    if (e->attributes && e->attributes->count > 0) {
        json_write_name(&w, SLICE("attributes"));
        plain_write_attributes(&w, e->attributes);
    }
    json_write_object_end(&w);
    buf_add_char(&text, '\n');
    write_slice(out, buf_slice(&text));
}

/* Each character that means something is written as `escape` says. */
static void write_escaped(FILE *out, struct slice s, const char *(*escape)(char c)) {
    for (size_t i = 0; i < s.len; i++) {
        const char *escaped = escape(s.ptr[i]);
        if (escaped)
            fputs(escaped, out);
        else
            putc(s.ptr[i], out);
    }
}

static const char *csv_escape(char c) {
    return c == '"' ? "\"\"" : NULL;
}

static const char *dot_escape(char c) {
    return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : NULL;
}

/* XML 1.0 has no way to write most control characters. */
static const char *xml_escape(char c) {
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return (unsigned char)c < ' ' && c != '\t' && c != '\n' && c != '\r' ? "\xEF\xBF\xBD"
                                                                             : NULL;
    }
}

static void write_quoted(FILE *out, struct slice s, const char *(*escape)(char c)) {
    putc('"', out);
    write_escaped(out, s, escape);
    putc('"', out);
}

static void csv_write_field(FILE *out, struct slice s, const char *end) {
    bool plain = true;
    for (size_t i = 0; i < s.len; i++)
        plain &= s.ptr[i] != '"' && s.ptr[i] != ',' && s.ptr[i] != '\n' && s.ptr[i] != '\r';
    if (plain)
        write_slice(out, s);
    else
        write_quoted(out, s, csv_escape);
    fputs(end, out);
}

static void write_csv(FILE *out, const struct graph_edge *e) {
    csv_write_field(out, e->type, ",");
    csv_write_field(out, e->src, ",");
    csv_write_field(out, e->dst, "\n");
}

static void write_dot(FILE *out, const struct graph_edge *e) {
    fputs("  ", out);
    write_quoted(out, e->src, dot_escape);
    fputs(" -> ", out);
    write_quoted(out, e->dst, dot_escape);
    fputs(" [label=", out);
    write_quoted(out, e->type, dot_escape);
    fputs("];\n", out);
}

static void write_graphml(FILE *out, const struct graph_edge *e) {
    fputs("    <edge source=", out);
    write_quoted(out, e->src, xml_escape);
    fputs(" target=", out);
    write_quoted(out, e->dst, xml_escape);
    fputs("><data key=\"type\">", out);
    write_escaped(out, e->type, xml_escape);
    fputs("</data></edge>\n", out);
}

void transfer_write_begin(FILE *out, enum transfer_format format) {
    if (format == TRANSFER_CSV)
        fputs("type,src,dst\n", out);
    if (format == TRANSFER_DOT)
        fputs("digraph {\n", out);
    if (format == TRANSFER_GRAPHML)
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
              "  <key id=\"type\" for=\"edge\" attr.name=\"type\" attr.type=\"string\"/>\n"
              "  <graph edgedefault=\"directed\">\n",
              out);
}

void transfer_write_edge(FILE *out, struct arena *a, enum transfer_format format,
                         const struct graph_edge *edge) {
    switch (format) {
    case TRANSFER_NDJSON:
        write_ndjson(out, a, edge);
        return;
    case TRANSFER_CSV:
        write_csv(out, edge);
        return;
    case TRANSFER_DOT:
        write_dot(out, edge);
        return;
    case TRANSFER_GRAPHML:
        write_graphml(out, edge);
        return;
    }
}

void transfer_write_end(FILE *out, enum transfer_format format) {
    if (format == TRANSFER_DOT)
        fputs("}\n", out);
    if (format == TRANSFER_GRAPHML)
        fputs("  </graph>\n</graphml>\n", out);
}
