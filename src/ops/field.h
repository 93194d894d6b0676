/*
 * What an operation takes, as a table of fields.
 *
 * One walk over the table turns a tree into the operation's typed input.  First every JSON type is
 * checked (ERR_SERIALIZATION with AWS's words), then every constraint: AWS gathers them in one
 * message, "2 validation errors detected: Value 'x' at 'tableName' failed to satisfy constraint: …;
 * …", and reports some alone.  Unknown members are ignored, as AWS does.
 */
#ifndef OPS_FIELD_H
#define OPS_FIELD_H

#include "base/error.h"
#include "json/json.h"

enum field_type {
    FIELD_STRING, /* struct slice; ptr NULL when absent */
    FIELD_BOOL,   /* struct field_bool */
    FIELD_INT,    /* struct field_int: integers and longs */
    FIELD_ITEM,   /* const struct json *: a map of attribute values, JSON types checked */
    FIELD_VALUE,  /* const struct json *: one attribute value */
    FIELD_NAMES,  /* const struct json *: a map of strings to strings */
    FIELD_STRUCT, /* pointer to the sub-input, NULL when absent */
    FIELD_LIST,   /* struct field_list of sub-inputs, pointers NULL when absent */
    FIELD_MAP,    /* struct field_map: a map from strings to sub-inputs */
};

struct field_bool {
    bool given;
    bool value;
};

struct field_int {
    bool given;
    int64_t value;
};

struct field_list {
    bool given;
    size_t count;
    void *elements; /* array of the sub-input, or of struct slice for a list of strings */
};

struct field_map {
    bool given;
    size_t count;
    struct slice *keys;
    void *values;
};

struct field {
    const char *name; /* on the wire: "TableName" */
    enum field_type type;
    size_t offset; /* in the input */
    bool required;
    bool alone;          /* AWS: this one's fault is reported alone, before the gathered ones */
    int64_t min, max;    /* characters, elements or value; 0, 0: none */
    const char *pattern; /* as AWS prints it; checked by a matcher of the patterns AWS has */
    const char *const *choices; /* NULL-ended, as AWS lists them in "[ALL_NEW, …]"; or NULL */
    const struct field *of;     /* of STRUCT, LIST and MAP; NULL: a list of strings */
    size_t of_count;
    size_t of_size; /* of one sub-input */
};

/* Fills `input` (zeroed, of the operation's size). */
MUST_CHECK struct error *field_read(struct arena *a, const struct field *fields, size_t count,
                                    const struct json *body, void *input);

#endif
