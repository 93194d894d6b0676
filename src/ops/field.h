/*
 * What an operation takes, as a table of fields.
 *
 * One walk over the table turns a tree into the operation's typed input.  First every JSON type is
 * checked (ERR_SERIALIZATION with AWS's words), then every constraint: AWS gathers up to ten of
 * them in one message, "2 validation errors detected: Value 'x' at 'tableName' failed to satisfy
 * constraint: …; …", and reports some alone.  The order of the rows is the order of the message.
 * Unknown members are ignored and null counts as absent, as on AWS.
 */
#ifndef OPS_FIELD_H
#define OPS_FIELD_H

#include "base/error.h"
#include "base/limits.h"
#include "json/json.h"

enum field_type {
    FIELD_STRING,  /* struct slice; ptr NULL when absent */
    FIELD_TABLE,   /* struct slice: a table's name or its ARN, as given */
    FIELD_CHOICE,  /* struct field_choice: one of `choices` */
    FIELD_BOOL,    /* struct field_bool */
    FIELD_INT,     /* struct field_int */
    FIELD_LONG,    /* struct field_int; AWS names the type in its errors */
    FIELD_ITEM,    /* const struct json *: a map of attribute values, JSON types checked */
    FIELD_ITEMS,   /* struct field_list of const struct json *: a list of such maps */
    FIELD_VALUE,   /* const struct json *: one attribute value */
    FIELD_VALUES,  /* struct field_list of const struct json *: a list of attribute values */
    FIELD_NAMES,   /* const struct json *: a map of strings to strings */
    FIELD_STRINGS, /* struct field_list of struct slice */
    FIELD_STRUCT,  /* pointer to the sub-input, NULL when absent */
    FIELD_LIST,    /* struct field_list of sub-inputs */
    FIELD_MAP,     /* struct field_map: a map from strings to sub-inputs */
    FIELD_LISTS,   /* struct field_map of struct field_list: a map from strings to lists of those */
};

/* What was chosen: 0 when absent, else the position in the row's `choices`, from 1.  An operation
 * declares an enum in that order. */
struct field_choice {
    unsigned is;
    struct slice text;
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
    void *elements; /* an array; a null element is all zero */
};

struct field_map {
    bool given;
    size_t count;
    struct slice *keys;
    void *values; /* an array, in the order of keys */
};

struct field {
    const char *name; /* on the wire: "TableName" */
    enum field_type type;
    size_t offset; /* in the input */
    bool required;

    bool alone;     /* AWS: this one's faults are reported before and without the others' */
    bool parameter; /* AWS: the table operations' own words for a missing one, before all else */
    bool
        whole_length; /* AWS: DescribeTable and DeleteTable have their own words for a bad length */
    bool valueless;   /* AWS: Query's Limit: "Value at 'Limit'", capitals and without the value */
    bool table_keys;  /* a map's keys are tables' names or ARNs */

    bool from_zero;      /* a number that may not be below 0 */
    int64_t min, max;    /* characters, elements or value; 0: none */
    int64_t element_min; /* characters of each of FIELD_STRINGS, elements of each list of
                            FIELD_LISTS; 0: none */
    int64_t element_max;
    const char *pattern;        /* as AWS prints it; one of FIELD_PATTERN_… */
    const char *const *choices; /* NULL-ended, as AWS lists them in "[ALL_NEW, …]" */
    const char *shape;          /* AWS's name of a structure, for its errors: "KeySchemaElement" */
    const struct field *of;     /* rows of a structure, or of those in a list or map */
    size_t of_count;
    size_t of_size; /* of one sub-input */
};

/* The one pattern that the API's names have. */
#define FIELD_PATTERN_NAME "[a-zA-Z0-9_.-]+"

/* The longest ARN where a table's name may be one. */
enum { FIELD_ARN_MAX_CHARS = 1024 };

/* The start of a row: {FIELD("Limit", INT, struct query, limit), .min = 1}. */
#define FIELD(wire, kind, input, member)                                                           \
    .name = (wire), .type = FIELD_##kind, .offset = offsetof(input, member)

/* The TableName of the operations on items. */
#define FIELD_TABLE_NAME(input, member)                                                            \
    FIELD("TableName", TABLE, input, member), .required = true, .pattern = FIELD_PATTERN_NAME,     \
                                              .min = 1, .max = LIMIT_TABLE_NAME_MAX_CHARS

/* Rows of a nested structure: `.shape = "…", FIELD_OF(rows, struct input)`. */
#define FIELD_OF(rows, input) .of = rows, .of_count = ARRAY_LEN(rows), .of_size = sizeof(input)

/* Fills `input` (zeroed, of the operation's size). */
MUST_CHECK struct error *field_read(struct arena *a, const struct field *fields, size_t count,
                                    const struct json *body, void *input);

#endif
