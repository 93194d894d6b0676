#include "engine_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/check.h"
#include "engine/collection.h"
#include "engine/keyspace.h"
#include "item/item_json.h"
#include "item/stored.h"
#include "json/json.h"

static void fixture_must(struct error *error) {
    if (!error)
        return;
    fprintf(stderr, "fixture: %.*s\n", SLICE_ARG(error->message));
    abort();
}

struct fixture fixture_open(unsigned gsi_lag_ms) {
    struct fixture f = {.arena = arena_create()};
    struct engine_options options = {.sync = SYNC_NONE, .gsi_lag_ms = gsi_lag_ms};
    fixture_must(store_open_mem(f.arena, &options.store));
    fixture_must(engine_open(f.arena, &options, &f.engine));
    return f;
}

void fixture_close(struct fixture *f) {
    engine_close(f->engine);
    arena_destroy(f->arena);
}

struct fixture_schema_task {
    struct writer_task task;
    const struct table_schema *schema;
    struct slice drop;
    const struct table_schema *out;
};

static struct error *fixture_schema_run(struct writer_task *task, struct write_view *view) {
    struct fixture_schema_task *t = (struct fixture_schema_task *)task;
    struct table_counts counts;
    if (t->schema)
        return catalogue_create(view, task->arena, t->schema, &t->out);
    return catalogue_drop(view, task->arena, t->drop, &t->out, &counts);
}

#define KEY_S(name)                                                                                \
    { SLICE_INIT(name), VALUE_S }
static const struct slice fixture_included[] = {SLICE_INIT("x")};
static const struct index_schema fixture_indexes[] = {
    {.name = SLICE_INIT("inverted"),
     .global = true,
     .key = {.hash = {KEY_S("SK")}, .hash_count = 1, .range = {KEY_S("PK")}, .range_count = 1}},
    {.name = SLICE_INIT("sparse"),
     .global = true,
     .key = {.hash = {{SLICE_INIT("g"), VALUE_N}}, .hash_count = 1},
     .projection = PROJECTION_KEYS_ONLY},
    {.name = SLICE_INIT("local"),
     .key = {.hash = {KEY_S("PK")}, .hash_count = 1, .range = {KEY_S("l")}, .range_count = 1},
     .projection = PROJECTION_INCLUDE,
     .non_key_attributes = fixture_included,
     .non_key_count = 1},
};

struct table *fixture_create_table(struct fixture *f, const char *name) {
    struct table_schema schema = {
        .name = slice_of(name),
        .key = {.hash = {KEY_S("PK")}, .hash_count = 1, .range = {KEY_S("SK")}, .range_count = 1},
        .indexes = fixture_indexes,
        .index_count = ARRAY_LEN(fixture_indexes),
        .stream = STREAM_BOTH,
    };
    struct fixture_schema_task t = {
        .task = {.arena = f->arena, .run = fixture_schema_run, .alone = true}, .schema = &schema};
    fixture_must(writer_run(f->engine, &t.task));
    return engine_find_table(f->engine, slice_of(name));
}

struct error *fixture_drop_table(struct fixture *f, const char *name) {
    struct fixture_schema_task t = {
        .task = {.arena = f->arena, .run = fixture_schema_run, .alone = true},
        .drop = slice_of(name)};
    return writer_run(f->engine, &t.task);
}

/* A changed list of indexes. */
struct fixture_index_task {
    struct writer_task task;
    struct slice table;
    const struct index_schema *add;
    struct slice remove;
};

static struct error *fixture_index_run(struct writer_task *task, struct write_view *view) {
    struct fixture_index_task *t = (struct fixture_index_task *)task;
    struct table_schema revised = *catalogue_current(view, t->table)->schema;
    struct index_schema *indexes =
        arena_array(task->arena, revised.index_count + 1, sizeof *indexes);
    size_t count = 0;
    for (size_t i = 0; i < revised.index_count; i++)
        if (!slice_equal(revised.indexes[i].name, t->remove))
            indexes[count++] = revised.indexes[i];
    if (t->add)
        indexes[count++] = *t->add;
    revised.indexes = indexes;
    revised.index_count = count;
    const struct table_schema *out;
    return catalogue_update(view, task->arena, &revised, &out);
}

struct error *fixture_add_index(struct fixture *f, const char *table) {
    static const struct index_schema by_x = {
        .name = SLICE_INIT("by-x"), .global = true, .key = {.hash = {KEY_S("x")}, .hash_count = 1}};
    struct fixture_index_task t = {
        .task = {.arena = f->arena, .run = fixture_index_run, .alone = true},
        .table = slice_of(table),
        .add = &by_x};
    return writer_run(f->engine, &t.task);
}

struct error *fixture_remove_index(struct fixture *f, const char *table, const char *index) {
    struct fixture_index_task t = {
        .task = {.arena = f->arena, .run = fixture_index_run, .alone = true},
        .table = slice_of(table),
        .remove = slice_of(index)};
    return writer_run(f->engine, &t.task);
}

