#include "model/key_template.h"

#include "model/key_id.h"

/* --- Parsing ---------------------------------------------------------------------------------- */

static struct error *template_fault(struct arena *a, const struct key_template *t,
                                    const char *what) {
    return error_new(a, ERR_VALIDATION, "the key template \"%.*s\" %s", SLICE_ARG(t->text), what);
}

static struct error *template_add(struct arena *a, struct key_template *t, bool variable,
                                  struct slice text) {
    if (t->count == KEY_TEMPLATE_PARTS)
        return template_fault(a, t, "has too many parts");
    t->parts[t->count++] = (struct key_part){variable, text};
    return NULL;
}

static bool literal_char(char c) {
    return c > ' ' && c < 0x7F && c != '%' && c != '{' && c != '}';
}

static bool name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static struct error *template_literal(struct arena *a, struct key_template *t, size_t *at) {
    size_t start = *at;
    while (*at < t->text.len && literal_char(t->text.ptr[*at]))
        ++*at;
    if (*at == start)
        return template_fault(a, t, "may hold printable ASCII without '%' and {variables}");
    if (t->count > 0 && t->text.ptr[start] != '#')
        return template_fault(a, t, "needs a '#' or the end after a variable");
    return template_add(a, t, false, (struct slice){t->text.ptr + start, *at - start});
}

static struct error *template_variable(struct arena *a, struct key_template *t, size_t *at) {
    size_t start = ++*at;
    while (*at < t->text.len && name_char(t->text.ptr[*at]))
        ++*at;
    struct slice name = {t->text.ptr + start, *at - start};
    if (name.len == 0 || *at == t->text.len || t->text.ptr[*at] != '}')
        return template_fault(a, t, "has a variable that is not written {name}");
    if (t->count > 0 && t->parts[t->count - 1].variable)
        return template_fault(a, t, "needs a '#' or the end after a variable");
    if (key_template_uses(t, name))
        return template_fault(a, t, "uses a variable twice");
    ++*at;
    return template_add(a, t, true, name);
}

struct error *key_template_parse(struct arena *a, struct slice text, struct key_template *out) {
    struct key_template t = {.text = text};
    if (text.len == 0)
        return template_fault(a, &t, "is empty");
    for (size_t at = 0; at < text.len;)
        TRY(text.ptr[at] == '{' ? template_variable(a, &t, &at) : template_literal(a, &t, &at));
    *out = t;
    return NULL;
}

/* --- Building and taking apart ---------------------------------------------------------------- */

static struct error *template_bind(struct arena *a, struct slice name,
                                   const struct key_binding *bindings, size_t count,
                                   struct slice *id) {
    for (size_t i = 0; i < count; i++) {
        if (!slice_equal(bindings[i].name, name))
            continue;
        *id = bindings[i].id;
        return key_id_check(a, *id);
    }
    return error_new(a, ERR_VALIDATION, "the key needs {%.*s}", SLICE_ARG(name));
}

struct error *key_template_build(struct arena *a, const struct key_template *t,
                                 const struct key_binding *bindings, size_t count, size_t max,
                                 struct slice *out) {
    struct buf key = buf_in(a, max);
    for (size_t i = 0; i < t->count; i++) {
        struct slice id;
        if (!t->parts[i].variable) {
            buf_add(&key, t->parts[i].text);
            continue;
        }
        TRY(template_bind(a, t->parts[i].text, bindings, count, &id));
        key_id_escape(&key, id);
    }
    if (!buf_ok(&key))
        return error_new(a, ERR_VALIDATION,
                         "the id is too long: a key of \"%.*s\" has at most %zu "
                         "bytes",
                         SLICE_ARG(t->text), max);
    *out = buf_slice(&key);
    return NULL;
}

bool key_template_match(struct arena *a, const struct key_template *t, struct slice key,
                        struct key_binding ids[KEY_TEMPLATE_PARTS]) {
    size_t at = 0, bound = 0;
    for (size_t i = 0; i < t->count; i++) {
        struct slice rest = {key.ptr + at, key.len - at}, text = t->parts[i].text;
        if (!t->parts[i].variable) {
            if (!slice_starts_with(rest, text))
                return false;
            at += text.len;
            continue;
        }
        const char *end = memchr(rest.ptr, '#', rest.len);
        struct slice written = {rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len};
        ids[bound].name = text;
        if (!key_id_unescape(a, written, &ids[bound].id))
            return false;
        bound++;
        at += written.len;
    }
    return at == key.len;
}

/* --- Asking about templates ------------------------------------------------------------------- */

bool key_template_uses(const struct key_template *t, struct slice variable) {
    for (size_t i = 0; i < t->count; i++)
        if (t->parts[i].variable && slice_equal(t->parts[i].text, variable))
            return true;
    return false;
}

size_t key_template_variables(const struct key_template *t) {
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++)
        count += t->parts[i].variable;
    return count;
}

struct slice key_template_head(const struct key_template *t) {
    return t->count > 0 && !t->parts[0].variable ? t->parts[0].text : (struct slice){"", 0};
}

/* A template's text up to the next `#`: literal bytes and, at their end, perhaps a variable. */
struct segment {
    struct slice literal;
    bool variable;
};

/* A walk over a template's segments; ids hold no `#`, so segments of a key are segments of it. */
struct segments {
    const struct key_template *t;
    size_t part;
    size_t offset; /* in a literal */
    bool done;
};

static struct segment segment_next(struct segments *s) {
    struct segment segment = {{"", 0}, false};
    for (; s->part < s->t->count; s->part++, s->offset = 0) {
        const struct key_part *part = &s->t->parts[s->part];
        if (part->variable) {
            segment.variable = true;
            continue;
        }
        struct slice rest = {part->text.ptr + s->offset, part->text.len - s->offset};
        const char *hash = memchr(rest.ptr, '#', rest.len);
        size_t len = hash ? (size_t)(hash - rest.ptr) : rest.len;
        if (len > 0)
            segment.literal = (struct slice){rest.ptr, len};
        if (hash) {
            s->offset += len + 1;
            return segment;
        }
    }
    s->done = true;
    return segment;
}

static bool segments_meet(struct segment a, struct segment b) {
    if (a.variable && b.variable)
        return slice_starts_with(a.literal, b.literal) || slice_starts_with(b.literal, a.literal);
    if (a.variable)
        return b.literal.len > a.literal.len && slice_starts_with(b.literal, a.literal);
    if (b.variable)
        return a.literal.len > b.literal.len && slice_starts_with(a.literal, b.literal);
    return slice_equal(a.literal, b.literal);
}

bool key_templates_meet(const struct key_template *a, const struct key_template *b) {
    struct segments left = {.t = a}, right = {.t = b};
    while (!left.done && !right.done)
        if (!segments_meet(segment_next(&left), segment_next(&right)))
            return false;
    return left.done && right.done;
}

bool key_template_heads_meet(const struct key_template *a, const struct key_template *b) {
    struct slice left = key_template_head(a), right = key_template_head(b);
    return slice_starts_with(left, right) || slice_starts_with(right, left);
}
