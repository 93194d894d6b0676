/*
 * Key templates: the one place that builds keys from ids and takes them apart again.
 *
 * "ENROLL#CRS#{dst}" is literal text and variables in braces.  What is built can always be parsed
 * back: ids are escaped (key_id.h), so they hold no `#`, and a variable is followed by the end or
 * by a literal that begins with `#`.
 */
#ifndef MODEL_KEY_TEMPLATE_H
#define MODEL_KEY_TEMPLATE_H

#include "base/error.h"

enum { KEY_TEMPLATE_PARTS = 8 };

struct key_part {
    bool variable;
    struct slice text; /* literal bytes, or the variable's name */
};

struct key_template {
    struct slice text; /* as written */
    struct key_part parts[KEY_TEMPLATE_PARTS];
    size_t count;
};

/* An id for a variable. */
struct key_binding {
    struct slice name;
    struct slice id;
};

/*
 * Reads a template.  ERR_VALIDATION when it is empty, has braces that do not match, a variable
 * twice or without a name, two variables with no `#` between them, or literals that are not
 * printable ASCII or hold `%`.  Borrows from `text`.
 */
MUST_CHECK struct error *key_template_parse(struct arena *a, struct slice text,
                                            struct key_template *out);

/* The key for these ids, at most `max` bytes.  ERR_VALIDATION when an id is missing or cannot be
 * one, or the key is too long. */
MUST_CHECK struct error *key_template_build(struct arena *a, const struct key_template *t,
                                            const struct key_binding *bindings, size_t count,
                                            size_t max, struct slice *out);

/* Takes a key apart; false when the template did not make it.  `ids` gets one binding for each
 * variable, in the template's order. */
bool key_template_match(struct arena *a, const struct key_template *t, struct slice key,
                        struct key_binding ids[KEY_TEMPLATE_PARTS]);

bool key_template_uses(const struct key_template *t, struct slice variable);
size_t key_template_variables(const struct key_template *t);

/* The literal text before the first variable: what begins_with looks for. */
struct slice key_template_head(const struct key_template *t);

/* Whether some key is made by both, whatever their variables are called.  May say yes when only an
 * escape keeps them apart. */
bool key_templates_meet(const struct key_template *a, const struct key_template *b);

/* Whether the head of one begins the head of the other: in one partition, a list of the one by its
 * head would run into the other's keys. */
bool key_template_heads_meet(const struct key_template *a, const struct key_template *b);

#endif
