/* Events: places in a queue, with the time at which it came by. */
#include <stdlib.h>
#include <time.h>

#include "across.h"
#include "sim/driver/sim_capture.h"

/* Dependencies that would cross the border of a capture; not in the list of cuda_abi.h: libjitreduce never names it. */
enum { CAPTURE_ISOLATION = 905 };

/* Shared by its handle and by the recordings of it under way. */
typedef struct jrs_event {
    jrs_object object;
    _Atomic unsigned references;
    unsigned flags;
    uint64_t recorded;        /* the task that records it; 0: never */
    _Atomic uint64_t time_ns; /* when that was done */
    jrs_moment moment;        /* when it was last recorded in a capture */
} jrs_event;

static void let_go(jrs_event *event) {
    if (atomic_fetch_sub(&event->references, 1) == 1) free(event);
}

void jrs_event_drop(jrs_driver *driver, void *event) {
    jrs_handle_remove(&driver->handles, ((jrs_event *)event)->object.handle);
    let_go(event);
}

typedef struct record_task {
    jrs_task task;
    jrs_event *event;
} record_task;

static bool record_run(jrs_task *task, jrs_report *report) {
    (void)report;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t time_ns = (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
    atomic_store(&((record_task *)task)->event->time_ns, time_ns);
    return true;
}

static void record_destroy(jrs_task *task) {
    let_go(((record_task *)task)->event);
    free(task);
}

static jrs_task *record_create(jrs_event *event) {
    record_task *self = malloc(sizeof *self);
    if (!self) return NULL;
    *self = (record_task){{.run = record_run, .destroy = record_destroy}, event};
    atomic_fetch_add(&event->references, 1);
    return &self->task;
}

jr_cu_result cuEventCreate(jr_cu_event *event, unsigned flags) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    unsigned known = JR_CU_EVENT_BLOCKING | JR_CU_EVENT_DISABLE_TIMING;
    if (!event || (flags & ~known)) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    jrs_event *fresh = jrs_object_add(&call, JRS_HANDLE_EVENT, sizeof *fresh);
    if (!fresh) return jrs_leave(&call, JR_CUDA_ERROR_OUT_OF_MEMORY);
    atomic_init(&fresh->references, 1);
    fresh->flags = flags;
    *event = (jr_cu_event)fresh->object.handle;
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

jr_cu_result cuEventDestroy_v2(jr_cu_event event) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    jrs_event *found = jrs_find(&call, JRS_HANDLE_EVENT, event);
    if (!found) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_HANDLE);
    jrs_event_drop(call.driver, found);
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

jr_cu_result cuEventRecord(jr_cu_event event, jr_cu_stream stream) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    jrs_event *found = jrs_find(&call, JRS_HANDLE_EVENT, event);
    jrs_stream *target = NULL;
    int error = found ? jrs_stream_for_work(&call, stream, &target) : JR_CUDA_ERROR_INVALID_HANDLE;
    if (!error && found->object.context != target->object.context) error = JR_CUDA_ERROR_INVALID_HANDLE;
    if (error) return jrs_leave(&call, error);
    if (target->capture) {
        jrs_capture_mark(target, &found->moment);
        return jrs_leave(&call, JR_CUDA_SUCCESS);
    }
    error = jrs_submit(&call, target, record_create(found));
    if (!error) {
        found->moment.capture = 0;
        found->recorded = target->last;
    }
    return jrs_leave(&call, error);
}

/* Finds an event that may be asked about or waited for: not one that was last recorded in a capture under way. */
static int find_for_waiting(const jrs_call *call, jr_cu_event handle, jrs_event **event) {
    *event = jrs_find(call, JRS_HANDLE_EVENT, handle);
    if (!*event) return JR_CUDA_ERROR_INVALID_HANDLE;
    jrs_capture *capture = jrs_capture_of(call->driver, &(*event)->moment);
    if (capture) return jrs_capture_break(capture, JR_CUDA_ERROR_CAPTURED_EVENT);
    int error = jrs_capture_forbids(call->driver);
    return error ? error : jrs_context_error((*event)->object.context);
}

jr_cu_result cuEventSynchronize(jr_cu_event event) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    jrs_event *found;
    int error = find_for_waiting(&call, event, &found);
    /* Last recorded into a capture that has ended: a GPU's driver (580) says so, too. */
    if (!error && found->moment.capture != 0) error = JR_CUDA_ERROR_INVALID_VALUE;
    return jrs_leave(&call, error ? error : jrs_wait(&call, found->object.context, found->recorded));
}

static bool pending(const jrs_call *call, const jrs_event *event) {
    return jrs_queue_done(jrs_queue_of(call->driver, event->object.context)) < event->recorded;
}

jr_cu_result cuEventQuery(jr_cu_event event) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    jrs_event *found;
    int error = find_for_waiting(&call, event, &found);
    if (!error && pending(&call, found)) error = JR_CUDA_ERROR_NOT_READY;
    return jrs_leave(&call, error);
}

jr_cu_result cuEventElapsedTime(float *milliseconds, jr_cu_event start, jr_cu_event end) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    const jrs_event *from = jrs_find(&call, JRS_HANDLE_EVENT, start), *to = jrs_find(&call, JRS_HANDLE_EVENT, end);
    if (!milliseconds) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    if (!from || !to || !from->recorded || !to->recorded || from->object.context != to->object.context ||
        ((from->flags | to->flags) & JR_CU_EVENT_DISABLE_TIMING))
        return jrs_leave(&call, JR_CUDA_ERROR_INVALID_HANDLE);
    if (jrs_capture_of(call.driver, &from->moment) || jrs_capture_of(call.driver, &to->moment))
        return jrs_leave(&call, JR_CUDA_ERROR_CAPTURED_EVENT);
    if (pending(&call, from) || pending(&call, to)) return jrs_leave(&call, JR_CUDA_ERROR_NOT_READY);
    int64_t ns = (int64_t)(atomic_load(&to->time_ns) - atomic_load(&from->time_ns));
    *milliseconds = (float)((double)ns * 1e-6);
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

/* A stream that waits for a captured event joins its capture. */
static int wait_captured(jrs_capture *capture, jrs_stream *stream, const jrs_event *event) {
    if (capture->invalid) return JR_CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (stream->legacy) return jrs_capture_break(capture, JR_CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    return jrs_capture_follow(capture, stream, &event->moment);
}

/* Outside captures there is nothing to do on one device: what was recorded earlier lies earlier in the queue. */
jr_cu_result cuStreamWaitEvent(jr_cu_stream stream, jr_cu_event event, unsigned flags) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    if (flags > 1) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    const jrs_event *found = jrs_find(&call, JRS_HANDLE_EVENT, event);
    jrs_stream *target = NULL;
    int error = found ? jrs_stream_for_work(&call, stream, &target) : JR_CUDA_ERROR_INVALID_HANDLE;
    if (error) return jrs_leave(&call, error);
    jrs_capture *capture = jrs_capture_of(call.driver, &found->moment);
    if (capture) return jrs_leave(&call, wait_captured(capture, target, found));
    if (target->capture && found->recorded)
        error = jrs_capture_break(target->capture, CAPTURE_ISOLATION);
    else if (found->recorded)
        error = jrs_stream_wait(&call, target, found->object.context, found->recorded);
    return jrs_leave(&call, error);
}
