/* `stator completion`: what a shell needs to complete the command line, made of the tables. */
#include <stdio.h>

#include "base/buf.h"
#include "cli/report.h"
#include "cli/verb.h"

enum { COMPLETION_BYTES = 256 * 1024 };

/* --- Parts ------------------------------------------------------------------------------------ */

static void completion_add_words(struct buf *b, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        buf_printf(b, "%s%s", i ? " " : "", words[i]);
}

static void completion_add_verbs(struct buf *b) {
    size_t count;
    const char *const *names = verb_names(b->arena, &count);
    completion_add_words(b, names, count);
}

static void completion_add_choices(struct buf *b, const struct verb *verb) {
    if (!verb->choices)
        return;
    size_t count;
    const char *const *words = verb->choices(b->arena, &count);
    completion_add_words(b, words, count);
}

/* "commit|interval" as words; nothing for a value that is free. */
static void completion_add_values(struct buf *b, const struct setting *row) {
    if (!row->value || !strchr(row->value, '|'))
        return;
    for (const char *c = row->value; *c; c++)
        buf_add_char(b, *c == '|' ? ' ' : *c);
}

static bool completion_is_folder(const struct setting *row) {
    return row->value && strcmp(row->value, "DIR") == 0;
}

static bool completion_is_file(const struct setting *row) {
    return row->value && strcmp(row->value, "FILE") == 0;
}

/* Within single quotes of a shell. */
static void completion_add_quoted(struct buf *b, const char *text, const char *also) {
    for (; *text; text++) {
        if (*text == '\'')
            buf_add_text(b, "'\\''");
        else if (strchr(also, *text))
            buf_printf(b, "\\%c", *text);
        else
            buf_add_char(b, *text);
    }
}

/* --- bash ------------------------------------------------------------------------------------- */

static void completion_bash_values(struct buf *b, const struct verb *verb) {
    for (size_t i = 0; i < verb->setting_count; i++) {
        const struct setting *row = &verb->settings[i];
        if (!row->value)
            continue;
        buf_printf(b, "    %s.--%s) ", verb->name, row->name);
        if (completion_is_folder(row))
            buf_add_text(b, "COMPREPLY=($(compgen -d -- \"$word\"))");
        else if (completion_is_file(row))
            buf_add_text(b, "COMPREPLY=($(compgen -f -- \"$word\"))");
        else {
            buf_add_text(b, "COMPREPLY=($(compgen -W '");
            completion_add_values(b, row);
            buf_add_text(b, "' -- \"$word\"))");
        }
        buf_add_text(b, "; return ;;\n");
    }
}

static void completion_bash_words(struct buf *b, const struct verb *verb) {
    buf_printf(b, "    %s) COMPREPLY=($(compgen -W '", verb->name);
    for (size_t i = 0; i < verb->setting_count; i++)
        buf_printf(b, "--%s ", verb->settings[i].name);
    buf_add_text(b, "--help");
    if (verb->choices) {
        buf_add_char(b, ' ');
        completion_add_choices(b, verb);
    }
    buf_add_text(b, "' -- \"$word\")) ;;\n");
}

