/* The guard: what every public call that takes locks or computes does first, and undoes on every way out.
 *
 * A thread that is cancelled within would leave locks held, contexts pushed and kernels in the making for ever; so
 * cancellation waits until the call has ended. And what is computed on the host must not depend on the caller's
 * floating-point mode. Callbacks of the caller's run in these surroundings, too. A call that fails is told to the log
 * on its way out, when all locks are left. */
#ifndef JR_API_GUARD_H
#define JR_API_GUARD_H

#include <pthread.h>

#include "base/error.h"
#include "base/float_mode.h"
#include "base/log.h"

typedef struct jr_guard {
    const char *call;
    unsigned failure; /* that the error record held before */
    int cancel_state;
    jr_float_mode mode;
} jr_guard;

/* Of runs and launches, whose cost counts: they compute nothing, so only cancellation is held off. */
static inline void jr_guard_run_enter(int *cancel_state) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, cancel_state);
}

static inline void jr_guard_run_leave(int *cancel_state) {
    pthread_setcancelstate(*cancel_state, NULL);
}

static inline void jr_guard_enter(jr_guard *guard, const char *call) {
    guard->call = call;
    guard->failure = jr_error_mark();
    jr_guard_run_enter(&guard->cancel_state);
    jr_float_mode_enter(&guard->mode);
}

static inline void jr_guard_leave(jr_guard *guard) {
    jr_log_failure(guard->call, guard->failure);
    jr_float_mode_leave(&guard->mode);
    jr_guard_run_leave(&guard->cancel_state);
}

/* The first line of a public function. */
#define JR_GUARD_CALL                                                                                                  \
    __attribute__((cleanup(jr_guard_leave))) jr_guard guard;                                                           \
    jr_guard_enter(&guard, __func__)
#define JR_GUARD_RUN                                                                                                   \
    __attribute__((cleanup(jr_guard_run_leave))) int cancel_state;                                                     \
    jr_guard_run_enter(&cancel_state)

#endif
