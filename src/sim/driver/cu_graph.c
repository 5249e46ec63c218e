/* Graphs: instantiating, launching, destroying. A launch is one task that replays the recording. */
#include "call.h"
#include "graph.h"

#include <stdlib.h>

uintptr_t jrs_graph_add(jrs_driver *driver, jrs_handle_kind kind, jrs_recording *recording, uint64_t serial) {
    jrs_graph *graph = malloc(sizeof *graph);
    uintptr_t handle = graph ? jrs_handle_add(&driver->handles, kind, graph) : 0;
    if (!handle) {
        free(graph);
        jrs_recording_drop(recording);
        return 0;
    }
    *graph = (jrs_graph){handle, serial, recording};
    return handle;
}

jr_cu_result cuGraphInstantiateWithFlags(jr_cu_graph_exec *exec, jr_cu_graph graph, unsigned long long flags) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    if (!exec || !graph || flags > 15) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    const jrs_graph *found = jrs_find(&call, JRS_HANDLE_GRAPH, graph);
    if (!found) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_HANDLE);
    jrs_recording *recording = jrs_recording_share(found->recording); /* graphs never change once captured */
    uintptr_t handle = jrs_graph_add(call.driver, JRS_HANDLE_GRAPH_EXEC, recording, found->serial);
    if (handle) *exec = (jr_cu_graph_exec)handle;
    return jrs_leave(&call, handle ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_OUT_OF_MEMORY);
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
    *self = (replay_task){{.run = replay_run, .destroy = replay_destroy}, jrs_recording_share(recording)};
    return &self->task;
}

jr_cu_result cuGraphLaunch(jr_cu_graph_exec exec, jr_cu_stream stream) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    if (!exec) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    const jrs_graph *found = jrs_find(&call, JRS_HANDLE_GRAPH_EXEC, exec);
    jrs_stream *target = NULL;
    int error = found ? jrs_stream_for_work(&call, stream, &target) : JR_CUDA_ERROR_INVALID_HANDLE;
    if (!error && found->serial != target->object.context->serial) error = JR_CUDA_ERROR_INVALID_HANDLE;
    return jrs_leave(&call, error ? error : jrs_submit(&call, target, replay_create(found->recording)));
}

static int destroy(const jrs_call *call, jrs_handle_kind kind, const void *handle) {
    if (!handle) return JR_CUDA_ERROR_INVALID_VALUE;
    jrs_graph *found = jrs_find(call, kind, handle);
    if (!found) return JR_CUDA_ERROR_INVALID_HANDLE;
    jrs_handle_remove(&call->driver->handles, found->handle);
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
