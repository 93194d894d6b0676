/*
 * The settings of `stator graph`, in the order of its help; columns as in setting_list.h.
 */
#ifndef CLI_GRAPH_SETTING_LIST_H
#define CLI_GRAPH_SETTING_LIST_H

#include "cli/setting_list.h"

#define GRAPH_SETTINGS(X)                                                                          \
    X(table, "table", TEXT, "NAME", "graph", 0, ENVIRONMENT, "the table the graph is in")          \
    X(graph, "graph", TEXT, "NAME", NULL, 0, ENVIRONMENT,                                          \
      "the graph's name; without it, the table's")                                                 \
    X(endpoint, "endpoint", TEXT, "URL", NULL, 0, ENVIRONMENT,                                     \
      "the endpoint to call; with neither this nor --data: http://127.0.0.1:8000")                 \
    X(data, "data", TEXT, "DIR", NULL, 0, FLAG,                                                    \
      "work in this process, on the folder of a server that does not run")                         \
    X(region, "region", TEXT, "NAME", NULL, 0, FLAG,                                               \
      "the region to sign for; else AWS_REGION, AWS_DEFAULT_REGION, us-east-1")                    \
    X(limit, "limit", NUMBER, "N", "100", 10000, FLAG, "rows of a page of out and in")             \
    X(cursor, "cursor", TEXT, "TEXT", NULL, 0, FLAG, "go on where a page ended")                   \
    X(desc, "desc", SWITCH, NULL, NULL, 0, FLAG, "list backwards")                                 \
    X(attrs, "attrs", SWITCH, NULL, NULL, 0, FLAG, "list attributes, not ids alone")               \
    X(strict, "strict", SWITCH, NULL, NULL, 0, FLAG, "edge put: fail when the edge is there")      \
    X(upsert, "upsert", SWITCH, NULL, NULL, 0, FLAG,                                               \
      "edge put: replace the attributes when the edge is there")                                   \
    X(depth, "depth", NUMBER, "N", "0", 64, FLAG, "steps of walk (1) and path (6)")                \
    X(max_nodes, "max-nodes", NUMBER, "N", "10000", 10000000, FLAG, "where a walk ends")           \
    X(max_edges, "max-edges", NUMBER, "N", "100000", 100000000, FLAG, "where a walk ends")         \
    X(deadline, "deadline", NUMBER, "MS", "10000", 3600000, FLAG, "where a walk ends")             \
    X(format, "format", TEXT, "ndjson|csv|dot|graphml", "ndjson", 0, FLAG, "of export")            \
    X(repair, "repair", SWITCH, NULL, NULL, 0, FLAG, "fsck: put right what can be")                \
    X(explain, "explain", SWITCH, NULL, NULL, 0, FLAG, "tell requests and capacity units, too")    \
    X(json, "json", SWITCH, NULL, NULL, 0, FLAG,                                                   \
      "print one JSON object; the default unless the output is a terminal")                        \
    X(plain, "plain", SWITCH, NULL, NULL, 0, FLAG, "print tables; the default on a terminal")

#define X(member, name, type, ...) SETTING_C_##type member;
struct graph_settings {
    GRAPH_SETTINGS(X)
};
#undef X

#endif
