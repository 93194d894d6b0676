/* `stator graph`: the verbs of graphs from the shell. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/nearest.h"
#include "cli/data.h"
#include "cli/graph_setting_list.h"
#include "cli/graph_table.h"
#include "cli/report.h"
#include "cli/verb.h"
#include "graph/verb.h"

#define GRAPH_ENDPOINT "http://127.0.0.1:8000"

/* One command under way. */
struct graph_command {
    struct arena *arena;
    const struct graph_settings *settings;
    const struct graph_verb *verb;
    struct graph_request request;
    struct engine *engine; /* of --data, or NULL */
    struct client *client;
};

/* --- The words -------------------------------------------------------------------------------- */

static struct error *command_verb(struct graph_command *c, const struct command *command) {
    size_t used, count;
    struct nearest nearest = {.word = command->words[0]};
    c->verb = graph_verb_find(command->words, command->word_count, &used);
    if (c->verb) {
        c->request.words = command->words + used;
        c->request.word_count = command->word_count - used;
        return NULL;
    }
    const struct graph_verb *verbs = graph_verbs(&count);
    for (size_t i = 0; i < count; i++)
        nearest_offer(&nearest, verbs[i].name);
    if (command->word_count > 1)
        return error_new(c->arena, ERR_LOCAL, "there is no graph verb \"%.*s %.*s\"",
                         SLICE_ARG(command->words[0]), SLICE_ARG(command->words[1]));
    return error_new(c->arena, ERR_LOCAL, "there is no graph verb \"%.*s\"%s%s%s",
                     SLICE_ARG(command->words[0]), nearest.name ? "; did you mean " : "",
                     nearest.name ? nearest.name : "", nearest.name ? "?" : "");
}

static void command_file_release(FILE **file) {
    if (*file && *file != stdin)
        fclose(*file);
}

static struct error *command_read_file(struct arena *a, struct slice word, struct slice *out) {
    bool standard = slice_is(word, "-");
    const char *path = standard ? "the standard input"
                                : arena_string(a, (struct slice){word.ptr + 1, word.len - 1});
    CLEANUP(command_file_release) FILE *file = standard ? stdin : fopen(path, "re");
    char *text = arena_bytes(a, LIMIT_ITEM_BYTES + 1);
    size_t len = file ? fread(text, 1, LIMIT_ITEM_BYTES + 1, file) : 0;
    if (!file || ferror(file))
        return error_new(a, ERR_LOCAL, "cannot read %s: %s", path, strerror(errno));
    if (len > LIMIT_ITEM_BYTES)
        return error_new(a, ERR_LOCAL, "%s is longer than %d bytes", path, LIMIT_ITEM_BYTES);
    *out = (struct slice){text, len};
    return NULL;
}

/* A verb's only word that is a file or JSON is its body. */
static struct error *command_body(struct graph_command *c) {
    struct graph_request *r = &c->request;
    bool takes = c->verb->words_max == 1 && c->verb->words_min == 0 && r->word_count == 1;
    if (!takes)
        return NULL;
    struct slice word = r->words[0], text = word;
    if (slice_is(word, "-") || slice_starts_with(word, SLICE("@")))
        TRY(command_read_file(c->arena, word, &text));
    else if (!slice_starts_with(word, SLICE("{")))
        return NULL;
    if (json_parse(c->arena, text, &r->body))
        return error_new(c->arena, ERR_LOCAL, "the description is not JSON");
    return NULL;
}

/* The file that load reads. */
static struct error *command_input(struct graph_command *c) {
    struct graph_request *r = &c->request;
    if (strcmp(c->verb->name, "load") != 0 || r->word_count == 0)
        return NULL;
    const char *path = arena_string(c->arena, r->words[0]);
    r->input = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    if (!r->input)
        return error_new(c->arena, ERR_LOCAL, "cannot read %s: %s", path, strerror(errno));
    return NULL;
}

