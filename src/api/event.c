/* The public functions of events and graphs (stream.h). */
#include "base/error.h"
#include "enter.h"
#include "guard.h"
#include "jitreduce/stream.h"

/* ---- events ---- */

jr_status jr_event_create(jr_context *context, unsigned flags, jr_event *event) {
    JR_GUARD_CALL;
    bool pushed;
    jr_event made = NULL;
    if (event == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "event is NULL");
    if ((flags & ~(unsigned)(JR_EVENT_BLOCKING | JR_EVENT_NO_TIMING)) != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "flags are %#x: give 0 or an or of JR_EVENT_ values", flags);
    jr_status status = jr_enter(context, &pushed);
    if (status != JR_OK) return status;
    const jr_driver *driver = &context->device.driver;
    status = jr_driver_check(driver, driver->cuEventCreate(&made, flags), "creating an event");
    jr_device_leave(&context->device, pushed);
    if (status == JR_OK) *event = made;
    return status;
}

jr_status jr_event_destroy(jr_context *context, jr_event event) {
    JR_GUARD_CALL;
    bool pushed;
    if (event == NULL) return JR_OK;
    jr_status status = jr_enter(context, &pushed);
    if (status != JR_OK) return status;
    const jr_device *device = &context->device;
    status = jr_streams_known(device, device->driver.cuEventDestroy_v2(event), "event", event);
    if (status == JR_OK) jr_captures_forget(&context->captures, NULL, event);
    jr_device_leave(device, pushed);
    return status;
}

static jr_status record(jr_context *context, jr_event event, jr_stream stream) {
    const jr_device *device = &context->device;
    const bool captured = jr_streams_is_captured(device, stream);
    jr_status status = captured ? jr_captures_note(&context->captures, stream, event) : JR_OK;
    if (status == JR_OK) status = jr_streams_known(device, device->driver.cuEventRecord(event, stream), "event", event);
    if (status == JR_OK && !captured) jr_captures_forget(&context->captures, NULL, event);
    return status;
}

jr_status jr_event_record(jr_context *context, jr_event event, jr_stream stream) {
    JR_GUARD_RUN;
    bool pushed;
    if (event == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "event is NULL");
    jr_status status = jr_enter_stream(context, stream, &pushed);
    if (status != JR_OK) return status;
    status = record(context, event, stream);
    jr_device_leave(&context->device, pushed);
    return status;
}

/* As jr_enter, for a call that waits for an event. */
static jr_status enter_event(jr_context *context, jr_event event, bool *pushed) {
    if (event == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "event is NULL");
    const jr_status status = jr_enter(context, pushed);
    if (status != JR_OK || !jr_captures_hold(&context->captures, &context->device, event)) return status;
    jr_device_leave(&context->device, *pushed);
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "event %p was recorded in a capture that is open, and happens only in its graph: end the capture "
                   "first",
                   (void *)event);
}

jr_status jr_event_wait(jr_context *context, jr_event event) {
    JR_GUARD_CALL;
    bool pushed;
    jr_status status = enter_event(context, event, &pushed);
    if (status != JR_OK) return status;
    const jr_device *device = &context->device;
    status = jr_streams_known(device, device->driver.cuEventSynchronize(event), "event", event);
    jr_device_leave(device, pushed);
    return status;
}

jr_status jr_event_query(jr_context *context, jr_event event, int *done) {
    JR_GUARD_RUN;
    bool pushed;
    if (done == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "done is NULL");
    jr_status status = enter_event(context, event, &pushed);
    if (status != JR_OK) return status;
    const jr_device *device = &context->device;
    status = jr_streams_answer(device, device->driver.cuEventQuery(event), "event", event, done);
    jr_device_leave(device, pushed);
    return status;
}

jr_status jr_event_elapsed(jr_context *context, jr_event begin, jr_event end, double *milliseconds) {
    JR_GUARD_RUN;
    bool pushed;
    if (milliseconds == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "milliseconds is NULL");
    jr_status status = enter_event(context, begin, &pushed);
    if (status != JR_OK) return status;
    jr_device_leave(&context->device, pushed);
    status = enter_event(context, end, &pushed);
    if (status != JR_OK) return status;
    status = jr_streams_elapsed(&context->device, begin, end, milliseconds);
    jr_device_leave(&context->device, pushed);
    return status;
}

/* ---- graphs ---- */

/* As jr_enter_stream, where the driver has graphs. */
static jr_status enter_to_capture(jr_context *context, jr_stream stream, bool *pushed) {
    jr_status status = jr_enter_stream(context, stream, pushed);
    if (status != JR_OK) return status;
    status = jr_capture_check(&context->device);
    if (status != JR_OK) jr_device_leave(&context->device, *pushed);
    return status;
}

static jr_status begin_capture(jr_context *context, jr_stream stream) {
    if (jr_streams_is_captured(&context->device, stream))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "stream %p is being captured already", (void *)stream);
    jr_status status = jr_captures_note(&context->captures, stream, NULL);
    if (status != JR_OK) return status;
    status = jr_capture_start(&context->device, stream);
    if (status != JR_OK) jr_captures_forget(&context->captures, stream, NULL);
    return status;
}

jr_status jr_capture_begin(jr_context *context, jr_stream stream) {
    JR_GUARD_CALL;
    bool pushed;
    if ((uintptr_t)stream <= 1)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the default stream cannot be captured: give one of jr_stream_create");
    jr_status status = enter_to_capture(context, stream, &pushed);
    if (status != JR_OK) return status;
    status = begin_capture(context, stream);
    jr_device_leave(&context->device, pushed);
    return status;
}

jr_status jr_capture_end(jr_context *context, jr_stream stream, jr_graph *graph) {
    JR_GUARD_CALL;
    bool pushed;
    if (graph == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "graph is NULL");
    jr_status status = enter_to_capture(context, stream, &pushed);
    if (status != JR_OK) return status;
    const jr_device *device = &context->device;
    if (!jr_streams_is_captured(device, stream))
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "stream %p is not being captured: call jr_capture_begin first",
                         (void *)stream);
    else
        status = jr_capture_stop(device, stream, graph);
    if (!jr_streams_is_captured(device, stream)) jr_captures_forget(&context->captures, stream, NULL);
    jr_device_leave(device, pushed);
    return status;
}

jr_status jr_capture_query(jr_context *context, jr_stream stream, int *captured) {
    JR_GUARD_RUN;
    bool pushed;
    if (captured == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "captured is NULL");
    jr_status status = jr_enter(context, &pushed);
    if (status != JR_OK) return status;
    status = jr_streams_captured(&context->device, stream, captured);
    jr_device_leave(&context->device, pushed);
    return status;
}

jr_status jr_graph_launch(jr_context *context, jr_graph graph, jr_stream stream) {
    JR_GUARD_RUN;
    bool pushed;
    if (graph == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "graph is NULL");
    jr_status status = enter_to_capture(context, stream, &pushed);
    if (status != JR_OK) return status;
    status = jr_capture_replay(&context->device, graph, stream);
    jr_device_leave(&context->device, pushed);
    return status;
}

jr_status jr_graph_destroy(jr_context *context, jr_graph graph) {
    JR_GUARD_CALL;
    bool pushed;
    if (graph == NULL) return JR_OK;
    jr_status status = jr_enter(context, &pushed);
    if (status != JR_OK) return status;
    const jr_device *device = &context->device;
    status = jr_capture_check(device);
    if (status == JR_OK) status = jr_streams_known(device, device->driver.cuGraphExecDestroy(graph), "graph", graph);
    jr_device_leave(device, pushed);
    return status;
}
