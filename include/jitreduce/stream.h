/* Streams, events, copies, pinned memory and graphs, for programs that do not use CUDA's own headers. Handles are
 * CUDA's: each function also accepts the caller's own streams, events and graphs. All functions work in the context's
 * CUDA context, whatever context is current, and leave the current one unchanged.
 * Manual: embedding.md. */
#ifndef JITREDUCE_STREAM_H
#define JITREDUCE_STREAM_H

#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A stream: the same pointer as CUstream and cudaStream_t. NULL is the context's default stream. */
typedef struct CUstream_st *jr_stream;

/* An event, a mark in a stream: the same pointer as CUevent and cudaEvent_t. */
typedef struct CUevent_st *jr_event;

/* A graph that can be launched: the same pointer as CUgraphExec and cudaGraphExec_t. */
typedef struct CUgraphExec_st *jr_graph;

/* Properties of streams and events, as bits; the numbers are the driver's. */
typedef enum jr_stream_flag {
    JR_STREAM_NON_BLOCKING = 1 /* the stream and the default stream do not wait for each other */
} jr_stream_flag;
typedef enum jr_event_flag {
    JR_EVENT_BLOCKING = 1, /* a thread that waits for it sleeps instead of polling */
    JR_EVENT_NO_TIMING = 2 /* takes no time stamp, which is cheaper; jr_event_elapsed refuses it */
} jr_event_flag;

/* ---- streams ---- */

/* Creates a stream.
 *
 * flags: 0 or JR_STREAM_NON_BLOCKING.
 * stream: where the stream is written, on success only.
 *
 * Owns: the caller destroys it with jr_stream_destroy before closing the context.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_stream_create(jr_context *context, unsigned flags, jr_stream *stream);

/* Destroys a stream. Work that was enqueued on it still runs to its end.
 *
 * stream: may be NULL. A stream that is being captured is refused; so is one that has already been destroyed, if the
 *   driver can detect it.
 *
 * Owns: takes the stream.
 * Threads: no other thread may be using it.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_stream_destroy(jr_context *context, jr_stream stream);

/* Waits, in the calling thread, until all work on a stream is complete. The call is refused while the stream, or a
 * stream that waits for the default stream, is being captured; the capture stays intact.
 *
 * stream: of the context; NULL: the default stream.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT (of a kernel on the
 *   stream).
 * Since: 0.2. */
JR_API jr_status jr_stream_wait(jr_context *context, jr_stream stream);

/* Writes whether all work on a stream is complete, without waiting. The call is refused while the stream, or a stream
 * that waits for the default stream, is being captured; the capture stays intact.
 *
 * stream: of the context; NULL: the default stream.
 * done: 1 or 0, written on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT (of a kernel on the
 *   stream).
 * Since: 0.2. */
JR_API jr_status jr_stream_query(jr_context *context, jr_stream stream, int *done);

/* Makes the work that is enqueued on `stream` from now on wait for an event, on the device. In a capture, a stream that
 * waits for an event of the capture joins it.
 *
 * stream: of the context; NULL: the default stream.
 * event: of this context or another one; an event that was never recorded is not waited for.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER (also in a capture for an event that was
 *   recorded outside it, which ends the capture), JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_stream_wait_event(jr_context *context, jr_stream stream, jr_event event);

/* Waits, in the calling thread, until all streams of the context are complete. The call is refused while a capture that
 * jr_capture_begin began is open, which stays intact; do not call it while a capture that CUDA's own functions began is
 * open, which it would invalidate.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_context_wait(jr_context *context);

/* ---- copies, in stream order ---- */

/* Enqueues a copy on `stream` and returns: from host to device memory (write), from device to host memory (read),
 * within device memory (copy); or enqueues setting bytes of device memory to 0 (clear). It is complete once the stream
 * reaches it. Only pinned host memory is copied asynchronously: with other host memory the driver may copy before the
 * call returns.
 *
 * to: where the bytes are written; no alignment required; may be NULL if `bytes` is 0.
 * from: where the bytes are read; no alignment required; may be NULL if `bytes` is 0.
 * address: device memory to clear; no alignment required; may be NULL if `bytes` is 0.
 * bytes: how many; 0 does nothing.
 * stream: of the context; NULL: the default stream, which is refused while a stream that waits for it is being
 *   captured.
 *
 * Owns: nothing; the memory must stay valid, and what is read unchanged, until the stream reaches the end of the copy;
 *   in a capture, until the graph's last launch is complete.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_stream_write(jr_context *context, void *to, const void *from, uint64_t bytes, jr_stream stream);
JR_API jr_status jr_stream_read(jr_context *context, void *to, const void *from, uint64_t bytes, jr_stream stream);
JR_API jr_status jr_stream_copy(jr_context *context, void *to, const void *from, uint64_t bytes, jr_stream stream);
JR_API jr_status jr_stream_clear(jr_context *context, void *address, uint64_t bytes, jr_stream stream);

/* Allocates pinned host memory, aligned to 256 bytes: copies from and to it are asynchronous, and kernels can access it
 * at the same address. Its contents are undefined.
 *
 * bytes: the size; 0 gives NULL.
 * address: where the address is written, on success only.
 *
 * Owns: the caller frees it with jr_pinned_free before closing the context.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_pinned_new(jr_context *context, uint64_t bytes, void **address);

/* Frees pinned host memory, after the work on the device that may use it is complete.
 *
 * address: from jr_pinned_new of the same context; may be NULL.
 *
 * Owns: takes the memory.
 * Threads: any.
 * Errors: none.
 * Since: 0.2. */
JR_API void jr_pinned_free(jr_context *context, void *address);

