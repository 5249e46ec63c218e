/* Streams, events, copies, pinned memory and graphs, for programs that do not use CUDA's own headers. Handles are
 * CUDA's: each function takes the caller's own streams, events and graphs as well as those made here. All of them work
 * in the context's CUDA context whatever context is current, and leave that as it was. */
#ifndef JITREDUCE_STREAM_H
#define JITREDUCE_STREAM_H

#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A stream: the same pointer as CUstream and cudaStream_t. NULL is the context's default stream. */
typedef struct CUstream_st *jr_stream;

/* An event, a place in a stream: the same pointer as CUevent and cudaEvent_t. */
typedef struct CUevent_st *jr_event;

/* A graph that can be launched: the same pointer as CUgraphExec and cudaGraphExec_t. */
typedef struct CUgraphExec_st *jr_graph;

/* What streams and events are, as bits; the numbers are the driver's. */
typedef enum jr_stream_flag {
    JR_STREAM_NON_BLOCKING = 1 /* does not wait for the default stream, which does not wait for it either */
} jr_stream_flag;
typedef enum jr_event_flag {
    JR_EVENT_BLOCKING = 1, /* a thread that waits for it sleeps, and does not look again and again */
    JR_EVENT_NO_TIMING = 2 /* cheaper; jr_event_elapsed refuses it */
} jr_event_flag;

/* ---- streams ---- */

/* Creates a stream.
 * flags: 0 or JR_STREAM_NON_BLOCKING. stream: written on success only.
 * Owns: the caller destroys it before closing the context. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT,
 * JR_ERROR_DRIVER, JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_DEVICE_FAULT. Since: 0.2. */
JR_API jr_status jr_stream_create(jr_context *context, unsigned flags, jr_stream *stream);

/* Destroys a stream; what was put on it goes on to its end. stream: NULL is fine; one that is being captured is
 * refused, and so is one that has been destroyed, where the driver still knows.
 * Owns: takes the stream. Threads: no other thread may be using it. Errors: JR_ERROR_INVALID_ARGUMENT,
 * JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. Since: 0.2. */
JR_API jr_status jr_stream_destroy(jr_context *context, jr_stream stream);

/* Waits, in the calling thread, for all that was put on a stream. stream: NULL: the default stream. While it, or one
 * that waits for the default stream, is being captured the call is refused, and the capture goes on.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_FAULT (of a kernel on it). Since: 0.2. */
JR_API jr_status jr_stream_wait(jr_context *context, jr_stream stream);

/* Tells whether all that was put on a stream is done. done: 1 or 0, written on success only. The rest as
 * jr_stream_wait, but for the waiting.
 * Owns: nothing. Threads: any. Errors: as jr_stream_wait. Since: 0.2. */
JR_API jr_status jr_stream_query(jr_context *context, jr_stream stream, int *done);

/* Lets what is put on a stream from now on wait for an event, on the device. event: of this context or another one; one
 * that was never recorded is not waited for. In a capture a stream that waits for an event of it joins it.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER (in a capture
 * also of an event recorded outside, which ends it), JR_ERROR_DEVICE_FAULT. Since: 0.2. */
JR_API jr_status jr_stream_wait_event(jr_context *context, jr_stream stream, jr_event event);

/* Waits, in the calling thread, for all streams of the context. Refused while a capture that jr_capture_begin began is
 * open, which goes on; one that CUDA's own functions began would be spoilt.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. Since: 0.2.
 */
JR_API jr_status jr_context_wait(jr_context *context);

/* ---- copies, in stream order ---- */

/* Puts a copy on a stream: from host to device memory (write), from device to host memory (read), within device memory
 * (copy); or sets bytes of device memory to 0 (clear). Asynchronous with pinned host memory only: with other memory the
 * driver may copy before the call returns.
 * bytes: 0 does nothing, and addresses may be NULL. stream: NULL: the default stream, refused while one that waits for
 * it is captured. to, from: not NULL, of any alignment.
 * Owns: nothing; memory must stay as it is until the stream gets there, of a captured copy until the graph's last
 * launch is done. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_FAULT. Since: 0.2. */
JR_API jr_status jr_stream_write(jr_context *context, void *to, const void *from, uint64_t bytes, jr_stream stream);
JR_API jr_status jr_stream_read(jr_context *context, void *to, const void *from, uint64_t bytes, jr_stream stream);
JR_API jr_status jr_stream_copy(jr_context *context, void *to, const void *from, uint64_t bytes, jr_stream stream);
JR_API jr_status jr_stream_clear(jr_context *context, void *address, uint64_t bytes, jr_stream stream);

