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

jr_status jr_capture_stop(const jr_device *device, jr_cu_stream stream, jr_cu_graph_exec *graph) {
    const jr_driver *driver = &device->driver;
    jr_cu_graph captured = NULL;
    jr_cu_graph_exec made = NULL;
    jr_status status =
        jr_driver_check(driver, driver->cuStreamEndCapture(stream, &captured), "ending the capture of a graph");
    if (status == JR_OK)
        status = jr_driver_check(driver, driver->cuGraphInstantiateWithFlags(&made, captured, 0), "making a graph");
    if (captured != NULL) driver->cuGraphDestroy(captured);
    if (status == JR_OK) *graph = made;
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
