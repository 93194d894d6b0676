/*
 * Runs files of tests/cases/ops/, named on the command line, on an engine of their own in memory,
 * without a socket.  The form of a case is described at the top of tests/cases/run, which sends
 * the same files to the whole program.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "ops/op.h"
#include "json/json_writer.h"

enum { CASE_FILE_BYTES = 16 * 1024 * 1024, CASE_PRINT_BYTES = 4096 };

static int passed, failed;

/* One block of a file. */
struct block {
    const char *file;
    int line;
    struct slice operation;
    struct slice request;
    int status;
    struct slice reply;
};

/* --- Reading ---------------------------------------------------------------------------------- */

static void give_up(const struct block *b, const char *why) {
    printf("%s:%d: %s\n", b->file, b->line, why);
    exit(2);
}

static struct slice read_file(struct arena *a, const char *path) {
    struct buf text = buf_in(a, CASE_FILE_BYTES);
    FILE *f = fopen(path, "r");
    if (!f) {
        printf("cannot read %s\n", path);
        exit(2);
    }
    char piece[4096];
    size_t n;
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        buf_add(&text, (struct slice){piece, n});
    fclose(f);
    return buf_slice(&text);
}

/* Takes the next line off the text, without its end. */
static bool next_line(struct slice *text, struct slice *line) {
    if (text->len == 0)
        return false;
    const char *end = memchr(text->ptr, '\n', text->len);
    size_t len = end ? (size_t)(end - text->ptr) : text->len;
    *line = (struct slice){text->ptr, len};
    size_t skip = len + (end != NULL);
    *text = (struct slice){text->ptr + skip, text->len - skip};
    return true;
}

static bool is_status(struct slice line) {
    return line.len == 3 && isdigit((unsigned char)line.ptr[0]) &&
           isdigit((unsigned char)line.ptr[1]) && isdigit((unsigned char)line.ptr[2]);
}

static int status_of(struct slice line) {
    uint64_t status = 0;
    return slice_to_u64(line, &status) ? (int)status : 0;
}

/* Puts the line where the block has come to. */
static void block_add(struct block *b, struct slice line) {
    if (line.ptr[0] == '#' && !b->operation.ptr)
        return;
    if (!b->operation.ptr)
        b->operation = slice_trim(line);
    else if (!b->status && is_status(slice_trim(line)))
        b->status = status_of(slice_trim(line));
    else if (b->status)
        b->reply = (struct slice){
            b->reply.ptr ? b->reply.ptr : line.ptr,
            (size_t)(line.ptr + line.len - (b->reply.ptr ? b->reply.ptr : line.ptr))};
    else
        b->request = (struct slice){
            b->request.ptr ? b->request.ptr : line.ptr,
            (size_t)(line.ptr + line.len - (b->request.ptr ? b->request.ptr : line.ptr))};
}

/* --- Comparing -------------------------------------------------------------------------------- */

static bool matches(const struct json *got, const struct json *want);

static bool is_set(struct slice name) {
    return slice_is(name, "SS") || slice_is(name, "NS") || slice_is(name, "BS");
}

static bool array_holds(const struct json *array, const struct json *wanted) {
    for (const struct json *e = array->first; e; e = e->next)
        if (json_equal(e, wanted))
            return true;
    return false;
}

static bool arrays_match(const struct json *got, const struct json *want, bool any_order) {
    if (got->count != want->count)
        return false;
    const struct json *g = got->first;
    for (const struct json *w = want->first; w; w = w->next, g = g->next)
        if (any_order ? !array_holds(got, w) : !matches(g, w))
            return false;
    return true;
}

static bool objects_match(const struct json *got, const struct json *want) {
    bool more = json_member(want, SLICE("...")) != NULL;
    for (const struct json *w = want->first; w; w = w->next)
        if (!slice_is(w->name, "...") && !matches(json_member(got, w->name), w))
            return false;
    for (const struct json *g = got->first; g && !more; g = g->next)
        if (!json_member(want, g->name))
            return false;
    return true;
}

static bool numbers_match(struct slice got, struct slice want) {
    char g[64], w[64];
    snprintf(g, sizeof g, "%.*s", SLICE_ARG(got));
    snprintf(w, sizeof w, "%.*s", SLICE_ARG(want));
    return strtod(g, NULL) == strtod(w, NULL);
}

