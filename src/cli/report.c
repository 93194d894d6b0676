#include "cli/report.h"

#include <errno.h>
#include <stdio.h>

enum exit_code report_failure(const struct error *e, enum exit_code code) {
    fprintf(stderr, "stator: %.*s\n", SLICE_ARG(e->message));
    return code;
}

enum exit_code report_usage(const struct error *e, const char *verb) {
    report_failure(e, EXIT_USAGE);
    fprintf(stderr, "Try `stator %s%s--help`.\n", verb ? verb : "", verb ? " " : "");
    return EXIT_USAGE;
}

enum exit_code report_refusal(const struct error *e) {
    struct slice type = error_short_type(e);
    if (e->message.len)
        fprintf(stderr, "%.*s: %.*s\n", SLICE_ARG(type), SLICE_ARG(e->message));
    else
        fprintf(stderr, "%.*s\n", SLICE_ARG(type));
    if (e->details.len)
        fprintf(stderr, "{%.*s}\n", SLICE_ARG(e->details));
    return EXIT_REFUSED;
}

enum exit_code report_flushed(enum exit_code code) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr, "stator: cannot write the output: %s\n", strerror(errno));
    return EXIT_OUTPUT;
}
