#include "base/setting.h"

#include <stdlib.h>
#include <unistd.h>

#include "unit.h"

struct values {
    bool loud;
    uint32_t port;
    const char *name;
    const char *sync;
    struct setting_list hosts;
    bool quiet;
};

static const struct setting rows[] = {
    {"loud", SETTING_SWITCH, offsetof(struct values, loud), NULL, NULL, "", 0, SETTING_FILE},
    {"port", SETTING_NUMBER, offsetof(struct values, port), "N", "8000", "", 65535, SETTING_FILE},
    {"name", SETTING_TEXT, offsetof(struct values, name), "NAME", NULL, "", 0, SETTING_FILE},
    {"gsi-sync", SETTING_TEXT, offsetof(struct values, sync), "commit|interval", "commit", "", 0,
     SETTING_FILE},
    {"host", SETTING_LIST, offsetof(struct values, hosts), "NAME", NULL, "", 0, SETTING_FILE},
    {"quiet", SETTING_SWITCH, offsetof(struct values, quiet), NULL, NULL, "", 0, SETTING_FLAG},
};

static struct arena *arena;
static struct values values;
static struct settings settings;

static int begin(void **state) {
    (void)state;
    arena = arena_create();
    memset(&values, 0, sizeof values);
    settings_begin(&settings, arena, rows, ARRAY_LEN(rows), &values);
    return 0;
}

static int end(void **state) {
    (void)state;
    arena_destroy(arena);
    return 0;
}

static struct error *set(const char *name, enum setting_source source, const char *text) {
    const struct setting *row = settings_find(&settings, slice_of(name));
    assert_non_null(row);
    return settings_set(&settings, arena, row, source, name, slice_of(text));
}

static struct error *read_file(const char *text) {
    char path[] = "/tmp/setting_test.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    struct error *e = settings_read_file(&settings, arena, path);
    unlink(path);
    if (e) /* the name is another each time */
        e->message = (struct slice){e->message.ptr + strlen(path), e->message.len - strlen(path)};
    return e;
}

static void settings_have_defaults(void **state) {
    (void)state;
    assert_int_equal(values.port, 8000);
    assert_string_equal(values.sync, "commit");
    assert_null(values.name);
    assert_false(values.loud);
    assert_int_equal(values.hosts.count, 0);
    assert_int_equal(settings_source(&settings, "port"), SETTING_DEFAULT);
    assert_null(settings_find(&settings, SLICE("ports")));
}

static void settings_take_values(void **state) {
    (void)state;
    assert_ok(set("loud", SETTING_FLAG, "yes"));
    assert_true(values.loud);
    assert_ok(set("loud", SETTING_FLAG, "0"));
    assert_false(values.loud);
    assert_ok(set("port", SETTING_FLAG, "65535"));
    assert_int_equal(values.port, 65535);
    assert_ok(set("gsi-sync", SETTING_FLAG, "interval"));
    assert_string_equal(values.sync, "interval");
    assert_ok(set("name", SETTING_FLAG, "a b"));
    assert_string_equal(values.name, "a b");
}

static void settings_refuse_values(void **state) {
    (void)state;
    assert_error(set("loud", SETTING_FLAG, "maybe"), ERR_LOCAL,
                 "loud: maybe is neither true nor false");
    assert_error(set("port", SETTING_FLAG, "65536"), ERR_LOCAL, "port: 65536 is more than 65535");
    assert_error(set("port", SETTING_FLAG, "-1"), ERR_LOCAL, "port: -1 is not a number");
    assert_error(set("port", SETTING_FLAG, ""), ERR_LOCAL, "port:  is not a number");
    assert_error(set("port", SETTING_FLAG, "99999999999999999999"), ERR_LOCAL,
                 "port: 99999999999999999999 is not a number");
    assert_error(set("gsi-sync", SETTING_FLAG, "comm"), ERR_LOCAL,
                 "gsi-sync: comm is not one of commit|interval");
    assert_error(set("gsi-sync", SETTING_FLAG, "commit|interval"), ERR_LOCAL,
                 "gsi-sync: commit|interval is not one of commit|interval");
    assert_error(set("name", SETTING_FLAG, ""), ERR_LOCAL, "name: the value is empty");
    assert_int_equal(values.port, 8000);
    assert_string_equal(values.sync, "commit");
    assert_int_equal(settings_source(&settings, "port"), SETTING_DEFAULT);
}

