#include "engine/table.h"

#include <stdlib.h>

#include "engine/engine_int.h"
#include "schema/schema_stored.h"

void catalogue_init(struct catalogue *c) {
    *c = (struct catalogue){0};
    pthread_rwlock_init(&c->lock, NULL);
}

void catalogue_finish(struct catalogue *c) {
    for (size_t i = 0; i < c->count; i++)
        table_let_go(c->tables[i]);
    free(c->tables);
    pthread_rwlock_destroy(&c->lock);
}

/* The cell of an index that `before` (or NULL) has too is the same one. */
static struct count_cell *table_index_cell(struct table_state *state, const struct table *before,
                                           uint64_t space) {
    for (size_t i = 0; before && i < before->schema->index_count; i++)
        if (before->schema->indexes[i].space == space)
            return before->index_counts[i];
    return arena_alloc(state->arena, sizeof(struct count_cell));
}

static struct table *table_version(struct table_state *state, struct names *names,
                                   const struct table *before, const struct table_schema *schema) {
    struct arena *a = arena_create();
    struct table *t = arena_alloc(a, sizeof *t);
    t->arena = a;
    t->schema = table_schema_copy(a, schema);
    t->names = names;
    t->state = state;
    t->index_counts = arena_array(a, schema->index_count, sizeof *t->index_counts);
    for (size_t i = 0; i < schema->index_count; i++)
        t->index_counts[i] = table_index_cell(state, before, schema->indexes[i].space);
    return t;
}

struct table *table_create(const struct table_schema *schema) {
    struct arena *a = arena_create();
    struct table_state *state = arena_alloc(a, sizeof *state);
    state->arena = a;
    atomic_init(&state->holds, 1);
    state->current = table_version(state, names_create(), NULL, schema);
    return state->current;
}

struct table *table_revise(struct table *t, const struct table_schema *schema) {
    return table_version(t->state, t->names, t, schema);
}

void table_discard(struct table *revised) {
    arena_destroy(revised->arena);
}

static void table_free_older(struct table *t) {
    for (struct table *older = t->older, *next; older; older = next) {
        next = older->older;
        arena_destroy(older->arena);
    }
    t->older = NULL;
}

void table_hold(struct table *t) {
    atomic_fetch_add(&t->state->holds, 1);
}

void table_let_go(struct table *t) {
    if (!t || atomic_fetch_sub(&t->state->holds, 1) > 1)
        return;
    struct table_state *state = t->state;
    struct table *current = state->current;
    names_destroy(current->names);
    table_free_older(current);
    arena_destroy(current->arena);
    arena_destroy(state->arena);
}

/* Where the name is, or where it would stand. */
static size_t catalogue_place(const struct catalogue *c, struct slice name, bool *found) {
    size_t low = 0, high = c->count;
    *found = false;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = slice_compare(c->tables[middle]->schema->name, name);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void catalogue_add(struct catalogue *c, struct table *t) {
    pthread_rwlock_wrlock(&c->lock);
    if (c->count == c->room) {
        c->room = c->room ? c->room * 2 : 64;
        c->tables = realloc(c->tables, c->room * sizeof *c->tables);
        if (!c->tables)
            abort();
    }
    bool found;
    size_t at = catalogue_place(c, t->schema->name, &found);
    memmove(c->tables + at + 1, c->tables + at, (c->count - at) * sizeof *c->tables);
    c->tables[at] = t;
    c->count++;
    pthread_rwlock_unlock(&c->lock);
}

void catalogue_replace(struct catalogue *c, struct table *revised) {
    bool found;
    pthread_rwlock_wrlock(&c->lock);
    size_t at = catalogue_place(c, revised->schema->name, &found);
    if (found && c->tables[at]->state == revised->state)
        c->tables[at] = revised;
    revised->older = revised->state->current;
    revised->state->current = revised;
    if (atomic_load(&revised->state->holds) == 1) /* the catalogue's; nobody finds it meanwhile */
        table_free_older(revised);
    pthread_rwlock_unlock(&c->lock);
}

void catalogue_remove(struct catalogue *c, struct table *t) {
    atomic_store(&t->state->dropped, true);
    bool found;
    pthread_rwlock_wrlock(&c->lock);
    size_t at = catalogue_place(c, t->schema->name, &found);
    if (found && c->tables[at]->state == t->state) {
        c->count--;
        memmove(c->tables + at, c->tables + at + 1, (c->count - at) * sizeof *c->tables);
    }
    pthread_rwlock_unlock(&c->lock);
    table_let_go(t);
}

struct table *catalogue_find(struct catalogue *c, struct slice name) {
    bool found;
    struct table *t = NULL;
    pthread_rwlock_rdlock(&c->lock);
    size_t at = catalogue_place(c, name, &found);
    if (found) {
        t = c->tables[at];
        table_hold(t);
    }
    pthread_rwlock_unlock(&c->lock);
    return t;
}

struct table *engine_find_table(struct engine *e, struct slice name) {
    return catalogue_find(&e->catalogue, name);
}

void table_release(struct engine *e, struct table *t) {
    (void)e;
    table_let_go(t);
}

struct slice *engine_list_tables(struct engine *e, struct arena *a, struct slice after,
                                 size_t limit, size_t *count, bool *more) {
    struct catalogue *c = &e->catalogue;
    bool found;
    pthread_rwlock_rdlock(&c->lock);
    size_t at = after.len ? catalogue_place(c, after, &found) : 0;
    if (after.len && found)
        at++;
    size_t left = c->count - at;
    *count = left < limit ? left : limit;
    *more = left > limit;
    struct slice *names = arena_array(a, *count, sizeof *names);
    for (size_t i = 0; i < *count; i++)
        names[i] = arena_copy(a, c->tables[at + i]->schema->name);
    pthread_rwlock_unlock(&c->lock);
    return names;
}

size_t engine_table_count(struct engine *e) {
    pthread_rwlock_rdlock(&e->catalogue.lock);
    size_t count = e->catalogue.count;
    pthread_rwlock_unlock(&e->catalogue.lock);
    return count;
}

struct count_cell *table_count_cell(const struct table *t, const struct index_schema *index) {
    return index ? t->index_counts[index - t->schema->indexes] : &t->state->counts;
}

static struct table_counts count_cell_read(const struct count_cell *cell) {
    return (struct table_counts){atomic_load_explicit(&cell->items, memory_order_relaxed),
                                 atomic_load_explicit(&cell->bytes, memory_order_relaxed)};
}

struct table_counts table_counts(const struct table *t) {
    return count_cell_read(&t->state->counts);
}

struct table_counts table_index_counts(const struct table *t, const struct index_schema *index) {
    return count_cell_read(table_count_cell(t, index));
}
