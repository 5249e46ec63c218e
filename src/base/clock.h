/* The monotonic clock, and the CPU time of a thread, in milliseconds. */
#ifndef JR_BASE_CLOCK_H
#define JR_BASE_CLOCK_H

#include <time.h>

static inline double jr_clock_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now); /* cannot fail for these clocks */
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}
static inline double jr_clock_ms(void) {
    return jr_clock_of(CLOCK_MONOTONIC);
}
/* CPU time: what other processes do does not count. */
static inline double jr_clock_thread_ms(void) {
    return jr_clock_of(CLOCK_THREAD_CPUTIME_ID);
}

#endif
