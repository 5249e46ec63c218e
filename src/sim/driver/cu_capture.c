/* Stream capture: beginning, asking and ending. */
#include <stdlib.h>

#include "call.h"
#include "capture.h"
#include "graph.h"

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
    uintptr_t handle = error ? 0 : jrs_graph_add(call.driver, JRS_HANDLE_GRAPH, recording, serial);
    if (!error && !handle) error = JR_CUDA_ERROR_OUT_OF_MEMORY;
    *graph = (jr_cu_graph)handle; /* NULL on failure, as documented */
    return jrs_leave(&call, error);
}
