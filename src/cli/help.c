/* `stator help`, and --help of every verb. */
#include "cli/help.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/nearest.h"
#include "cli/report.h"

enum { HELP_BYTES = 256 * 1024, HELP_COLUMN = 26, HELP_WIDTH = 100 };

/* --- Layout ----------------------------------------------------------------------------------- */

static size_t help_column(const struct buf *b) {
    size_t column = 0;
    while (column < b->len && b->ptr[b->len - 1 - column] != '\n')
        column++;
    return column;
}

static void help_indent(struct buf *b, size_t to) {
    do
        buf_add_char(b, ' ');
    while (help_column(b) < to);
}

/* Words of `text`, broken before HELP_WIDTH, further lines beginning at `indent`. */
static void help_wrap(struct buf *b, const char *text, size_t indent) {
    for (bool first = true; *text; first = false) {
        size_t len = strcspn(text, " ");
        if (!first && help_column(b) + 1 + len > HELP_WIDTH) {
            buf_add_char(b, '\n');
            help_indent(b, indent);
        } else if (!first) {
            buf_add_char(b, ' ');
        }
        buf_add(b, (struct slice){text, len});
        text += len + strspn(text + len, " ");
    }
    buf_add_char(b, '\n');
}

static void help_row(struct buf *b, const char *left, const char *right) {
    buf_printf(b, "  %s", left);
    if (help_column(b) > HELP_COLUMN - 2)
        buf_add_char(b, '\n');
    help_indent(b, HELP_COLUMN);
    help_wrap(b, right, HELP_COLUMN);
}

static void help_lines(struct buf *b, const char *text, const char *indent) {
    while (*text) {
        size_t len = strcspn(text, "\n");
        buf_printf(b, "%s%.*s\n", len ? indent : "", (int)len, text);
        text += len + (text[len] == '\n');
    }
}

/* --- Parts ------------------------------------------------------------------------------------ */

static void help_setting(struct buf *b, const struct setting *row) {
    struct arena *a = b->arena;
    const char *flag =
        arena_printf(a, "--%s%s%s", row->name, row->value ? " " : "", row->value ? row->value : "")
            .ptr;
    const char *start = row->start ? arena_printf(a, " [%s]", row->start).ptr : "";
    const char *variable = row->weakest <= SETTING_ENVIRONMENT
                               ? arena_printf(a, " ($%s)", setting_variable(a, row)).ptr
                               : "";
    help_row(b, flag, arena_printf(a, "%s%s%s", row->help, start, variable).ptr);
}

static void help_exit_codes(struct buf *b) {
    buf_add_text(b, "\nexit codes\n");
#define X(name, code, meaning) help_row(b, #code, meaning);
    EXIT_LIST(X)
#undef X
}

struct slice help_of_program(struct arena *a) {
    struct buf b = buf_in(a, HELP_BYTES);
    buf_add_text(&b, "stator: a DynamoDB-compatible database\n\n"
                     "usage: stator VERB [FLAGS] [WORDS]\n\nverbs\n");
    size_t count;
    const struct verb *const *verbs = verb_list(&count);
    for (size_t i = 0; i < count; i++)
        help_row(&b, verbs[i]->name, verbs[i]->summary);
    buf_add_text(&b, "\nflags\n");
    help_row(&b, "--help", "this text; behind a verb, that verb's");
    help_row(&b, "--version", "the version");
    help_exit_codes(&b);
    return buf_slice(&b);
}

struct slice help_of_verb(struct arena *a, const struct verb *verb) {
    struct buf b = buf_in(a, HELP_BYTES);
    buf_printf(&b, "stator %s: %s\n\nusage: stator %s%s%s%s\n\n", verb->name, verb->summary,
               verb->name, verb->setting_count ? " [FLAGS]" : "", *verb->words ? " " : "",
               verb->words);
    help_lines(&b, verb->text, "");
    buf_add_text(&b, "\nflags\n");
    for (size_t i = 0; i < verb->setting_count; i++)
        help_setting(&b, &verb->settings[i]);
    help_row(&b, "--help", "this text");
    if (verb->examples) {
        buf_add_text(&b, "\nexamples\n");
        help_lines(&b, verb->examples, "  ");
    }
    help_exit_codes(&b);
    return buf_slice(&b);
}

/* --- The verb --------------------------------------------------------------------------------- */

static enum exit_code help_unknown(struct command *c) {
    struct nearest nearest = {.word = c->words[0]};
    size_t count;
    const char *const *names = verb_names(c->arena, &count);
    for (size_t i = 0; i < count; i++)
        nearest_offer(&nearest, names[i]);
    struct error *error =
        nearest.name
            ? error_new(c->arena, ERR_LOCAL, "there is no verb %.*s; did you mean %s?",
                        SLICE_ARG(c->words[0]), nearest.name)
            : error_new(c->arena, ERR_LOCAL, "there is no verb %.*s", SLICE_ARG(c->words[0]));
    return report_usage(error, NULL);
}

static enum exit_code help_run(struct command *c) {
    const struct verb *verb = c->word_count ? verb_find(c->words[0]) : NULL;
    if (c->word_count && !verb)
        return help_unknown(c);
    struct slice text = verb ? help_of_verb(c->arena, verb) : help_of_program(c->arena);
    fwrite(text.ptr, 1, text.len, stdout);
    return EXIT_OK;
}

const struct verb verb_help = {
    .name = "help",
    .words = "[VERB]",
    .words_max = 1,
    .choices = verb_names,
    .summary = "explain the program or a verb",
    .text = "Prints what --help prints.",
    .examples = "stator help serve",
    .run = help_run,
};
