/*
 * The second pass: constraints, over the typed input.
 *
 * AWS checks a field in the order null, choices, pattern, least, most, then what is inside it, and
 * stops gathering after ten faults.  A value is repeated in the message as Java prints it:
 * "KeySchemaElement(attributeName=pk, keyType=HASH)", "[a, b]", "null".
 */
#include "ops/field_int.h"
#include "schema/table_schema.h"
#include "json/json_writer.h"

enum {
    FAULTS_MAX = 10,                /* AWS */
    FAULT_TEXT_BYTES = 1024 * 1024, /* of a message */
    FAULT_VALUE_BYTES = 16 * 1024,  /* a list or map that is longer is cut short */
};

/* Where a value stands: a step from the field or element above it. */
struct place {
    const struct place *up;
    struct slice name;
    size_t element; /* from 1; 0: not an element of a list */
    bool member;    /* an element or a map's value: ".member" follows */
};

struct faults {
    struct arena *arena;
    struct buf text;
    unsigned count;
};

/* A value that is being checked. */
struct subject {
    struct faults *faults;
    const struct place *place;
    const struct field *field;
    const void *at;
};

/* --- Texts ------------------------------------------------------------------------------------ */

static void print_lower_first(struct buf *out, struct slice name) {
    if (name.len == 0)
        return;
    char first = name.ptr[0];
    buf_add_char(out, first >= 'A' && first <= 'Z' ? (char)(first - 'A' + 'a') : first);
    buf_add(out, (struct slice){name.ptr + 1, name.len - 1});
}

/* `as_sent`: names as on the wire, not with a small letter. */
static void print_place(struct buf *out, const struct place *p, bool as_sent) {
    if (p->up) {
        print_place(out, p->up, as_sent);
        buf_add_char(out, '.');
    }
    if (!p->member && as_sent)
        buf_add(out, p->name);
    else if (!p->member)
        print_lower_first(out, p->name);
    else if (p->element)
        buf_printf(out, "%zu.member", p->element);
    else
        buf_printf(out, "%.*s.member", SLICE_ARG(p->name));
}

static void print_value(struct buf *out, const struct field *f, const void *at);

static void print_struct(struct buf *out, const struct field *f, const void *sub) {
    buf_add_text(out, f->shape);
    buf_add_char(out, '(');
    for (size_t i = 0; i < f->of_count; i++) {
        if (i)
            buf_add_text(out, ", ");
        print_lower_first(out, slice_of(f->of[i].name));
        buf_add_char(out, '=');
        print_value(out, &f->of[i], field_at_const(&f->of[i], sub));
    }
    buf_add_char(out, ')');
}

static void print_text(struct buf *out, struct slice s) {
    if (s.ptr)
        buf_add(out, s);
    else
        buf_add_text(out, "null");
}

static void print_json(struct buf *out, const struct json *j) {
    if (j)
        json_print(out, j, 0);
    else
        buf_add_text(out, "null");
}

/* Whether the list or map under way has become too long to be repeated whole. */
static bool print_enough(struct buf *out, size_t start) {
    return out->len - start > FAULT_VALUE_BYTES;
}

static void print_element(struct buf *out, const struct field *f, const struct field_list *l,
                          size_t i) {
    if (f->type == FIELD_STRINGS)
        print_text(out, ((const struct slice *)l->elements)[i]);
    else if (f->type == FIELD_VALUES || f->type == FIELD_ITEMS)
        print_json(out, ((const struct json *const *)l->elements)[i]);
    else
        print_struct(out, f, (const char *)l->elements + i * f->of_size);
}

static void print_list(struct buf *out, const struct field *f, const struct field_list *l) {
    size_t start = out->len;
    buf_add_char(out, '[');
    for (size_t i = 0; i < l->count && !print_enough(out, start); i++) {
        if (i)
            buf_add_text(out, ", ");
        print_element(out, f, l, i);
    }
    buf_add_char(out, ']');
}

static void print_map(struct buf *out, const struct field *f, const struct field_map *m) {
    size_t start = out->len;
    buf_add_char(out, '{');
    for (size_t i = 0; i < m->count && !print_enough(out, start); i++) {
        if (i)
            buf_add_text(out, ", ");
        buf_add(out, m->keys[i]);
        buf_add_char(out, '=');
        if (f->type == FIELD_LISTS)
            print_list(out, f, (const struct field_list *)m->values + i);
        else
            print_struct(out, f, (const char *)m->values + i * f->of_size);
    }
    buf_add_char(out, '}');
}

