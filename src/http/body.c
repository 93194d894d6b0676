#include "http/body.h"

#include <stdlib.h>

enum { BODY_FIRST_BYTES = 16 * 1024 };

const struct http_fault body_too_large = {413, "body too large"};
const struct http_fault body_over_budget = {503, "too many bytes in flight"};

bool body_budget_take(struct body_budget *budget, size_t bytes) {
    size_t before = atomic_fetch_add_explicit(&budget->used, bytes, memory_order_relaxed);
    if (bytes <= budget->limit && before <= budget->limit - bytes)
        return true;
    body_budget_give(budget, bytes);
    return false;
}

void body_budget_give(struct body_budget *budget, size_t bytes) {
    atomic_fetch_sub_explicit(&budget->used, bytes, memory_order_relaxed);
}

const struct http_fault *body_admit(struct body *b, size_t bytes) {
    if (bytes == 0)
        return NULL;
    if (!body_budget_take(b->budget, bytes))
        return &body_over_budget;
    b->counted += bytes;
    return NULL;
}

static void body_grow(struct body *b, size_t room) {
    b->ptr = realloc(b->ptr, room);
    if (!b->ptr)
        abort();
    b->room = room;
}

void body_allocate(struct body *b, size_t bytes) {
    body_grow(b, bytes);
}

const struct http_fault *body_reserve(struct body *b, size_t more) {
    if (more > b->ceiling - b->len)
        return &body_too_large;
    size_t needed = b->len + more;
    if (needed <= b->room)
        return NULL;
    size_t room = b->room ? b->room * 2 : BODY_FIRST_BYTES;
    if (room < needed)
        room = needed;
    if (room > b->ceiling)
        room = b->ceiling;
    const struct http_fault *fault = body_admit(b, room - b->room);
    if (!fault)
        body_grow(b, room);
    return fault;
}

const struct http_fault *body_add(struct body *b, struct slice s) {
    if (s.len == 0)
        return NULL;
    const struct http_fault *fault = body_reserve(b, s.len);
    if (fault)
        return fault;
    memcpy(b->ptr + b->len, s.ptr, s.len);
    b->len += s.len;
    return NULL;
}

void body_release(struct body *b) {
    free(b->ptr);
    if (b->counted > 0)
        body_budget_give(b->budget, b->counted);
    *b = (struct body){.ceiling = b->ceiling, .budget = b->budget};
}
