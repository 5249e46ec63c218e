/* Checks streams and events, and reads what the driver says of them. */
#include "streams.h"

#include <string.h>

#include "base/error.h"

/* The handles that stand for the default stream of the context (0, 1) or of the thread (2). */
static bool is_default(jr_cu_stream stream) {
    return (uintptr_t)stream <= 2;
}

static jr_status check_default(const jr_device *device, jr_cu_stream stream) {
    int status = JR_CU_CAPTURE_STATUS_NONE;
    if (device->driver.cuStreamIsCapturing == NULL ||
        device->driver.cuStreamIsCapturing(stream, &status) != JR_CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
        return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "a stream that waits for the default stream is being captured, and work on the default stream would "
                   "spoil that: end the capture first, or use another stream");
}

jr_status jr_streams_check(const jr_device *device, jr_cu_stream stream) {
    const jr_driver *driver = &device->driver;
    jr_cu_context context = NULL;
    if (is_default(stream)) return check_default(device, stream);
    const jr_cu_result result = driver->cuStreamGetCtx(stream, &context);
    if (result == JR_CUDA_ERROR_INVALID_HANDLE || result == JR_CUDA_ERROR_CONTEXT_IS_DESTROYED)
        return jr_streams_known(device, result, "stream", stream);
    if (result != JR_CUDA_SUCCESS || context == device->context) return JR_OK; /* the call itself says what is wrong */
    return jr_fail(JR_ERROR_WRONG_CONTEXT,
                   "stream %p belongs to another CUDA context: pass a stream made in this one (%s), as "
                   "jr_stream_create does",
                   (void *)stream, device->info.name);
}

bool jr_streams_is_captured(const jr_device *device, jr_cu_stream stream) {
    int status = JR_CU_CAPTURE_STATUS_NONE;
    return device->driver.cuStreamIsCapturing != NULL &&
           device->driver.cuStreamIsCapturing(stream, &status) == JR_CUDA_SUCCESS &&
           status != JR_CU_CAPTURE_STATUS_NONE;
}

jr_status jr_streams_captured(const jr_device *device, jr_cu_stream stream, int *captured) {
    int status = JR_CU_CAPTURE_STATUS_NONE;
    const jr_cu_result result = device->driver.cuStreamIsCapturing != NULL
                                    ? device->driver.cuStreamIsCapturing(stream, &status)
                                    : JR_CUDA_SUCCESS;
    if (result != JR_CUDA_SUCCESS && result != JR_CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
        return jr_streams_known(device, result, "stream", stream);
    *captured = status != JR_CU_CAPTURE_STATUS_NONE;
    return JR_OK;
}

jr_status jr_streams_known(const jr_device *device, jr_cu_result result, const char *what, const void *handle) {
    const char *name = NULL;
    if (result == JR_CUDA_ERROR_INVALID_VALUE && strcmp(what, "event") == 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "event %p was last recorded into a capture, where it does not happen by itself: record it "
                       "(jr_event_record) on a stream that is not being captured",
                       handle);
    if (result != JR_CUDA_ERROR_INVALID_HANDLE && result != JR_CUDA_ERROR_CONTEXT_IS_DESTROYED)
        return jr_driver_check(&device->driver, result, "using %s %p", what, handle);
    device->driver.cuGetErrorName(result, &name);
    return jr_fail_with(JR_ERROR_INVALID_ARGUMENT, name, NULL,
                        "there is no %s %p in this context: was it destroyed already, or made in another one?", what,
                        handle);
}

jr_status jr_streams_answer(const jr_device *device, jr_cu_result result, const char *what, const void *handle,
                            int *done) {
    const bool answered = result == JR_CUDA_SUCCESS || result == JR_CUDA_ERROR_NOT_READY;
    if (!answered) return jr_streams_known(device, result, what, handle);
    *done = result == JR_CUDA_SUCCESS;
    return JR_OK;
}

jr_status jr_streams_elapsed(const jr_device *device, jr_cu_event begin, jr_cu_event end, double *milliseconds) {
    float elapsed = 0;
    const jr_cu_result result = device->driver.cuEventElapsedTime(&elapsed, begin, end);
    if (result == JR_CUDA_ERROR_NOT_READY)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "one of events %p and %p has not happened yet: wait for it (jr_event_wait)", (void *)begin,
                       (void *)end);
    if (result == JR_CUDA_ERROR_INVALID_HANDLE)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "events %p and %p have no time: both must be recorded, and made without JR_EVENT_NO_TIMING",
                       (void *)begin, (void *)end);
    if (result == JR_CUDA_SUCCESS) *milliseconds = (double)elapsed;
    return jr_driver_check(&device->driver, result, "reading the time between two events");
}