static bool field_given(const struct field *f, const void *at) {
    switch (f->type) {
    case FIELD_STRING:
    case FIELD_TABLE:
        return ((const struct slice *)at)->ptr != NULL;
    case FIELD_CHOICE:
        return ((const struct field_choice *)at)->text.ptr != NULL;
    case FIELD_BOOL:
        return ((const struct field_bool *)at)->given;
    case FIELD_INT:
    case FIELD_LONG:
        return ((const struct field_int *)at)->given;
    case FIELD_ITEMS:
    case FIELD_VALUES:
    case FIELD_STRINGS:
    case FIELD_LIST:
        return ((const struct field_list *)at)->given;
    case FIELD_MAP:
    case FIELD_LISTS:
        return ((const struct field_map *)at)->given;
    case FIELD_ITEM:
    case FIELD_VALUE:
    case FIELD_NAMES:
    case FIELD_STRUCT:
        return *(const void *const *)at != NULL;
    }
    return false;
}

static void print_value(struct buf *out, const struct field *f, const void *at) {
    if (!field_given(f, at)) {
        buf_add_text(out, "null");
        return;
    }
    switch (f->type) {
    case FIELD_STRING:
    case FIELD_TABLE:
        buf_add(out, *(const struct slice *)at);
        break;
    case FIELD_CHOICE:
        buf_add(out, ((const struct field_choice *)at)->text);
        break;
    case FIELD_BOOL:
        buf_add_text(out, ((const struct field_bool *)at)->value ? "true" : "false");
        break;
    case FIELD_INT:
    case FIELD_LONG:
        buf_printf(out, "%lld", (long long)((const struct field_int *)at)->value);
        break;
    case FIELD_ITEM:
    case FIELD_VALUE:
    case FIELD_NAMES:
        print_json(out, *(const struct json *const *)at);
        break;
    case FIELD_ITEMS:
    case FIELD_VALUES:
    case FIELD_STRINGS:
    case FIELD_LIST:
        print_list(out, f, at);
        break;
    case FIELD_STRUCT:
        print_struct(out, f, *(const void *const *)at);
        break;
    case FIELD_MAP:
    case FIELD_LISTS:
        print_map(out, f, at);
        break;
    }
}

static void faults_add(const struct subject *s, const char *constraint) {
    struct buf *out = &s->faults->text;
    if (s->faults->count == FAULTS_MAX)
        return;
    bool given = field_given(s->field, s->at);
    buf_add_text(out, s->faults->count++ ? "; Value" : "Value");
    if (!given) {
        buf_add_text(out, " null");
    } else if (!s->field->valueless) {
        buf_add_text(out, " '");
        print_value(out, s->field, s->at);
        buf_add_char(out, '\'');
    }
    buf_add_text(out, " at '");
    print_place(out, s->place, given && s->field->valueless);
    buf_add_text(out, "' failed to satisfy constraint: ");
    buf_add_text(out, constraint);
}

static void faults_add_bound(const struct subject *s, const char *constraint, int64_t bound) {
    faults_add(s, arena_printf(s->faults->arena, "%s%lld", constraint, (long long)bound).ptr);
}

static struct error *faults_error(struct faults *faults) {
    if (faults->count == 0)
        return NULL;
    return error_new(faults->arena, ERR_VALIDATION, "%u validation error%s detected: %.*s",
                     faults->count, faults->count == 1 ? "" : "s",
                     SLICE_ARG(buf_slice(&faults->text)));
}

/* --- Checks ----------------------------------------------------------------------------------- */

/* Characters as Java counts them: UTF-16 units. */
static int64_t text_length(struct slice s) {
    int64_t n = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        n += (c & 0xC0) != 0x80;
        n += c >= 0xF0;
    }
    return n;
}

/* FIELD_PATTERN_NAME, without its "one or more". */
static bool text_matches_name(struct slice s) {
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_' || c == '.' || c == '-'))
            return false;
    }
    return true;
}

static void constrain_length(const struct subject *s, int64_t length, int64_t min, int64_t max) {
    if (length < min)
        faults_add_bound(s, "Member must have length greater than or equal to ", min);
    if (max && length > max)
        faults_add_bound(s, "Member must have length less than or equal to ", max);
}

