#include "ops/op.h"

#include "base/clock.h"
#include "ops/op_list.h"

/* --- The rows --------------------------------------------------------------------------------- */

#define BUILT(row, name, service) extern const struct op op_##row;
#define REFUSED(title, in)                                                                         \
    static const struct op op_refused_##title = {                                                  \
        .name = #title, .service = SERVICE_##in, .kind = OP_REFUSED};
OP_LIST(BUILT, REFUSED)
#undef BUILT
#undef REFUSED

static const struct op *const op_rows[] = {
#define BUILT(row, name, service) &op_##row,
#define REFUSED(title, in) &op_refused_##title,
    OP_LIST(BUILT, REFUSED)
#undef BUILT
#undef REFUSED
};

const struct op *const *op_list(size_t *count) {
    *count = ARRAY_LEN(op_rows);
    return op_rows;
}

const struct op *op_find(struct slice name) {
    size_t low = 0, high = ARRAY_LEN(op_rows);
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = slice_compare(slice_of(op_rows[middle]->name), name);
        if (order == 0)
            return op_rows[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const struct op *op_find_target(struct slice target) {
    static const struct slice services[] = {
        [SERVICE_DYNAMODB] = SLICE_INIT("DynamoDB_20120810."),
        [SERVICE_STREAMS] = SLICE_INIT("DynamoDBStreams_20120810."),
    };
    for (size_t i = 0; i < ARRAY_LEN(services); i++) {
        if (!slice_starts_with(target, services[i]))
            continue;
        size_t skip = services[i].len;
        const struct op *op = op_find((struct slice){target.ptr + skip, target.len - skip});
        return op && op->service == (enum op_service)i ? op : NULL;
    }
    return NULL;
}

/* --- A call ----------------------------------------------------------------------------------- */

struct error *op_call_prepare(struct op_call *call, const struct json *body) {
    const struct op *op = call->op;
    if (op->kind == OP_REFUSED)
        return error_new(call->arena, ERR_UNKNOWN_OPERATION,
                         "Stator does not have the operation %s yet", op->name);
    call->input = arena_alloc(call->arena, op->input_size);
    TRY(field_read(call->arena, op->fields, op->field_count, body, call->input));
    return op->check ? op->check(call) : NULL;
}

struct error *op_call_run(struct op_call *call) {
    call->again = false;
    return call->op->run(call);
}

struct error *op_call_reply(struct op_call *call, struct json_writer *w) {
    json_write_object_begin(w);
    TRY(call->op->reply(call, w));
    json_write_object_end(w);
    return NULL;
}

void op_call_finish(struct op_call *call) {
    if (call->finish)
        call->finish(call);
    call->finish = NULL;
    for (size_t i = 0; i < call->table_count; i++)
        table_release(call->engine, call->tables[i]);
    call->table_count = 0;
}

static struct table *op_call_held(const struct op_call *call, struct slice name) {
    for (size_t i = 0; i < call->table_count; i++)
        if (slice_equal(call->tables[i]->schema->name, name))
            return call->tables[i];
    return NULL;
}

struct error *op_call_table(struct op_call *call, struct slice name, struct table **out) {
    struct slice bare = table_name_from_arn(name);
    struct table *t = op_call_held(call, bare);
    if (!t) {
        t = engine_find_table(call->engine, bare);
        if (!t)
            return error_new(call->arena, ERR_RESOURCE_NOT_FOUND, "Requested resource not found");
        call->tables[call->table_count++] = t;
    }
    *out = t;
    return NULL;
}

/* --- The whole of it -------------------------------------------------------------------------- */

struct op_write {
    struct writer_task task; /* first: the task is the write */
    struct op_call *call;
};

static struct error *op_write_run(struct writer_task *task, struct write_view *view) {
    struct op_call *call = ((struct op_write *)task)->call;
    call->view = view;
    return op_call_run(call);
}

static struct error *op_call_run_whole(struct op_call *call) {
    if (call->op->kind != OP_READ) {
        struct op_write write = {.task = {.arena = call->arena,
                                          .run = op_write_run,
                                          .bytes = call->write_bytes,
                                          .alone = call->op->kind == OP_CONTROL,
                                          .frees_space = call->op->frees_space},
                                 .call = call};
        return writer_run(call->engine, &write.task);
    }
    do
        TRY(op_call_run(call));
    while (call->again);
    return NULL;
}

static struct error *op_call_steps(struct op_call *call, const struct json *body,
                                   struct json_writer *w) {
    TRY(op_call_prepare(call, body));
    TRY(op_call_run_whole(call));
    return op_call_reply(call, w);
}

struct error *op_call_whole(struct engine *e, struct arena *a, const struct op *op,
                            const struct json *body, struct json_writer *w) {
    struct op_call call = {
        .engine = e,
        .arena = a,
        .op = op,
        .region = SLICE(OP_DEFAULT_REGION),
        .now_ms = clock_wall_ms(),
        .max_rows = UINT32_MAX,
        .max_bytes = SIZE_MAX,
    };
    struct error *error = op_call_steps(&call, body, w);
    op_call_finish(&call);
    return error;
}
