/* Conditions by the monotonic clock. */
#include "condition.h"

#include <math.h>

#include "clock.h"

void jr_condition_open(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool jr_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double until_ms) {
    static const double LONGEST_MS = 1e12; /* 30 years */
    if (until_ms >= LONGEST_MS) {
        pthread_cond_wait(condition, lock);
        return true;
    }
    const double seconds = floor(until_ms / 1e3);
    const struct timespec at = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((until_ms - seconds * 1e3) * 1e6)};
    return jr_clock_ms() < until_ms && pthread_cond_timedwait(condition, lock, &at) == 0;
}