static void constrain_text(const struct subject *s, struct slice text) {
    const struct field *f = s->field;
    /* AWS: an empty table name in a data operation is only too short. */
    bool only_short = f->min == 1 && text.len == 0;
    if (f->pattern && !only_short && (text.len == 0 || !text_matches_name(text)))
        faults_add(s, "Member must satisfy regular expression pattern: " FIELD_PATTERN_NAME);
    constrain_length(s, text_length(text), f->min, f->max);
}

/* An ARN is its own form of a table's name: whether it names one is seen when it is looked up. */
static void constrain_table(const struct subject *s, struct slice text) {
    struct slice name = table_name_from_arn(text);
    if (name.ptr != text.ptr && text_matches_name(name))
        constrain_length(s, text_length(text), 1, FIELD_ARN_MAX_CHARS);
    else
        constrain_text(s, text);
}

static void constrain_choice(const struct subject *s) {
    struct buf text = buf_in(s->faults->arena, FAULT_VALUE_BYTES);
    buf_add_text(&text, "Member must satisfy enum value set: [");
    for (size_t i = 0; s->field->choices[i]; i++)
        buf_printf(&text, "%s%s", i ? ", " : "", s->field->choices[i]);
    buf_add_text(&text, "]");
    faults_add(s, arena_string(s->faults->arena, buf_slice(&text)));
}

static void constrain_int(const struct subject *s, int64_t value) {
    const struct field *f = s->field;
    if ((f->min || f->from_zero) && value < f->min)
        faults_add_bound(s, "Member must have value greater than or equal to ", f->min);
    if (f->max && value > f->max)
        faults_add_bound(s, "Member must have value less than or equal to ", f->max);
}

static void constrain_fields(struct faults *faults, const struct place *up,
                             const struct field *fields, size_t count, const void *input);

static void constrain_strings(const struct subject *list, const struct field_list *l) {
    static const struct field string = {.type = FIELD_STRING};
    for (size_t i = 0; i < l->count; i++) {
        const struct slice *text = (const struct slice *)l->elements + i;
        struct place p = {.up = list->place, .element = i + 1, .member = true};
        struct subject s = {list->faults, &p, &string, text};
        if (!text->ptr)
            faults_add(&s, "Member must not be null");
        else
            constrain_length(&s, text_length(*text), list->field->element_min,
                             list->field->element_max);
    }
}

static void constrain_elements(struct faults *faults, const struct place *up, const struct field *f,
                               const struct field_list *l) {
    for (size_t i = 0; i < l->count; i++) {
        struct place p = {.up = up, .element = i + 1, .member = true};
        constrain_fields(faults, &p, f->of, f->of_count,
                         (const char *)l->elements + i * f->of_size);
    }
}

static void constrain_list(const struct subject *s, const struct field_list *l) {
    const struct field *f = s->field;
    constrain_length(s, (int64_t)l->count, f->min, f->max);
    if (f->type == FIELD_STRINGS)
        constrain_strings(s, l);
    if (f->type == FIELD_LIST)
        constrain_elements(s->faults, s->place, f, l);
}

static bool is_table_key(struct slice key) {
    struct slice name = table_name_from_arn(key);
    int64_t max = name.ptr == key.ptr ? LIMIT_TABLE_NAME_MAX_CHARS : FIELD_ARN_MAX_CHARS;
    return key.len && text_length(key) <= max && text_matches_name(name);
}

static void constrain_keys(const struct subject *s, const struct field_map *m) {
    for (size_t i = 0; i < m->count; i++)
        if (!is_table_key(m->keys[i]))
            faults_add(s,
                       "Map keys must satisfy constraint: [Member must have length less than or "
                       "equal to 255, Member must have length greater than or equal to 1, "
                       "Member must satisfy regular expression pattern: " FIELD_PATTERN_NAME "]");
}

/* The lengths of the lists in a map. */
static void constrain_values(const struct subject *s, const struct field_map *m) {
    const struct field *f = s->field;
    const struct field_list *lists = m->values;
    const char *constraint =
        arena_printf(s->faults->arena,
                     "Map value must satisfy constraint: [Member must have length less than or "
                     "equal to %lld, Member must have length greater than or equal to %lld]",
                     (long long)f->element_max, (long long)f->element_min)
            .ptr;
    for (size_t i = 0; i < m->count; i++)
        if ((int64_t)lists[i].count < f->element_min || (int64_t)lists[i].count > f->element_max)
            faults_add(s, constraint);
}

