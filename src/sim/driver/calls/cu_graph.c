/* Stream capture and graphs: recording, instantiating, launching, destroying. A launch is one task that replays the
 * recording. */
#include <stdlib.h>

#include "sim/driver/sim_call.h"
#include "sim/driver/sim_capture.h"

/* A graph or an executable one: a recording, and the context's life it was made in. */
typedef struct recorded {
    jrs_object object;
    uint64_t serial; /* of the context */
    jrs_recording *recording;
} recorded;

/* Takes the recording over; 0 when out of memory. */
static uintptr_t add_graph(const jrs_call *call, jrs_handle_kind kind, jrs_recording *recording, uint64_t serial) {
    recorded *fresh = jrs_object_add(call, kind, sizeof *fresh);
    if (!fresh) {
        jrs_recording_drop(recording);
        return 0;
    }
    fresh->serial = serial;
    fresh->recording = recording;
    return fresh->object.handle;
}

/* ---- capture ---- */

jr_cu_result cuStreamBeginCapture_v2(jr_cu_stream stream, int mode) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    if (mode < JR_CU_CAPTURE_GLOBAL || mode > JR_CU_CAPTURE_RELAXED)
        return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    jrs_stream *origin;
    int error = jrs_stream_find(&call, stream, &origin);
    if (!error && origin->legacy) error = JR_CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (!error && origin->capture) error = JR_CUDA_ERROR_ILLEGAL_STATE;
    return jrs_leave(&call, error ? error : jrs_capture_begin(call.driver, origin, mode));
}

/* Source: CUDA Driver API, "Stream Management", cuThreadExchangeStreamCaptureMode. */
jr_cu_result cuThreadExchangeStreamCaptureMode(int *mode) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    if (!mode || *mode < JR_CU_CAPTURE_GLOBAL || *mode > JR_CU_CAPTURE_RELAXED)
        return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    jrs_thread *self = jrs_thread_self();
    const int before = self->capture_mode;
    self->capture_mode = *mode;
    *mode = before;
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

jr_cu_result cuStreamIsCapturing(jr_cu_stream stream, int *status) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_CONTEXT)) return call.error;
    if (!status) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    jrs_stream *found;
    int error = jrs_stream_find(&call, stream, &found);
    if (!error && found->legacy) error = jrs_capture_forbids_legacy(call.driver, found->object.context, false);
    if (error) return jrs_leave(&call, error);
    const jrs_capture *capture = found->capture;
    *status = !capture           ? JR_CU_CAPTURE_STATUS_NONE
              : capture->invalid ? JR_CU_CAPTURE_STATUS_INVALIDATED
                                 : JR_CU_CAPTURE_STATUS_ACTIVE;
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

static int may_end(const jrs_stream *stream) {
    const jrs_capture *capture = stream->capture;
    if (!capture) return JR_CUDA_ERROR_ILLEGAL_STATE;
    if (stream->place > 0) return JR_CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    if (capture->mode != JR_CU_CAPTURE_RELAXED && capture->thread != jrs_thread_self()->id)
        return JR_CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    return JR_CUDA_SUCCESS;
}

jr_cu_result cuStreamEndCapture(jr_cu_stream stream, jr_cu_graph *graph) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_CONTEXT)) return call.error;
    if (!graph) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    jrs_stream *origin;
    int error = jrs_stream_find(&call, stream, &origin);
    if (!error) error = may_end(origin);
    if (error) return jrs_leave(&call, error);
    jrs_recording *recording;
    uint64_t serial = origin->object.context->serial;
    error = jrs_capture_end(call.driver, origin->capture, &recording);
    uintptr_t handle = error ? 0 : add_graph(&call, JRS_HANDLE_GRAPH, recording, serial);
    if (!error && !handle) error = JR_CUDA_ERROR_OUT_OF_MEMORY;
    *graph = (jr_cu_graph)handle; /* NULL on failure, as documented */
    return jrs_leave(&call, error);
}

/* ---- graphs ---- */

