/* The own thread: runs a job to its end on a stack, and in surroundings, that do not depend on the caller's. */
#ifndef JR_BASE_OWN_THREAD_H
#define JR_BASE_OWN_THREAD_H

#include "jitreduce/status.h"

/* Runs job(user) on a thread of its own and waits for its end. The stack has 64 MiB, of which only what is used takes
 * memory, and a guard below. The thread has the default floating-point environment, and no signals of the application
 * but those of its own faults. The caller cannot be cancelled meanwhile.
 * Returns what the job returns; the error that it records becomes the caller's.
 * Errors: JR_ERROR_OUT_OF_MEMORY (no thread can be had; the job has not begun). */
jr_status jr_own_thread_run(jr_status (*job)(void *user), void *user);

#endif
