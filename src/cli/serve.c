/* `stator serve`: opens the data, starts the server, tells where it listens, waits for a signal. */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/resource.h>

#include "base/log.h"
#include "cli/data.h"
#include "cli/demo.h"
#include "cli/report.h"
#include "cli/setting_list.h"
#include "cli/stop.h"
#include "cli/verb.h"
#include "server/server.h"

#define SERVE_DATA "./data"

/* What a running endpoint is made of. */
struct serve {
    const struct command *command;
    const struct serve_settings *settings;
    struct arena *arena;
    const char *data; /* NULL: in memory */
    struct engine *engine;
    struct server *server;
    size_t demo_tables; /* created at this start */
};

/* --- Settings --------------------------------------------------------------------------------- */

/* A folder and --memory exclude each other, but a flag wins over an environment that says the
 * other. */
static struct error *serve_choose_data(struct serve *s) {
    const struct settings *settings = &s->command->settings;
    enum setting_source data = settings_source(settings, "data");
    enum setting_source memory = settings_source(settings, "memory");
    bool both = s->settings->data && s->settings->memory;
    if (both && data == memory)
        return error_new(s->arena, ERR_LOCAL,
                         "--data and --memory exclude each other: keep the data in %s or in memory",
                         s->settings->data);
    if (s->settings->memory && !(both && data > memory))
        s->data = NULL;
    else
        s->data = s->settings->data ? s->settings->data : SERVE_DATA;
    return NULL;
}

/* DynamoDB Local takes a list; the reply's header has room for one origin. */
static struct error *serve_check_cors(const struct serve *s) {
    if (s->settings->cors && strchr(s->settings->cors, ','))
        return error_new(s->arena, ERR_LOCAL, "--cors: %s is more than one origin; name one, or *",
                         s->settings->cors);
    return NULL;
}

static struct error *serve_check_settings(struct serve *s) {
    TRY(serve_choose_data(s));
    return serve_check_cors(s);
}

static enum engine_sync serve_sync(const struct serve *s) {
    if (!s->data)
        return SYNC_NONE;
    return strcmp(s->settings->sync, "interval") == 0 ? SYNC_INTERVAL : SYNC_COMMIT;
}

static void serve_set_log(const struct serve *s) {
    static const char *const names[] = {"error", "warn", "info", "debug"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(s->settings->log, names[i]) == 0)
            log_set_level((enum log_level)i);
}

/* Each connection is a file, and so is each table of the store. */
static void serve_raise_file_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* What one large request took goes back to the system, and is not kept for the next one in pieces
 * that it does not fit into: without this the process grows to several times --memory-budget. */
static void serve_return_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 1024 * 1024);
    mallopt(M_TRIM_THRESHOLD, 8 * 1024 * 1024);
}

/* --- Start ------------------------------------------------------------------------------------ */

static struct error *serve_open(struct serve *s) {
    const struct engine_options options = {
        .sync = serve_sync(s),
        .gsi_lag_ms = s->settings->gsi_lag,
    };
    TRY(data_open(s->arena, s->data, &options, &s->engine));
    if (s->settings->demo)
        TRY(demo_load(s->arena, s->engine, &s->demo_tables));
    const struct server_options server = {
        .engine = s->engine,
        .host = s->settings->host,
        .port = (uint16_t)s->settings->port,
        .cors_origin = s->settings->cors ? slice_of(s->settings->cors) : SLICE(""),
        .allow_hosts = s->settings->allow_host.items,
        .allow_host_count = s->settings->allow_host.count,
        .budget_bytes = (size_t)s->settings->memory_budget << 20,
        .insecure = s->settings->insecure,
        .forbid_scan = s->settings->forbid_scan,
    };
    return server_start(s->arena, &server, &s->server);
}

static void serve_close(struct serve *s) {
    server_stop(s->server);
    engine_close(s->engine);
}

/* --- What is said ----------------------------------------------------------------------------- */

static const char *serve_durability(const struct serve *s) {
    switch (serve_sync(s)) {
    case SYNC_COMMIT:
        return "a write is on disk before it is acknowledged (--sync commit)";
    case SYNC_INTERVAL:
        return "a write is on disk within 100 ms; power loss may take the last ones "
               "(--sync interval)";
    case SYNC_NONE:
        break;
    }
    return "none: the data is gone when the program ends";
}

static void serve_say_access(const struct serve *s) {
    printf("access      %s, any access key",
           s->settings->insecure ? "whoever reaches the port" : "this machine only");
    if (s->settings->cors)
        printf("; pages of %s", s->settings->cors);
    for (size_t i = 0; i < s->settings->allow_host.count; i++)
        printf("; as %.*s", SLICE_ARG(s->settings->allow_host.items[i]));
    putchar('\n');
}

