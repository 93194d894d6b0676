#include "ops/tag_input.h"

#include <locale.h>
#include <wctype.h>

enum { TAGS_MAX = 50, TAG_KEY_MAX_CHARS = 128, TAG_VALUE_MAX_CHARS = 256 };

/* No bounds here: AWS has words of its own for them. */
const struct field tag_fields[TAG_FIELDS] = {
    {FIELD("Key", STRING, struct tag_input, key)},
    {FIELD("Value", STRING, struct tag_input, value)},
};

/* --- Characters ------------------------------------------------------------------------------- */

/* Takes one character off valid UTF-8. */
static wint_t text_next(struct slice *s) {
    unsigned char lead = (unsigned char)s->ptr[0];
    size_t len = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    static const unsigned char lead_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    wint_t c = lead & lead_bits[len];
    if (len > s->len)
        len = s->len;
    for (size_t i = 1; i < len; i++)
        c = c << 6 | ((unsigned char)s->ptr[i] & 0x3F);
    *s = (struct slice){s->ptr + len, s->len - len};
    return c;
}

static bool is_separator(wint_t c) {
    return c == ' ' || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
           c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

/* AWS: letters, digits and spaces of any script, and + - = . _ : / @ */
static bool is_tag_character(wint_t c, locale_t unicode) {
    bool is_sign = c && c < 0x80 && strchr("+-=._:/@", (int)c);
    return is_sign || is_separator(c) || iswalnum_l(c, unicode);
}

/* Characters are counted as Java counts them: UTF-16 units. */
static bool is_tag_text(struct slice s, int64_t min, int64_t max, locale_t unicode) {
    int64_t length = 0;
    while (s.len) {
        wint_t c = text_next(&s);
        if (!is_tag_character(c, unicode))
            return false;
        length += c > 0xFFFF ? 2 : 1;
    }
    return length >= min && length <= max;
}

/* --- Checks ----------------------------------------------------------------------------------- */

static struct error *tag_key_check(struct arena *a, struct slice key, locale_t unicode) {
    if (!key.ptr || !is_tag_text(key, 1, TAG_KEY_MAX_CHARS, unicode))
        return error_new(a, ERR_VALIDATION, "The Tag Key provided is invalid, Key: %.*s",
                         SLICE_ARG(key.ptr ? key : SLICE("null")));
    return NULL;
}

static struct error *tag_check(struct arena *a, const struct tag_input *tag, locale_t unicode) {
    struct slice reserved = SLICE("aws:"), key = tag->key;
    TRY(tag_key_check(a, key, unicode));
    if (key.len >= reserved.len &&
        slice_equal_ignore_case((struct slice){key.ptr, reserved.len}, reserved))
        return error_new(a, ERR_VALIDATION, "Tag Key cannot be prefixed with aws:, Key: %.*s",
                         SLICE_ARG(key));
    if (!tag->value.ptr || !is_tag_text(tag->value, 0, TAG_VALUE_MAX_CHARS, unicode))
        return error_new(a, ERR_VALIDATION, "The Tag Value provided is invalid, Value: %.*s",
                         SLICE_ARG(tag->value.ptr ? tag->value : SLICE("null")));
    return NULL;
}

static struct error *tags_exceed(struct arena *a) {
    return error_new(a, ERR_VALIDATION,
                     "Number of Tags exceed the current limit for the provided ResourceArn");
}

static struct error *tags_differ(struct arena *a, const struct tag_input *tags, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (slice_equal(tags[i].key, tags[k].key))
                return error_new(a, ERR_VALIDATION,
                                 "Duplicate Tag Keys provided as input: Duplicate Tag Key found "
                                 "%.*s",
                                 SLICE_ARG(tags[i].key));
    return NULL;
}

/* The letters of all scripts, whatever the process's own locale. */
static void locale_release(locale_t *l) {
    if (*l)
        freelocale(*l);
}

static locale_t locale_unicode(void) {
    return newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

static struct error *no_locale(struct arena *a) {
    return error_new(a, ERR_INTERNAL, "there is no locale C.UTF-8");
}

struct error *tags_check(struct arena *a, const struct field_list *l) {
    const struct tag_input *tags = l->elements;
    CLEANUP(locale_release) locale_t unicode = locale_unicode();
    if (!unicode)
        return no_locale(a);
    for (size_t i = 0; i < l->count; i++)
        TRY(tag_check(a, &tags[i], unicode));
    if (l->count > TAGS_MAX)
        return tags_exceed(a);
    return tags_differ(a, tags, l->count);
}

struct error *tag_keys_check(struct arena *a, const struct field_list *l) {
    const struct slice *keys = l->elements;
    CLEANUP(locale_release) locale_t unicode = locale_unicode();
    if (!unicode)
        return no_locale(a);
    for (size_t i = 0; i < l->count; i++)
        TRY(tag_key_check(a, keys[i], unicode));
    return l->count > TAGS_MAX ? tags_exceed(a) : NULL;
}

/* --- Changing --------------------------------------------------------------------------------- */

static struct tag *tag_find(struct tag *tags, size_t count, struct slice key) {
    for (size_t i = 0; i < count; i++)
        if (slice_equal(tags[i].key, key))
            return &tags[i];
    return NULL;
}

struct error *tags_add(struct arena *a, const struct field_list *l, struct table_schema *t) {
    const struct tag_input *given = l->elements;
    struct tag *tags = arena_array(a, t->tag_count + l->count, sizeof *tags);
    size_t count = t->tag_count;
    for (size_t i = 0; i < count; i++)
        tags[i] = t->tags[i];
    for (size_t i = 0; i < l->count; i++) {
        struct tag *known = tag_find(tags, count, given[i].key);
        *(known ? known : &tags[count++]) = (struct tag){given[i].key, given[i].value};
    }
    if (count > TAGS_MAX)
        return tags_exceed(a);
    t->tags = tags;
    t->tag_count = count;
    return NULL;
}

static bool is_among(const struct field_list *keys, struct slice key) {
    for (size_t i = 0; i < keys->count; i++)
        if (slice_equal(((const struct slice *)keys->elements)[i], key))
            return true;
    return false;
}

void tags_remove(struct arena *a, const struct field_list *keys, struct table_schema *t) {
    struct tag *left = arena_array(a, t->tag_count, sizeof *left);
    size_t count = 0;
    for (size_t i = 0; i < t->tag_count; i++)
        if (!is_among(keys, t->tags[i].key))
            left[count++] = t->tags[i];
    t->tags = left;
    t->tag_count = count;
}
