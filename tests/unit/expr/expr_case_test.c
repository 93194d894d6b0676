/*
 * Runs the .case files of tests/cases/expr, or those named on the command line.  The form of a case
 * is described at the top of condition.case.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "expr/expr.h"
#include "item/item_json.h"

enum { LINE_BYTES = 64 * 1024 };

static int passed, failed;

/* What stays until it is given anew, and the case at hand. */
struct cases {
    struct arena *kept;  /* names, values, item: for the whole file */
    struct arena *arena; /* for one case */
    const char *file;
    int line;
    const struct json *names;
    const struct json *values;
    struct item item;
    struct slice text;   /* the expression */
    struct slice wanted; /* what stands after the arrow */
};

static void case_fail(const struct cases *t, struct slice got) {
    failed++;
    printf("%s:%d: %.*s\n   got  %.*s\n   want %.*s\n", t->file, t->line, SLICE_ARG(t->text),
           SLICE_ARG(got), SLICE_ARG(t->wanted));
}

static void case_expect(const struct cases *t, struct slice got) {
    if (slice_equal(got, t->wanted))
        passed++;
    else
        case_fail(t, got);
}

/* "invalid X" is short for "error Invalid <parameter>: X". */
static void case_expect_error(const struct cases *t, const struct error *e, const char *parameter) {
    struct slice prefix = arena_printf(t->arena, "Invalid %s: ", parameter);
    struct slice message = e->message;
    if (slice_starts_with(t->wanted, SLICE("invalid ")) && slice_starts_with(message, prefix))
        case_expect(t, arena_printf(t->arena, "invalid %.*s", (int)(message.len - prefix.len),
                                    message.ptr + prefix.len));
    else if (e->kind == ERR_VALIDATION)
        case_expect(t, arena_printf(t->arena, "error %.*s", SLICE_ARG(message)));
    else
        case_expect(t, SLICE("error of another kind"));
}

static const struct json *case_json(const struct cases *t, struct arena *a, struct slice text) {
    const struct json *json;
    if (slice_is(text, "-"))
        return NULL;
    struct error *e = json_parse(a, arena_copy(a, text), &json);
    if (e) {
        printf("%s:%d: not JSON: %.*s\n", t->file, t->line, SLICE_ARG(text));
        exit(2);
    }
    return json;
}

static struct item case_item(const struct cases *t, struct arena *a, struct slice text) {
    struct item item = {0};
    struct error *e = item_from_json(a, case_json(t, a, text), &item);
    if (e) {
        printf("%s:%d: no item: %.*s\n", t->file, t->line, SLICE_ARG(e->message));
        exit(2);
    }
    return item;
}

static struct slice case_print_item(struct arena *a, const struct item *item) {
    struct buf out = buf_in(a, LINE_BYTES);
    struct json_writer w = json_writer_text(&out);
    item_to_json(&w, item);
    return buf_slice(&out);
}

static void case_expect_item(const struct cases *t, const struct item *got) {
    if (!slice_starts_with(t->wanted, SLICE("{"))) {
        case_fail(t, case_print_item(t->arena, got));
        return;
    }
    struct item wanted = case_item(t, t->arena, t->wanted);
    if (item_equal(&wanted, got))
        passed++;
    else
        case_fail(t, case_print_item(t->arena, got));
}

/* --- Kinds of cases --------------------------------------------------------------------------- */

static struct expr_scope *case_scope(const struct cases *t) {
    struct expr_scope *scope = NULL;
    struct error *e = expr_scope_create(t->arena, t->names, t->values, &scope);
    if (!e)
        return scope;
    case_expect_error(t, e, "");
    return NULL;
}

static void case_run_condition(const struct cases *t, const char *parameter) {
    const struct condition *c = NULL;
    struct expr_scope *scope = case_scope(t);
    if (!scope)
        return;
    struct error *e = condition_parse(t->arena, scope, t->text, parameter, &c);
    if (e)
        case_expect_error(t, e, parameter);
    else
        case_expect(t, condition_matches(c, &t->item) ? SLICE("true") : SLICE("false"));
}

static void case_condition(const struct cases *t) {
    case_run_condition(t, "ConditionExpression");
}

static void case_filter(const struct cases *t) {
    case_run_condition(t, "FilterExpression");
}

static struct slice case_print_terms(struct arena *a, const struct key_condition *key) {
    static const char *const names[] = {"=", "<", "<=", ">", ">=", "between", "begins_with"};
    struct buf out = buf_in(a, LINE_BYTES);
    struct json_writer w;
    for (size_t i = 0; i < key->count; i++) {
        const struct key_term *term = &key->terms[i];
        buf_printf(&out, "%s%.*s %s ", i ? "; " : "", SLICE_ARG(term->attribute), names[term->op]);
        w = json_writer_text(&out);
        value_to_json(&w, &term->low);
        if (term->op != KEY_BETWEEN)
            continue;
        buf_add_char(&out, ' ');
        w = json_writer_text(&out);
        value_to_json(&w, &term->high);
    }
    return buf_slice(&out);
}

static void case_key(const struct cases *t) {
    struct key_condition key;
    struct expr_scope *scope = case_scope(t);
    if (!scope)
        return;
    struct error *e = key_condition_parse(t->arena, scope, t->text, &key);
    if (e)
        case_expect_error(t, e, "KeyConditionExpression");
    else
        case_expect(t, case_print_terms(t->arena, &key));
}

static void case_projection(const struct cases *t) {
    struct projection projection;
    struct expr_scope *scope = case_scope(t);
    if (!scope)
        return;
    struct error *e = projection_parse(t->arena, scope, t->text, &projection);
    if (e) {
        case_expect_error(t, e, "ProjectionExpression");
        return;
    }
    struct item got = projection_apply(t->arena, &projection, &t->item);
    case_expect_item(t, &got);
}

