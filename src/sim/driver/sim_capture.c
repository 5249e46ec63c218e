/* Capture: the list of captures under way, their streams' clocks and their recordings. Callers hold the driver's lock.
 */
#include "sim_capture.h"

#include <stdlib.h>

/* Not in the list of cuda_abi.h: libjitreduce never names them. */
enum { CAPTURE_MERGE = 902 };

static bool blocking(const jrs_stream *stream) {
    return stream && !(stream->flags & JR_CU_STREAM_NON_BLOCKING);
}

int jrs_capture_break(jrs_capture *capture, int error) {
    capture->invalid = true;
    return error;
}

int jrs_capture_forbids(const jrs_driver *driver) {
    const jrs_thread *self = jrs_thread_self();
    int error = JR_CUDA_SUCCESS;
    if (self->capture_mode == JR_CU_CAPTURE_RELAXED) return error;
    for (jrs_capture *capture = driver->captures; capture; capture = capture->next) {
        const bool own = capture->thread == self->id && capture->mode != JR_CU_CAPTURE_RELAXED;
        const bool others = self->capture_mode == JR_CU_CAPTURE_GLOBAL && capture->mode == JR_CU_CAPTURE_GLOBAL;
        if (!own && !others) continue;
        error = jrs_capture_break(capture, JR_CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }
    return error;
}

int jrs_capture_forbids_waiting(const jrs_driver *driver, const jrs_context *context) {
    int error = JR_CUDA_SUCCESS;
    for (jrs_capture *capture = driver->captures; capture; capture = capture->next) {
        if (capture->context != context) continue;
        error = jrs_capture_break(capture, JR_CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }
    return error;
}

int jrs_capture_forbids_legacy(const jrs_driver *driver, const jrs_context *context, bool invalidate) {
    int error = JR_CUDA_SUCCESS;
    for (jrs_capture *capture = driver->captures; capture; capture = capture->next) {
        if (capture->context != context) continue;
        for (size_t i = 0; i < capture->count; i++) {
            if (!blocking(capture->streams[i])) continue;
            capture->invalid = capture->invalid || invalidate;
            error = JR_CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
        }
    }
    return error;
}

static jrs_recording *create_recording(void) {
    jrs_recording *recording = calloc(1, sizeof *recording);
    if (recording) atomic_init(&recording->references, 1);
    return recording;
}

jrs_recording *jrs_recording_share(jrs_recording *recording) {
    atomic_fetch_add(&recording->references, 1);
    return recording;
}

void jrs_recording_drop(jrs_recording *recording) {
    if (!recording || atomic_fetch_sub(&recording->references, 1) != 1) return;
    for (size_t i = 0; i < recording->count; i++) recording->tasks[i]->destroy(recording->tasks[i]);
    free(recording->tasks);
    free(recording);
}

static bool recording_add(jrs_recording *recording, jrs_task *task) {
    if (recording->count == recording->capacity) {
        size_t capacity = recording->capacity ? recording->capacity * 2 : 16;
        jrs_task **tasks = realloc(recording->tasks, capacity * sizeof(jrs_task *));
        if (!tasks) return false;
        recording->tasks = tasks;
        recording->capacity = capacity;
    }
    recording->tasks[recording->count++] = task;
    return true;
}

int jrs_capture_add(jrs_stream *stream, jrs_task *task) {
    jrs_capture *capture = stream->capture;
    int error = capture->invalid ? JR_CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : JR_CUDA_SUCCESS;
    if (!error && !recording_add(capture->recording, task))
        error = jrs_capture_break(capture, JR_CUDA_ERROR_OUT_OF_MEMORY);
    if (error) {
        task->destroy(task);
        return error;
    }
    capture->clocks[stream->place].seen[stream->place]++;
    return JR_CUDA_SUCCESS;
}

void jrs_capture_mark(const jrs_stream *stream, jrs_moment *moment) {
    moment->capture = stream->capture->id;
    moment->clock = stream->capture->clocks[stream->place];
}

jrs_capture *jrs_capture_of(const jrs_driver *driver, const jrs_moment *moment) {
    jrs_capture *capture = driver->captures;
    while (capture && capture->id != moment->capture) capture = capture->next;
    return capture;
}

static void join(jrs_capture *capture, jrs_stream *stream) {
    stream->capture = capture;
    stream->place = capture->count;
    capture->streams[capture->count++] = stream;
}

int jrs_capture_follow(jrs_capture *capture, jrs_stream *stream, const jrs_moment *moment) {
    if (stream->capture && stream->capture != capture) {
        jrs_capture_break(stream->capture, CAPTURE_MERGE);
        return jrs_capture_break(capture, CAPTURE_MERGE);
    }
    if (!stream->capture && capture->count == JRS_CAPTURE_STREAMS) return JR_CUDA_ERROR_OUT_OF_MEMORY;
    if (!stream->capture) join(capture, stream);
    jrs_clock *clock = &capture->clocks[stream->place];
    for (size_t i = 0; i < capture->count; i++)
        if (clock->seen[i] < moment->clock.seen[i]) clock->seen[i] = moment->clock.seen[i];
    return JR_CUDA_SUCCESS;
}

int jrs_capture_begin(jrs_driver *driver, jrs_stream *origin, int mode) {
    jrs_capture *capture = calloc(1, sizeof *capture);
    jrs_recording *recording = create_recording();
    if (!capture || !recording) {
        free(capture);
        jrs_recording_drop(recording);
        return JR_CUDA_ERROR_OUT_OF_MEMORY;
    }
    capture->id = ++driver->serials;
    capture->context = origin->object.context;
    capture->mode = mode;
    capture->thread = jrs_thread_self()->id;
    capture->recording = recording;
    capture->next = driver->captures;
    driver->captures = capture;
    join(capture, origin);
    return JR_CUDA_SUCCESS;
}

/* Whether the origin's past holds everything that was issued. */
static bool joined(const jrs_capture *capture) {
    for (size_t i = 0; i < capture->count; i++)
        if (capture->clocks[0].seen[i] != capture->clocks[i].seen[i]) return false;
    return true;
}

static void unlist(jrs_driver *driver, const jrs_capture *capture) {
    jrs_capture **link = &driver->captures;
    while (*link != capture) link = &(*link)->next;
    *link = capture->next;
}

int jrs_capture_end(jrs_driver *driver, jrs_capture *capture, jrs_recording **recording) {
    int error = JR_CUDA_SUCCESS;
    if (capture->invalid)
        error = JR_CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    else if (!joined(capture))
        error = JR_CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    *recording = capture->recording;
    if (error) {
        jrs_recording_drop(capture->recording);
        *recording = NULL;
    }
    for (size_t i = 0; i < capture->count; i++)
        if (capture->streams[i]) capture->streams[i]->capture = NULL;
    unlist(driver, capture);
    free(capture);
    return error;
}

void jrs_capture_forget(jrs_driver *driver, jrs_stream *stream) {
    jrs_capture *capture = stream->capture;
    if (!capture) return;
    capture->invalid = true;
    capture->streams[stream->place] = NULL;
    stream->capture = NULL;
    if (stream->place > 0) return;
    jrs_recording *nothing; /* without its origin nobody could end it */
    jrs_capture_end(driver, capture, &nothing);
}
