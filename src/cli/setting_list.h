/*
 * The settings of the verbs, in the order of their help.
 *
 * X(member, name, type, value, default, greatest, weakest source, help); see base/setting.h.
 */
#ifndef CLI_SETTING_LIST_H
#define CLI_SETTING_LIST_H

#include "base/setting.h"

#define SERVE_SETTINGS(X)                                                                          \
    X(host, "host", TEXT, "NAME", "127.0.0.1", 0, FILE, "the address to listen on")                \
    X(port, "port", NUMBER, "N", "8000", 65535, FILE, "the port to listen on; 0 picks a free one") \
    X(data, "data", TEXT, "DIR", NULL, 0, FILE,                                                    \
      "the folder of the data, made when missing; with neither this nor --memory: ./data")         \
    X(memory, "memory", SWITCH, NULL, NULL, 0, FILE,                                               \
      "keep the data in memory; it is gone when the program ends")                                 \
    X(sync, "sync", TEXT, "commit|interval", "commit", 0, FILE,                                    \
      "when a write is on disk: before it is acknowledged, or within 100 ms")                      \
    X(gsi_lag, "gsi-lag", NUMBER, "MS", "0", 60000, FILE,                                          \
      "let reads of global indexes be this many milliseconds late, as they may be on AWS")         \
    X(cors, "cors", TEXT, "ORIGIN", NULL, 0, FILE, "the web origin whose pages may call, or *")    \
    X(allow_host, "allow-host", LIST, "NAME", NULL, 0, FILE,                                       \
      "a further name that the Host header may have; may be repeated")                             \
    X(insecure, "insecure", SWITCH, NULL, NULL, 0, FILE,                                           \
      "allow a host beyond loopback: whoever reaches the port can read and write everything")      \
    X(memory_budget, "memory-budget", NUMBER, "MB", "512", 1048576, FILE,                          \
      "what requests under way may hold together; beyond it they are told to try again (503)")     \
    X(forbid_scan, "forbid-scan", SWITCH, NULL, NULL, 0, FILE,                                     \
      "refuse every Scan, naming the table: a Scan reads and bills the whole of it")               \
    X(demo, "demo", SWITCH, NULL, NULL, 0, FILE,                                                   \
      "create the example tables follow, school and shop, with items, where they are missing")     \
    X(log, "log", TEXT, "error|warn|info|debug", "info", 0, FILE, "how much is logged to stderr")  \
    X(config, "config", TEXT, "FILE", NULL, 0, ENVIRONMENT,                                        \
      "read settings from lines of `name = value`; flags and environment win")                     \
    X(quiet, "quiet", SWITCH, NULL, NULL, 0, FLAG, "print only the line with the URL")

#define CALL_SETTINGS(X)                                                                           \
    X(endpoint, "endpoint", TEXT, "URL", NULL, 0, ENVIRONMENT,                                     \
      "the endpoint to call; with neither this nor --data: http://127.0.0.1:8000")                 \
    X(data, "data", TEXT, "DIR", NULL, 0, FLAG,                                                    \
      "run the operation in this process, on the folder of a server that does not run")            \
    X(region, "region", TEXT, "NAME", NULL, 0, FLAG,                                               \
      "the region to sign for; else AWS_REGION, AWS_DEFAULT_REGION, us-east-1")                    \
    X(pretty, "pretty", SWITCH, NULL, NULL, 0, FLAG,                                               \
      "indent the reply; the default on a terminal")                                               \
    X(compact, "compact", SWITCH, NULL, NULL, 0, FLAG,                                             \
      "the reply on one line; the default elsewhere")

#define CHECK_SETTINGS(X)                                                                          \
    X(data, "data", TEXT, "DIR", NULL, 0, ENVIRONMENT, "the folder to check")                      \
    X(json, "json", SWITCH, NULL, NULL, 0, FLAG, "print the outcome as one JSON object")

#define X(member, name, type, ...) SETTING_C_##type member;
struct serve_settings {
    SERVE_SETTINGS(X)
};
struct call_settings {
    CALL_SETTINGS(X)
};
struct check_settings {
    CHECK_SETTINGS(X)
};
#undef X

/* A row of the table for `struct owner`. */
#define SETTING_ROW(owner, member, name, type, value, start, max, weakest, help)                   \
    {name, SETTING_##type, offsetof(owner, member), value, start, help, max, SETTING_##weakest},

#endif
