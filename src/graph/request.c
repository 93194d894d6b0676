#include <stdio.h>

#include "graph/graph_int.h"

void write_s(struct json_writer *w, struct slice name, struct slice text) {
    json_write_name(w, name);
    json_write_object_begin(w);
    json_member_string(w, "S", text);
    json_write_object_end(w);
}

void write_n(struct json_writer *w, struct slice name, int64_t n) {
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%lld", (long long)n);
    json_write_name(w, name);
    json_write_object_begin(w);
    json_member_string(w, "N", ((struct slice){digits, (size_t)len}));
    json_write_object_end(w);
}

void request_begin(struct request *r, const struct graph *g, struct arena *a) {
    *r = (struct request){json_writer_tree(a), json_writer_tree(a), json_writer_tree(a), false,
                          false};
    json_write_object_begin(&r->w);
    json_write_object_begin(&r->names);
    json_write_object_begin(&r->values);
    json_member_string(&r->w, "TableName", g->d.table);
}

void request_key(struct request *r, const struct graph *g, struct slice pk, struct slice sk) {
    json_write_name(&r->w, SLICE("Key"));
    json_write_object_begin(&r->w);
    write_s(&r->w, g->d.pk, pk);
    write_s(&r->w, g->d.sk, sk);
    json_write_object_end(&r->w);
}

void request_text(struct request *r, const char *member, const char *text) {
    json_write_name(&r->w, slice_of(member));
    json_write_string(&r->w, slice_of(text));
}

void request_name(struct request *r, const char *placeholder, struct slice name) {
    json_write_name(&r->names, slice_of(placeholder));
    json_write_string(&r->names, name);
    r->any_names = true;
}

void request_s(struct request *r, const char *placeholder, struct slice text) {
    write_s(&r->values, slice_of(placeholder), text);
    r->any_values = true;
}

void request_n(struct request *r, const char *placeholder, int64_t n) {
    write_n(&r->values, slice_of(placeholder), n);
    r->any_values = true;
}

void request_value(struct request *r, const char *placeholder, const struct json *value) {
    json_write_name(&r->values, slice_of(placeholder));
    json_write_tree(&r->values, value);
    r->any_values = true;
}

const struct json *request_end(struct request *r) {
    json_write_object_end(&r->names);
    json_write_object_end(&r->values);
    if (r->any_names) {
        json_write_name(&r->w, SLICE("ExpressionAttributeNames"));
        json_write_tree(&r->w, r->names.root);
    }
    if (r->any_values) {
        json_write_name(&r->w, SLICE("ExpressionAttributeValues"));
        json_write_tree(&r->w, r->values.root);
    }
    json_write_object_end(&r->w);
    return r->w.root;
}
