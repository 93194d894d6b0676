#include "cli/verb.h"

static const struct verb *const verb_rows[] = {
    &verb_serve, &verb_call, &verb_graph, &verb_check, &verb_completion, &verb_man, &verb_help,
};

const struct verb *const *verb_list(size_t *count) {
    *count = ARRAY_LEN(verb_rows);
    return verb_rows;
}

const struct verb *verb_find(struct slice name) {
    for (size_t i = 0; i < ARRAY_LEN(verb_rows); i++)
        if (slice_is(name, verb_rows[i]->name))
            return verb_rows[i];
    return NULL;
}

const char *const *verb_names(struct arena *a, size_t *count) {
    const char **names = arena_array(a, ARRAY_LEN(verb_rows), sizeof *names);
    for (size_t i = 0; i < ARRAY_LEN(verb_rows); i++)
        names[i] = verb_rows[i]->name;
    *count = ARRAY_LEN(verb_rows);
    return names;
}
