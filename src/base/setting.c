#include "base/setting.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>

#include "base/nearest.h"

enum { SETTING_FILE_BYTES = 64 * 1024 };

static void *setting_at(const struct settings *s, const struct setting *row) {
    return (char *)s->values + row->offset;
}

/* --- One value -------------------------------------------------------------------------------- */

static struct error *setting_set_switch(bool *at, struct arena *a, const char *where,
                                        struct slice text) {
    static const char *const yes[] = {"true", "1", "yes", "on"};
    static const char *const no[] = {"false", "0", "no", "off"};
    for (size_t i = 0; i < ARRAY_LEN(yes); i++) {
        if (slice_is(text, yes[i]) || slice_is(text, no[i])) {
            *at = slice_is(text, yes[i]);
            return NULL;
        }
    }
    return error_new(a, ERR_LOCAL, "%s: %.*s is neither true nor false", where, SLICE_ARG(text));
}

static struct error *setting_set_number(uint32_t *at, const struct setting *row, struct arena *a,
                                        const char *where, struct slice text) {
    uint64_t number;
    if (!slice_to_u64(text, &number))
        return error_new(a, ERR_LOCAL, "%s: %.*s is not a number", where, SLICE_ARG(text));
    if (number > row->max)
        return error_new(a, ERR_LOCAL, "%s: %.*s is more than %u", where, SLICE_ARG(text),
                         row->max);
    *at = (uint32_t)number;
    return NULL;
}

/* "a|b" are the only values; a name without a bar takes any. */
static bool setting_is_choice(const char *choices, struct slice text) {
    if (!choices || !strchr(choices, '|'))
        return true;
    for (const char *at = choices;; at++) {
        size_t len = strcspn(at, "|");
        if (slice_equal((struct slice){at, len}, text))
            return true;
        at += len;
        if (!*at)
            return false;
    }
}

static struct error *setting_set_text(const char **at, const struct setting *row, struct arena *a,
                                      const char *where, struct slice text) {
    if (!setting_is_choice(row->value, text))
        return error_new(a, ERR_LOCAL, "%s: %.*s is not one of %s", where, SLICE_ARG(text),
                         row->value);
    if (text.len == 0)
        return error_new(a, ERR_LOCAL, "%s: the value is empty", where);
    *at = arena_string(a, text);
    return NULL;
}

static void setting_list_add(struct setting_list *at, struct arena *a, struct slice item) {
    struct slice *items = arena_array(a, at->count + 1, sizeof *items);
    if (at->count)
        memcpy(items, at->items, at->count * sizeof *items);
    items[at->count] = arena_copy(a, item);
    *at = (struct setting_list){items, at->count + 1};
}

static void setting_add_all(struct setting_list *at, struct arena *a, struct slice text) {
    while (text.len) {
        const char *comma = memchr(text.ptr, ',', text.len);
        size_t len = comma ? (size_t)(comma - text.ptr) : text.len;
        struct slice item = slice_trim((struct slice){text.ptr, len});
        if (item.len)
            setting_list_add(at, a, item);
        len += comma != NULL;
        text = (struct slice){text.ptr + len, text.len - len};
    }
}

static struct error *setting_set_any(const struct settings *s, const struct setting *row,
                                     struct arena *a, const char *where, struct slice text) {
    void *at = setting_at(s, row);
    switch (row->type) {
    case SETTING_SWITCH:
        return setting_set_switch(at, a, where, text);
    case SETTING_NUMBER:
        return setting_set_number(at, row, a, where, text);
    case SETTING_TEXT:
        return setting_set_text(at, row, a, where, text);
    case SETTING_LIST:
        setting_add_all(at, a, text);
        break;
    }
    return NULL;
}

/* --- The table -------------------------------------------------------------------------------- */

void settings_begin(struct settings *s, struct arena *a, const struct setting *rows, size_t count,
                    void *values) {
    *s = (struct settings){rows, count, values, arena_array(a, count, sizeof *s->sources)};
    for (size_t i = 0; i < count; i++) {
        if (!rows[i].start)
            continue;
        struct error *e = setting_set_any(s, &rows[i], a, rows[i].name, slice_of(rows[i].start));
        assert(!e);
        (void)e;
    }
}

const struct setting *settings_find(const struct settings *s, struct slice name) {
    for (size_t i = 0; i < s->count; i++)
        if (slice_is(name, s->rows[i].name))
            return &s->rows[i];
    return NULL;
}

const char *setting_variable(struct arena *a, const struct setting *row) {
    struct slice text = arena_printf(a, SETTING_VARIABLE_PREFIX "%s", row->name);
    char *name = arena_string(a, text);
    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    return name;
}

