#include "cli/arguments.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli/setting_list.h"
#include "unit.h"

static struct arena *arena;
static struct command command;
static struct arguments arguments;

static int begin(void **state) {
    (void)state;
    arena = arena_create();
    return 0;
}

static int end(void **state) {
    (void)state;
    arena_destroy(arena);
    return 0;
}

/* `line` is split at spaces. */
static struct error *read_in(const struct verb *verb, const char *line, char *const *environment) {
    char **argv = arena_array(arena, strlen(line) + 2, sizeof *argv);
    char *rest = arena_string(arena, slice_of(line));
    size_t count = 0;
    for (char *word; (word = strsep(&rest, " "));)
        if (*word)
            argv[count++] = word;
    return arguments_read(arena, verb, argv, environment, &command, &arguments);
}

static struct error *read_line(const struct verb *verb, const char *line) {
    char *const nothing[] = {NULL};
    return read_in(verb, line, nothing);
}

static const struct serve_settings *serve_settings(void) {
    return command.values;
}

static void arguments_have_defaults(void **state) {
    (void)state;
    assert_ok(read_line(&verb_serve, ""));
    assert_string_equal(serve_settings()->host, "127.0.0.1");
    assert_int_equal(serve_settings()->port, 8000);
    assert_string_equal(serve_settings()->sync, "commit");
    assert_string_equal(serve_settings()->log, "info");
    assert_null(serve_settings()->data);
    assert_false(serve_settings()->memory);
    assert_false(serve_settings()->insecure);
    assert_int_equal(serve_settings()->gsi_lag, 0);
    assert_int_equal(arguments.note_count, 0);
}

static void arguments_take_flags(void **state) {
    (void)state;
    assert_ok(read_line(&verb_serve, "--host ::1 --port=0 --data d --sync interval --gsi-lag 50 "
                                     "--cors * --allow-host a --allow-host=b --insecure --demo "
                                     "--log debug --quiet"));
    assert_string_equal(serve_settings()->host, "::1");
    assert_int_equal(serve_settings()->port, 0);
    assert_string_equal(serve_settings()->data, "d");
    assert_string_equal(serve_settings()->sync, "interval");
    assert_int_equal(serve_settings()->gsi_lag, 50);
    assert_string_equal(serve_settings()->cors, "*");
    assert_int_equal(serve_settings()->allow_host.count, 2);
    assert_slice(serve_settings()->allow_host.items[1], "b");
    assert_true(serve_settings()->insecure && serve_settings()->demo && serve_settings()->quiet);
    assert_ok(read_line(&verb_serve, "--insecure --insecure=false --demo=yes"));
    assert_false(serve_settings()->insecure);
    assert_true(serve_settings()->demo);
}

static void arguments_take_flags_of_dynamodb_local(void **state) {
    (void)state;
    assert_ok(read_line(&verb_serve, "-port 4567 -inMemory -cors *"));
    assert_int_equal(serve_settings()->port, 4567);
    assert_true(serve_settings()->memory);
    assert_string_equal(serve_settings()->cors, "*");
    assert_int_equal(arguments.note_count, 0);
    assert_ok(read_line(&verb_serve, "-dbPath d -sharedDb -delayTransientStatuses "
                                     "-disableTelemetry -optimizeDbBeforeStartup"));
    assert_string_equal(serve_settings()->data, "d");
    assert_int_equal(arguments.note_count, 4);
    assert_true(slice_starts_with(arguments.notes[0], SLICE("-sharedDb changes nothing: ")));
    assert_error(read_line(&verb_serve, "-dbPath"), ERR_LOCAL, "-dbPath needs a value: DIR");
    assert_error(read_line(&verb_serve, "-port x"), ERR_LOCAL, "-port: x is not a number");
    assert_error(read_line(&verb_serve, "-inmemory"), ERR_LOCAL,
                 "serve: there is no flag -inmemory; did you mean -inMemory?");
}

static void arguments_ask_for_help(void **state) {
    (void)state;
    static const char *const lines[] = {"--help", "-h", "-help", "--port x --help", "--wrong -h"};
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        assert_ok(read_line(&verb_serve, lines[i]));
        assert_true(arguments.help);
    }
    assert_ok(read_line(&verb_call, "--help"));
    assert_true(arguments.help);
}

static void arguments_refuse_flags(void **state) {
    (void)state;
    assert_error(read_line(&verb_serve, "--prot 1"), ERR_LOCAL,
                 "serve: there is no flag --prot; did you mean --port?");
    assert_error(read_line(&verb_serve, "--something-else"), ERR_LOCAL,
                 "serve: there is no flag --something-else");
    assert_error(read_line(&verb_serve, "--port"), ERR_LOCAL, "--port needs a value: N");
    assert_error(read_line(&verb_serve, "--port 65536"), ERR_LOCAL,
                 "--port: 65536 is more than 65535");
    assert_error(read_line(&verb_serve, "--demo=perhaps"), ERR_LOCAL,
                 "--demo: perhaps is neither true nor false");
    assert_error(read_line(&verb_check, "--demo"), ERR_LOCAL, "check: there is no flag --demo");
}