jr_cu_result cuGraphInstantiateWithFlags(jr_cu_graph_exec *exec, jr_cu_graph graph, unsigned long long flags) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    if (!exec || !graph || flags > 15) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    const recorded *found = jrs_find(&call, JRS_HANDLE_GRAPH, graph);
    if (!found) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_HANDLE);
    jrs_recording *recording = jrs_recording_share(found->recording); /* graphs never change once captured */
    uintptr_t handle = add_graph(&call, JRS_HANDLE_GRAPH_EXEC, recording, found->serial);
    if (handle) *exec = (jr_cu_graph_exec)handle;
    return jrs_leave(&call, handle ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_OUT_OF_MEMORY);
}

/* What a recording may not become another one by: 0 if it may. Kernels, copies and fills may have other arguments. */
static int difference(const jrs_recording *old, const jrs_recording *fresh) {
    if (old->count != fresh->count) return JR_CU_GRAPH_UPDATE_TOPOLOGY;
    for (size_t i = 0; i < old->count; i++)
        if (old->tasks[i]->run != fresh->tasks[i]->run) return JR_CU_GRAPH_UPDATE_NODE;
    return 0;
}

jr_cu_result cuGraphExecUpdate_v2(jr_cu_graph_exec exec, jr_cu_graph graph, jr_cu_graph_update *update) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    if (!exec || !graph || !update) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    recorded *changed = jrs_find(&call, JRS_HANDLE_GRAPH_EXEC, exec);
    const recorded *taken = jrs_find(&call, JRS_HANDLE_GRAPH, graph);
    if (!changed || !taken || changed->serial != taken->serial) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_HANDLE);
    *update = (jr_cu_graph_update){.result = difference(changed->recording, taken->recording)};
    if (update->result) return jrs_leave(&call, JR_CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    jrs_recording *old = changed->recording; /* launches under way have a share of it */
    changed->recording = jrs_recording_share(taken->recording);
    jrs_recording_drop(old);
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

typedef struct replay_task {
    jrs_task task;
    jrs_recording *recording;
} replay_task;

static bool replay_run(jrs_task *task, jrs_report *report) {
    const jrs_recording *recording = ((replay_task *)task)->recording;
    for (size_t i = 0; i < recording->count; i++)
        if (!recording->tasks[i]->run(recording->tasks[i], report)) return false;
    return true;
}

static void replay_destroy(jrs_task *task) {
    jrs_recording_drop(((replay_task *)task)->recording);
    free(task);
}

static jrs_task *replay_create(jrs_recording *recording) {
    replay_task *self = malloc(sizeof *self);
    if (!self) return NULL;
    const unsigned anywhere = (1u << JRS_DEVICES) - 1; /* it may hold work of other devices */
    *self = (replay_task){{.run = replay_run, .destroy = replay_destroy, .visits = anywhere},
                          jrs_recording_share(recording)};
    return &self->task;
}

jr_cu_result cuGraphLaunch(jr_cu_graph_exec exec, jr_cu_stream stream) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    if (!exec) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    const recorded *found = jrs_find(&call, JRS_HANDLE_GRAPH_EXEC, exec);
    jrs_stream *target = NULL;
    int error = found ? jrs_stream_for_work(&call, stream, &target) : JR_CUDA_ERROR_INVALID_HANDLE;
    if (!error && found->serial != target->object.context->serial) error = JR_CUDA_ERROR_INVALID_HANDLE;
    return jrs_leave(&call, error ? error : jrs_submit(&call, target, replay_create(found->recording)));
}

static int destroy(const jrs_call *call, jrs_handle_kind kind, const void *handle) {
    if (!handle) return JR_CUDA_ERROR_INVALID_VALUE;
    recorded *found = jrs_find(call, kind, handle);
    if (!found) return JR_CUDA_ERROR_INVALID_HANDLE;
    jrs_handle_remove(&call->driver->handles, found->object.handle);
    jrs_recording_drop(found->recording);
    free(found);
    return JR_CUDA_SUCCESS;
}

jr_cu_result cuGraphExecDestroy(jr_cu_graph_exec exec) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    return jrs_leave(&call, destroy(&call, JRS_HANDLE_GRAPH_EXEC, exec));
}

jr_cu_result cuGraphDestroy(jr_cu_graph graph) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    return jrs_leave(&call, destroy(&call, JRS_HANDLE_GRAPH, graph));
}