/* ---- events ---- */

/* Creates an event.
 *
 * flags: JR_EVENT_ values combined by `or`; 0: the event takes a time stamp, and waiting for it polls.
 * event: where the event is written, on success only.
 *
 * Owns: the caller destroys it with jr_event_destroy before closing the context.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_event_create(jr_context *context, unsigned flags, jr_event *event);

/* Destroys an event. Streams that already wait for it still do so.
 *
 * event: may be NULL.
 *
 * Owns: takes the event.
 * Threads: no other thread may be using it.
 * Errors: JR_ERROR_INVALID_ARGUMENT (there is no such event, if the driver can detect it), JR_ERROR_DRIVER,
 *   JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_event_destroy(jr_context *context, jr_event event);

/* Enqueues an event on `stream` and returns; the event is complete once the stream reaches it. This replaces an earlier
 * recording of the event.
 *
 * event: of the context.
 * stream: of the event's context; NULL: the default stream.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_OUT_OF_MEMORY, JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER,
 *   JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_event_record(jr_context *context, jr_event event, jr_stream stream);

/* Waits, in the calling thread, until an event is complete (wait), or writes whether it is complete (query). An event
 * that was never recorded is complete. An event that jr_event_record recorded into a capture is refused: by both
 * functions while the capture is open, which stays intact; by jr_event_wait also afterwards, until the event is
 * recorded outside a capture.
 *
 * event: of the context.
 * done: 1 or 0, written on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_event_wait(jr_context *context, jr_event event);
JR_API jr_status jr_event_query(jr_context *context, jr_event event, int *done);

/* Finds the device time between two events that were recorded and are complete.
 *
 * begin, end: events that take time stamps.
 * milliseconds: where the time is written, on success only; below 0 if `end` was complete before `begin`.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (an event is not complete, or takes no time stamp), JR_ERROR_DRIVER,
 *   JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_event_elapsed(jr_context *context, jr_event begin, jr_event end, double *milliseconds);

/* ---- graphs ---- */

/* Begins a capture: what is enqueued on `stream` from now on (runs of plans, launches, copies, events) does not run but
 * becomes a graph (jr_capture_end). Other threads and streams can continue meanwhile (CUDA's relaxed mode). Until the
 * capture ends, nothing may wait for `stream`; jitreduce's own waiting calls are refused, and the capture stays intact.
 *
 * stream: of the context, not being captured; must not be the default stream.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_OUT_OF_MEMORY, JR_ERROR_MISSING_FUNCTION (the driver has no graphs), JR_ERROR_INVALID_ARGUMENT,
 *   JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_capture_begin(jr_context *context, jr_stream stream);

/* Ends a capture and makes a graph of it. If something invalidated the capture, this fails with JR_ERROR_DRIVER, and
 * the capture has ended, too.
 *
 * stream: the stream on which the capture began.
 * graph: where the graph is written, on success only.
 *
 * Owns: the caller destroys the graph with jr_graph_destroy before closing the context; the plans, kernels and memory
 *   that it uses must outlive it.
 * Threads: any, one at a time.
 * Errors: JR_ERROR_INVALID_ARGUMENT (nothing is being captured), JR_ERROR_WRONG_CONTEXT, JR_ERROR_MISSING_FUNCTION,
 *   JR_ERROR_DRIVER, JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_capture_end(jr_context *context, jr_stream stream, jr_graph *graph);

/* Ends a capture and changes a graph to what was captured, which costs less than a new one: the same kernels,
 * copies and fills in the same order, with other arguments, addresses and grids. Launches of the graph that have begun
 * keep the old ones. If this fails, the graph is as it was, and the capture has ended.
 *
 * graph: from jr_capture_end or CUDA.
 * stream: the stream on which the capture began.
 *
 * Owns: nothing; what the graph uses now must outlive it.
 * Threads: no other thread may be using the graph.
 * Errors: JR_ERROR_NOT_APPLICABLE (what was captured differs in more: make a new graph), JR_ERROR_INVALID_ARGUMENT
 *   (nothing is being captured), JR_ERROR_WRONG_CONTEXT, JR_ERROR_MISSING_FUNCTION (drivers before CUDA 12.0),
 *   JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.3. */
JR_API jr_status jr_graph_update(jr_context *context, jr_graph graph, jr_stream stream);

/* Writes whether a stream is being captured, whoever began the capture.
 *
 * stream: of the context; NULL: the default stream, which never is.
 * captured: 1 or 0, written on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (there is no such stream, if the driver can detect it), JR_ERROR_DRIVER,
 *   JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_capture_query(jr_context *context, jr_stream stream, int *captured);

/* Enqueues a graph on `stream` and returns; it is complete once the stream reaches it. A graph may be launched any
 * number of times; launches of one graph run one after the other.
 *
 * graph: from jr_capture_end or CUDA.
 * stream: of the context; NULL: the default stream.
 *
 * Owns: nothing.
 * Threads: any; launches of one graph one at a time.
 * Errors: JR_ERROR_MISSING_FUNCTION, JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER,
 *   JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_graph_launch(jr_context *context, jr_graph graph, jr_stream stream);

/* Destroys a graph. A launch that has begun still runs to its end.
 *
 * graph: may be NULL.
 *
 * Owns: takes the graph.
 * Threads: no other thread may be using it.
 * Errors: JR_ERROR_INVALID_ARGUMENT (there is no such graph, if the driver can detect it), JR_ERROR_DRIVER,
 *   JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_graph_destroy(jr_context *context, jr_graph graph);

#ifdef __cplusplus
}
#endif
#endif
