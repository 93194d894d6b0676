#include "ops/table_settings.h"

#include <time.h>

#include "base/random.h"

const char *const billing_choices[] = {"PROVISIONED", "PAY_PER_REQUEST", NULL};
const char *const table_class_choices[] = {"STANDARD", "STANDARD_INFREQUENT_ACCESS", NULL};
static const char *const view_choices[] = {"NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES",
                                           "KEYS_ONLY", NULL};
static const char *const sse_choices[] = {"AES256", "KMS", NULL};

const struct field stream_fields[STREAM_FIELDS] = {
    {FIELD("StreamEnabled", BOOL, struct stream_input, enabled), .required = true},
    {FIELD("StreamViewType", CHOICE, struct stream_input, view), .choices = view_choices},
};

const struct field sse_fields[SSE_FIELDS] = {
    {FIELD("Enabled", BOOL, struct sse_input, enabled)},
    {FIELD("SSEType", CHOICE, struct sse_input, type), .choices = sse_choices},
    {FIELD("KMSMasterKeyId", STRING, struct sse_input, key)},
};

/* --- Stream ----------------------------------------------------------------------------------- */

static enum stream_view stream_view_of(const struct field_choice *view) {
    switch (view->is) {
    case VIEW_TYPE_NEW_IMAGE:
        return STREAM_NEW_IMAGE;
    case VIEW_TYPE_OLD_IMAGE:
        return STREAM_OLD_IMAGE;
    case VIEW_TYPE_BOTH:
        return STREAM_BOTH;
    }
    return STREAM_KEYS_ONLY;
}

/* The moment the stream begins, as in its ARN: 2015-05-11T21:21:33.291. */
static struct slice stream_label_of(struct arena *a, int64_t ms) {
    enum { LABEL_BYTES = sizeof "2015-05-11T21:21:33" };
    char seconds[LABEL_BYTES];
    time_t at = (time_t)(ms / 1000);
    struct tm utc;
    gmtime_r(&at, &utc);
    strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &utc);
    return arena_printf(a, "%s.%03d", seconds, (int)(ms % 1000));
}

void stream_begin(struct arena *a, struct table_schema *t, const struct field_choice *view,
                  int64_t now_ms) {
    t->stream = stream_view_of(view);
    t->stream_label = stream_label_of(a, now_ms);
}

/* --- Encryption ------------------------------------------------------------------------------- */

static struct error *sse_fault(struct arena *a, const char *text) {
    return error_new(a, ERR_VALIDATION, "One or more parameter values were invalid: %s", text);
}

struct error *sse_check(struct arena *a, const struct sse_input *in, bool *on) {
    if (in->type.is == SSE_TYPE_AES256)
        return sse_fault(a, "SSEType AES256 is not supported");
    /* AWS: SSEType alone turns it on. */
    bool enabled = in->enabled.given ? in->enabled.value : in->type.is != 0;
    if (!enabled && in->type.is)
        return sse_fault(a, "SSEType can not be specified if Enabled is false");
    if (!enabled && in->key.ptr)
        return sse_fault(a, "KMSMasterKeyId can not be specified if Enabled is false");
    if (in->key.ptr && !in->type.is)
        return sse_fault(a, "SSEType KMS is required if KMSMasterKeyId is specified");
    *on = enabled;
    return NULL;
}

/* AWS: the account's own key; every table names one. */
static struct slice sse_own_key(struct arena *a) {
    char *id = arena_bytes(a, RANDOM_UUID_CHARS);
    random_uuid(id);
    return (struct slice){id, RANDOM_UUID_CHARS};
}

void sse_begin(struct arena *a, struct table_schema *t, const struct sse_input *in) {
    if (in->key.len)
        t->sse_key = in->key;
    else if (!t->sse_kms)
        t->sse_key = sse_own_key(a);
    t->sse_kms = true;
}

/* --- Table class ------------------------------------------------------------------------------ */

void table_class_set(struct table_schema *t, const struct field_choice *class) {
    t->table_class = class->is == TABLE_CLASS_INFREQUENT_ACCESS ? CLASS_STANDARD_INFREQUENT_ACCESS
                                                                : CLASS_STANDARD;
    t->table_class_given = class->is != 0;
}
