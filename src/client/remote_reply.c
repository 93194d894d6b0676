#include "client/remote_reply.h"

#include "json/json_writer.h"

enum { REMOTE_DETAILS_BYTES = 64 * 1024 * 1024 };

/* The house's own kinds end where those of the API do. */
static enum error_kind remote_kind(struct arena *a, struct slice short_type) {
    for (int kind = 0; kind < ERR_LOCAL; kind++)
        if (slice_equal(error_short_type(error_bare(a, (enum error_kind)kind)), short_type))
            return (enum error_kind)kind;
    return ERR_REMOTE;
}

/* All members but type and text, as `"name":value,…`. */
static struct slice remote_details(struct arena *a, const struct json *reply) {
    struct buf text = buf_in(a, REMOTE_DETAILS_BYTES);
    struct json_writer w = json_writer_text(&text);
    json_write_object_begin(&w);
    for (const struct json *m = reply->first; m; m = m->next) {
        if (slice_is(m->name, "__type") || slice_is(m->name, "message") ||
            slice_is(m->name, "Message"))
            continue;
        json_write_name(&w, m->name);
        json_write_tree(&w, m);
    }
    json_write_object_end(&w);
    if (!buf_ok(&text))
        return SLICE("");
    return (struct slice){text.ptr + 1, text.len - 2};
}

static const struct json *remote_text(const struct json *reply) {
    const struct json *text = json_member(reply, SLICE("message"));
    if (!text)
        text = json_member(reply, SLICE("Message"));
    return text && text->kind == JSON_STRING ? text : NULL;
}

static struct error *remote_api_error(struct arena *a, const struct json *reply,
                                      struct slice type) {
    struct error *e = error_bare(a, ERR_REMOTE);
    e->type = type;
    e->kind = remote_kind(a, error_short_type(e));
    const struct json *text = remote_text(reply);
    if (text)
        e->message = text->text;
    e->details = remote_details(a, reply);
    return e;
}

/* A proxy's page, or a server that speaks something else. */
static struct error *remote_foreign(struct arena *a, int status) {
    struct error *e = error_new(a, ERR_REMOTE, "the reply is none of DynamoDB's");
    e->type = arena_printf(a, "HTTP %d", status);
    return e;
}

struct error *remote_reply_read(struct arena *a, const struct exchange_reply *reply,
                                const struct json **out) {
    const struct json *tree;
    if (json_parse(a, reply->body, &tree) || tree->kind != JSON_OBJECT)
        return remote_foreign(a, reply->status);
    if (reply->status == 200) {
        *out = tree;
        return NULL;
    }
    const struct json *type = json_member(tree, SLICE("__type"));
    if (!type || type->kind != JSON_STRING)
        return remote_foreign(a, reply->status);
    return remote_api_error(a, tree, type->text);
}

bool remote_reply_is_passing(int status, const struct error *e) {
    static const char *const types[] = {
        "ThrottlingException",
        "ProvisionedThroughputExceededException",
        "ThrottledException",
        "RequestLimitExceeded",
        "RequestThrottled",
        "RequestThrottledException",
        "TransactionInProgressException",
    };
    if (status >= 500 || status == 429)
        return true;
    struct slice type = error_short_type(e);
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (slice_is(type, types[i]))
            return true;
    return false;
}
