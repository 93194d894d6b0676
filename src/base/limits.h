/*
 * Every limit of the API and of the house, each with its unit and its source.
 *
 * [D] AWS documentation (Constraints.html, ServiceQuotas.html), [M] measured on AWS, [H] the house.
 */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

enum {
    /* Items and values */
    LIMIT_ITEM_BYTES = 400 * 1024,      /* names included [D] */
    LIMIT_VALUE_DEPTH = 32,             /* nesting of lists and maps [D] */
    LIMIT_NUMBER_DIGITS = 38,           /* significant [D] */
    LIMIT_NUMBER_EXPONENT_MAX = 125,    /* 9.99…E+125 [D] */
    LIMIT_NUMBER_EXPONENT_MIN = -130,   /* 1E-130 [D] */
    LIMIT_ATTRIBUTE_NAME_BYTES = 65535, /* [D] */
    LIMIT_PARTITION_KEY_BYTES = 2048,   /* [D] */
    LIMIT_SORT_KEY_BYTES = 1024,        /* [D] */

    /* Expressions */
    LIMIT_EXPRESSION_BYTES = 4096,      /* [D] */
    LIMIT_EXPRESSION_OPERATORS = 300,   /* operators and functions in one expression [D] */
    LIMIT_EXPRESSION_IN_OPERANDS = 100, /* [D] */
    LIMIT_EXPRESSION_NAME_BYTES = 255,  /* a placeholder [D] */
    LIMIT_EXPRESSION_VALUES_BYTES = 2 * 1024 * 1024, /* all substitution variables [D] */
    LIMIT_EXPRESSION_DEPTH = 300, /* of parentheses and NOT: bounds the recursion [H] */

    /* Tables */
    LIMIT_TABLE_NAME_MIN_CHARS = 3,   /* [D] */
    LIMIT_TABLE_NAME_MAX_CHARS = 255, /* [D] */
    LIMIT_TABLES = 2500,              /* an account and region, default quota [D] */
    LIMIT_GLOBAL_INDEXES = 20,        /* default quota [D] */
    LIMIT_LOCAL_INDEXES = 5,          /* [D] */
    LIMIT_INDEX_KEY_ATTRIBUTES = 4,   /* of one role, global only [D, Nov 2025] */
    LIMIT_PROJECTED_ATTRIBUTES = 100, /* INCLUDE, over all indexes [D] */
    LIMIT_NAME_IDS = 1024,            /* attribute names kept as numbers, a table [H] */

    /* Requests and pages */
    LIMIT_PAGE_BYTES = 1024 * 1024,                  /* Query and Scan [D] */
    LIMIT_BATCH_GET_ITEMS = 100,                     /* [D] */
    LIMIT_BATCH_GET_BYTES = 16 * 1024 * 1024,        /* [D] */
    LIMIT_BATCH_WRITE_ITEMS = 25,                    /* [D] */
    LIMIT_TRANSACTION_ITEMS = 100,                   /* [D] */
    LIMIT_TRANSACTION_BYTES = 4 * 1024 * 1024,       /* [D] */
    LIMIT_TOKEN_SECONDS = 600,                       /* idempotency of a ClientRequestToken [D] */
    LIMIT_BODY_BYTES = 16 * 1024 * 1024 + 64 * 1024, /* a request's body, inflated too [D, H] */
    LIMIT_REPLY_BYTES = 64 * 1024 * 1024,            /* base64 and escapes of a 16 MB batch [H] */
    LIMIT_HEAD_BYTES = 64 * 1024,                    /* request line and headers [H] */
    LIMIT_JSON_DEPTH =
        400, /* above an item's 2 x 32 levels, so that those get their own error [H] */
    LIMIT_JSON_NODES = 2 * 1000 * 1000, /* a request's tree [H] */
    LIMIT_COMPRESS_BYTES = 4 * 1024,    /* replies above this are compressed when asked [D] */

    /* The writer */
    LIMIT_GROUP_WRITES = 128,            /* requests in one commit [H] */
    LIMIT_GROUP_BYTES = 4 * 1024 * 1024, /* a larger write runs alone [H] */
    LIMIT_GROUP_MICROSECONDS = 2000,     /* [H] */
    LIMIT_JOB_CHUNK_KEYS = 256,          /* [H] */
    LIMIT_JOB_CHUNK_BYTES = 1024 * 1024, /* [H] */

    /* Reads on the event loop */
    LIMIT_LOOP_ROWS = 64,             /* a longer page moves to a worker [H] */
    LIMIT_LOOP_BYTES = 64 * 1024,     /* [H] */
    LIMIT_SKIPPED_TOMBSTONES = 10000, /* of one step of an iterator [H] */
};

/* Of a table with local indexes, their entries included [D]; too large for an enumerator. */
#define LIMIT_ITEM_COLLECTION_BYTES (10ULL * 1024 * 1024 * 1024)

#endif