static const struct update *case_parse_update(const struct cases *t) {
    const struct update *u = NULL;
    struct expr_scope *scope = case_scope(t);
    if (!scope)
        return NULL;
    struct error *e = update_parse(t->arena, scope, t->text, &u);
    if (!e)
        return u;
    case_expect_error(t, e, "UpdateExpression");
    return NULL;
}

static void case_update(const struct cases *t) {
    struct item got;
    const struct update *u = case_parse_update(t);
    if (!u)
        return;
    struct error *e = update_apply(t->arena, u, &t->item, &got);
    if (e)
        case_expect_error(t, e, "UpdateExpression");
    else
        case_expect_item(t, &got);
}

static void case_touched_old(const struct cases *t) {
    const struct update *u = case_parse_update(t);
    if (!u)
        return;
    struct item got = update_touched(t->arena, u, &t->item);
    case_expect_item(t, &got);
}

static void case_touched_new(const struct cases *t) {
    struct item after;
    const struct update *u = case_parse_update(t);
    if (!u)
        return;
    struct error *e = update_apply(t->arena, u, &t->item, &after);
    if (e) {
        case_expect_error(t, e, "UpdateExpression");
        return;
    }
    struct item got = update_touched(t->arena, u, &after);
    case_expect_item(t, &got);
}

static void case_scope_only(const struct cases *t) {
    if (case_scope(t))
        case_expect(t, SLICE("ok"));
}

static void case_unused(const struct cases *t) {
    const struct condition *c = NULL;
    struct expr_scope *scope = case_scope(t);
    if (!scope)
        return;
    struct error *e = condition_parse(t->arena, scope, t->text, "ConditionExpression", &c);
    if (!e)
        e = expr_scope_check_unused(t->arena, scope);
    if (e)
        case_expect_error(t, e, "ConditionExpression");
    else
        case_expect(t, SLICE("ok"));
}

static const struct {
    const char *name;
    void (*run)(const struct cases *t);
} kinds[] = {
    {"condition", case_condition},
    {"filter", case_filter},
    {"key", case_key},
    {"projection", case_projection},
    {"update", case_update},
    {"touched-old", case_touched_old},
    {"touched-new", case_touched_new},
    {"scope", case_scope_only},
    {"unused", case_unused},
};

/* --- Files ------------------------------------------------------------------------------------ */

/* Cuts the first word off the line. */
static struct slice case_cut_word(struct slice *line) {
    size_t len = 0;
    while (len < line->len && line->ptr[len] != ' ')
        len++;
    struct slice word = {line->ptr, len};
    *line = slice_trim((struct slice){line->ptr + len, line->len - len});
    return word;
}

static bool case_split(struct slice line, struct slice *text, struct slice *wanted) {
    for (size_t i = 0; i + 2 <= line.len; i++) {
        if (memcmp(line.ptr + i, "=>", 2) != 0)
            continue;
        *text = (struct slice){line.ptr, i};
        *wanted = slice_trim((struct slice){line.ptr + i + 2, line.len - i - 2});
        return true;
    }
    return false;
}

/* \n, \t and \s (a space, where one at the end matters) in an expression. */
static struct slice case_unescape(struct arena *a, struct slice text) {
    char *out = arena_bytes(a, text.len + 1);
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        char next = i + 1 < text.len && text.ptr[i] == '\\' ? text.ptr[i + 1] : '\0';
        char escaped = next == 'n' ? '\n' : next == 't' ? '\t' : next == 's' ? ' ' : '\0';
        out[len++] = escaped ? escaped : text.ptr[i];
        i += escaped != '\0';
    }
    return (struct slice){out, len};
}

static bool case_setting(struct cases *t, struct slice word, struct slice rest) {
    if (slice_is(word, "names"))
        t->names = case_json(t, t->kept, rest);
    else if (slice_is(word, "values"))
        t->values = case_json(t, t->kept, rest);
    else if (slice_is(word, "item"))
        t->item = case_item(t, t->kept, rest);
    else
        return false;
    return true;
}

static void case_line(struct cases *t, struct slice line) {
    if (line.len == 0 || line.ptr[0] == '#')
        return;
    struct slice word = case_cut_word(&line), text, wanted;
    if (case_setting(t, word, line))
        return;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (!slice_is(word, kinds[i].name))
            continue;
        if (!case_split(line, &text, &wanted))
            break;
        arena_reset(t->arena);
        t->text = case_unescape(t->arena, slice_trim(text));
        bool json = slice_starts_with(wanted, SLICE("{"));
        t->wanted = json ? wanted : case_unescape(t->arena, wanted);
        kinds[i].run(t);
        return;
    }
    printf("%s:%d: not a case\n", t->file, t->line);
    exit(2);
}

static void case_file(const char *file) {
    static char line[LINE_BYTES];
    struct cases t = {.kept = arena_create(), .arena = arena_create(), .file = file};
    FILE *in = fopen(file, "r");
    if (!in) {
        perror(file);
        exit(2);
    }
    while (fgets(line, sizeof line, in)) {
        t.line++;
        line[strcspn(line, "\n")] = '\0';
        case_line(&t, slice_trim(slice_of(line)));
    }
    fclose(in);
    arena_destroy(t.arena);
    arena_destroy(t.kept);
}

int main(int argc, char **argv) {
    glob_t found = {0};
    for (int i = 1; i < argc; i++)
        case_file(argv[i]);
    if (argc == 1 && glob(CASES_DIR "/*.case", 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            case_file(found.gl_pathv[i]);
    globfree(&found);
    printf("%d passed, %d failed\n", passed, failed);
    return failed || !passed;
}
