/*
 * Operations: one row each, and how a request runs through it.
 *
 * A request goes   op_find → op_call_prepare (the row's field table: JSON types, then constraints,
 * in AWS's order and words; then `check`) → op_call_run → op_call_reply → op_call_finish.   `check`
 * parses expressions, items and keys and finds the tables; `run` does the work; `reply` writes the
 * answer.  check and reply run where the request came in; run of an OP_WRITE and OP_CONTROL runs in
 * the engine's writer, so it does only what must be decided there.  No operation sees a socket or
 * text.
 */
#ifndef OPS_OP_H
#define OPS_OP_H

#include "engine/engine.h"
#include "engine/table.h"
#include "engine/writer.h"
#include "ops/field.h"
#include "json/json_writer.h"

enum op_kind {
    OP_READ,    /* runs anywhere; a long one is stepped (call->again) */
    OP_WRITE,   /* runs in the writer's groups */
    OP_CONTROL, /* runs in the writer, alone: changes the catalogue */
    OP_REFUSED, /* known, not built: refused by name */
};

enum op_service { SERVICE_DYNAMODB, SERVICE_STREAMS };

/* A transaction's 100 actions may name as many tables. */
enum { OP_CALL_TABLES = LIMIT_TRANSACTION_ITEMS };

#define OP_DEFAULT_REGION "us-east-1"

/* One request under way. */
struct op_call {
    struct engine *engine;
    struct arena *arena;
    const struct op *op;
    void *input;         /* of op->input_size, made by op_call_prepare */
    struct slice region; /* for ARNs */
    struct slice host;   /* by which the client reached this server; may be empty */
    int64_t now_ms;

    bool forbid_scan; /* --forbid-scan: a Scan is refused */

    struct write_view *view; /* in run of OP_WRITE and OP_CONTROL */

    /* A read that is not done when `run` returns sets `again` and is run again, perhaps on another
     * thread; `max_rows` and `max_bytes` bound one such step. */
    bool again;
    uint32_t max_rows;
    size_t max_bytes;

    struct slice notice;                  /* set by check: worth a line in the log; or empty */
    size_t write_bytes;                   /* set by check: roughly what run will stage */
    void (*finish)(struct op_call *call); /* set by check or run: lets go of handles; or NULL */

    struct table *tables[OP_CALL_TABLES]; /* held until op_call_finish */
    size_t table_count;
};

struct op {
    const char *name;
    enum op_service service;
    enum op_kind kind;
    bool frees_space; /* may run when the disk is full: it is what makes room */
    const struct field *fields;
    size_t field_count;
    size_t input_size;
    struct error *(*check)(struct op_call *call); /* or NULL */
    struct error *(*run)(struct op_call *call);
    struct error *(*reply)(struct op_call *call, struct json_writer *w);
};

/* By the X-Amz-Target header: "DynamoDB_20120810.GetItem".  NULL when there is none. */
const struct op *op_find_target(struct slice target);

/* By name alone: "GetItem". */
const struct op *op_find(struct slice name);

/* All rows, in the order of op_list.h. */
const struct op *const *op_list(size_t *count);

/* Reads `body` into call->input and runs `check`.  engine, arena, op, region and now_ms are set.
 * For an OP_REFUSED the error says so. */
MUST_CHECK struct error *op_call_prepare(struct op_call *call, const struct json *body);

/* Runs; on the caller's thread for reads, `call->view` set for writes. */
MUST_CHECK struct error *op_call_run(struct op_call *call);

/* Writes the reply's object.  On an error (corrupt bytes in the store) what was written is to be
 * dropped. */
MUST_CHECK struct error *op_call_reply(struct op_call *call, struct json_writer *w);

/* Releases tables and handles; always the last call, also after an error. */
void op_call_finish(struct op_call *call);

/* The whole of it, waiting for the writer: what the in-process client and the tests use.  The
 * region is OP_DEFAULT_REGION, the time is now. */
MUST_CHECK struct error *op_call_whole(struct engine *e, struct arena *a, const struct op *op,
                                       const struct json *body, struct json_writer *w);

/* Finds and holds a table for the time of the call.  `name` is a name or an ARN.
 * ERR_RESOURCE_NOT_FOUND "Requested resource not found" as data operations say it. */
MUST_CHECK struct error *op_call_table(struct op_call *call, struct slice name, struct table **out);

#endif
