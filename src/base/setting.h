/*
 * Settings: a table of rows that flags, environment and a file fill in.
 *
 * A row says everything about a setting once: the command line, the environment, the file, the help
 * and the documentation are made of it.  A setting "gsi-lag" is the flag --gsi-lag, the variable
 * STATOR_GSI_LAG and the line `gsi-lag = 50`.  A flag wins over the environment, which wins over
 * the file, in whatever order they are read.
 *
 * The values live in a struct of the caller's, at the rows' offsets:
 *
 *   #define X(member, name, type, ...) SETTING_C_##type member;
 *   struct serve_settings { SERVE_SETTINGS(X) };
 */
#ifndef BASE_SETTING_H
#define BASE_SETTING_H

#include "base/error.h"

enum setting_type { SETTING_SWITCH, SETTING_NUMBER, SETTING_TEXT, SETTING_LIST };

struct setting_list {
    const struct slice *items;
    size_t count;
};

/* What a value of each type is in C. */
#define SETTING_C_SWITCH bool
#define SETTING_C_NUMBER uint32_t
#define SETTING_C_TEXT const char *
#define SETTING_C_LIST struct setting_list

enum setting_source { SETTING_DEFAULT, SETTING_FILE, SETTING_ENVIRONMENT, SETTING_FLAG };

struct setting {
    const char *name;
    enum setting_type type;
    size_t offset;
    const char *value; /* its name in the help: "MS"; "a|b" are the choices; NULL for a switch */
    const char *start; /* the default, or NULL: zero, false, NULL, empty */
    const char *help;
    uint32_t max;                /* of a number */
    enum setting_source weakest; /* SETTING_FLAG: neither environment nor file give it */
};

/* The values of a table's rows and where each came from. */
struct settings {
    const struct setting *rows;
    size_t count;
    void *values;
    enum setting_source *sources; /* by row */
};

/* Sets the defaults in `values`. */
void settings_begin(struct settings *s, struct arena *a, const struct setting *rows, size_t count,
                    void *values);

/* The row of that name, or NULL. */
const struct setting *settings_find(const struct settings *s, struct slice name);

#define SETTING_VARIABLE_PREFIX "STATOR_"

/* "STATOR_GSI_LAG". */
const char *setting_variable(struct arena *a, const struct setting *row);

/* Sets a value from its text unless a stronger source has set it already; of equal sources the
 * later wins, and a list grows.  ERR_LOCAL when the text does not suit; `where` ("--port") begins
 * the error's text. */
MUST_CHECK struct error *settings_set(struct settings *s, struct arena *a,
                                      const struct setting *row, enum setting_source source,
                                      const char *where, struct slice text);

enum setting_source settings_source(const struct settings *s, const char *name);

/* `environment` is NULL-ended, as environ.  A list's elements are parted by commas.  Variables that
 * are no setting are left alone. */
MUST_CHECK struct error *settings_read_environment(struct settings *s, struct arena *a,
                                                   char *const *environment);

/* Lines of `name = value`; empty ones and those that begin with # are skipped.  ERR_LOCAL with file
 * and line for anything else. */
MUST_CHECK struct error *settings_read_file(struct settings *s, struct arena *a, const char *path);

#endif
