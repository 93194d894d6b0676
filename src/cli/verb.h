/*
 * The verbs of the command line, and what is said about each.
 *
 * One row holds a verb's words, settings, texts and function; the parser, the help, the man page
 * and the completions are made of the rows.
 */
#ifndef CLI_VERB_H
#define CLI_VERB_H

#include "base/setting.h"
#include "cli/exit_list.h"

/* The command line as parsed: what a verb's function gets. */
struct command {
    struct arena *arena;
    const struct verb *verb;
    struct settings settings;
    const void *values; /* the verb's settings */
    const struct slice *words;
    size_t word_count;
};

/* A flag of DynamoDB Local: another name of a setting, or one that changes nothing here. */
struct verb_alias {
    const char *flag;    /* with its dash */
    const char *setting; /* or NULL */
    const char *note;    /* why it changes nothing */
    bool takes_value;    /* when it changes nothing */
};

struct verb {
    const char *name;
    const char *words; /* as in the usage: "OPERATION [JSON | @FILE | -]", or "" */
    size_t words_min;
    size_t words_max;
    const char *const *(*choices)(struct arena *a, size_t *count); /* of the first word, or NULL */
    const char *summary;
    const char *text;     /* paragraphs, lines of at most 80 characters */
    const char *examples; /* lines */
    const struct setting *settings;
    size_t setting_count;
    size_t values_size;
    const struct verb_alias *aliases;
    size_t alias_count;
    enum exit_code (*run)(struct command *c);
};

extern const struct verb verb_serve, verb_call, verb_graph, verb_check, verb_completion, verb_man,
    verb_help;

/* All of them, in the order of the help. */
const struct verb *const *verb_list(size_t *count);
const struct verb *verb_find(struct slice name);

/* The verb's names, for completion and suggestions. */
const char *const *verb_names(struct arena *a, size_t *count);

#endif
