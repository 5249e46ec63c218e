/* The public functions of events and graphs (stream.h). */
#include "base/error.h"
#include "guard.h"
#include "jitreduce/stream.h"

/* ---- events ---- */

jr_status jr_event_create(jr_context *context, unsigned flags, jr_event *event) {
    JR_GUARD_CALL;
    jr_event made = NULL;
    JR_TRY(JR_GIVEN(event));
    if ((flags & ~(unsigned)(JR_EVENT_BLOCKING | JR_EVENT_NO_TIMING)) != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "flags are %#x: give 0 or an or of JR_EVENT_ values", flags);
    JR_IN_CONTEXT(context);
    const jr_driver *driver = &context->device.driver;
    const jr_status status = jr_driver_check(driver, driver->cuEventCreate(&made, flags), "creating an event");
    if (status == JR_OK) *event = made;
    return status;
}

jr_status jr_event_destroy(jr_context *context, jr_event event) {
    JR_GUARD_CALL;
    if (event == NULL) return JR_OK;
    JR_IN_CONTEXT(context);
    const jr_device *device = &context->device;
    const jr_status status = jr_streams_known(device, device->driver.cuEventDestroy_v2(event), "event", event);
    if (status == JR_OK) jr_captures_forget(&context->captures, NULL, event);
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
    JR_TRY(JR_GIVEN(event));
    JR_IN_STREAM(context, stream);
    return record(context, event, stream);
}

/* As jr_inside_context, for a call that waits for an event. */
static jr_inside inside_event(jr_context *context, jr_event event) {
    if (event == NULL) return (jr_inside){.status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "event is NULL")};
    jr_inside inside = jr_inside_context(context);
    if (inside.status == JR_OK && jr_captures_hold(&context->captures, &context->device, event))
        inside.status = jr_fail(JR_ERROR_INVALID_ARGUMENT,
                                "event %p was recorded in a capture that is open, and happens only in its graph: end "
                                "the capture first",
                                (void *)event);
    return inside;
}

jr_status jr_event_wait(jr_context *context, jr_event event) {
    JR_GUARD_CALL;
    JR_GO_INSIDE(inside_event(context, event));
    const jr_device *device = &context->device;
    return jr_streams_known(device, device->driver.cuEventSynchronize(event), "event", event);
}

jr_status jr_event_query(jr_context *context, jr_event event, int *done) {
    JR_GUARD_RUN;
    JR_TRY(JR_GIVEN(done));
    JR_GO_INSIDE(inside_event(context, event));
    const jr_device *device = &context->device;
    return jr_streams_answer(device, device->driver.cuEventQuery(event), "event", event, done);
}

jr_status jr_event_elapsed(jr_context *context, jr_event begin, jr_event end, double *milliseconds) {
    JR_GUARD_RUN;
    JR_TRY(JR_GIVEN(milliseconds));
    JR_GO_INSIDE(inside_event(context, begin));
    JR_INSIDE until = inside_event(context, end);
    if (until.status != JR_OK) return until.status;
    return jr_streams_elapsed(&context->device, begin, end, milliseconds);
}

/* ---- graphs ---- */

/* As jr_inside_stream, where the driver has graphs. */
static jr_inside inside_to_capture(jr_context *context, jr_stream stream) {
    jr_inside inside = jr_inside_stream(context, stream);
    if (inside.status == JR_OK) inside.status = jr_capture_check(&context->device);
    return inside;
}

static jr_status begin_capture(jr_context *context, jr_stream stream) {
    if (jr_streams_is_captured(&context->device, stream))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "stream %p is being captured already", (void *)stream);
    JR_TRY(jr_captures_note(&context->captures, stream, NULL));
    const jr_status status = jr_capture_start(&context->device, stream);
    if (status != JR_OK) jr_captures_forget(&context->captures, stream, NULL);
    return status;
}

jr_status jr_capture_begin(jr_context *context, jr_stream stream) {
    JR_GUARD_CALL;
    if ((uintptr_t)stream <= 1)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the default stream cannot be captured: give one of jr_stream_create");
    JR_GO_INSIDE(inside_to_capture(context, stream));
    return begin_capture(context, stream);
}

/* Ends the capture, also when it fails: makes a graph of it, or changes one. */
static jr_status end_capture(jr_context *context, jr_stream stream, jr_graph *made, jr_graph changed) {
    const jr_device *device = &context->device;
    jr_status status;
    if (!jr_streams_is_captured(device, stream))
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "stream %p is not being captured: call jr_capture_begin first",
                         (void *)stream);
    else if (made != NULL)
        status = jr_capture_stop(device, stream, made);
    else
        status = jr_capture_stop_into(device, stream, changed);
    if (!jr_streams_is_captured(device, stream)) jr_captures_forget(&context->captures, stream, NULL);
    return status;
}

jr_status jr_capture_end(jr_context *context, jr_stream stream, jr_graph *graph) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(graph));
    JR_GO_INSIDE(inside_to_capture(context, stream));
    return end_capture(context, stream, graph, NULL);
}

jr_status jr_graph_update(jr_context *context, jr_graph graph, jr_stream stream) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(graph));
    JR_GO_INSIDE(inside_to_capture(context, stream));
    return end_capture(context, stream, NULL, graph);
}

jr_status jr_capture_query(jr_context *context, jr_stream stream, int *captured) {
    JR_GUARD_RUN;
    JR_TRY(JR_GIVEN(captured));
    JR_IN_CONTEXT(context);
    return jr_streams_captured(&context->device, stream, captured);
}

jr_status jr_graph_launch(jr_context *context, jr_graph graph, jr_stream stream) {
    JR_GUARD_RUN;
    JR_TRY(JR_GIVEN(graph));
    JR_GO_INSIDE(inside_to_capture(context, stream));
    return jr_capture_replay(&context->device, graph, stream);
}

jr_status jr_graph_destroy(jr_context *context, jr_graph graph) {
    JR_GUARD_CALL;
    if (graph == NULL) return JR_OK;
    JR_IN_CONTEXT(context);
    const jr_device *device = &context->device;
    JR_TRY(jr_capture_check(device));
    return jr_streams_known(device, device->driver.cuGraphExecDestroy(graph), "graph", graph);
}