static void constrain_map(const struct subject *s, const struct field_map *m) {
    const struct field *f = s->field;
    constrain_length(s, (int64_t)m->count, f->min, f->max);
    if (f->table_keys)
        constrain_keys(s, m);
    if (f->type == FIELD_LISTS)
        constrain_values(s, m);
    for (size_t i = 0; i < m->count; i++) {
        struct place p = {.up = s->place, .name = m->keys[i], .member = true};
        if (f->type == FIELD_LISTS)
            constrain_elements(s->faults, &p, f, (const struct field_list *)m->values + i);
        else
            constrain_fields(s->faults, &p, f->of, f->of_count,
                             (const char *)m->values + i * f->of_size);
    }
}

static void constrain_given(const struct subject *s) {
    switch (s->field->type) {
    case FIELD_STRING:
        constrain_text(s, *(const struct slice *)s->at);
        break;
    case FIELD_TABLE:
        constrain_table(s, *(const struct slice *)s->at);
        break;
    case FIELD_CHOICE:
        if (((const struct field_choice *)s->at)->is == 0)
            constrain_choice(s);
        break;
    case FIELD_INT:
    case FIELD_LONG:
        constrain_int(s, ((const struct field_int *)s->at)->value);
        break;
    case FIELD_ITEMS:
    case FIELD_VALUES:
    case FIELD_STRINGS:
    case FIELD_LIST:
        constrain_list(s, s->at);
        break;
    case FIELD_STRUCT:
        constrain_fields(s->faults, s->place, s->field->of, s->field->of_count,
                         *(const void *const *)s->at);
        break;
    case FIELD_MAP:
    case FIELD_LISTS:
        constrain_map(s, s->at);
        break;
    case FIELD_BOOL:
    case FIELD_ITEM:
    case FIELD_VALUE:
    case FIELD_NAMES:
        break;
    }
}

static void constrain_field(struct faults *faults, const struct place *up, const struct field *f,
                            const void *input) {
    struct place p = {.up = up, .name = slice_of(f->name)};
    struct subject s = {faults, &p, f, field_at_const(f, input)};
    if (field_given(f, s.at))
        constrain_given(&s);
    else if (f->required)
        faults_add(&s, "Member must not be null");
}

static void constrain_fields(struct faults *faults, const struct place *up,
                             const struct field *fields, size_t count, const void *input) {
    if (faults->count == FAULTS_MAX)
        return;
    for (size_t i = 0; i < count; i++)
        constrain_field(faults, up, &fields[i], input);
}

/* AWS: the table operations answer a missing TableName, and Describe and Delete also one of a wrong
 * length, in words of their own. */
static struct error *constrain_parameter(struct arena *a, const struct field *f,
                                         const void *input) {
    const void *at = field_at_const(f, input);
    if (!field_given(f, at))
        return error_new(a, ERR_VALIDATION,
                         "The parameter '%s' is required but was not present in the request",
                         f->name);
    const struct slice *name = at;
    if (!f->whole_length || table_name_from_arn(*name).ptr != name->ptr)
        return NULL;
    int64_t length = text_length(*name);
    if (length >= f->min && length <= f->max)
        return NULL;
    return error_new(a, ERR_VALIDATION,
                     "%s must be at least %lld characters long and at most %lld characters long",
                     f->name, (long long)f->min, (long long)f->max);
}

/* All the top rows with this `alone`. */
static struct error *constrain_rows(struct arena *a, const struct field *fields, size_t count,
                                    const void *input, bool alone) {
    struct faults faults = {.arena = a, .text = buf_in(a, FAULT_TEXT_BYTES)};
    for (size_t i = 0; i < count; i++)
        if (fields[i].alone == alone)
            constrain_field(&faults, NULL, &fields[i], input);
    return faults_error(&faults);
}

struct error *field_constrain(struct arena *a, const struct field *fields, size_t count,
                              const void *input) {
    for (size_t i = 0; i < count; i++)
        if (fields[i].parameter)
            TRY(constrain_parameter(a, &fields[i], input));
    TRY(constrain_rows(a, fields, count, input, true));
    return constrain_rows(a, fields, count, input, false);
}
