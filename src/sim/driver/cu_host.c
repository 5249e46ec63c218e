/* Host memory that the device sees: allocated or registered. One address serves both sides. */
#include "call.h"
#include "release.h"

enum { REGISTER_IO = 4, REGISTER_READ_ONLY = 8 };

/* With unified addressing every host allocation is portable and mapped, whatever the flags say. */
jr_cu_result cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_SAFE)) return call.error;
    unsigned known = JR_CU_HOST_PORTABLE | JR_CU_HOST_DEVICE_MAP | JR_CU_HOST_WRITE_COMBINED;
    if (!address || (flags & ~known)) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    jrs_block_request request = {.kind = JRS_MEMORY_HOST, .bytes = bytes, .owner = call.context->serial};
    uint64_t begin = 0;
    int error = jrs_memory_allocate(call.driver->memory, &request, &begin);
    if (!error) *address = (void *)(uintptr_t)begin;
    return jrs_leave(&call, error);
}

jr_cu_result cuMemFreeHost(void *address) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_SAFE)) return call.error;
    bool freed = jrs_release(&call, JRS_MEMORY_HOST, (uintptr_t)address);
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
    uint64_t owner = call.context->serial;
    return jrs_leave(&call, jrs_memory_register(call.driver->memory, (uintptr_t)address, bytes, owner));
}

jr_cu_result cuMemHostUnregister(void *address) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_SAFE)) return call.error;
    if (!address) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    bool freed = jrs_release(&call, JRS_MEMORY_REGISTERED, (uintptr_t)address);
    return jrs_leave(&call, freed ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}
