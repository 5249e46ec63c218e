/* Threads of our own, and jobs that run to their end in surroundings that do not depend on the caller's. */
#ifndef JR_BASE_OWN_THREAD_H
#define JR_BASE_OWN_THREAD_H

#include <pthread.h>

#include "jitreduce/status.h"

/* Creates a thread as pthread_create does. The application's signals are not for it: it takes none but those of its own
 * faults, and SIGURG. */
int jr_own_thread_begin(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *user), void *user);

/* Runs job(user) on a thread of its own and waits for its end. The stack has 64 MiB, of which only what is used takes
 * memory, and a guard below. The thread has the default floating-point environment, and no signals of the application
 * but those of its own faults, and SIGURG. The caller cannot be cancelled meanwhile.
 * Returns what the job returns; the error that it records becomes the caller's.
 * Errors: JR_ERROR_OUT_OF_MEMORY (no thread, or not 40 MiB for the job, can be had; it has not begun). */
jr_status jr_own_thread_run(jr_status (*job)(void *user), void *user);

#endif
