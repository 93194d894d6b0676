#include "cli/arguments.h"

#include "base/nearest.h"

/* The words of a command line, read from front to back. */
struct arguments_reader {
    struct arena *arena;
    char *const *at;
    struct command *command;
    struct arguments *out;
    struct slice *words;
};

static void arguments_note(struct arguments *out, struct arena *a, struct slice text) {
    struct slice *notes = arena_array(a, out->note_count + 1, sizeof *notes);
    if (out->note_count)
        memcpy(notes, out->notes, out->note_count * sizeof *notes);
    notes[out->note_count] = text;
    out->notes = notes;
    out->note_count++;
}

/* Wherever it stands: who asks for help must not be told of faults instead. */
static bool arguments_ask_help(char *const *argv) {
    for (; *argv && strcmp(*argv, "--") != 0; argv++)
        if (strcmp(*argv, "--help") == 0 || strcmp(*argv, "-h") == 0 || strcmp(*argv, "-help") == 0)
            return true;
    return false;
}

static struct error *arguments_unknown(struct arena *a, const struct verb *verb,
                                       struct slice flag) {
    struct nearest nearest = {.word = flag};
    nearest_offer(&nearest, "--help");
    for (size_t i = 0; i < verb->setting_count; i++)
        nearest_offer(&nearest, arena_printf(a, "--%s", verb->settings[i].name).ptr);
    for (size_t i = 0; i < verb->alias_count; i++)
        nearest_offer(&nearest, verb->aliases[i].flag);
    if (nearest.name)
        return error_new(a, ERR_LOCAL, "%s: there is no flag %.*s; did you mean %s?", verb->name,
                         SLICE_ARG(flag), nearest.name);
    return error_new(a, ERR_LOCAL, "%s: there is no flag %.*s", verb->name, SLICE_ARG(flag));
}

/* The value behind `=`, or the next word. */
static struct error *arguments_value(struct arguments_reader *r, struct slice flag,
                                     const char *inside, const char *meaning, struct slice *out) {
    const char *value = inside ? inside : *r->at;
    if (!value)
        return error_new(r->arena, ERR_LOCAL, "%.*s needs a value: %s", SLICE_ARG(flag), meaning);
    r->at += inside == NULL;
    *out = slice_of(value);
    return NULL;
}

static struct error *arguments_set(struct arguments_reader *r, const struct setting *row,
                                   struct slice flag, const char *inside) {
    struct slice value = SLICE("true");
    if (row->type != SETTING_SWITCH)
        TRY(arguments_value(r, flag, inside, row->value, &value));
    else if (inside)
        value = slice_of(inside);
    return settings_set(&r->command->settings, r->arena, row, SETTING_FLAG,
                        arena_string(r->arena, flag), value);
}

static struct error *arguments_read_alias(struct arguments_reader *r,
                                          const struct verb_alias *alias, const char *inside) {
    struct slice flag = slice_of(alias->flag);
    if (alias->setting)
        return arguments_set(r, settings_find(&r->command->settings, slice_of(alias->setting)),
                             flag, inside);
    struct slice ignored;
    if (alias->takes_value)
        TRY(arguments_value(r, flag, inside, "a value", &ignored));
    arguments_note(r->out, r->arena,
                   arena_printf(r->arena, "%s changes nothing: %s", alias->flag, alias->note));
    return NULL;
}

static struct error *arguments_read_flag(struct arguments_reader *r, struct slice word) {
    const struct verb *verb = r->command->verb;
    const char *equals = memchr(word.ptr, '=', word.len);
    struct slice flag = {word.ptr, equals ? (size_t)(equals - word.ptr) : word.len};
    const char *inside = equals ? equals + 1 : NULL;
    if (slice_starts_with(flag, SLICE("--"))) {
        struct slice name = {flag.ptr + 2, flag.len - 2};
        const struct setting *row = settings_find(&r->command->settings, name);
        if (row)
            return arguments_set(r, row, flag, inside);
    }
    for (size_t i = 0; i < verb->alias_count; i++)
        if (slice_is(flag, verb->aliases[i].flag))
            return arguments_read_alias(r, &verb->aliases[i], inside);
    return arguments_unknown(r->arena, verb, flag);
}