static void serve_say_settings(const struct serve *s) {
    bool chosen = s->settings->data || !s->data;
    printf("stator      " STATOR_VERSION "\n");
    printf("data        %s%s\n", s->data ? s->data : "in memory",
           chosen ? "" : " (neither --data nor --memory was given)");
    printf("durability  %s\n", serve_durability(s));
    if (s->settings->gsi_lag)
        printf("indexes     global ones read up to %u ms late\n", s->settings->gsi_lag);
    serve_say_access(s);
    if (s->settings->demo)
        printf("demo        tables follow, school and shop (%zu created now)\n", s->demo_tables);
}

/* A name with colons is an IPv6 address and gets brackets. */
static const char *serve_url(const struct serve *s) {
    const char *host = s->settings->host;
    bool bare = strchr(host, ':') && host[0] != '[';
    return arena_printf(s->arena, "http://%s%s%s:%u", bare ? "[" : "", host, bare ? "]" : "",
                        server_port(s->server))
        .ptr;
}

static void serve_say_commands(const char *url) {
    printf("\ntry:\n"
           "  %s call ListTables --endpoint %s\n"
           "  AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=x aws dynamodb list-tables"
           " --region us-east-1 --endpoint-url %s\n"
           "  curl --user x:x --aws-sigv4 aws:amz:us-east-1:dynamodb"
           " -H 'X-Amz-Target: DynamoDB_20120810.ListTables'"
           " -H 'Content-Type: application/x-amz-json-1.0' -d '{}' %s\n",
           program_invocation_name, url, url, url);
}

static void serve_say_ready(const struct serve *s) {
    const char *url = serve_url(s);
    if (!s->settings->quiet)
        serve_say_settings(s);
    printf("listening on %s\n", url);
    if (!s->settings->quiet)
        serve_say_commands(url);
    fflush(stdout);
}

/* --- The verb --------------------------------------------------------------------------------- */

static enum exit_code serve_run(struct command *c) {
    struct serve s = {.command = c, .settings = c->values, .arena = c->arena};
    struct error *error = serve_check_settings(&s);
    if (error)
        return report_usage(error, c->verb->name);
    serve_set_log(&s);
    serve_raise_file_limit();
    serve_return_memory();
    stop_watch();
    error = serve_open(&s);
    if (!error) {
        stop_ready(); /* who reads that it listens may stop it in the same moment */
        serve_say_ready(&s);
        stop_wait();
    }
    serve_close(&s);
    return error ? report_failure(error, EXIT_START) : EXIT_OK;
}

static const struct setting serve_rows[] = {
#define X(...) SETTING_ROW(struct serve_settings, __VA_ARGS__)
    SERVE_SETTINGS(X)
#undef X
};

static const struct verb_alias serve_aliases[] = {
    {.flag = "-port", .setting = "port"},
    {.flag = "-inMemory", .setting = "memory"},
    {.flag = "-dbPath", .setting = "data"},
    {.flag = "-cors", .setting = "cors"},
    {.flag = "-sharedDb", .note = "there is one database for all keys and regions"},
    {.flag = "-delayTransientStatuses", .note = "a table is ACTIVE when its data is ready"},
    {.flag = "-disableTelemetry", .note = "there is no telemetry"},
    {.flag = "-optimizeDbBeforeStartup", .note = "the store keeps itself in order"},
};

const struct verb verb_serve = {
    .name = "serve",
    .words = "",
    .summary = "run a DynamoDB endpoint",
    .text = "Opens the data, listens, and prints `listening on http://HOST:PORT` when it is\n"
            "ready.  Ctrl-C or SIGTERM stops it: requests under way are answered; a second\n"
            "one ends it at once.\n"
            "\n"
            "DynamoDB Local's flags are understood: -port -inMemory -dbPath -cors as their\n"
            "namesakes here; -sharedDb -delayTransientStatuses -disableTelemetry\n"
            "-optimizeDbBeforeStartup change nothing.",
    .examples = "stator serve --demo\n"
                "stator serve --memory --port 0 --quiet\n"
                "stator serve --data /srv/stator --host 0.0.0.0 --insecure",
    .settings = serve_rows,
    .setting_count = ARRAY_LEN(serve_rows),
    .values_size = sizeof(struct serve_settings),
    .aliases = serve_aliases,
    .alias_count = ARRAY_LEN(serve_aliases),
    .run = serve_run,
};
