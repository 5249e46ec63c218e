/* How public functions of streams and events enter a context: checked first, undone on every way out. */
#ifndef JR_API_ENTER_H
#define JR_API_ENTER_H

#include "base/error.h"
#include "device/streams.h"
#include "kernel/context.h"

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
