/* The guard: every public call that takes locks or computes enters it first, and leaves it on every return. A thread
 * that is cancelled inside a call would leave locks held, contexts pushed and kernels half made; so cancellation is
 * deferred until the call has ended. The guard also sets the default floating-point mode, so that host computations do
 * not depend on the caller's. The caller's callbacks run under the guard, too. A failing call is logged when it
 * returns, after it has released all locks. */
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

/* The guard of runs and launches, which must be quick: they compute nothing on the host, so it only defers
 * cancellation. */
static inline void jr_guard_run_enter(int *cancel_state) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, cancel_state);
}

static inline void jr_guard_run_leave(int *cancel_state) {
    pthread_setcancelstate(*cancel_state, NULL);
}

/* The guard of calls that compute no floats: it leaves the floating-point mode, which takes most of a short call. */
static inline void jr_guard_integers_enter(jr_guard *guard, const char *call) {
    guard->call = call;
    guard->failure = jr_error_mark();
    jr_guard_run_enter(&guard->cancel_state);
}

static inline void jr_guard_integers_leave(jr_guard *guard) {
    jr_log_failure(guard->call, guard->failure);
    jr_guard_run_leave(&guard->cancel_state);
}

static inline void jr_guard_enter(jr_guard *guard, const char *call) {
    jr_guard_integers_enter(guard, call);
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
#define JR_GUARD_INTEGERS                                                                                              \
    __attribute__((cleanup(jr_guard_integers_leave))) jr_guard guard;                                                  \
    jr_guard_integers_enter(&guard, __func__)
#define JR_GUARD_RUN                                                                                                   \
    __attribute__((cleanup(jr_guard_run_leave))) int cancel_state;                                                     \
    jr_guard_run_enter(&cancel_state)

#endif
