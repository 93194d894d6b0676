/* The graphs of the articles: their keys exactly. */
#include "graph/verb.h"

static const struct {
    const char *name, *json;
} presets[] = {
    {"follow", "{\"nodes\":{\"actor\":{\"pk\":\"ACTOR#{id}\",\"sk\":\"PROFILE\"}},\"edges\":{"
               "\"FOLLOW\":{\"from\":\"actor\",\"to\":\"actor\",\"pk\":\"ACTOR#{src}\","
               "\"sk\":\"TARGET#{dst}\",\"ipk\":\"TARGET#{dst}\",\"isk\":\"ACTOR#{src}\","
               "\"outCount\":\"following\",\"inCount\":\"followers\"}}}"},
    {"school", "{\"nodes\":{\"student\":{\"pk\":\"STU#{id}\",\"sk\":\"PROFILE\"},"
               "\"course\":{\"pk\":\"CRS#{id}\",\"sk\":\"META\"}},\"edges\":{"
               "\"ENROLL\":{\"from\":\"student\",\"to\":\"course\",\"pk\":\"STU#{src}\","
               "\"sk\":\"ENROLL#CRS#{dst}\",\"ipk\":\"CRS#{dst}\",\"isk\":\"STU#{src}\"}}}"},
    {"team", "{\"nodes\":{\"user\":{\"pk\":\"USER#{id}\",\"sk\":\"PROFILE\"},"
             "\"team\":{\"pk\":\"TEAM#{id}\",\"sk\":\"META\"}},\"edges\":{"
             "\"MEMBER\":{\"variant\":\"double\",\"from\":\"user\",\"to\":\"team\","
             "\"pk\":\"USER#{src}\",\"sk\":\"TEAM#{dst}\",\"rpk\":\"TEAM#{dst}\",\"rsk\":\"USER#{"
             "src}\"}}}"},
};

const struct json *graph_preset(struct arena *a, struct slice name) {
    const struct json *out;
    for (size_t i = 0; i < ARRAY_LEN(presets); i++)
        if (slice_is(name, presets[i].name) && !json_parse(a, slice_of(presets[i].json), &out))
            return out;
    return NULL;
}
