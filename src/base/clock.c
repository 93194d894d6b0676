#include "base/clock.h"

#include <time.h>

static int64_t clock_read_ns(clockid_t id) {
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clock_wall_ms(void) {
    return clock_read_ns(CLOCK_REALTIME) / 1000000;
}

int64_t clock_monotonic_ns(void) {
    return clock_read_ns(CLOCK_MONOTONIC);
}
