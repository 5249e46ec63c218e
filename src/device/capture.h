/* Captures: work of a stream that becomes a graph, and the list of what must be left alone meanwhile. The context must
 * be current. */
#ifndef JR_DEVICE_CAPTURE_H
#define JR_DEVICE_CAPTURE_H

#include <pthread.h>

#include "device.h"

/* ---- from a stream to a graph ---- */

/* Can the driver capture and launch graphs? Errors: JR_ERROR_MISSING_FUNCTION. */
jr_status jr_capture_check(const jr_device *device);

/* Begins in relaxed mode: no thread is held up. Errors: JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
jr_status jr_capture_start(const jr_device *device, jr_cu_stream stream);

/* Ends it, also when it fails, and makes a graph to launch. Errors: as jr_capture_start, and
 * JR_ERROR_DEVICE_OUT_OF_MEMORY. */
jr_status jr_capture_stop(const jr_device *device, jr_cu_stream stream, jr_cu_graph_exec *graph);

/* Ends it also, and changes a graph to what was captured. Errors: as jr_capture_start, JR_ERROR_NOT_APPLICABLE,
 * JR_ERROR_MISSING_FUNCTION. */
jr_status jr_capture_stop_into(const jr_device *device, jr_cu_stream stream, jr_cu_graph_exec graph);

/* Lets calls of this thread, one of our own, go on while other threads capture in any mode; else a module that it loads
 * would spoil their captures. Does nothing where the driver does not know it. */
void jr_capture_let_thread(const jr_device *device);

jr_status jr_capture_replay(const jr_device *device, jr_cu_graph_exec graph, jr_cu_stream stream);

/* ---- what must be left alone ---- */

/* A stream on which a capture began, or an event that was recorded on one that was being captured: waiting for an event
 * or for the whole context would spoil the capture, and no driver says so before. */
typedef struct jr_captured {
    struct jr_captured *next;
    jr_cu_stream stream;
    jr_cu_event event; /* NULL: the stream itself */
} jr_captured;

typedef struct jr_captures {
    pthread_mutex_t lock;
    jr_captured *first; /* some may have ended: who looks, asks the driver */
} jr_captures;

void jr_captures_open(jr_captures *captures);
void jr_captures_close(jr_captures *captures);

/* Notes a stream, or an event on it; once is enough. Errors: JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_captures_note(jr_captures *captures, jr_cu_stream stream, jr_cu_event event);

/* Forgets an event, or, where that is NULL, a stream with all its events. */
void jr_captures_forget(jr_captures *captures, jr_cu_stream stream, jr_cu_event event);

/* Is the capture open that has this event; NULL: is any? */
bool jr_captures_hold(jr_captures *captures, const jr_device *device, jr_cu_event event);

#endif
