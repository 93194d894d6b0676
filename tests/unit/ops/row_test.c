/*
 * The tables make tests: every row of every operation that is built is given the wrong types, null,
 * and values that are too short, too long, too small, too large, of another pattern and outside its
 * choices.
 */
#include "unit.h"

#include <ctype.h>

#include "ops/op.h"

/* Where a row stands: the JSON around its member, and its place as AWS names it. */
struct spot {
    struct arena *arena;
    const struct op *op;
    const char *before;
    const char *after;
    const char *place;
    const char *place_as_sent; /* with the letters of the wire */
};

static unsigned checked;

static const char *lower_first(struct arena *a, const char *name) {
    return arena_printf(a, "%c%s", tolower((unsigned char)name[0]), name + 1).ptr;
}

static bool has_table_name(const struct op *op) {
    for (size_t i = 0; i < op->field_count; i++)
        if (op->fields[i].type == FIELD_TABLE)
            return true;
    return false;
}

/* The request whose only doubtful member is `name` with `value`. */
static struct error *read_with(const struct spot *s, const struct field *f, const char *value) {
    const char *table =
        has_table_name(s->op) && f->type != FIELD_TABLE ? "\"TableName\":\"abc\"," : "";
    if (s->place[0])
        table = has_table_name(s->op) ? "\"TableName\":\"abc\"," : "";
    struct slice text =
        arena_printf(s->arena, "{%s%s\"%s\":%s%s}", table, s->before, f->name, value, s->after);
    const struct json *body;
    void *input = arena_alloc(s->arena, s->op->input_size);
    checked++;
    TRY(json_parse(s->arena, text, &body));
    return field_read(s->arena, s->op->fields, s->op->field_count, body, input);
}

static void fail_at(const struct spot *s, const struct field *f, const char *value,
                    const struct error *e) {
    fail_msg("%s %s%s = %s: got %.*s", s->op->name, s->place, f->name, value,
             e ? (int)e->message.len : 4, e ? e->message.ptr : "well");
}

static void expect_type_fault(const struct spot *s, const struct field *f, const char *value) {
    struct error *e = read_with(s, f, value);
    if (!e || e->kind != ERR_SERIALIZATION || e->message.len == 0)
        fail_at(s, f, value, e);
}

static void expect_types(const struct spot *s, const struct field *f) {
    static const char *const wrong[][6] = {
        [FIELD_STRING] = {"true", "23", "3.5", "[]", "{}"},
        [FIELD_TABLE] = {"false", "23", "3.5", "[]", "{}"},
        [FIELD_CHOICE] = {"true", "23", "3.5", "[]", "{}"},
        [FIELD_BOOL] = {"23", "3.5", "\"23\"", "[]", "{}"},
        [FIELD_INT] = {"true", "\"23\"", "[]", "{}"},
        [FIELD_LONG] = {"true", "\"23\"", "[]", "{}"},
        [FIELD_ITEM] = {"true", "23", "\"a\"", "[]", "{\"a\":1}", "{\"a\":{\"S\":1}}"},
        [FIELD_ITEMS] = {"true", "\"a\"", "{}", "[1]", "[[]]", "[{\"a\":{\"S\":1}}]"},
        [FIELD_VALUE] = {"true", "23", "\"a\"", "[]", "{\"BOOL\":[]}"},
        [FIELD_VALUES] = {"true", "23", "\"a\"", "{}", "[1]", "[{\"L\":1}]"},
        [FIELD_NAMES] = {"true", "23", "\"a\"", "[]", "{\"#a\":1}", "{\"#a\":{}}"},
        [FIELD_STRINGS] = {"true", "23", "\"a\"", "{}", "[1]", "[{}]"},
        [FIELD_STRUCT] = {"true", "23", "\"a\"", "[]"},
        [FIELD_LIST] = {"true", "23", "\"a\"", "{}", "[1]", "[[]]"},
        [FIELD_MAP] = {"true", "23", "\"a\"", "[]", "{\"k\":1}", "{\"k\":[]}"},
        [FIELD_LISTS] = {"true", "\"a\"", "[]", "{\"k\":1}", "{\"k\":{}}", "{\"k\":[1]}"},
    };
    for (size_t i = 0; i < ARRAY_LEN(wrong[0]) && wrong[f->type][i]; i++)
        expect_type_fault(s, f, wrong[f->type][i]);
}

static void expect_constraint(const struct spot *s, const struct field *f, const char *value,
                              const char *constraint) {
    struct error *e = read_with(s, f, value);
    bool as_sent = f->valueless && strcmp(value, "null") != 0;
    struct slice text =
        arena_printf(s->arena, "at '%s%s' failed to satisfy constraint: %s",
                     as_sent ? s->place_as_sent : s->place,
                     as_sent ? f->name : lower_first(s->arena, f->name), constraint);
    if (f->whole_length && strstr(constraint, "length"))
        text = SLICE("must be at least 3 characters long and at most 255 characters long");
    if (!e || e->kind != ERR_VALIDATION || !slice_contains(e->message, text))
        fail_at(s, f, value, e);
}

static void expect_required(const struct spot *s, const struct field *f) {
    if (f->required)
        expect_constraint(s, f, "null", "Member must not be null");
    if (!f->parameter)
        return;
    struct error *e = read_with(s, f, "null");
    if (!e || !slice_starts_with(e->message, SLICE("The parameter '")))
        fail_at(s, f, "null", e);
}

/* A JSON string of so many letters. */
static const char *letters(struct arena *a, int64_t count) {
    char *text = arena_bytes(a, (size_t)count + 3);
    memset(text, 'a', (size_t)count + 3);
    text[0] = text[count + 1] = '"';
    text[count + 2] = '\0';
    return text;
}

