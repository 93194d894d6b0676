/* `stator check`: is everything in a data folder as it should be? */
#include "engine/check.h"

#include <stdio.h>

#include "base/buf.h"
#include "cli/data.h"
#include "cli/report.h"
#include "cli/setting_list.h"
#include "cli/verb.h"
#include "json/json_writer.h"

/* Faults are said as they are found, or kept for the JSON object. */
struct check_output {
    struct json_writer *json; /* NULL: lines */
};

enum { CHECK_JSON_BYTES = 64 * 1024 * 1024 };

static void check_say(void *context, struct slice line) {
    struct check_output *out = context;
    if (out->json)
        json_write_string(out->json, line);
    else
        printf("%.*s\n", SLICE_ARG(line));
}

static const char *check_plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

static void check_say_summary(const struct check_report *r) {
    printf("%llu table%s, %llu item%s, %llu index entr%s: ", (unsigned long long)r->tables,
           check_plural(r->tables), (unsigned long long)r->items, check_plural(r->items),
           (unsigned long long)r->entries, r->entries == 1 ? "y" : "ies");
    if (r->faults)
        printf("%llu fault%s\n", (unsigned long long)r->faults, check_plural(r->faults));
    else
        puts("no faults");
}

static void check_write_summary(struct json_writer *w, const struct check_report *r) {
    json_member_int(w, "tables", (int64_t)r->tables);
    json_member_int(w, "items", (int64_t)r->items);
    json_member_int(w, "indexEntries", (int64_t)r->entries);
    json_member_int(w, "faults", (int64_t)r->faults);
}

static struct error *check_in_lines(struct engine *e, struct arena *a, struct check_report *r) {
    struct check_output output = {NULL};
    TRY(engine_check(e, a, check_say, &output, r));
    check_say_summary(r);
    return NULL;
}

static struct error *check_in_json(struct engine *e, struct arena *a, struct check_report *r) {
    struct buf text = buf_in(a, CHECK_JSON_BYTES);
    struct json_writer w = json_writer_text(&text);
    struct check_output output = {&w};
    json_write_object_begin(&w);
    json_write_name(&w, SLICE("said"));
    json_write_array_begin(&w);
    TRY(engine_check(e, a, check_say, &output, r));
    json_write_array_end(&w);
    check_write_summary(&w, r);
    json_write_object_end(&w);
    printf("%.*s\n", SLICE_ARG(buf_slice(&text)));
    return NULL;
}

static struct error *check_open(struct arena *a, const char *path, struct engine **out) {
    const struct engine_options options = {.sync = SYNC_COMMIT};
    TRY(data_must_exist(a, path));
    return data_open(a, path, &options, out);
}

static enum exit_code check_run(struct command *c) {
    const struct check_settings *settings = c->values;
    if (!settings->data)
        return report_usage(error_new(c->arena, ERR_LOCAL, "check needs --data DIR"), "check");
    struct engine *e = NULL;
    struct error *error = check_open(c->arena, settings->data, &e);
    if (error)
        return report_failure(error, EXIT_START);
    struct check_report report = {0};
    error =
        settings->json ? check_in_json(e, c->arena, &report) : check_in_lines(e, c->arena, &report);
    engine_close(e);
    if (error)
        return report_failure(error, EXIT_REFUSED);
    return report.faults ? EXIT_REFUSED : EXIT_OK;
}

static const struct setting check_rows[] = {
#define X(...) SETTING_ROW(struct check_settings, __VA_ARGS__)
    CHECK_SETTINGS(X)
#undef X
};

const struct verb verb_check = {
    .name = "check",
    .words = "",
    .summary = "verify a data folder",
    .text = "Reads everything: each item decodes and lies under its own key, each index holds\n"
            "exactly the entries of the items, the counts are right.  Prints a line for each\n"
            "fault and a summary.  The folder must not be in use.",
    .examples = "stator check --data ./data",
    .settings = check_rows,
    .setting_count = ARRAY_LEN(check_rows),
    .values_size = sizeof(struct check_settings),
    .run = check_run,
};
