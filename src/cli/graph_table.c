#include "cli/graph_table.h"

#include "json/json_writer.h"

enum { TABLE_COLUMNS = 16, TABLE_WIDTH_MAX = 60, CELL_MAX = 64 * 1024 };

struct table {
    struct arena *arena;
    struct slice columns[TABLE_COLUMNS];
    size_t widths[TABLE_COLUMNS];
    size_t count;
};

/* A value as one cell; text bare, the rest as JSON.  Control characters would move the cursor. */
static struct slice cell_text(struct arena *a, const struct json *value) {
    struct buf out = buf_in(a, CELL_MAX);
    if (!value)
        return SLICE("");
    if (value->kind != JSON_STRING) {
        json_print(&out, value, 0);
        return buf_slice(&out);
    }
    for (size_t i = 0; i < value->text.len; i++) {
        char c = value->text.ptr[i];
        buf_add_char(&out, (unsigned char)c < ' ' || c == 0x7F ? '?' : c);
    }
    return buf_slice(&out);
}

/* Characters, as far as UTF-8 tells: bytes that do not continue one. */
static size_t cell_width(struct slice text) {
    size_t width = 0;
    for (size_t i = 0; i < text.len; i++)
        width += ((unsigned char)text.ptr[i] & 0xC0) != 0x80;
    return width;
}

/* --- Columns: a row's members, and those of its attributes -------------------------------------
 */

static void table_measure(struct table *t, struct slice name, const struct json *value) {
    size_t width = cell_width(cell_text(t->arena, value)), i = 0;
    while (i < t->count && !slice_equal(t->columns[i], name))
        i++;
    if (i == TABLE_COLUMNS)
        return;
    if (i == t->count) {
        t->columns[t->count++] = name;
        t->widths[i] = cell_width(name);
    }
    if (width > t->widths[i])
        t->widths[i] = width < TABLE_WIDTH_MAX ? width : TABLE_WIDTH_MAX;
}

static void table_measure_row(struct table *t, const struct json *row) {
    for (const struct json *m = row->first; m; m = m->next) {
        if (m->kind == JSON_OBJECT && slice_is(m->name, "attributes"))
            table_measure_row(t, m);
        else
            table_measure(t, m->name, m);
    }
}

static const struct json *row_cell(const struct json *row, struct slice column) {
    const struct json *own = json_member(row, column);
    return own ? own : json_member(json_member(row, SLICE("attributes")), column);
}

static void table_cell(struct buf *out, struct slice text, size_t width, bool last) {
    buf_add(out, text);
    for (size_t i = cell_width(text); i < width && !last; i++)
        buf_add_char(out, ' ');
    buf_add_text(out, last ? "\n" : "  ");
}

static void table_print(struct buf *out, struct arena *a, const struct json *rows) {
    struct table t = {.arena = a};
    for (const struct json *row = rows->first; row; row = row->next)
        table_measure_row(&t, row);
    for (size_t i = 0; i < t.count; i++)
        table_cell(out, t.columns[i], t.widths[i], i + 1 == t.count);
    for (const struct json *row = rows->first; row; row = row->next)
        for (size_t i = 0; i < t.count; i++)
            table_cell(out, cell_text(a, row_cell(row, t.columns[i])), t.widths[i],
                       i + 1 == t.count);
}

static bool is_rows(const struct json *m) {
    return m->kind == JSON_ARRAY && m->first && m->first->kind == JSON_OBJECT;
}

void graph_table_print(struct buf *out, const struct json *answer) {
    for (const struct json *m = answer->first; m; m = m->next)
        if (is_rows(m))
            table_print(out, out->arena, m);
    for (const struct json *m = answer->first; m; m = m->next) {
        if (is_rows(m) || m->kind == JSON_NULL || (m->kind == JSON_ARRAY && m->count == 0))
            continue;
        struct slice text = cell_text(out->arena, m);
        buf_printf(out, "%.*s: %.*s\n", SLICE_ARG(m->name), SLICE_ARG(text));
    }
}
