/* The guard: every public call that takes locks or computes enters it first, and leaves it on every return. A thread
 * that is cancelled inside a call would leave locks held, contexts pushed and kernels half made; so cancellation is
 * deferred until the call has ended. The guard also sets the default floating-point mode, so that host computations do
 * not depend on the caller's. The caller's callbacks run under the guard, too. A failing call is logged when it
 * returns, after it has released all locks. Calls of streams and events also enter a context: it is checked first, and
 * left on every way out. */
#ifndef JR_API_GUARD_H
#define JR_API_GUARD_H

#include <pthread.h>

#include "base/error.h"
#include "base/float_mode.h"
#include "base/log.h"
#include "device/streams.h"
#include "kernel/context.h"

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

/* As jr_inside_device, of a context that may be NULL. */
static inline jr_inside jr_inside_context(const jr_context *context) {
    if (context == NULL) return (jr_inside){.status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "context is NULL")};
    return jr_inside_device(&context->device);
}

/* The same for work on a stream, which must be one of the context (jr_streams_check). */
static inline jr_inside jr_inside_stream(const jr_context *context, jr_stream stream) {
    jr_inside inside = jr_inside_context(context);
    if (inside.status == JR_OK) inside.status = jr_streams_check(&context->device, stream);
    return inside;
}

/* The same for a call that waits for the stream: refused while it is being captured. */
static inline jr_inside jr_inside_stream_to_wait(const jr_context *context, jr_stream stream) {
    jr_inside inside = jr_inside_stream(context, stream);
    if (inside.status == JR_OK) inside.status = jr_device_check_capture(&context->device, stream);
    return inside;
}

#define JR_IN_CONTEXT(context)                JR_GO_INSIDE(jr_inside_context(context))
#define JR_IN_STREAM(context, stream)         JR_GO_INSIDE(jr_inside_stream(context, stream))
#define JR_IN_STREAM_TO_WAIT(context, stream) JR_GO_INSIDE(jr_inside_stream_to_wait(context, stream))

#endif