/* A lone "-" is a word (standard input); behind "--" all are. */
static struct error *arguments_read_all(struct arguments_reader *r) {
    bool only_words = false;
    while (*r->at) {
        struct slice word = slice_of(*r->at++);
        bool is_flag = !only_words && word.len > 1 && word.ptr[0] == '-';
        if (is_flag && slice_is(word, "--"))
            only_words = true;
        else if (is_flag)
            TRY(arguments_read_flag(r, word));
        else
            r->words[r->command->word_count++] = word;
    }
    return NULL;
}

static struct error *arguments_check_words(struct arena *a, const struct command *c) {
    const struct verb *verb = c->verb;
    if (c->word_count < verb->words_min)
        return error_new(a, ERR_LOCAL, "%s needs %s", verb->name, verb->words);
    if (c->word_count > verb->words_max)
        return error_new(a, ERR_LOCAL, "%s: %.*s is one word too many", verb->name,
                         SLICE_ARG(c->words[verb->words_max]));
    return NULL;
}

/* --- Environment and file --------------------------------------------------------------------- */

/* Whether some verb has a setting of that variable. */
static bool arguments_is_variable(struct arena *a, struct slice name) {
    size_t count;
    const struct verb *const *verbs = verb_list(&count);
    for (size_t v = 0; v < count; v++)
        for (size_t i = 0; i < verbs[v]->setting_count; i++)
            if (slice_is(name, setting_variable(a, &verbs[v]->settings[i])))
                return true;
    return false;
}

/* A variable that is nearly one of the verb's is noted: nothing else would tell of the slip. */
static void arguments_note_variable(struct arena *a, const struct verb *verb, struct slice name,
                                    struct arguments *out) {
    size_t prefix = strlen(SETTING_VARIABLE_PREFIX);
    struct nearest nearest = {.word = {name.ptr + prefix, name.len - prefix}};
    for (size_t i = 0; i < verb->setting_count; i++)
        if (verb->settings[i].weakest <= SETTING_ENVIRONMENT)
            nearest_offer(&nearest, setting_variable(a, &verb->settings[i]) + prefix);
    if (nearest.name && !arguments_is_variable(a, name))
        arguments_note(out, a,
                       arena_printf(a, "%.*s is no setting; did you mean %s%s?", SLICE_ARG(name),
                                    SETTING_VARIABLE_PREFIX, nearest.name));
}

static void arguments_note_variables(struct arena *a, const struct verb *verb,
                                     char *const *environment, struct arguments *out) {
    for (; *environment; environment++) {
        struct slice name = {*environment, strcspn(*environment, "=")};
        if (slice_starts_with(name, SLICE(SETTING_VARIABLE_PREFIX)))
            arguments_note_variable(a, verb, name, out);
    }
}

static struct error *arguments_read_weaker(struct arena *a, struct command *c,
                                           char *const *environment) {
    TRY(settings_read_environment(&c->settings, a, environment));
    const struct setting *config = settings_find(&c->settings, SLICE("config"));
    if (!config)
        return NULL;
    const char *path = *(const char *const *)((const char *)c->values + config->offset);
    return path ? settings_read_file(&c->settings, a, path) : NULL;
}

struct error *arguments_read(struct arena *a, const struct verb *verb, char *const *argv,
                             char *const *environment, struct command *command,
                             struct arguments *out) {
    size_t count = 0;
    while (argv[count])
        count++;
    void *values = arena_alloc(a, verb->values_size + 1);
    *command = (struct command){.arena = a, .verb = verb, .values = values};
    *out = (struct arguments){0};
    settings_begin(&command->settings, a, verb->settings, verb->setting_count, values);
    struct arguments_reader r = {
        .arena = a,
        .at = argv,
        .command = command,
        .out = out,
        .words = arena_array(a, count + 1, sizeof *r.words),
    };
    command->words = r.words;
    out->help = arguments_ask_help(argv);
    if (out->help)
        return NULL;
    TRY(arguments_read_all(&r));
    TRY(arguments_check_words(a, command));
    arguments_note_variables(a, verb, environment, out);
    return arguments_read_weaker(a, command, environment);
}
