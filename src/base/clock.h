/* The monotonic clock, in milliseconds. */
#ifndef JR_BASE_CLOCK_H
#define JR_BASE_CLOCK_H

#include <time.h>

static inline double jr_clock_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail for this clock */
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

#endif
