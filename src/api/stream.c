/* The public functions of streams, copies and pinned memory (stream.h). */
#include "jitreduce/stream.h"

#include "base/error.h"
#include "device/memory.h"
#include "enter.h"
#include "guard.h"

static jr_cu_deviceptr address_of(const void *pointer) {
    return (jr_cu_deviceptr)(uintptr_t)pointer;
}

/* ---- streams ---- */

jr_status jr_stream_create(jr_context *context, unsigned flags, jr_stream *stream) {
    JR_GUARD_CALL;
    bool pushed;
    jr_stream made = NULL;
    if (stream == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "stream is NULL");
    if ((flags & ~(unsigned)JR_STREAM_NON_BLOCKING) != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "flags are %#x: give 0 or JR_STREAM_NON_BLOCKING", flags);
    jr_status status = jr_enter(context, &pushed);
    if (status != JR_OK) return status;
    const jr_driver *driver = &context->device.driver;
    status = jr_driver_check(driver, driver->cuStreamCreate(&made, flags), "creating a stream");
    jr_device_leave(&context->device, pushed);
    if (status == JR_OK) *stream = made;
    return status;
}

jr_status jr_stream_destroy(jr_context *context, jr_stream stream) {
    JR_GUARD_CALL;
    bool pushed;
    if (stream == NULL) return JR_OK;
    jr_status status = jr_enter_stream(context, stream, &pushed);
    if (status != JR_OK) return status;
    const jr_device *device = &context->device;
    if (jr_streams_is_captured(device, stream))
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "stream %p is being captured: end the capture before destroying it",
                         (void *)stream);
    else
        status = jr_streams_known(device, device->driver.cuStreamDestroy_v2(stream), "stream", stream);
    if (status == JR_OK) jr_captures_forget(&context->captures, stream, NULL);
    jr_device_leave(device, pushed);
    return status;
}

jr_status jr_stream_wait(jr_context *context, jr_stream stream) {
    JR_GUARD_CALL;
    bool pushed;
    jr_status status = jr_enter_to_wait(context, stream, &pushed);
    if (status != JR_OK) return status;
    status = jr_memory_wait(&context->device, stream);
    jr_device_leave(&context->device, pushed);
    return status;
}

jr_status jr_stream_query(jr_context *context, jr_stream stream, int *done) {
    JR_GUARD_RUN;
    bool pushed;
    if (done == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "done is NULL");
    jr_status status = jr_enter_to_wait(context, stream, &pushed);
    if (status != JR_OK) return status;
    const jr_device *device = &context->device;
    status = jr_streams_answer(device, device->driver.cuStreamQuery(stream), "stream", stream, done);
    jr_device_leave(device, pushed);
    return status;
}

jr_status jr_stream_wait_event(jr_context *context, jr_stream stream, jr_event event) {
    JR_GUARD_RUN;
    bool pushed;
    if (event == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "event is NULL");
    jr_status status = jr_enter_stream(context, stream, &pushed);
    if (status != JR_OK) return status;
    const jr_device *device = &context->device;
    status = jr_streams_known(device, device->driver.cuStreamWaitEvent(stream, event, 0), "event", event);
    jr_device_leave(device, pushed);
    return status;
}

jr_status jr_context_wait(jr_context *context) {
    JR_GUARD_CALL;
    bool pushed;
    jr_status status = jr_enter_to_wait(context, NULL, &pushed);
    if (status != JR_OK) return status;
    const jr_driver *driver = &context->device.driver;
    if (jr_captures_hold(&context->captures, &context->device, NULL))
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT,
                         "a stream of this context is being captured, and this call waits for all streams: end the "
                         "capture first");
    else
        status = jr_driver_check(driver, driver->cuCtxSynchronize(), "waiting for the context");
    jr_device_leave(&context->device, pushed);
    return status;
}

/* ---- copies ---- */

jr_status jr_stream_write(jr_context *context, void *to, const void *from, uint64_t bytes, jr_stream stream) {
    JR_GUARD_RUN;
    bool pushed;
    if (bytes > 0 && (to == NULL || from == NULL)) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "to or from is NULL");
    jr_status status = jr_enter_stream(context, stream, &pushed);
    if (status != JR_OK) return status;
    status = jr_memory_upload(&context->device, address_of(to), from, bytes, stream);
    jr_device_leave(&context->device, pushed);
    return status;
}

jr_status jr_stream_read(jr_context *context, void *to, const void *from, uint64_t bytes, jr_stream stream) {
    JR_GUARD_RUN;
    bool pushed;
    if (bytes > 0 && (to == NULL || from == NULL)) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "to or from is NULL");
    jr_status status = jr_enter_stream(context, stream, &pushed);
    if (status != JR_OK) return status;
    status = jr_memory_fetch(&context->device, to, address_of(from), bytes, stream);
    jr_device_leave(&context->device, pushed);
    return status;
}

jr_status jr_stream_copy(jr_context *context, void *to, const void *from, uint64_t bytes, jr_stream stream) {
    JR_GUARD_RUN;
    bool pushed;
    if (bytes > 0 && (to == NULL || from == NULL)) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "to or from is NULL");
    jr_status status = jr_enter_stream(context, stream, &pushed);
    if (status != JR_OK) return status;
    status = jr_memory_copy(&context->device, address_of(to), address_of(from), bytes, stream);
    jr_device_leave(&context->device, pushed);
    return status;
}

jr_status jr_stream_clear(jr_context *context, void *address, uint64_t bytes, jr_stream stream) {
    JR_GUARD_RUN;
    bool pushed;
    if (bytes > 0 && address == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "address is NULL");
    jr_status status = jr_enter_stream(context, stream, &pushed);
    if (status != JR_OK) return status;
    status = jr_memory_clear(&context->device, address_of(address), bytes, stream);
    jr_device_leave(&context->device, pushed);
    return status;
}

/* ---- pinned memory ---- */

jr_status jr_pinned_new(jr_context *context, uint64_t bytes, void **address) {
    JR_GUARD_CALL;
    bool pushed;
    void *made = NULL;
    if (address == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "address is NULL");
    jr_status status = jr_enter(context, &pushed);
    if (status != JR_OK) return status;
    status = jr_memory_pinned(&context->device, bytes, &made);
    jr_device_leave(&context->device, pushed);
    if (status == JR_OK) *address = made;
    return status;
}

void jr_pinned_free(jr_context *context, void *address) {
    JR_GUARD_CALL;
    bool pushed;
    if (context == NULL || address == NULL) return;
    jr_error_saved *saved = jr_error_save();
    if (jr_enter(context, &pushed) == JR_OK) {
        context->device.driver.cuMemFreeHost(address);
        jr_device_leave(&context->device, pushed);
    }
    jr_error_restore(saved);
}
