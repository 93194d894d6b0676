/* `stator call`: one API operation from the shell. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/nearest.h"
#include "cli/data.h"
#include "cli/report.h"
#include "cli/setting_list.h"
#include "cli/verb.h"
#include "client/client.h"
#include "ops/op.h"
#include "json/json_writer.h"

#define CALL_ENDPOINT "http://127.0.0.1:8000"

/* One call under way. */
struct call {
    struct arena *arena;
    const struct command *command;
    const struct call_settings *settings;
    struct slice operation;
    const struct json *input;
    struct engine *engine; /* of --data, or NULL */
    struct client *client;
};

/* --- The operation ---------------------------------------------------------------------------- */

static const char *const *call_operations(struct arena *a, size_t *count) {
    const struct op *const *ops = op_list(count);
    const char **names = arena_array(a, *count, sizeof *names);
    for (size_t i = 0; i < *count; i++)
        names[i] = ops[i]->name;
    return names;
}

static struct error *call_read_operation(struct call *c) {
    struct nearest nearest = {.word = c->operation};
    if (op_find(c->operation))
        return NULL;
    size_t count;
    const char *const *names = call_operations(c->arena, &count);
    for (size_t i = 0; i < count; i++)
        nearest_offer(&nearest, names[i]);
    if (nearest.name)
        return error_new(c->arena, ERR_LOCAL, "there is no operation %.*s; did you mean %s?",
                         SLICE_ARG(c->operation), nearest.name);
    return error_new(c->arena, ERR_LOCAL, "there is no operation %.*s", SLICE_ARG(c->operation));
}

/* --- The input -------------------------------------------------------------------------------- */

static void call_file_release(FILE **file) {
    if (*file && *file != stdin)
        fclose(*file);
}

static struct error *call_read_file(struct arena *a, const char *path, struct slice *out) {
    bool standard = strcmp(path, "-") == 0;
    CLEANUP(call_file_release) FILE *file = standard ? stdin : fopen(path, "re");
    const char *name = standard ? "the standard input" : path;
    char *text = arena_bytes(a, LIMIT_BODY_BYTES + 1);
    size_t len = file ? fread(text, 1, LIMIT_BODY_BYTES + 1, file) : 0;
    if (!file || ferror(file))
        return error_new(a, ERR_LOCAL, "cannot read %s: %s", name, strerror(errno));
    if (len > LIMIT_BODY_BYTES)
        return error_new(a, ERR_LOCAL, "%s is longer than %d bytes", name, LIMIT_BODY_BYTES);
    *out = (struct slice){text, len};
    return NULL;
}

static struct error *call_read_text(struct arena *a, struct slice word, struct slice *out) {
    if (slice_is(word, "-"))
        return call_read_file(a, "-", out);
    if (slice_starts_with(word, SLICE("@")))
        return call_read_file(a, arena_string(a, (struct slice){word.ptr + 1, word.len - 1}), out);
    *out = word;
    return NULL;
}

static struct error *call_not_json(struct arena *a, struct slice text, size_t at) {
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at && i < text.len; i++) {
        column = text.ptr[i] == '\n' ? 1 : column + 1;
        line += text.ptr[i] == '\n';
    }
    return error_new(a, ERR_LOCAL, "the input is not JSON: line %zu, column %zu", line, column);
}

static struct error *call_read_input(struct call *c) {
    struct slice text = SLICE("{}");
    if (c->command->word_count > 1)
        TRY(call_read_text(c->arena, c->command->words[1], &text));
    size_t at = 0;
    if (json_parse_at(c->arena, text, &c->input, &at))
        return call_not_json(c->arena, text, at);
    return NULL;
}

/* --- The client ------------------------------------------------------------------------------- */

static enum exit_code call_open_data(struct call *c) {
    const struct engine_options options = {.sync = SYNC_COMMIT};
    struct error *error = data_open(c->arena, c->settings->data, &options, &c->engine);
    if (error)
        return report_failure(error, EXIT_START);
    c->client = client_in_process(c->engine);
    return EXIT_OK;
}