static void completion_bash(struct buf *b) {
    size_t count;
    const struct verb *const *verbs = verb_list(&count);
    buf_add_text(b, "_stator() {\n"
                    "    local word=\"${COMP_WORDS[COMP_CWORD]}\" verb=\"${COMP_WORDS[1]}\"\n"
                    "    COMPREPLY=()\n"
                    "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                    "        COMPREPLY=($(compgen -W '");
    completion_add_verbs(b);
    buf_add_text(b, " --help --version' -- \"$word\"))\n        return\n    fi\n"
                    "    case \"$verb.${COMP_WORDS[COMP_CWORD-1]}\" in\n");
    for (size_t i = 0; i < count; i++)
        completion_bash_values(b, verbs[i]);
    buf_add_text(b, "    esac\n    case \"$verb\" in\n");
    for (size_t i = 0; i < count; i++)
        completion_bash_words(b, verbs[i]);
    buf_add_text(b, "    esac\n}\ncomplete -o default -F _stator stator\n");
}

/* --- zsh -------------------------------------------------------------------------------------- */

static void completion_zsh_setting(struct buf *b, const struct setting *row) {
    buf_printf(b, " \\\n            '%s--%s[", row->type == SETTING_LIST ? "*" : "", row->name);
    completion_add_quoted(b, row->help, "[]:\\");
    buf_add_char(b, ']');
    if (row->value) {
        buf_printf(b, ":%s:", row->name);
        if (completion_is_folder(row))
            buf_add_text(b, "_files -/");
        else if (completion_is_file(row))
            buf_add_text(b, "_files");
        else {
            buf_add_char(b, '(');
            completion_add_values(b, row);
            buf_add_char(b, ')');
        }
    }
    buf_add_char(b, '\'');
}

static void completion_zsh_verb(struct buf *b, const struct verb *verb) {
    buf_printf(b, "        %s) _arguments '--help[explain %s]'", verb->name, verb->name);
    for (size_t i = 0; i < verb->setting_count; i++)
        completion_zsh_setting(b, &verb->settings[i]);
    if (verb->choices) {
        buf_add_text(b, " \\\n            '1:word:(");
        completion_add_choices(b, verb);
        buf_add_text(b, ")'");
        if (verb->words_max > 1)
            buf_add_text(b, " '2:input:_files'");
    }
    buf_add_text(b, " ;;\n");
}

static void completion_zsh(struct buf *b) {
    size_t count;
    const struct verb *const *verbs = verb_list(&count);
    buf_add_text(b, "#compdef stator\n"
                    "_stator() {\n"
                    "    local -a verbs=(\n");
    for (size_t i = 0; i < count; i++) {
        buf_printf(b, "        '%s:", verbs[i]->name);
        completion_add_quoted(b, verbs[i]->summary, ":");
        buf_add_text(b, "'\n");
    }
    buf_add_text(b, "    )\n"
                    "    if (( CURRENT == 2 )); then\n"
                    "        _describe verb verbs\n"
                    "        return\n"
                    "    fi\n"
                    "    shift words\n"
                    "    (( CURRENT-- ))\n"
                    "    case $words[1] in\n");
    for (size_t i = 0; i < count; i++)
        completion_zsh_verb(b, verbs[i]);
    /* From a folder of functions the first use runs the file; sourced, it only declares. */
    buf_add_text(b, "    esac\n}\n"
                    "if [ \"$funcstack[1]\" = _stator ]; then\n    _stator \"$@\"\n"
                    "else\n    compdef _stator stator\nfi\n");
}

/* --- fish ------------------------------------------------------------------------------------- */

static void completion_fish_setting(struct buf *b, const struct verb *verb,
                                    const struct setting *row) {
    buf_printf(b, "complete -c stator -n '__fish_seen_subcommand_from %s' -l %s", verb->name,
               row->name);
    if (row->value && completion_is_folder(row))
        buf_add_text(b, " -x -a '(__fish_complete_directories)'");
    else if (row->value && completion_is_file(row))
        buf_add_text(b, " -r -F");
    else if (row->value) {
        buf_add_text(b, " -x -a '");
        completion_add_values(b, row);
        buf_add_char(b, '\'');
    }
    buf_add_text(b, " -d '");
    completion_add_quoted(b, row->help, "");
    buf_add_text(b, "'\n");
}

static void completion_fish_verb(struct buf *b, const struct verb *verb) {
    buf_printf(b, "complete -c stator -f -n __fish_use_subcommand -a %s -d '", verb->name);
    completion_add_quoted(b, verb->summary, "");
    buf_add_text(b, "'\n");
    for (size_t i = 0; i < verb->setting_count; i++)
        completion_fish_setting(b, verb, &verb->settings[i]);
    if (!verb->choices)
        return;
    buf_printf(b, "complete -c stator%s -n '__fish_seen_subcommand_from %s' -a '",
               verb->words_max > 1 ? "" : " -f", verb->name);
    completion_add_choices(b, verb);
    buf_add_text(b, "'\n");
}

static void completion_fish(struct buf *b) {
    size_t count;
    const struct verb *const *verbs = verb_list(&count);
    buf_add_text(b, "complete -c stator -l help -d 'explain the program or a verb'\n"
                    "complete -c stator -n __fish_use_subcommand -l version -d 'the version'\n");
    for (size_t i = 0; i < count; i++)
        completion_fish_verb(b, verbs[i]);
}

/* --- The verb --------------------------------------------------------------------------------- */

static const char *const completion_shells[] = {"bash", "zsh", "fish"};
static void (*const completion_scripts[])(struct buf *b) = {completion_bash, completion_zsh,
                                                            completion_fish};

static const char *const *completion_choices(struct arena *a, size_t *count) {
    (void)a;
    *count = ARRAY_LEN(completion_shells);
    return completion_shells;
}

static enum exit_code completion_run(struct command *c) {
    for (size_t i = 0; i < ARRAY_LEN(completion_shells); i++) {
        if (!slice_is(c->words[0], completion_shells[i]))
            continue;
        struct buf b = buf_in(c->arena, COMPLETION_BYTES);
        completion_scripts[i](&b);
        fwrite(b.ptr, 1, b.len, stdout);
        return EXIT_OK;
    }
    return report_usage(
        error_new(c->arena, ERR_LOCAL,
                  "there is no completion for %.*s; there is for bash, zsh and fish",
                  SLICE_ARG(c->words[0])),
        "completion");
}

const struct verb verb_completion = {
    .name = "completion",
    .words = "bash|zsh|fish",
    .words_min = 1,
    .words_max = 1,
    .choices = completion_choices,
    .summary = "print a shell's completion of this program",
    .text = "`make install` puts each in its place.",
    .examples = "source <(stator completion bash)",
    .run = completion_run,
};