struct item fixture_item(struct fixture *f, const char *json) {
    const struct json *tree;
    struct item item;
    fixture_must(json_parse(f->arena, slice_of(json), &tree));
    fixture_must(item_from_json(f->arena, tree, &item));
    return item;
}

struct fixture_write_task {
    struct writer_task task;
    struct item_write *write;
};

static struct error *fixture_write_run(struct writer_task *task, struct write_view *view) {
    struct item_write *w = ((struct fixture_write_task *)task)->write;
    TRY(item_write_decide(view, task->arena, w));
    if (w->condition_held)
        item_write_stage(view, task->arena, w);
    return NULL;
}

struct error *fixture_write(struct fixture *f, struct item_write *w) {
    struct fixture_write_task t = {.task = {.arena = f->arena, .run = fixture_write_run},
                                   .write = w};
    return writer_run(f->engine, &t.task);
}

struct error *fixture_put(struct fixture *f, struct table *t, const char *json) {
    struct item item = fixture_item(f, json);
    struct item_write w = {.kind = WRITE_PUT, .table = t, .item = &item};
    TRY(primary_key_from_item(f->arena, t->schema, &item, &w.key));
    TRY(index_keys_check(f->arena, t->schema, &item));
    return fixture_write(f, &w);
}

struct error *fixture_delete(struct fixture *f, struct table *t, const char *key) {
    struct item item = fixture_item(f, key);
    struct item_write w = {.kind = WRITE_DELETE, .table = t};
    TRY(primary_key_from_key(f->arena, t->schema, &item, &w.key));
    return fixture_write(f, &w);
}

struct fixture_forge_task {
    struct writer_task task;
    struct slice key, row;
};

static struct error *fixture_forge_run(struct writer_task *task, struct write_view *view) {
    const struct fixture_forge_task *t = (struct fixture_forge_task *)task;
    write_view_put(view, t->key, t->row);
    return NULL;
}

struct error *fixture_forge_collection(struct fixture *f, struct table *t, const char *key,
                                       uint64_t bytes) {
    struct item item = fixture_item(f, key);
    struct fixture_forge_task task = {
        .task = {.arena = f->arena, .run = fixture_forge_run},
        .key =
            collection_key(f->arena, t->schema->space, keyspace_item(f->arena, t->schema, &item)),
        .row = collection_encode(f->arena, bytes)};
    return writer_run(f->engine, &task.task);
}

static void fixture_say(void *context, struct slice line) {
    (void)context;
    fprintf(stderr, "%.*s\n", SLICE_ARG(line));
}

uint64_t fixture_faults(struct fixture *f) {
    struct check_report report;
    fixture_must(engine_check(f->engine, f->arena, fixture_say, NULL, &report));
    return report.faults;
}

static void fixture_add_rows(struct fixture *f, const struct query *q, struct buf *out) {
    for (uint32_t i = 0; i < q->count; i++) {
        struct item item;
        if (!stored_decode(f->arena, q->rows[i], q->table->names, &item))
            abort();
        if (out->len)
            buf_add_char(out, ' ');
        buf_add(out, item_find(&item, SLICE("PK"))->bytes);
        buf_add_char(out, '/');
        buf_add(out, item_find(&item, SLICE("SK"))->bytes);
    }
}

static struct key_condition fixture_condition(struct fixture *f, const char *text,
                                              const char *values) {
    const struct json *tree;
    struct expr_scope *scope;
    struct key_condition condition;
    fixture_must(json_parse(f->arena, slice_of(values), &tree));
    fixture_must(expr_scope_create(f->arena, NULL, tree, &scope));
    fixture_must(key_condition_parse(f->arena, scope, slice_of(text), &condition));
    return condition;
}

struct slice fixture_query(struct fixture *f, struct table *t, const char *index,
                           const char *condition, const char *values, bool backward,
                           uint32_t limit) {
    struct buf out = buf_in(f->arena, 1 << 20);
    struct key_condition key = {0};
    if (condition)
        key = fixture_condition(f, condition, values);
    struct item start = {0};
    for (bool more = true; more;) {
        struct query q = {.table = t,
                          .index =
                              index ? table_schema_find_index(t->schema, slice_of(index)) : NULL,
                          .key = condition ? &key : NULL,
                          .start = start.count ? &start : NULL,
                          .limit = limit,
                          .backward = backward,
                          .keep_rows = true};
        struct error *error = query_prepare(f->arena, &q);
        while (!error && !q.done)
            error = query_step(f->engine, f->arena, &q, 3, SIZE_MAX);
        query_finish(f->engine, &q);
        if (error)
            return error->message;
        fixture_add_rows(f, &q, &out);
        more = q.has_last_key;
        start = q.last_key;
    }
    return buf_slice(&out);
}
