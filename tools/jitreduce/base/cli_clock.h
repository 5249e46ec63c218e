/* The monotonic clock, in seconds. */
#ifndef CLI_CLOCK_H
#define CLI_CLOCK_H

#include <time.h>

static inline double cli_now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail for this clock */
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
