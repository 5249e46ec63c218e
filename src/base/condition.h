/* Conditions that are waited for until a time of the monotonic clock. */
#ifndef JR_BASE_CONDITION_H
#define JR_BASE_CONDITION_H

#include <pthread.h>
#include <stdbool.h>

void jr_condition_open(pthread_cond_t *condition);

/* Waits for a signal until a time of jr_clock_ms; INFINITY: without end. The lock is held. False: that time has passed.
 * As with any condition, the caller looks itself at what it waits for. */
bool jr_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double until_ms);

#endif
