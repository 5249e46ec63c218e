/* Memsets. The sync forms go through the legacy stream and wait only when the target is host memory. */
#include "call.h"
#include "transfer.h"

static int check_fill(const jrs_call *call, const jrs_fill *fill) {
    if (fill->count == 0) return JR_CUDA_SUCCESS;
    bool good = fill->target % fill->width == 0 && fill->count <= SIZE_MAX / fill->width &&
                jrs_memory_holds(call->driver->memory, fill->target, fill->count * fill->width);
    return good ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_INVALID_VALUE;
}

static bool is_host_memory(const jrs_call *call, uint64_t address) {
    jrs_memory_block block;
    return jrs_memory_block_at(call->driver->memory, address, &block) && jrs_memory_is_host(block.kind);
}

static jr_cu_result fill_in(const char *name, const jrs_fill *fill, jr_cu_stream handle, bool async) {
    jrs_call call;
    if (!jrs_enter(&call, name, async ? JRS_NEED_HEALTHY : JRS_NEED_SAFE)) return call.error;
    jrs_stream *stream;
    int error = jrs_stream_for_work(&call, handle, &stream);
    if (!error) error = check_fill(&call, fill);
    if (error || fill->count == 0) return jrs_leave(&call, error);
    jrs_task *task = jrs_fill_create(call.driver, fill);
    bool wait = !async && is_host_memory(&call, fill->target);
    return jrs_leave(&call, wait ? jrs_submit_and_wait(&call, stream, task) : jrs_submit(&call, stream, task));
}

jr_cu_result cuMemsetD8_v2(jr_cu_deviceptr target, unsigned char value, size_t count) {
    jrs_fill fill = {target, count, value, 1};
    return fill_in(__func__, &fill, NULL, false);
}

jr_cu_result cuMemsetD32_v2(jr_cu_deviceptr target, unsigned value, size_t count) {
    jrs_fill fill = {target, count, value, 4};
    return fill_in(__func__, &fill, NULL, false);
}

jr_cu_result cuMemsetD8Async(jr_cu_deviceptr target, unsigned char value, size_t count, jr_cu_stream stream) {
    jrs_fill fill = {target, count, value, 1};
    return fill_in(__func__, &fill, stream, true);
}

jr_cu_result cuMemsetD32Async(jr_cu_deviceptr target, unsigned value, size_t count, jr_cu_stream stream) {
    jrs_fill fill = {target, count, value, 4};
    return fill_in(__func__, &fill, stream, true);
}