static struct slice text_or_empty(const char *text) {
    return text ? slice_of(text) : SLICE("");
}

static struct error *command_read(struct graph_command *c, const struct command *command) {
    const struct graph_settings *s = c->settings;
    if (s->data && settings_source(&command->settings, "endpoint") == SETTING_FLAG)
        return error_new(c->arena, ERR_LOCAL, "--data and --endpoint exclude each other");
    if (s->json && s->plain)
        return error_new(c->arena, ERR_LOCAL, "--json and --plain exclude each other");
    c->request = (struct graph_request){
        .arena = c->arena,
        .table = text_or_empty(s->table),
        .name = text_or_empty(s->graph),
        .limit = s->limit,
        .cursor = text_or_empty(s->cursor),
        .descending = s->desc,
        .attributes = s->attrs,
        .strict = s->strict,
        .upsert = s->upsert,
        .repair = s->repair,
        .budget = {s->depth, s->max_nodes, s->max_edges, s->deadline},
        .explain = s->explain,
        .format = text_or_empty(s->format),
        .output = stdout,
    };
    TRY(command_verb(c, command));
    TRY(command_input(c));
    return command_body(c);
}

/* --- The client ------------------------------------------------------------------------------- */

static enum exit_code command_open(struct graph_command *c) {
    const struct graph_settings *s = c->settings;
    struct error *error;
    if (s->data) {
        const struct engine_options options = {.sync = SYNC_COMMIT};
        error = data_open(c->arena, s->data, &options, &c->engine);
        if (error)
            return report_failure(error, EXIT_START);
        c->client = client_in_process(c->engine);
        return EXIT_OK;
    }
    const struct client_remote_options options = {
        .endpoint = slice_of(s->endpoint ? s->endpoint : GRAPH_ENDPOINT),
        .region = text_or_empty(s->region),
    };
    error = client_remote(c->arena, &options, &c->client);
    return error ? report_usage(error, "graph") : EXIT_OK;
}

/* --- The outcome ------------------------------------------------------------------------------ */

static void command_print(const struct graph_command *c, const struct json *answer) {
    bool table = c->settings->plain || (!c->settings->json && isatty(STDOUT_FILENO));
    struct buf text = buf_in(c->arena, SIZE_MAX);
    if (table) {
        graph_table_print(&text, answer);
    } else {
        json_print(&text, answer, 0);
        buf_add_char(&text, '\n');
    }
    fwrite(text.ptr, 1, text.len, stdout);
}

static enum exit_code command_failed(const struct error *error) {
    enum graph_code code = graph_error_code(error);
    fprintf(stderr, "stator: %s: %.*s\n", graph_code_name(code), SLICE_ARG(error->message));
    switch (code) {
    case GRAPH_INVALID:
    case GRAPH_CURSOR:
        return EXIT_USAGE;
    case GRAPH_TIMED_OUT:
    case GRAPH_THROTTLED:
        return EXIT_UNREACHABLE;
    default:
        return EXIT_REFUSED;
    }
}

/* `exists` and `fsck` are questions: their answer is the exit code, too. */
static enum exit_code command_answer(const struct json *answer) {
    const struct json *exists = json_member(answer, SLICE("exists"));
    const struct json *found = json_member(answer, SLICE("found"));
    bool no = (exists && exists->kind == JSON_FALSE) || (found && !slice_is(found->text, "0"));
    return no ? EXIT_REFUSED : EXIT_OK;
}

static enum exit_code command_do(struct graph_command *c) {
    const struct json *answer;
    enum exit_code code = command_open(c);
    if (code != EXIT_OK)
        return code;
    c->request.client = c->client;
    struct error *error = graph_verb_run(c->verb, &c->request, &answer);
    if (error)
        return command_failed(error);
    /* What export writes is the output. */
    if (strcmp(c->verb->name, "export") != 0)
        command_print(c, answer);
    return command_answer(answer);
}

