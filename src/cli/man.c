/* `stator man`: the manual page in roff, made of the tables that --help is made of. */
#include <stdio.h>

#include "base/buf.h"
#include "cli/verb.h"

enum { MAN_BYTES = 256 * 1024 };

/* Text in which roff sees nothing of its own. */
static void man_text(struct buf *b, struct slice s) {
    for (size_t i = 0; i < s.len; i++) {
        bool line_begins = b->len == 0 || b->ptr[b->len - 1] == '\n';
        if (s.ptr[i] == '\\')
            buf_add_text(b, "\\e");
        else if (s.ptr[i] == '-')
            buf_add_text(b, "\\-");
        else if (line_begins && (s.ptr[i] == '.' || s.ptr[i] == '\''))
            buf_printf(b, "\\&%c", s.ptr[i]);
        else
            buf_add_char(b, s.ptr[i]);
    }
}

/* Lines of text; an empty one begins a paragraph. */
static void man_paragraphs(struct buf *b, const char *text) {
    while (*text) {
        size_t len = strcspn(text, "\n");
        if (len == 0)
            buf_add_text(b, ".PP");
        man_text(b, (struct slice){text, len});
        buf_add_char(b, '\n');
        text += len + (text[len] == '\n');
    }
}

static void man_term(struct buf *b, const char *term, const char *value, const char *meaning) {
    buf_add_text(b, ".TP\n\\fB");
    man_text(b, slice_of(term));
    buf_add_text(b, "\\fR");
    if (value) {
        buf_add_text(b, " \\fI");
        man_text(b, slice_of(value));
        buf_add_text(b, "\\fR");
    }
    buf_add_char(b, '\n');
    man_text(b, slice_of(meaning));
    buf_add_char(b, '\n');
}

static void man_setting(struct buf *b, const struct setting *row) {
    man_term(b, arena_printf(b->arena, "--%s", row->name).ptr, row->value, row->help);
    if (row->start) {
        buf_add_text(b, "(default ");
        man_text(b, slice_of(row->start));
        buf_add_text(b, ")\n");
    }
    if (row->weakest <= SETTING_ENVIRONMENT)
        buf_printf(b, "[$%s]\n", setting_variable(b->arena, row));
}

static void man_verb(struct buf *b, const struct verb *verb) {
    buf_printf(b, ".SS \"stator %s%s%s\"\n", verb->name, verb->setting_count ? " [FLAGS] " : " ",
               verb->words);
    man_text(b, slice_of(verb->summary));
    buf_add_text(b, ".\n.PP\n");
    man_paragraphs(b, verb->text);
    for (size_t i = 0; i < verb->setting_count; i++)
        man_setting(b, &verb->settings[i]);
}

static void man_exit_codes(struct buf *b) {
    buf_add_text(b, ".SH EXIT STATUS\n");
#define X(name, code, meaning) man_term(b, #code, NULL, meaning);
    EXIT_LIST(X)
#undef X
}

static void man_examples(struct buf *b) {
    size_t count;
    const struct verb *const *verbs = verb_list(&count);
    buf_add_text(b, ".SH EXAMPLES\n.nf\n");
    for (size_t i = 0; i < count; i++) {
        man_text(b, slice_of(verbs[i]->examples ? verbs[i]->examples : ""));
        buf_add_char(b, '\n');
    }
    buf_add_text(b, ".fi\n");
}

static enum exit_code man_run(struct command *c) {
    struct buf b = buf_in(c->arena, MAN_BYTES);
    buf_add_text(&b, ".TH STATOR 1 \"\" \"stator " STATOR_VERSION "\" \"User Commands\"\n"
                     ".SH NAME\nstator \\- a DynamoDB\\-compatible database\n"
                     ".SH SYNOPSIS\n.B stator\n\\fIVERB\\fR [\\fIFLAGS\\fR] [\\fIWORDS\\fR]\n"
                     ".SH VERBS\n");
    size_t count;
    const struct verb *const *verbs = verb_list(&count);
    for (size_t i = 0; i < count; i++)
        man_verb(&b, verbs[i]);
    buf_add_text(&b, ".SH SETTINGS\n"
                     "A flag wins over the variable of the environment in brackets, which wins\n"
                     "over a line of the file that \\-\\-config names.\n");
    man_exit_codes(&b);
    man_examples(&b);
    fwrite(b.ptr, 1, b.len, stdout);
    return EXIT_OK;
}

const struct verb verb_man = {
    .name = "man",
    .words = "",
    .summary = "print the manual page, in roff",
    .text = "For man(1); `make install` puts it in its place.",
    .examples = "stator man | man -l -",
    .run = man_run,
};
