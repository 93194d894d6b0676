#include "cli/program.h"

#include <stdio.h>

#include "base/nearest.h"
#include "cli/arguments.h"
#include "cli/help.h"
#include "cli/report.h"

static enum exit_code program_say_help(struct arena *a, const struct verb *verb, FILE *to) {
    struct slice text = verb ? help_of_verb(a, verb) : help_of_program(a);
    fwrite(text.ptr, 1, text.len, to);
    return report_flushed(EXIT_OK);
}

static enum exit_code program_unknown_verb(struct arena *a, struct slice word) {
    struct nearest nearest = {.word = word};
    size_t count;
    const char *const *names = verb_names(a, &count);
    for (size_t i = 0; i < count; i++)
        nearest_offer(&nearest, names[i]);
    const char *kind = word.len && word.ptr[0] == '-' ? "flag" : "verb";
    struct error *error =
        nearest.name ? error_new(a, ERR_LOCAL, "there is no %s %.*s; did you mean %s?", kind,
                                 SLICE_ARG(word), nearest.name)
                     : error_new(a, ERR_LOCAL, "there is no %s %.*s", kind, SLICE_ARG(word));
    return report_usage(error, NULL);
}

static enum exit_code program_run_verb(struct arena *a, const struct verb *verb, char *const *argv,
                                       char *const *environment) {
    struct command command;
    struct arguments arguments;
    struct error *error = arguments_read(a, verb, argv, environment, &command, &arguments);
    if (error)
        return report_usage(error, verb->name);
    if (arguments.help)
        return program_say_help(a, verb, stdout);
    for (size_t i = 0; i < arguments.note_count; i++)
        fprintf(stderr, "stator: %.*s\n", SLICE_ARG(arguments.notes[i]));
    return report_flushed(verb->run(&command));
}

static enum exit_code program_run_in(struct arena *a, char *const *argv, char *const *environment) {
    if (!argv[0] || !argv[1]) {
        program_say_help(a, NULL, stderr);
        return EXIT_USAGE;
    }
    struct slice word = slice_of(argv[1]);
    if (slice_is(word, "--help") || slice_is(word, "-h"))
        return program_say_help(a, NULL, stdout);
    if (slice_is(word, "--version")) {
        puts("stator " STATOR_VERSION);
        return report_flushed(EXIT_OK);
    }
    const struct verb *verb = verb_find(word);
    return verb ? program_run_verb(a, verb, argv + 2, environment) : program_unknown_verb(a, word);
}

enum exit_code program_run(char *const *argv, char *const *environment) {
    struct arena *a = arena_create();
    enum exit_code code = program_run_in(a, argv, environment);
    arena_destroy(a);
    return code;
}
