#include "cli/settings_page.h"

#include "base/buf.h"
#include "cli/verb.h"

enum { PAGE_BYTES = 256 * 1024 };

/* A bar would end the cell. */
static void page_cell(struct buf *b, const char *text) {
    for (; *text; text++) {
        if (*text == '|')
            buf_add_char(b, '\\');
        buf_add_char(b, *text);
    }
}

static void page_setting(struct buf *b, const struct setting *row) {
    buf_printf(b, "| `--%s", row->name);
    if (row->value) {
        buf_add_char(b, ' ');
        page_cell(b, row->value);
    }
    buf_add_text(b, "` | ");
    if (row->weakest <= SETTING_ENVIRONMENT)
        buf_printf(b, "`%s`", setting_variable(b->arena, row));
    buf_printf(b, " | %s | ", row->weakest <= SETTING_FILE ? "yes" : "");
    if (row->start)
        buf_printf(b, "`%s`", row->start);
    buf_add_text(b, " | ");
    page_cell(b, row->help);
    buf_add_text(b, " |\n");
}

static void page_aliases(struct buf *b, const struct verb *verb) {
    if (!verb->alias_count)
        return;
    buf_add_text(b, "\nFlags of DynamoDB Local:\n\n| flag | here |\n|---|---|\n");
    for (size_t i = 0; i < verb->alias_count; i++) {
        const struct verb_alias *alias = &verb->aliases[i];
        if (alias->setting)
            buf_printf(b, "| `%s` | `--%s` |\n", alias->flag, alias->setting);
        else
            buf_printf(b, "| `%s` | changes nothing: %s |\n", alias->flag, alias->note);
    }
}

static void page_verb(struct buf *b, const struct verb *verb) {
    if (!verb->setting_count)
        return;
    buf_printf(b, "\n## stator %s\n\n", verb->name);
    buf_add_text(b, "| flag | variable | in the file | default | |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < verb->setting_count; i++)
        page_setting(b, &verb->settings[i]);
    page_aliases(b, verb);
}

struct slice settings_page(struct arena *a) {
    struct buf b = buf_in(a, PAGE_BYTES);
    buf_add_text(&b,
                 "# Settings\n\n"
                 "A flag wins over the variable of the environment, which wins over the file\n"
                 "that `--config FILE` names.  The file has lines of `name = value`, the name\n"
                 "being the flag's without its dashes; empty lines and those that begin with\n"
                 "`#` are skipped.  A switch is `true` or `false` there.  This page is made of\n"
                 "the tables that the program itself reads.\n");
    size_t count;
    const struct verb *const *verbs = verb_list(&count);
    for (size_t i = 0; i < count; i++)
        page_verb(&b, verbs[i]);
    buf_add_text(&b, "\n## Exit codes\n\n| code | |\n|---|---|\n");
#define X(name, code, meaning) buf_add_text(&b, "| " #code " | " meaning " |\n");
    EXIT_LIST(X)
#undef X
    return buf_slice(&b);
}
