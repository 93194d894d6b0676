#include "graph/plain.h"
#include "graph/transfer.h"

enum { TRANSFER_ROW_MAX = 1024 * 1024 };

static struct error *row_fault(const struct transfer_reader *r, struct arena *a, const char *what) {
    return graph_error(a, GRAPH_INVALID, "line %llu: %s", (unsigned long long)r->line, what);
}

/* --- CSV -------------------------------------------------------------------------------------- */

/* The next field; `*last` when the row ends with it. */
static struct error *csv_field(struct transfer_reader *r, struct arena *a, struct slice *out,
                               bool *last) {
    struct buf field = buf_in(a, TRANSFER_ROW_MAX);
    int c = getc(r->file);
    bool quoted = c == '"';
    if (quoted)
        c = getc(r->file);
    while (c != EOF && (quoted || (c != ',' && c != '\n'))) {
        if (quoted && c == '"') {
            c = getc(r->file);
            quoted = c == '"';
            if (!quoted)
                continue;
        }
        r->line += c == '\n';
        buf_add_char(&field, (char)c);
        c = getc(r->file);
    }
    if (quoted)
        return row_fault(r, a, "a quoted field does not end");
    if (!buf_ok(&field))
        return row_fault(r, a, "the field is too long");
    *last = c != ',';
    *out = field.len ? buf_slice(&field) : SLICE("");
    if (*last && out->len && out->ptr[out->len - 1] == '\r')
        out->len--;
    return NULL;
}

static struct error *csv_row(struct transfer_reader *r, struct arena *a, struct slice *fields,
                             size_t *count) {
    bool last = false;
    r->line++;
    for (*count = 0; !last; ++*count) {
        if (*count == TRANSFER_COLUMNS)
            return row_fault(r, a, "there are too many columns");
        TRY(csv_field(r, a, &fields[*count], &last));
    }
    return NULL;
}

static struct error *csv_edge(struct transfer_reader *r, struct arena *a, struct graph_edge *edge,
                              bool *more) {
    struct slice fields[TRANSFER_COLUMNS];
    size_t count;
    struct json_writer w = json_writer_tree(a);
    int c = getc(r->file);
    *more = c != EOF;
    if (!*more)
        return NULL;
    ungetc(c, r->file);
    TRY(csv_row(r, a, fields, &count));
    if (count != r->column_count)
        return row_fault(r, a, "the row does not have the header's columns");
    json_write_object_begin(&w);
    for (size_t i = 0; i < count; i++) {
        if (slice_is(r->columns[i], "src"))
            edge->src = fields[i];
        else if (slice_is(r->columns[i], "dst"))
            edge->dst = fields[i];
        else if (slice_is(r->columns[i], "type"))
            edge->type = fields[i].len ? fields[i] : edge->type;
        else if (fields[i].len > 0) {
            json_write_name(&w, r->columns[i]);
            json_write_object_begin(&w);
            json_member_string(&w, "S", fields[i]);
            json_write_object_end(&w);
        }
    }
    json_write_object_end(&w);
    edge->attributes = w.root;
    return NULL;
}

static struct error *csv_header(struct transfer_reader *r, struct arena *a) {
    bool src = false, dst = false;
    TRY(csv_row(r, r->arena, r->columns, &r->column_count));
    for (size_t i = 0; i < r->column_count; i++) {
        src |= slice_is(r->columns[i], "src");
        dst |= slice_is(r->columns[i], "dst");
    }
    return src && dst ? NULL : row_fault(r, a, "a CSV header needs the columns src and dst");
}

/* --- NDJSON ----------------------------------------------------------------------------------- */

/* A line that is not blank. */
static struct error *read_line(struct transfer_reader *r, struct arena *a, struct slice *out,
                               bool *more) {
    int c;
    do {
        struct buf line = buf_in(a, TRANSFER_ROW_MAX);
        r->line++;
        for (c = getc(r->file); c != EOF && c != '\n'; c = getc(r->file))
            buf_add_char(&line, (char)c);
        if (!buf_ok(&line))
            return row_fault(r, a, "the line is too long");
        *out = line.len ? slice_trim(buf_slice(&line)) : SLICE("");
    } while (c != EOF && out->len == 0);
    *more = out->len > 0;
    return NULL;
}

static struct slice text_member(const struct json *row, const char *name, struct slice absent) {
    const struct json *m = json_member(row, slice_of(name));
    return m && m->kind == JSON_STRING ? m->text : absent;
}

static struct error *ndjson_edge(struct transfer_reader *r, struct arena *a,
                                 struct graph_edge *edge, bool *more) {
    struct slice line;
    const struct json *row;
    struct json_writer w = json_writer_tree(a);
    TRY(read_line(r, a, &line, more));
    if (!*more)
        return NULL;
    if (json_parse(a, line, &row) || row->kind != JSON_OBJECT)
        return row_fault(r, a, "this is no JSON object");
    edge->type = text_member(row, "type", edge->type);
    edge->src = text_member(row, "src", SLICE(""));
    edge->dst = text_member(row, "dst", SLICE(""));
    const struct json *attributes = json_member(row, SLICE("attributes"));
    json_write_object_begin(&w);
    for (const struct json *m = attributes ? attributes->first : NULL; m; m = m->next) {
        json_write_name(&w, m->name);
        plain_read(&w, m);
    }
    json_write_object_end(&w);
    edge->attributes = w.root;
    return NULL;
}

/* --- Either ----------------------------------------------------------------------------------- */

/* A file that begins with a brace is NDJSON. */
static struct error *reader_start(struct transfer_reader *r, struct arena *a) {
    int c = getc(r->file);
    while (c == ' ' || c == '\n' || c == '\t' || c == '\r')
        c = getc(r->file);
    r->started = true;
    if (c != EOF)
        ungetc(c, r->file);
    r->csv = c != '{' && c != EOF;
    return r->csv ? csv_header(r, a) : NULL;
}

struct error *transfer_read(struct transfer_reader *r, struct arena *a, struct slice type,
                            struct graph_edge *edge, bool *more) {
    struct graph_edge e = {.type = type};
    if (!r->started)
        TRY(reader_start(r, a));
    TRY(r->csv ? csv_edge(r, a, &e, more) : ndjson_edge(r, a, &e, more));
    if (!*more)
        return NULL;
    if (e.type.len == 0 || e.src.len == 0 || e.dst.len == 0)
        return row_fault(r, a, "an edge needs a type, src and dst");
    *edge = e;
    return NULL;
}
