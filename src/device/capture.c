/* Captures streams into graphs, and keeps the list of open captures. */
#include "capture.h"

#include <stdlib.h>

#include "base/error.h"
#include "streams.h"

/* ---- from a stream to a graph ---- */

jr_status jr_capture_check(const jr_device *device) {
    const jr_driver *driver = &device->driver;
    if (driver->cuStreamBeginCapture_v2 != NULL && driver->cuStreamEndCapture != NULL &&
        driver->cuGraphInstantiateWithFlags != NULL && driver->cuGraphLaunch != NULL &&
        driver->cuGraphExecDestroy != NULL && driver->cuGraphDestroy != NULL)
        return JR_OK;
    return jr_fail(JR_ERROR_MISSING_FUNCTION, "this driver cannot replay graphs: launch the work itself");
}

jr_status jr_capture_start(const jr_device *device, jr_cu_stream stream) {
    const jr_driver *driver = &device->driver;
    return jr_driver_check(driver, driver->cuStreamBeginCapture_v2(stream, JR_CU_CAPTURE_RELAXED),
                           "beginning the capture of a graph");
}

void jr_capture_let_thread(const jr_device *device) {
    int mode = JR_CU_CAPTURE_RELAXED;
    if (device->driver.cuThreadExchangeStreamCaptureMode != NULL)
        device->driver.cuThreadExchangeStreamCaptureMode(&mode);
}

static jr_status end_capture(const jr_driver *driver, jr_cu_stream stream, jr_cu_graph *captured) {
    *captured = NULL;
    return jr_driver_check(driver, driver->cuStreamEndCapture(stream, captured), "ending the capture of a graph");
}

jr_status jr_capture_stop(const jr_device *device, jr_cu_stream stream, jr_cu_graph_exec *graph) {
    const jr_driver *driver = &device->driver;
    jr_cu_graph captured;
    jr_cu_graph_exec made = NULL;
    jr_status status = end_capture(driver, stream, &captured);
    if (status == JR_OK)
        status = jr_driver_check(driver, driver->cuGraphInstantiateWithFlags(&made, captured, 0), "making a graph");
    if (captured != NULL) driver->cuGraphDestroy(captured);
    if (status == JR_OK) *graph = made;
    return status;
}

/* What differs, by the driver's reason (CUgraphExecUpdateResult). */
static const char *difference(int reason) {
    static const char *const differences[] = {[JR_CU_GRAPH_UPDATE_TOPOLOGY] = "the order or the number of its nodes",
                                              [JR_CU_GRAPH_UPDATE_NODE] = "the kind of a node",
                                              [JR_CU_GRAPH_UPDATE_FUNCTION] = "the device of a kernel",
                                              [JR_CU_GRAPH_UPDATE_PARAMETERS] = "the kind of a copy or fill",
                                              [JR_CU_GRAPH_UPDATE_UNSUPPORTED] = "a node that cannot be changed",
                                              [JR_CU_GRAPH_UPDATE_KERNEL] = "a kernel that cannot take its place",
                                              [JR_CU_GRAPH_UPDATE_ATTRIBUTES] = "the attributes of a launch"};
    const bool known = reason > 0 && (size_t)reason < sizeof differences / sizeof *differences;
    return known && differences[reason] != NULL ? differences[reason] : "something the driver does not name";
}

jr_status jr_capture_stop_into(const jr_device *device, jr_cu_stream stream, jr_cu_graph_exec graph) {
    const jr_driver *driver = &device->driver;
    jr_cu_graph captured;
    jr_cu_graph_update update = {0};
    jr_status status = end_capture(driver, stream, &captured);
    if (status != JR_OK) return status;
    if (driver->cuGraphExecUpdate_v2 == NULL) {
        status = jr_fail(JR_ERROR_MISSING_FUNCTION,
                         "this driver cannot change graphs (CUDA 12.0 can): make a new one with jr_capture_end");
    } else {
        const jr_cu_result result = driver->cuGraphExecUpdate_v2(graph, captured, &update);
        status = result == JR_CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE
                     ? jr_fail(JR_ERROR_NOT_APPLICABLE,
                               "graph %p cannot take what was captured, which differs in %s: make a new one with "
                               "jr_capture_end",
                               (void *)graph, difference(update.result))
                     : jr_streams_known(device, result, "graph", graph);
    }
    driver->cuGraphDestroy(captured);
    return status;
}

jr_status jr_capture_replay(const jr_device *device, jr_cu_graph_exec graph, jr_cu_stream stream) {
    return jr_streams_known(device, device->driver.cuGraphLaunch(graph, stream), "graph", graph);
}

/* ---- what must be left alone ---- */

void jr_captures_open(jr_captures *captures) {
    captures->first = NULL;
    pthread_mutex_init(&captures->lock, NULL);
}

void jr_captures_close(jr_captures *captures) {
    while (captures->first != NULL) {
        jr_captured *gone = captures->first;
        captures->first = gone->next;
        free(gone);
    }
    pthread_mutex_destroy(&captures->lock);
}

static void drop(jr_captured **place) {
    jr_captured *gone = *place;
    *place = gone->next;
    free(gone);
}

jr_status jr_captures_note(jr_captures *captures, jr_cu_stream stream, jr_cu_event event) {
    jr_captured *made = malloc(sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to note a capture");
    pthread_mutex_lock(&captures->lock);
    const jr_captured *noted = captures->first;
    while (noted != NULL && (noted->stream != stream || noted->event != event)) noted = noted->next;
    if (noted == NULL) {
        *made = (jr_captured){.next = captures->first, .stream = stream, .event = event};
        captures->first = made;
        made = NULL;
    }
    pthread_mutex_unlock(&captures->lock);
    free(made);
    return JR_OK;
}

void jr_captures_forget(jr_captures *captures, jr_cu_stream stream, jr_cu_event event) {
    pthread_mutex_lock(&captures->lock);
    for (jr_captured **place = &captures->first; *place != NULL;) {
        const bool meant = event != NULL ? (*place)->event == event : (*place)->stream == stream;
        if (meant)
            drop(place);
        else
            place = &(*place)->next;
    }
    pthread_mutex_unlock(&captures->lock);
}

bool jr_captures_hold(jr_captures *captures, const jr_device *device, jr_cu_event event) {
    bool held = false;
    pthread_mutex_lock(&captures->lock);
    for (jr_captured **place = &captures->first; *place != NULL && !held;) {
        if (!jr_streams_is_captured(device, (*place)->stream)) {
            drop(place); /* CUDA's own functions ended it */
            continue;
        }
        held = event == NULL || (*place)->event == event;
        place = &(*place)->next;
    }
    pthread_mutex_unlock(&captures->lock);
    return held;
}
