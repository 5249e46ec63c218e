/* The public functions of streams, copies and pinned memory (stream.h). */
#include "jitreduce/stream.h"

#include "base/error.h"
#include "device/memory.h"
#include "guard.h"

/* ---- streams ---- */

jr_status jr_stream_create(jr_context *context, unsigned flags, jr_stream *stream) {
    JR_GUARD_CALL;
    jr_stream made = NULL;
    JR_TRY(JR_GIVEN(stream));
    if ((flags & ~(unsigned)JR_STREAM_NON_BLOCKING) != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "flags are %#x: give 0 or JR_STREAM_NON_BLOCKING", flags);
    JR_IN_CONTEXT(context);
    const jr_driver *driver = &context->device.driver;
    const jr_status status = jr_driver_check(driver, driver->cuStreamCreate(&made, flags), "creating a stream");
    if (status == JR_OK) *stream = made;
    return status;
}

jr_status jr_stream_destroy(jr_context *context, jr_stream stream) {
    JR_GUARD_CALL;
    if (stream == NULL) return JR_OK;
    JR_IN_STREAM(context, stream);
    const jr_device *device = &context->device;
    if (jr_streams_is_captured(device, stream))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "stream %p is being captured: end the capture before destroying it",
                       (void *)stream);
    const jr_status status = jr_streams_known(device, device->driver.cuStreamDestroy_v2(stream), "stream", stream);
    if (status == JR_OK) jr_captures_forget(&context->captures, stream, NULL);
    return status;
}

jr_status jr_stream_wait(jr_context *context, jr_stream stream) {
    JR_GUARD_CALL;
    JR_IN_STREAM_TO_WAIT(context, stream);
    return jr_memory_wait(&context->device, stream);
}

jr_status jr_stream_query(jr_context *context, jr_stream stream, int *done) {
    JR_GUARD_RUN;
    JR_TRY(JR_GIVEN(done));
    JR_IN_STREAM_TO_WAIT(context, stream);
    const jr_device *device = &context->device;
    return jr_streams_answer(device, device->driver.cuStreamQuery(stream), "stream", stream, done);
}

jr_status jr_stream_wait_event(jr_context *context, jr_stream stream, jr_event event) {
    JR_GUARD_RUN;
    JR_TRY(JR_GIVEN(event));
    JR_IN_STREAM(context, stream);
    const jr_device *device = &context->device;
    return jr_streams_known(device, device->driver.cuStreamWaitEvent(stream, event, 0), "event", event);
}

jr_status jr_context_wait(jr_context *context) {
    JR_GUARD_CALL;
    JR_IN_STREAM_TO_WAIT(context, NULL);
    const jr_driver *driver = &context->device.driver;
    if (jr_captures_hold(&context->captures, &context->device, NULL))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "a stream of this context is being captured, and this call waits for all streams: end the "
                       "capture first");
    return jr_driver_check(driver, driver->cuCtxSynchronize(), "waiting for the context");
}

/* ---- copies ---- */

jr_status jr_stream_write(jr_context *context, void *to, const void *from, uint64_t bytes, jr_stream stream) {
    JR_GUARD_RUN;
    if (bytes > 0) JR_TRY(JR_GIVEN(to, from));
    JR_IN_STREAM(context, stream);
    return jr_memory_upload(&context->device, jr_cu_address(to), from, bytes, stream);
}

jr_status jr_stream_read(jr_context *context, void *to, const void *from, uint64_t bytes, jr_stream stream) {
    JR_GUARD_RUN;
    if (bytes > 0) JR_TRY(JR_GIVEN(to, from));
    JR_IN_STREAM(context, stream);
    return jr_memory_fetch(&context->device, to, jr_cu_address(from), bytes, stream);
}

jr_status jr_stream_copy(jr_context *context, void *to, const void *from, uint64_t bytes, jr_stream stream) {
    JR_GUARD_RUN;
    if (bytes > 0) JR_TRY(JR_GIVEN(to, from));
    JR_IN_STREAM(context, stream);
    return jr_memory_copy(&context->device, jr_cu_address(to), jr_cu_address(from), bytes, stream);
}

jr_status jr_stream_clear(jr_context *context, void *address, uint64_t bytes, jr_stream stream) {
    JR_GUARD_RUN;
    if (bytes > 0 && address == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "address is NULL");
    JR_IN_STREAM(context, stream);
    return jr_memory_clear(&context->device, jr_cu_address(address), bytes, stream);
}

/* ---- pinned memory ---- */

jr_status jr_pinned_new(jr_context *context, uint64_t bytes, void **address) {
    JR_GUARD_CALL;
    void *made = NULL;
    JR_TRY(JR_GIVEN(address));
    JR_IN_CONTEXT(context);
    const jr_status status = jr_memory_pinned(&context->device, bytes, &made);
    if (status == JR_OK) *address = made;
    return status;
}

void jr_pinned_free(jr_context *context, void *address) {
    JR_GUARD_CALL;
    if (context == NULL || address == NULL) return;
    JR_KEEP_ERROR;
    JR_INSIDE inside = jr_inside_context(context);
    if (inside.status == JR_OK) context->device.driver.cuMemFreeHost(address);
}
