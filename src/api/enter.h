/* How public functions of streams and events enter a context: checked first, undone on every way out. */
#ifndef JR_API_ENTER_H
#define JR_API_ENTER_H

#include "base/error.h"
#include "device/streams.h"
#include "kernel/context.h"

/* As jr_device_enter, of a context that may be NULL. */
static inline jr_status jr_enter(const jr_context *context, bool *pushed) {
    if (context == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "context is NULL");
    return jr_device_enter(&context->device, pushed);
}

/* The same for work on a stream, which must be one of the context (jr_streams_check). */
static inline jr_status jr_enter_stream(const jr_context *context, jr_stream stream, bool *pushed) {
    jr_status status = jr_enter(context, pushed);
    if (status != JR_OK) return status;
    status = jr_streams_check(&context->device, stream);
    if (status != JR_OK) jr_device_leave(&context->device, *pushed);
    return status;
}

/* The same for a call that waits for the stream: refused while it is being captured. */
static inline jr_status jr_enter_to_wait(const jr_context *context, jr_stream stream, bool *pushed) {
    bool again;
    jr_status status = jr_enter_stream(context, stream, pushed);
    if (status != JR_OK) return status;
    status = jr_device_enter_to_wait(&context->device, stream, &again);
    if (status != JR_OK) jr_device_leave(&context->device, *pushed);
    return status;
}

#endif
