/*
 * Writes JSON: as text into a buffer, or as a tree into an arena, by the same calls.
 *
 * The writer puts commas and colons; the caller keeps begins, ends and names in order (asserted).
 * A text that outgrows its buffer's ceiling is seen by buf_ok at the end.
 */
#ifndef JSON_JSON_WRITER_H
#define JSON_JSON_WRITER_H

#include "base/buf.h"
#include "json/json.h"

/* Containers within containers: an item's 2 x 32 levels, and the reply around it. */
enum { JSON_WRITER_DEPTH = 128 };

struct json_writer {
    struct buf *text;                         /* or NULL: a tree is built */
    struct arena *arena;                      /* of the tree */
    struct json *root;                        /* the tree, once the value is complete */
    struct slice name;                        /* for the next value of the tree */
    struct json_writer_level *levels;         /* the tree's containers under way */
    uint64_t objects[JSON_WRITER_DEPTH / 64]; /* which of the open containers are objects */
    unsigned depth;
    bool first; /* nothing yet in the current array or object: no comma */
    bool named; /* a name was written, its value comes next */
};

struct json_writer json_writer_text(struct buf *text);

/* Names and strings are copied into the arena unless `json_write_borrowed` is used. */
struct json_writer json_writer_tree(struct arena *a);

void json_write_object_begin(struct json_writer *w);
void json_write_object_end(struct json_writer *w);
void json_write_array_begin(struct json_writer *w);
void json_write_array_end(struct json_writer *w);
void json_write_name(struct json_writer *w, struct slice name);

/* `s` is UTF-8; quotes, backslashes and control characters are escaped. */
void json_write_string(struct json_writer *w, struct slice s);
void json_write_borrowed(struct json_writer *w, struct slice s);   /* outlives a tree */
void json_write_base64(struct json_writer *w, struct slice bytes); /* as a string */
void json_write_number(struct json_writer *w, struct slice text);  /* `text` is JSON already */
void json_write_int(struct json_writer *w, int64_t n);
void json_write_double(struct json_writer *w, double d); /* shortest; 3 becomes 3.0, NaN null */
void json_write_bool(struct json_writer *w, bool b);
void json_write_null(struct json_writer *w);
void json_write_tree(struct json_writer *w, const struct json *value); /* outlives a tree */

/* Name and value in one call, for the many members of replies. */
#define json_member_string(w, name, s) (json_write_name(w, SLICE(name)), json_write_string(w, s))
#define json_member_int(w, name, n) (json_write_name(w, SLICE(name)), json_write_int(w, n))
#define json_member_double(w, name, d) (json_write_name(w, SLICE(name)), json_write_double(w, d))
#define json_member_bool(w, name, b) (json_write_name(w, SLICE(name)), json_write_bool(w, b))

/* The whole tree as text; `indent` > 0 for people.  Recursion goes as deep as the tree. */
void json_print(struct buf *out, const struct json *value, unsigned indent);

#endif
