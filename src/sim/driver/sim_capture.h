/* Capture: what happens to streams whose work is recorded into a graph instead of being done.
 *
 * A recording keeps tasks in the order of the calls, which is one legal order of the graph, and that is how it is
 * replayed. The dependencies are followed only as far as rules need them: each stream of a capture knows, by a clock,
 * how much of every other stream's work lies before its own next piece; the origin must know all of it in the end. */
#ifndef JRS_DRIVER_CAPTURE_H
#define JRS_DRIVER_CAPTURE_H

#include "sim_driver.h"

enum { JRS_CAPTURE_STREAMS = 32 }; /* most streams in one capture */

/* Tasks that were recorded: owned by graphs and by graph launches under way. */
typedef struct jrs_recording {
    _Atomic unsigned references;
    jrs_task **tasks;
    size_t count, capacity;
} jrs_recording;

typedef struct jrs_clock {
    uint64_t seen[JRS_CAPTURE_STREAMS]; /* tasks of each stream that lie before; of its own: all that were issued */
} jrs_clock;

struct jrs_capture {
    jrs_capture *next;
    uint64_t id;
    jrs_context *context;
    int mode;
    uint64_t thread; /* that began it */
    bool invalid;
    jrs_recording *recording;
    jrs_stream *streams[JRS_CAPTURE_STREAMS]; /* the origin first; NULL: destroyed meanwhile */
    jrs_clock clocks[JRS_CAPTURE_STREAMS];
    size_t count;
};

/* A captured event's place: in which capture, after what. */
typedef struct jrs_moment {
    uint64_t capture; /* 0: recorded outside any */
    jrs_clock clock;
} jrs_moment;

/* 900 when a capture forbids potentially unsafe calls to this thread, which also invalidates it: a global one of any
 * thread, a thread-local one of its own; where the thread's own mode (cuThreadExchangeStreamCaptureMode) is
 * thread-local, one of its own alone, where it is relaxed, none. */
int jrs_capture_forbids(const jrs_driver *driver);
/* 900 when any stream of the context is capturing: nothing may wait for the context. Invalidates. */
int jrs_capture_forbids_waiting(const jrs_driver *driver, const jrs_context *context);
/* 906 when work for the legacy stream would depend on a capturing blocking stream; `invalidate` then invalidates that
 * capture. */
int jrs_capture_forbids_legacy(const jrs_driver *driver, const jrs_context *context, bool invalidate);

/* Invalidates a capture and returns error. */
int jrs_capture_break(jrs_capture *capture, int error);

/* Adds a task to the stream's capture, which takes it over. */
int jrs_capture_add(jrs_stream *stream, jrs_task *task);

/* Writes down where a capturing stream stands. */
void jrs_capture_mark(const jrs_stream *stream, jrs_moment *moment);
/* The capture a moment belongs to, NULL when it has ended or the moment lies outside any. */
jrs_capture *jrs_capture_of(const jrs_driver *driver, const jrs_moment *moment);
/* Lets a stream go on after a moment of a live capture; joins it to the capture. Errors: 2, 902 (another capture). */
int jrs_capture_follow(jrs_capture *capture, jrs_stream *stream, const jrs_moment *moment);

/* Starts one with this stream as its origin. Errors: 2. */
int jrs_capture_begin(jrs_driver *driver, jrs_stream *origin, int mode);
/* Ends it: frees its streams, hands its recording over, NULL when it was invalid (901) or work was not joined (904). */
int jrs_capture_end(jrs_driver *driver, jrs_capture *capture, jrs_recording **recording);
/* A stream leaves because it is destroyed. */
void jrs_capture_forget(jrs_driver *driver, jrs_stream *stream);

jrs_recording *jrs_recording_share(jrs_recording *recording);
void jrs_recording_drop(jrs_recording *recording);

#endif