/* Allocates pinned host memory, aligned to 256 bytes, which copies reach without a stop and kernels at the same
 * address. bytes: 0 gives NULL. address: written on success only. Its contents are undefined. Owns: the caller frees it
 * with jr_pinned_free before closing the context. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT,
 * JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. Since: 0.2. */
JR_API jr_status jr_pinned_new(jr_context *context, uint64_t bytes, void **address);

/* Frees pinned host memory, after the work on the device that may use it. address: NULL is fine.
 * Owns: takes the memory. Threads: any. Errors: none. Since: 0.2. */
JR_API void jr_pinned_free(jr_context *context, void *address);

/* ---- events ---- */

/* Creates an event. flags: an or of JR_EVENT_ values, 0: it tells time. event: written on success only.
 * Owns: the caller destroys it before closing the context. Threads: any. Errors: as jr_stream_create. Since: 0.2. */
JR_API jr_status jr_event_create(jr_context *context, unsigned flags, jr_event *event);

/* Destroys an event; who waits for it goes on as if it were there. event: NULL is fine.
 * Owns: takes the event. Threads: no other thread may be using it. Errors: JR_ERROR_INVALID_ARGUMENT (there is none
 * such, where the driver still knows), JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. Since: 0.2. */
JR_API jr_status jr_event_destroy(jr_context *context, jr_event event);

/* Records an event: it happens when the stream gets there. What it was recorded for before is forgotten.
 * stream: of the event's context; NULL: the default stream.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_OUT_OF_MEMORY,
 * JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. Since: 0.2. */
JR_API jr_status jr_event_record(jr_context *context, jr_event event, jr_stream stream);

/* Waits, in the calling thread, until an event has happened (wait), or tells whether it has (query; done: 1 or 0,
 * written on success only). One that was never recorded has happened. One that was recorded into a capture by
 * jr_event_record is refused while that is open, which goes on; after it, too, waiting is, until the event is recorded
 * outside.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. Since: 0.2.
 */
JR_API jr_status jr_event_wait(jr_context *context, jr_event event);
JR_API jr_status jr_event_query(jr_context *context, jr_event event, int *done);

/* Tells the milliseconds of device time between two events that were recorded and have happened. milliseconds: written
 * on success only; below 0 when the second one happened first.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT (one has not happened, or tells no time),
 * JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. Since: 0.2. */
JR_API jr_status jr_event_elapsed(jr_context *context, jr_event begin, jr_event end, double *milliseconds);

/* ---- graphs ---- */

/* Begins a capture: what is put on a stream from now on, runs of plans, launches, copies and events, is not run, but
 * becomes a graph (jr_capture_end). Other threads and streams are not held up by it (CUDA's relaxed mode).
 * stream: not the default stream, not being captured. Nothing may wait for it until the capture ends; jitreduce's calls
 * that would are refused, and the capture goes on.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_OUT_OF_MEMORY,
 * JR_ERROR_MISSING_FUNCTION (the driver has no graphs), JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. Since: 0.2. */
JR_API jr_status jr_capture_begin(jr_context *context, jr_stream stream);

/* Ends a capture and makes a graph of it. stream: the one on which it began. graph: written on success only; plans,
 * kernels and memory that are in it must live as long as it does. A capture that was spoilt has ended, too, when
 * this fails with JR_ERROR_DRIVER.
 * Owns: the caller destroys the graph before closing the context. Threads: any, one at a time. Errors:
 * JR_ERROR_INVALID_ARGUMENT (nothing is being captured), JR_ERROR_WRONG_CONTEXT, JR_ERROR_MISSING_FUNCTION,
 * JR_ERROR_DRIVER, JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_DEVICE_FAULT. Since: 0.2. */
JR_API jr_status jr_capture_end(jr_context *context, jr_stream stream, jr_graph *graph);

/* Tells whether a stream is being captured, by whomever. captured: 1 or 0, written on success only. stream: NULL: the
 * default stream, which never is.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT (there is no such stream, where the driver still
 * knows), JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. Since: 0.2. */
JR_API jr_status jr_capture_query(jr_context *context, jr_stream stream, int *captured);

/* Launches a graph on a stream, asynchronously, as often as wanted; launches of one graph run one after the other.
 * Owns: nothing. Threads: any, of one graph one at a time. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT,
 * JR_ERROR_MISSING_FUNCTION, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. Since: 0.2. */
JR_API jr_status jr_graph_launch(jr_context *context, jr_graph graph, jr_stream stream);

/* Destroys a graph; a launch under way goes on to its end. graph: NULL is fine.
 * Owns: takes the graph. Threads: no other thread may be using it. Errors: as jr_event_destroy. Since: 0.2. */
JR_API jr_status jr_graph_destroy(jr_context *context, jr_graph graph);

#ifdef __cplusplus
}
#endif
#endif
