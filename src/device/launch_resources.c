/* What a launch needs of a device, and what to say where it is too much. */
#include "launch_resources.h"

#include "base/error.h"

/* A block may use this much shared memory, static and dynamic together, without asking.
 * Source: CUDA C++ Programming Guide, "Shared Memory". */
enum { SHARED_BYTES_UNASKED = 48 * 1024 };

int jr_launch_attribute(const jr_device *device, jr_cu_function function, int attribute) {
    int value = 0;
    return device->driver.cuFuncGetAttribute(&value, attribute, function) == JR_CUDA_SUCCESS ? value : 0;
}

/* Threads of a block; a product that does not fit is the largest number. */
uint64_t jr_launch_threads(const jr_launch *launch) {
    uint64_t threads = 0;
    if (__builtin_mul_overflow((uint64_t)launch->block[0] * jr_launch_extent(launch->block[1]),
                               (uint64_t)jr_launch_extent(launch->block[2]), &threads))
        return UINT64_MAX;
    return threads;
}

jr_status jr_launch_fail_resources(const jr_device *device, jr_cu_function function, const jr_launch *launch,
                                   jr_cu_result result) {
    const char *name = NULL;
    device->driver.cuGetErrorName(result, &name);
    return jr_fail_with(
        JR_ERROR_LAUNCH_RESOURCES, name, NULL,
        "a block of %llu threads with %u dynamic shared bytes does not fit: the kernel takes %d registers, %d local "
        "and %d static shared bytes and at most %d threads a block; the device gives a block %llu shared bytes",
        (unsigned long long)jr_launch_threads(launch), launch->shared_bytes,
        jr_launch_attribute(device, function, JR_CU_FUNC_REGISTERS),
        jr_launch_attribute(device, function, JR_CU_FUNC_LOCAL_BYTES),
        jr_launch_attribute(device, function, JR_CU_FUNC_SHARED_BYTES),
        jr_launch_attribute(device, function, JR_CU_FUNC_MAX_THREADS_PER_BLOCK),
        (unsigned long long)device->info.shared_bytes_per_block_optin);
}

/* Asks for leave to use more shared memory than is free to all. The leave is the function's, shared by all threads, so
 * it is always asked for as much as there can be: a smaller amount could take away what another thread relies on. */
jr_status jr_launch_ask_shared(const jr_device *device, jr_cu_function function, const jr_launch *launch) {
    const uint64_t fixed = (uint64_t)jr_launch_attribute(device, function, JR_CU_FUNC_SHARED_BYTES);
    if (fixed + launch->shared_bytes <= SHARED_BYTES_UNASKED) return JR_OK;
    const uint64_t all = device->info.shared_bytes_per_block_optin;
    if (fixed + launch->shared_bytes > all)
        return jr_launch_fail_resources(device, function, launch, JR_CUDA_ERROR_INVALID_VALUE);
    const int most = (int)(all - fixed);
    if (jr_launch_attribute(device, function, JR_CU_FUNC_MAX_DYNAMIC_SHARED_BYTES) >= most) return JR_OK;
    const jr_cu_result result = device->driver.cuFuncSetAttribute(function, JR_CU_FUNC_MAX_DYNAMIC_SHARED_BYTES, most);
    return result == JR_CUDA_SUCCESS ? JR_OK : jr_launch_fail_resources(device, function, launch, result);
}