static enum exit_code graph_run(struct command *command) {
    struct graph_command c = {.arena = command->arena, .settings = command->values};
    struct error *error = command_read(&c, command);
    if (error)
        return report_usage(error, "graph");
    signal(SIGPIPE, SIG_IGN); /* of the endpoint's connection; a closed output is reported */
    enum exit_code code = command_do(&c);
    command_file_release(&c.request.input);
    client_close(c.client);
    engine_close(c.engine);
    return code;
}

static const char *const *graph_choices(struct arena *a, size_t *count) {
    const struct graph_verb *verbs = graph_verbs(count);
    const char **names = arena_array(a, *count, sizeof *names);
    size_t used = 0;
    for (size_t i = 0; i < *count; i++) {
        const char *space = strchr(verbs[i].name, ' ');
        size_t len = space ? (size_t)(space - verbs[i].name) : strlen(verbs[i].name);
        const char *first = arena_string(a, (struct slice){verbs[i].name, len});
        if (used == 0 || strcmp(names[used - 1], first) != 0)
            names[used++] = first;
    }
    *count = used;
    return names;
}

static const struct setting graph_rows[] = {
#define X(...) SETTING_ROW(struct graph_settings, __VA_ARGS__)
    GRAPH_SETTINGS(X)
#undef X
};

const struct verb verb_graph = {
    .name = "graph",
    .words = "VERB [WORD]...",
    .words_min = 1,
    .words_max = 104,
    .choices = graph_choices,
    .summary = "adjacency lists: edges both ways, counted, guarded",
    .text = "  init follow|school|team|JSON|@FILE   make a graph, its table too if need be\n"
            "  describe                             print its descriptor\n"
            "  type add JSON|@FILE                  add node and edge types\n"
            "  node put TYPE ID [KEY=VALUE]...      make a node, set attributes\n"
            "  node get TYPE ID                     print a node\n"
            "  node del TYPE ID                     delete a node with all its edges\n"
            "  edge put TYPE SRC DST [KEY=VALUE]... put an edge, once and counted once\n"
            "  edge set TYPE SRC DST KEY=VALUE...   set attributes of an edge\n"
            "  edge get|exists|del TYPE SRC DST     print, ask for, delete an edge\n"
            "  edge mget TYPE SRC DST...            many edges of a node\n"
            "  edge retype TYPE NEWTYPE SRC DST     make it one of another type\n"
            "  out|in TYPE ID                       list a node's edges, in pages\n"
            "  count TYPE ID out|in                 print a counter\n"
            "  walk TYPE ID [out|in]                what is reached in --depth steps\n"
            "  path TYPE FROM TO                    a shortest path, of at most --depth edges\n"
            "  common TYPE ID ID [out|in]           neighbours in common\n"
            "  fold                                 count what was left to be counted\n"
            "  shard expand TYPE ID N               spread a hot target's later edges\n"
            "  shard status|rebalance TYPE ID       tell, move edges where they belong\n"
            "  shard shrink TYPE ID N               gather them again\n"
            "  load FILE|- [TYPE]                   put the edges of NDJSON or CSV (src,dst,...)\n"
            "  export [TYPE]                        write all edges, in --format\n"
            "  fsck                                 check all of it; --repair puts it right\n"
            "\n"
            "KEY=VALUE is text, KEY:=JSON any other value.  The same verbs work on a folder, on a\n"
            "server, on DynamoDB, and on endpoints without transactions.",
    .examples = "stator graph init follow --table social\n"
                "stator graph edge put FOLLOW alice bob since=2024 --table social\n"
                "stator graph in FOLLOW bob --table social\n"
                "stator graph count FOLLOW bob in --table social",
    .settings = graph_rows,
    .setting_count = ARRAY_LEN(graph_rows),
    .values_size = sizeof(struct graph_settings),
    .run = graph_run,
};