/* A JSON array of so many times `element`. */
static const char *elements(struct arena *a, int64_t count, const char *element) {
    struct buf out = buf_in(a, 1024 * 1024);
    buf_add_char(&out, '[');
    for (int64_t i = 0; i < count; i++)
        buf_printf(&out, "%s%s", i ? "," : "", element);
    buf_add_char(&out, ']');
    return arena_string(a, buf_slice(&out));
}

static const char *bound(struct arena *a, const char *text, int64_t n) {
    return arena_printf(a, "Member must have %s equal to %lld", text, (long long)n).ptr;
}

static void expect_text(const struct spot *s, const struct field *f) {
    struct arena *a = s->arena;
    if (f->pattern && !f->whole_length)
        expect_constraint(s, f, "\"ab;cd\"",
                          "Member must satisfy regular expression pattern: " FIELD_PATTERN_NAME);
    if (f->min)
        expect_constraint(s, f, letters(a, f->min - 1), bound(a, "length greater than or", f->min));
    if (f->max)
        expect_constraint(s, f, letters(a, f->max + 1), bound(a, "length less than or", f->max));
}

static void expect_count(const struct spot *s, const struct field *f) {
    struct arena *a = s->arena;
    const char *element = f->type == FIELD_STRINGS ? "\"a\"" : "{}";
    if (f->min)
        expect_constraint(s, f, elements(a, f->min - 1, element),
                          bound(a, "length greater than or", f->min));
    if (f->max)
        expect_constraint(s, f, elements(a, f->max + 1, element),
                          bound(a, "length less than or", f->max));
}

static void expect_number(const struct spot *s, const struct field *f) {
    struct arena *a = s->arena;
    if (f->min || f->from_zero)
        expect_constraint(s, f, arena_printf(a, "%lld", (long long)f->min - 1).ptr,
                          bound(a, "value greater than or", f->min));
    if (f->max)
        expect_constraint(s, f, arena_printf(a, "%lld", (long long)f->max + 1).ptr,
                          bound(a, "value less than or", f->max));
}

static void expect_rows(const struct spot *s, const struct field *fields, size_t count);

static void expect_inside(const struct spot *s, const struct field *f) {
    struct arena *a = s->arena;
    static const struct {
        const char *open, *close, *step;
    } around[] = {
        [FIELD_STRUCT] = {"{", "}", ""},
        [FIELD_LIST] = {"[{", "}]", "1.member."},
        [FIELD_MAP] = {"{\"k\":{", "}}", "k.member."},
        [FIELD_LISTS] = {"{\"k\":[{", "}]}", "k.member.1.member."},
    };
    const char *step = around[f->type].step;
    struct spot inside = {
        a,
        s->op,
        arena_printf(a, "%s\"%s\":%s", s->before, f->name, around[f->type].open).ptr,
        arena_printf(a, "%s%s", around[f->type].close, s->after).ptr,
        arena_printf(a, "%s%s.%s", s->place, lower_first(a, f->name), step).ptr,
        arena_printf(a, "%s%s.%s", s->place_as_sent, f->name, step).ptr,
    };
    expect_rows(&inside, f->of, f->of_count);
}

static void expect_row(const struct spot *s, const struct field *f) {
    expect_types(s, f);
    expect_required(s, f);
    switch (f->type) {
    case FIELD_STRING:
    case FIELD_TABLE:
        expect_text(s, f);
        break;
    case FIELD_CHOICE:
        expect_constraint(s, f, "\"NONE_OF_THEM\"", "Member must satisfy enum value set: [");
        break;
    case FIELD_INT:
    case FIELD_LONG:
        expect_number(s, f);
        break;
    case FIELD_ITEMS:
    case FIELD_STRINGS:
    case FIELD_LIST:
        expect_count(s, f);
        break;
    default:
        break;
    }
    if (f->of)
        expect_inside(s, f);
}

static void expect_rows(const struct spot *s, const struct field *fields, size_t count) {
    for (size_t i = 0; i < count; i++)
        expect_row(s, &fields[i]);
}

static void every_row_of_every_operation(void **state) {
    (void)state;
    size_t count;
    const struct op *const *ops = op_list(&count);
    for (size_t i = 0; i < count; i++) {
        struct arena *a = arena_create();
        struct spot top = {a, ops[i], "", "", "", ""};
        expect_rows(&top, ops[i]->fields, ops[i]->field_count);
        arena_destroy(a);
    }
    printf("%u requests made from the tables\n", checked);
    assert_true(checked > 1000);
}

/* Each choice of each row is accepted and told apart. */
static void choices_are_numbered_from_one(void **state) {
    (void)state;
    struct arena *a = arena_create();
    size_t count;
    const struct op *const *ops = op_list(&count);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < ops[i]->field_count; k++) {
            const struct field *f = &ops[i]->fields[k];
            for (unsigned c = 0; f->type == FIELD_CHOICE && f->choices[c]; c++) {
                const struct json *body;
                char *input = arena_alloc(a, ops[i]->input_size);
                assert_ok(json_parse(a, arena_printf(a, "{\"%s\":\"%s\"}", f->name, f->choices[c]),
                                     &body));
                struct error *e = field_read(a, ops[i]->fields, ops[i]->field_count, body, input);
                assert_true(!e || !slice_contains(e->message, SLICE("enum value set")));
                assert_int_equal(((struct field_choice *)(void *)(input + f->offset))->is, c + 1);
            }
        }
    }
    arena_destroy(a);
}

UNIT_TESTS(cmocka_unit_test(every_row_of_every_operation),
           cmocka_unit_test(choices_are_numbered_from_one))
