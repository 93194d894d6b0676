/*
 * The two clocks: the wall's for what users see, the monotonic one for durations.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* Milliseconds since 1970-01-01 UTC. */
int64_t clock_wall_ms(void);

/* Nanoseconds since some moment; never goes back. */
int64_t clock_monotonic_ns(void);

#endif