struct error *settings_set(struct settings *s, struct arena *a, const struct setting *row,
                           enum setting_source source, const char *where, struct slice text) {
    enum setting_source *known = &s->sources[row - s->rows];
    if (*known > source)
        return NULL;
    if (row->type == SETTING_LIST && *known < source)
        *(struct setting_list *)setting_at(s, row) = (struct setting_list){0};
    TRY(setting_set_any(s, row, a, where, text));
    *known = source;
    return NULL;
}

enum setting_source settings_source(const struct settings *s, const char *name) {
    const struct setting *row = settings_find(s, slice_of(name));
    assert(row);
    return s->sources[row - s->rows];
}

/* --- Environment ------------------------------------------------------------------------------ */

static const char *setting_look_up(char *const *environment, const char *variable) {
    size_t len = strlen(variable);
    for (; *environment; environment++)
        if (strncmp(*environment, variable, len) == 0 && (*environment)[len] == '=')
            return *environment + len + 1;
    return NULL;
}

struct error *settings_read_environment(struct settings *s, struct arena *a,
                                        char *const *environment) {
    for (size_t i = 0; i < s->count; i++) {
        const struct setting *row = &s->rows[i];
        if (row->weakest > SETTING_ENVIRONMENT)
            continue;
        const char *variable = setting_variable(a, row);
        const char *text = setting_look_up(environment, variable);
        /* An empty variable is the shell's way to unset one for a single command. */
        if (text && *text)
            TRY(settings_set(s, a, row, SETTING_ENVIRONMENT, variable, slice_of(text)));
    }
    return NULL;
}

/* --- File ------------------------------------------------------------------------------------- */

static struct error *setting_unknown(const struct settings *s, struct arena *a, const char *where,
                                     struct slice name) {
    struct nearest nearest = {.word = name};
    for (size_t i = 0; i < s->count; i++)
        if (s->rows[i].weakest <= SETTING_FILE)
            nearest_offer(&nearest, s->rows[i].name);
    if (nearest.name)
        return error_new(a, ERR_LOCAL, "%s: there is no setting %.*s; did you mean %s?", where,
                         SLICE_ARG(name), nearest.name);
    return error_new(a, ERR_LOCAL, "%s: there is no setting %.*s", where, SLICE_ARG(name));
}

static struct error *setting_read_line(struct settings *s, struct arena *a, const char *where,
                                       struct slice line) {
    line = slice_trim(line);
    if (line.len == 0 || line.ptr[0] == '#')
        return NULL;
    const char *equals = memchr(line.ptr, '=', line.len);
    if (!equals)
        return error_new(a, ERR_LOCAL, "%s: a line is `name = value`", where);
    struct slice name = slice_trim((struct slice){line.ptr, (size_t)(equals - line.ptr)});
    struct slice value = {equals + 1, (size_t)(line.ptr + line.len - equals - 1)};
    const struct setting *row = settings_find(s, name);
    if (!row || row->weakest > SETTING_FILE)
        return setting_unknown(s, a, where, name);
    return settings_set(s, a, row, SETTING_FILE, arena_printf(a, "%s: %s", where, row->name).ptr,
                        slice_trim(value));
}

static struct error *setting_read_lines(struct settings *s, struct arena *a, const char *path,
                                        struct slice text) {
    for (unsigned number = 1; text.len; number++) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) : text.len;
        size_t bare = len && text.ptr[len - 1] == '\r' ? len - 1 : len;
        TRY(setting_read_line(s, a, arena_printf(a, "%s:%u", path, number).ptr,
                              (struct slice){text.ptr, bare}));
        len += end != NULL;
        text = (struct slice){text.ptr + len, text.len - len};
    }
    return NULL;
}

static void setting_file_release(FILE **file) {
    if (*file)
        fclose(*file);
}

struct error *settings_read_file(struct settings *s, struct arena *a, const char *path) {
    CLEANUP(setting_file_release) FILE *file = fopen(path, "re");
    char *text = arena_bytes(a, SETTING_FILE_BYTES + 1);
    size_t len = file ? fread(text, 1, SETTING_FILE_BYTES + 1, file) : 0;
    if (!file || ferror(file))
        return error_new(a, ERR_LOCAL, "cannot read %s: %s", path, strerror(errno));
    if (len > SETTING_FILE_BYTES)
        return error_new(a, ERR_LOCAL, "%s is longer than %d bytes", path, SETTING_FILE_BYTES);
    return setting_read_lines(s, a, path, (struct slice){text, len});
}
