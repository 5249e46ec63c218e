/* Copies: who must wait for them.
 *
 * Sync forms go through the legacy stream and wait; between device blocks they do not wait, as the driver documents.
 * Async forms return at once when the host side is allocated or registered here. From other ("pageable") host memory
 * small sources are staged at the call, large ones are copied once, in stream order, while the caller waits; into it,
 * the caller waits. */
#include "call.h"
#include "transfer.h"

enum { STAGED_BYTES = 64 << 10 };

typedef enum direction { HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE } direction;

static bool is_pinned(const jrs_call *call, uint64_t address, size_t bytes) {
    return jrs_memory_holds(call->driver->memory, address, bytes);
}

/* A host address is any but NULL and device memory. */
static bool is_host_side(const jrs_call *call, uint64_t address) {
    jrs_memory_block block;
    if (!address) return false;
    if (!jrs_memory_block_at(call->driver->memory, address, &block)) return true;
    return jrs_memory_is_host(block.kind);
}

static bool is_side(const jrs_call *call, bool on_device, uint64_t address, size_t bytes) {
    return on_device ? jrs_memory_holds(call->driver->memory, address, bytes) : is_host_side(call, address);
}

static jrs_copy make_copy(direction way, uint64_t target, uint64_t source, size_t bytes) {
    return (jrs_copy){target, source, bytes, way != DEVICE_TO_HOST, way != HOST_TO_DEVICE};
}

static int check_copy(const jrs_call *call, const jrs_copy *copy) {
    if (copy->bytes == 0) return JR_CUDA_SUCCESS;
    bool good = is_side(call, copy->target_on_device, copy->target, copy->bytes) &&
                is_side(call, copy->source_on_device, copy->source, copy->bytes);
    return good ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_INVALID_VALUE;
}

static jr_cu_result copy_now(const char *name, const jrs_copy *copy) {
    jrs_call call;
    if (!jrs_enter(&call, name, JRS_NEED_SAFE)) return call.error;
    jrs_stream *legacy;
    int error = jrs_stream_for_work(&call, NULL, &legacy);
    if (!error) error = check_copy(&call, copy);
    if (error || copy->bytes == 0) return jrs_leave(&call, error);
    jrs_task *task = jrs_copy_create(call.driver, copy, false);
    bool on_device = copy->target_on_device && copy->source_on_device;
    return jrs_leave(&call, on_device ? jrs_submit(&call, legacy, task) : jrs_submit_and_wait(&call, legacy, task));
}

static jr_cu_result copy_async(const char *name, const jrs_copy *copy, jr_cu_stream handle) {
    jrs_call call;
    if (!jrs_enter(&call, name, JRS_NEED_HEALTHY)) return call.error;
    jrs_stream *stream;
    int error = jrs_stream_for_work(&call, handle, &stream);
    if (!error) error = check_copy(&call, copy);
    if (error || copy->bytes == 0) return jrs_leave(&call, error);
    bool pageable_source = !copy->source_on_device && !is_pinned(&call, copy->source, copy->bytes);
    bool pageable_target = !copy->target_on_device && !is_pinned(&call, copy->target, copy->bytes);
    bool staged = pageable_source && copy->bytes <= STAGED_BYTES && !stream->capture;
    jrs_task *task = jrs_copy_create(call.driver, copy, staged);
    bool wait = pageable_target || (pageable_source && !staged);
    return jrs_leave(&call, wait ? jrs_submit_and_wait(&call, stream, task) : jrs_submit(&call, stream, task));
}

jr_cu_result cuMemcpyHtoD_v2(jr_cu_deviceptr target, const void *source, size_t bytes) {
    jrs_copy copy = make_copy(HOST_TO_DEVICE, target, (uintptr_t)source, bytes);
    return copy_now(__func__, &copy);
}

jr_cu_result cuMemcpyDtoH_v2(void *target, jr_cu_deviceptr source, size_t bytes) {
    jrs_copy copy = make_copy(DEVICE_TO_HOST, (uintptr_t)target, source, bytes);
    return copy_now(__func__, &copy);
}

jr_cu_result cuMemcpyDtoD_v2(jr_cu_deviceptr target, jr_cu_deviceptr source, size_t bytes) {
    jrs_copy copy = make_copy(DEVICE_TO_DEVICE, target, source, bytes);
    return copy_now(__func__, &copy);
}

jr_cu_result cuMemcpyHtoDAsync_v2(jr_cu_deviceptr target, const void *source, size_t bytes, jr_cu_stream stream) {
    jrs_copy copy = make_copy(HOST_TO_DEVICE, target, (uintptr_t)source, bytes);
    return copy_async(__func__, &copy, stream);
}

jr_cu_result cuMemcpyDtoHAsync_v2(void *target, jr_cu_deviceptr source, size_t bytes, jr_cu_stream stream) {
    jrs_copy copy = make_copy(DEVICE_TO_HOST, (uintptr_t)target, source, bytes);
    return copy_async(__func__, &copy, stream);
}

jr_cu_result cuMemcpyDtoDAsync_v2(jr_cu_deviceptr target, jr_cu_deviceptr source, size_t bytes, jr_cu_stream stream) {
    jrs_copy copy = make_copy(DEVICE_TO_DEVICE, target, source, bytes);
    return copy_async(__func__, &copy, stream);
}
