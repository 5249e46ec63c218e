/* Device memory, host memory that the device sees (one address serves both sides), and pointers. */
#include <string.h>

#include "across.h"

enum { REGISTER_IO = 4, REGISTER_READ_ONLY = 8 };

static jrs_owner owner_now(const jrs_call *call) {
    return (jrs_owner){call->context->serial, call->context->device};
}

static int allocate(const jrs_call *call, jrs_memory_kind kind, size_t bytes, uint64_t *begin) {
    const jrs_block_request request = {.kind = kind, .bytes = bytes, .owner = owner_now(call)};
    return jrs_memory_allocate(call->driver->memory, &request, begin);
}

/* Waits for all work handed over so far that may touch the block, and frees it. False when no live block of this kind
 * begins at address. */
static bool release(jrs_call *call, jrs_memory_kind kind, uint64_t address) {
    jrs_memory_block block;
    bool there = jrs_memory_block_at(call->driver->memory, address, &block);
    if (!there || block.kind != kind || block.begin != address) return false;
    const unsigned devices =
        jrs_memory_is_host(kind) ? jrs_all_devices(call->driver) : jrs_sharers(call->driver, block.owner.device);
    const bool released = jrs_pause(call, devices) && jrs_memory_release(call->driver->memory, kind, address);
    jrs_resume(call);
    return released;
}

jr_cu_result cuMemAlloc_v2(jr_cu_deviceptr *address, size_t bytes) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_SAFE)) return call.error;
    if (!address) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    uint64_t begin;
    int error = allocate(&call, JRS_MEMORY_DEVICE, bytes, &begin);
    if (!error) *address = begin;
    return jrs_leave(&call, error);
}

/* Freeing nothing is fine, as with free(NULL). */
jr_cu_result cuMemFree_v2(jr_cu_deviceptr address) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_SAFE)) return call.error;
    bool freed = address == 0 || release(&call, JRS_MEMORY_DEVICE, address);
    return jrs_leave(&call, freed ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_INVALID_VALUE);
}

jr_cu_result cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    if (!free_bytes || !total_bytes) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    jrs_memory_totals totals;
    jrs_memory_count(call.driver->memory, &totals);
    *free_bytes = totals.limit_bytes - totals.used_bytes[call.context->device];
    *total_bytes = totals.limit_bytes;
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

/* With unified addressing every host allocation is portable and mapped, whatever the flags say. */
jr_cu_result cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_SAFE)) return call.error;
    unsigned known = JR_CU_HOST_PORTABLE | JR_CU_HOST_DEVICE_MAP | JR_CU_HOST_WRITE_COMBINED;
    if (!address || (flags & ~known)) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    uint64_t begin;
    int error = allocate(&call, JRS_MEMORY_HOST, bytes, &begin);
    if (!error) *address = (void *)(uintptr_t)begin;
    return jrs_leave(&call, error);
}

jr_cu_result cuMemFreeHost(void *address) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_SAFE)) return call.error;
    bool freed = release(&call, JRS_MEMORY_HOST, (uintptr_t)address);
    return jrs_leave(&call, freed ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_INVALID_VALUE);
}

jr_cu_result cuMemHostGetDevicePointer_v2(jr_cu_deviceptr *device, void *host, unsigned flags) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    jrs_memory_block block;
    if (!device || flags || !jrs_memory_block_at(call.driver->memory, (uintptr_t)host, &block) ||
        !jrs_memory_is_host(block.kind))
        return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    *device = (uintptr_t)host;
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

jr_cu_result cuMemHostRegister_v2(void *address, size_t bytes, unsigned flags) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_SAFE)) return call.error;
    unsigned known = JR_CU_HOST_PORTABLE | JR_CU_HOST_DEVICE_MAP | REGISTER_IO | REGISTER_READ_ONLY;
    if (flags & ~known) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    const jrs_owner owner = owner_now(&call);
    return jrs_leave(&call, jrs_memory_register(call.driver->memory, (uintptr_t)address, bytes, owner));
}

jr_cu_result cuMemHostUnregister(void *address) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_SAFE)) return call.error;
    if (!address) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    bool freed = release(&call, JRS_MEMORY_REGISTERED, (uintptr_t)address);
    return jrs_leave(&call, freed ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

/* The handle of the context that owns a block. */
static uintptr_t owner_of(const jrs_call *call, const jrs_memory_block *block) {
    for (size_t i = 0; i < call->driver->handles.count; i++) {
        const jrs_handle_slot *slot = &call->driver->handles.slots[i];
        if (!slot->object || slot->kind != JRS_HANDLE_CONTEXT) continue;
        const jrs_context *context = slot->object;
        if (context->serial == block->owner.context) return context->handle;
    }
    return 0;
}

static int read_attribute(const jrs_call *call, int attribute, uint64_t address, void *value) {
    jrs_memory_block block;
    if (!jrs_memory_block_at(call->driver->memory, address, &block)) return JR_CUDA_ERROR_INVALID_VALUE;
    uint64_t word = address;
    int number = jrs_memory_is_host(block.kind) ? JR_CU_MEMORY_HOST : JR_CU_MEMORY_DEVICE;
    switch (attribute) {
    case JR_CU_POINTER_MEMORY_TYPE: memcpy(value, &number, sizeof number); return JR_CUDA_SUCCESS;
    case JR_CU_POINTER_DEVICE_ORDINAL: memcpy(value, &block.owner.device, sizeof number); return JR_CUDA_SUCCESS;
    case JR_CU_POINTER_CONTEXT: word = owner_of(call, &block); break;
    case JR_CU_POINTER_DEVICE_POINTER: break;
    case JR_CU_POINTER_HOST_POINTER:
        if (!jrs_memory_is_host(block.kind)) return JR_CUDA_ERROR_INVALID_VALUE;
        break;
    case JR_CU_POINTER_RANGE_START: word = block.begin; break;
    case JR_CU_POINTER_RANGE_BYTES: word = block.end - block.begin; break;
    default: return JR_CUDA_ERROR_INVALID_VALUE;
    }
    memcpy(value, &word, sizeof word);
    return JR_CUDA_SUCCESS;
}

jr_cu_result cuPointerGetAttribute(void *value, int attribute, jr_cu_deviceptr address) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    return jrs_leave(&call, value ? read_attribute(&call, attribute, address, value) : JR_CUDA_ERROR_INVALID_VALUE);
}