static enum exit_code call_open_remote(struct call *c) {
    const char *endpoint = c->settings->endpoint ? c->settings->endpoint : CALL_ENDPOINT;
    const struct client_remote_options options = {
        .endpoint = slice_of(endpoint),
        .region = c->settings->region ? slice_of(c->settings->region) : SLICE(""),
    };
    struct error *error = client_remote(c->arena, &options, &c->client);
    return error ? report_usage(error, "call") : EXIT_OK;
}

/* --- The verb --------------------------------------------------------------------------------- */

static struct error *call_check_settings(const struct call *c) {
    if (c->settings->data && settings_source(&c->command->settings, "endpoint") == SETTING_FLAG)
        return error_new(c->arena, ERR_LOCAL, "--data and --endpoint exclude each other");
    if (c->settings->pretty && c->settings->compact)
        return error_new(c->arena, ERR_LOCAL, "--pretty and --compact exclude each other");
    return NULL;
}

static struct error *call_read(struct call *c) {
    TRY(call_check_settings(c));
    TRY(call_read_operation(c));
    return call_read_input(c);
}

static void call_print(const struct call *c, const struct json *reply) {
    bool pretty = c->settings->pretty || (!c->settings->compact && isatty(STDOUT_FILENO));
    struct buf text = buf_in(c->arena, SIZE_MAX);
    json_print(&text, reply, pretty ? 2 : 0);
    buf_add_char(&text, '\n');
    fwrite(text.ptr, 1, text.len, stdout);
}

/* In process a local error is one of the disk's, else the endpoint could not be reached. */
static enum exit_code call_failed(const struct call *c, const struct error *error) {
    if (error->kind == ERR_LOCAL)
        return report_failure(error, c->engine ? EXIT_REFUSED : EXIT_UNREACHABLE);
    return report_refusal(error);
}

static enum exit_code call_do(struct call *c) {
    enum exit_code code = c->settings->data ? call_open_data(c) : call_open_remote(c);
    if (code != EXIT_OK)
        return code;
    const struct json *reply;
    struct error *error = client_call(c->client, c->arena, c->operation, c->input, &reply);
    if (error)
        return call_failed(c, error);
    call_print(c, reply);
    return EXIT_OK;
}

static enum exit_code call_run(struct command *command) {
    struct call c = {.arena = command->arena,
                     .command = command,
                     .settings = command->values,
                     .operation = command->words[0]};
    struct error *error = call_read(&c);
    if (error)
        return report_usage(error, "call");
    signal(SIGPIPE, SIG_IGN); /* of the endpoint's connection; a closed output is reported */
    enum exit_code code = call_do(&c);
    client_close(c.client);
    engine_close(c.engine);
    return code;
}

static const struct setting call_rows[] = {
#define X(...) SETTING_ROW(struct call_settings, __VA_ARGS__)
    CALL_SETTINGS(X)
#undef X
};

const struct verb verb_call = {
    .name = "call",
    .words = "OPERATION [JSON | @FILE | -]",
    .words_min = 1,
    .words_max = 2,
    .choices = call_operations,
    .summary = "run one API operation",
    .text = "Sends the input, {} when there is none, and prints the reply as JSON.  @FILE reads\n"
            "the input from a file, - from the standard input.  An error of the API goes to the\n"
            "standard error as `Type: message`, what else it says as JSON in the next line.\n"
            "\n"
            "An endpoint is called with the key in AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and\n"
            "AWS_SESSION_TOKEN; one on this machine needs none.",
    .examples = "stator call ListTables\n"
                "stator call GetItem '{\"TableName\": \"follow\", \"Key\": {\"PK\": {\"S\": "
                "\"ACTOR#alice\"}, \"SK\": {\"S\": \"PROFILE\"}}}'\n"
                "stator call CreateTable @table.json --data ./data",
    .settings = call_rows,
    .setting_count = ARRAY_LEN(call_rows),
    .values_size = sizeof(struct call_settings),
    .run = call_run,
};