static void settings_stronger_source_wins_in_any_order(void **state) {
    (void)state;
    assert_ok(set("port", SETTING_FILE, "1"));
    assert_ok(set("port", SETTING_FLAG, "3"));
    assert_ok(set("port", SETTING_ENVIRONMENT, "2"));
    assert_int_equal(values.port, 3);
    assert_ok(set("name", SETTING_ENVIRONMENT, "environment"));
    assert_ok(set("name", SETTING_FILE, "file"));
    assert_string_equal(values.name, "environment");
    assert_ok(set("loud", SETTING_FILE, "true"));
    assert_ok(set("loud", SETTING_FLAG, "false"));
    assert_false(values.loud);
    assert_int_equal(settings_source(&settings, "loud"), SETTING_FLAG);
}

static void settings_of_one_source_the_later_wins(void **state) {
    (void)state;
    assert_ok(set("port", SETTING_FLAG, "1"));
    assert_ok(set("port", SETTING_FLAG, "2"));
    assert_int_equal(values.port, 2);
}

static void settings_lists_grow_within_a_source(void **state) {
    (void)state;
    assert_ok(set("host", SETTING_ENVIRONMENT, " a , b,,"));
    assert_int_equal(values.hosts.count, 2);
    assert_slice(values.hosts.items[0], "a");
    assert_slice(values.hosts.items[1], "b");
    assert_ok(set("host", SETTING_FLAG, "c"));
    assert_ok(set("host", SETTING_FLAG, "d"));
    assert_ok(set("host", SETTING_ENVIRONMENT, "e"));
    assert_int_equal(values.hosts.count, 2);
    assert_slice(values.hosts.items[0], "c");
    assert_slice(values.hosts.items[1], "d");
}

static void settings_read_the_environment(void **state) {
    (void)state;
    char *const environment[] = {
        "PORT=1",       "STATOR_PORT=4711",         "STATOR_PORTS=1",  "STATOR_QUIET=1",
        "STATOR_NAME=", "STATOR_GSI_SYNC=interval", "STATOR_HOST=x,y", NULL};
    assert_ok(settings_read_environment(&settings, arena, environment));
    assert_int_equal(values.port, 4711);
    assert_string_equal(values.sync, "interval");
    assert_int_equal(values.hosts.count, 2);
    assert_null(values.name);
    assert_false(values.quiet);
    assert_string_equal(setting_variable(arena, &rows[3]), "STATOR_GSI_SYNC");
}

static void settings_name_the_variable_at_fault(void **state) {
    (void)state;
    char *const environment[] = {"STATOR_PORT=many", NULL};
    assert_error(settings_read_environment(&settings, arena, environment), ERR_LOCAL,
                 "STATOR_PORT: many is not a number");
}

static void settings_read_a_file(void **state) {
    (void)state;
    assert_ok(
        read_file("# a comment\n\n  port = 99  \r\nname= a = b\nloud =true\nhost = a\nhost = b"));
    assert_int_equal(values.port, 99);
    assert_string_equal(values.name, "a = b");
    assert_true(values.loud);
    assert_int_equal(values.hosts.count, 2);
}

static void settings_refuse_lines_of_a_file(void **state) {
    (void)state;
    assert_error(read_file("\nport 99\n"), ERR_LOCAL, ":2: a line is `name = value`");
    assert_error(read_file("prot = 99\n"), ERR_LOCAL,
                 ":1: there is no setting prot; did you mean port?");
    assert_error(read_file("completely = 99\n"), ERR_LOCAL, ":1: there is no setting completely");
    assert_error(read_file("port = many\n"), ERR_LOCAL, ":1: port: many is not a number");
    assert_error(read_file("quiet = true\n"), ERR_LOCAL, ":1: there is no setting quiet");
}

static void settings_refuse_files(void **state) {
    (void)state;
    assert_error(settings_read_file(&settings, arena, "/nowhere/at/all"), ERR_LOCAL,
                 "cannot read /nowhere/at/all: No such file or directory");
    assert_error(settings_read_file(&settings, arena, "/"), ERR_LOCAL,
                 "cannot read /: Is a directory");
    assert_error(settings_read_file(&settings, arena, "/dev/zero"), ERR_LOCAL,
                 "/dev/zero is longer than 65536 bytes");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

UNIT_TESTS(TEST(settings_have_defaults), TEST(settings_take_values), TEST(settings_refuse_values),
           TEST(settings_stronger_source_wins_in_any_order),
           TEST(settings_of_one_source_the_later_wins), TEST(settings_lists_grow_within_a_source),
           TEST(settings_read_the_environment), TEST(settings_name_the_variable_at_fault),
           TEST(settings_read_a_file), TEST(settings_refuse_lines_of_a_file),
           TEST(settings_refuse_files))