static bool matches(const struct json *got, const struct json *want) {
    if (!got)
        return false;
    if (want->kind == JSON_STRING && slice_is(want->text, "*"))
        return true;
    if (got->kind != want->kind)
        return false;
    switch (want->kind) {
    case JSON_NUMBER:
        return numbers_match(got->text, want->text);
    case JSON_STRING:
        return slice_equal(got->text, want->text);
    case JSON_ARRAY:
        return arrays_match(got, want, is_set(want->name));
    case JSON_OBJECT:
        return objects_match(got, want);
    case JSON_NULL:
    case JSON_FALSE:
    case JSON_TRUE:
        break;
    }
    return true;
}

/* --- Running ---------------------------------------------------------------------------------- */

/* An error as the server writes it. */
static struct slice error_reply(struct arena *a, const struct error *e) {
    struct buf text = buf_in(a, LIMIT_REPLY_BYTES);
    struct json_writer w = json_writer_text(&text);
    json_write_object_begin(&w);
    json_member_string(&w, "__type", e->type);
    if (e->message.ptr) {
        json_write_name(&w, slice_of(error_text_member(e)));
        json_write_string(&w, e->message);
    }
    if (e->details.len)
        buf_printf(&text, ",%.*s", SLICE_ARG(e->details));
    json_write_object_end(&w);
    return buf_slice(&text);
}

static struct error *block_call(const struct block *b, struct engine *e, struct arena *a,
                                struct slice *reply) {
    const struct op *op = op_find(b->operation);
    const struct json *body;
    struct buf text = buf_in(a, LIMIT_REPLY_BYTES);
    struct json_writer w = json_writer_text(&text);
    if (!op)
        give_up(b, "no such operation");
    TRY(json_parse(a, b->request, &body));
    TRY(op_call_whole(e, a, op, body, &w));
    *reply = buf_slice(&text);
    return NULL;
}

static void block_run(const struct block *b, struct engine *e) {
    struct arena *a = arena_create();
    struct slice reply;
    const struct json *got, *want;
    struct error *error = block_call(b, e, a, &reply);
    int status = error ? error_status(error) : 200;
    if (error)
        reply = error_reply(a, error);
    if (json_parse(a, b->reply, &want))
        give_up(b, "the wanted reply is not JSON");
    bool well = !json_parse(a, reply, &got) && status == b->status && matches(got, want);
    passed += well;
    failed += !well;
    if (!well)
        printf("%s:%d: %.*s %.*s\n   got  %d %.*s\n   want %d %.*s\n", b->file, b->line,
               SLICE_ARG(b->operation), (int)(b->request.len < 500 ? b->request.len : 500),
               b->request.ptr, status,
               (int)(reply.len < CASE_PRINT_BYTES ? reply.len : CASE_PRINT_BYTES), reply.ptr,
               b->status, SLICE_ARG(b->reply));
    arena_destroy(a);
}

static struct engine *open_engine(struct arena *a) {
    struct engine_options options = {.sync = SYNC_NONE};
    struct engine *e;
    struct error *error = store_open_mem(a, &options.store);
    if (!error)
        error = engine_open(a, &options, &e);
    if (error) {
        printf("engine: %.*s\n", SLICE_ARG(error->message));
        exit(2);
    }
    return e;
}

static void file_run(const char *path) {
    struct arena *a = arena_create();
    struct engine *e = open_engine(a);
    struct slice text = read_file(a, path), line;
    struct block b = {.file = path};
    for (int number = 1;; number++) {
        bool more = next_line(&text, &line);
        if (more && slice_trim(line).len) {
            if (!b.line)
                b.line = number;
            block_add(&b, line);
            continue;
        }
        if (b.operation.ptr && !b.reply.ptr)
            give_up(&b, "want operation, request, status, reply");
        if (b.operation.ptr)
            block_run(&b, e);
        b = (struct block){.file = path};
        if (!more)
            break;
    }
    engine_close(e);
    arena_destroy(a);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        file_run(argv[i]);
    printf("%d passed, %d failed\n", passed, failed);
    return failed || !passed;
}