static void arguments_take_words(void **state) {
    (void)state;
    assert_ok(read_line(&verb_call, "GetItem --compact -"));
    assert_int_equal(command.word_count, 2);
    assert_slice(command.words[0], "GetItem");
    assert_slice(command.words[1], "-");
    assert_ok(read_line(&verb_call, "-- GetItem --compact"));
    assert_slice(command.words[1], "--compact");
    assert_error(read_line(&verb_call, ""), ERR_LOCAL, "call needs OPERATION [JSON | @FILE | -]");
    assert_error(read_line(&verb_call, "a b c"), ERR_LOCAL, "call: c is one word too many");
    assert_error(read_line(&verb_serve, "8000"), ERR_LOCAL, "serve: 8000 is one word too many");
}

/* --- Precedence ------------------------------------------------------------------------------- */

static char config_path[] = "/tmp/arguments_test.XXXXXX";

static void write_config(const char *text) {
    strcpy(config_path, "/tmp/arguments_test.XXXXXX");
    int fd = mkstemp(config_path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static void arguments_flag_wins_over_environment_over_file(void **state) {
    (void)state;
    write_config("port = 1\nhost = file\nsync = interval\n");
    char *const environment[] = {"STATOR_PORT=2", "STATOR_HOST=environment", NULL};
    const char *line = arena_printf(arena, "--port 3 --config %s", config_path).ptr;
    struct error *e = read_in(&verb_serve, line, environment);
    unlink(config_path);
    assert_ok(e);
    assert_int_equal(serve_settings()->port, 3);
    assert_string_equal(serve_settings()->host, "environment");
    assert_string_equal(serve_settings()->sync, "interval");
    assert_int_equal(settings_source(&command.settings, "port"), SETTING_FLAG);
    assert_int_equal(settings_source(&command.settings, "host"), SETTING_ENVIRONMENT);
    assert_int_equal(settings_source(&command.settings, "sync"), SETTING_FILE);
}

static void arguments_file_may_be_named_by_the_environment(void **state) {
    (void)state;
    write_config("gsi-lag = 7\n");
    char *const environment[] = {
        arena_string(arena, arena_printf(arena, "STATOR_CONFIG=%s", config_path)), NULL};
    struct error *e = read_in(&verb_serve, "", environment);
    unlink(config_path);
    assert_ok(e);
    assert_int_equal(serve_settings()->gsi_lag, 7);
}

static void arguments_file_cannot_name_a_file(void **state) {
    (void)state;
    write_config("config = other\n");
    struct error *e = read_line(&verb_serve, arena_printf(arena, "--config %s", config_path).ptr);
    unlink(config_path);
    assert_non_null(e);
    assert_true(slice_contains(e->message, SLICE("there is no setting config")));
}

static void arguments_environment_of_other_verbs(void **state) {
    (void)state;
    char *const environment[] = {"STATOR_DATA=d", "STATOR_ENDPOINT=http://localhost:1",
                                 "STATOR_PORT=many", NULL};
    assert_ok(read_in(&verb_check, "", environment));
    assert_string_equal(((const struct check_settings *)command.values)->data, "d");
    assert_ok(read_in(&verb_call, "ListTables", environment));
    assert_string_equal(((const struct call_settings *)command.values)->endpoint,
                        "http://localhost:1");
    assert_null(((const struct call_settings *)command.values)->data);
    assert_error(read_in(&verb_serve, "", environment), ERR_LOCAL,
                 "STATOR_PORT: many is not a number");
}

static void arguments_note_near_variables(void **state) {
    (void)state;
    char *const environment[] = {"STATOR_GSILAG=5", "STATOR_PROGRAM=x", "STATOR_ENDPOINT=x",
                                 "STATOR_MEMROY=1", "STATOR_=1",        NULL};
    assert_ok(read_in(&verb_serve, "", environment));
    assert_int_equal(arguments.note_count, 2);
    assert_slice(arguments.notes[0], "STATOR_GSILAG is no setting; did you mean STATOR_GSI_LAG?");
    assert_slice(arguments.notes[1], "STATOR_MEMROY is no setting; did you mean STATOR_MEMORY?");
    assert_ok(read_in(&verb_man, "", environment));
    assert_int_equal(arguments.note_count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

UNIT_TESTS(TEST(arguments_have_defaults), TEST(arguments_take_flags),
           TEST(arguments_take_flags_of_dynamodb_local), TEST(arguments_ask_for_help),
           TEST(arguments_refuse_flags), TEST(arguments_take_words),
           TEST(arguments_flag_wins_over_environment_over_file),
           TEST(arguments_file_may_be_named_by_the_environment),
           TEST(arguments_file_cannot_name_a_file), TEST(arguments_environment_of_other_verbs),
           TEST(arguments_note_near_variables))
