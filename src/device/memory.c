/* Allocates, clears and copies device memory and what is mapped to it. */
#include "memory.h"

#include <string.h>

#include "base/error.h"

static jr_status allocate_by_hook(const jr_allocator *allocator, uint64_t bytes, jr_cu_stream stream,
                                  jr_cu_deviceptr *address) {
    enum { ALIGNMENT = 256 };
    void *made = allocator->allocate(allocator->self, bytes, stream);
    if (made == NULL)
        return jr_fail(JR_ERROR_DEVICE_OUT_OF_MEMORY, "the allocator of the options has no %llu bytes of device memory",
                       (unsigned long long)bytes);
    if ((uintptr_t)made % ALIGNMENT != 0) {
        allocator->free(allocator->self, made, stream);
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the allocator of the options gave %p for %llu bytes: it must be aligned to %d bytes", made,
                       (unsigned long long)bytes, ALIGNMENT);
    }
    *address = jr_cu_address(made);
    return JR_OK;
}

jr_status jr_memory_allocate(const jr_device *device, uint64_t bytes, jr_cu_stream stream, jr_cu_deviceptr *address) {
    const jr_driver *driver = &device->driver;
    jr_cu_deviceptr made = 0;
    if (bytes > 0 && device->allocator.allocate != NULL)
        return allocate_by_hook(&device->allocator, bytes, stream, address);
    const jr_cu_result result = bytes > 0 ? driver->cuMemAlloc_v2(&made, (size_t)bytes) : JR_CUDA_SUCCESS;
    if (result == JR_CUDA_ERROR_OUT_OF_MEMORY) {
        size_t free_bytes = 0, total_bytes = 0;
        driver->cuMemGetInfo_v2(&free_bytes, &total_bytes);
        return jr_driver_check(driver, result, "allocating %llu bytes of device memory (%zu of %zu bytes are free)",
                               (unsigned long long)bytes, free_bytes, total_bytes);
    }
    if (result == JR_CUDA_SUCCESS) *address = made;
    return jr_driver_check(driver, result, "allocating %llu bytes of device memory", (unsigned long long)bytes);
}

void jr_memory_release(const jr_device *device, jr_cu_deviceptr address, jr_cu_stream stream) {
    const jr_allocator *allocator = &device->allocator;
    if (address == 0) return;
    if (allocator->free != NULL)
        allocator->free(allocator->self, jr_cu_pointer(address), stream);
    else
        device->driver.cuMemFree_v2(address);
}

jr_status jr_memory_free_bytes(const jr_device *device, uint64_t *bytes) {
    size_t free_bytes = 0, total_bytes = 0;
    const jr_cu_result result = device->driver.cuMemGetInfo_v2(&free_bytes, &total_bytes);
    if (result == JR_CUDA_SUCCESS) *bytes = free_bytes;
    return jr_driver_check(&device->driver, result, "asking how much memory is free");
}

jr_status jr_memory_clear(const jr_device *device, jr_cu_deviceptr address, size_t bytes, jr_cu_stream stream) {
    if (bytes == 0) return JR_OK;
    const jr_cu_result result = device->driver.cuMemsetD8Async(address, 0, bytes, stream);
    return jr_driver_check(&device->driver, result, "clearing %zu bytes", bytes);
}

/* Where the driver's block at an address begins, and how long it is; false if it knows none. */
static bool find_range(const jr_driver *driver, jr_cu_deviceptr at, jr_cu_deviceptr *begin, size_t *bytes) {
    return driver->cuPointerGetAttribute(begin, JR_CU_POINTER_RANGE_START, at) == JR_CUDA_SUCCESS &&
           driver->cuPointerGetAttribute(bytes, JR_CU_POINTER_RANGE_BYTES, at) == JR_CUDA_SUCCESS;
}

/* A copy's result. way: "to the device"; at: its device side, of which a refused copy may ask too much. */
static jr_status check_copy(const jr_device *device, jr_cu_result result, const char *way, jr_cu_deviceptr at,
                            uint64_t bytes) {
    const unsigned long long wanted = bytes;
    jr_cu_deviceptr begin = 0;
    size_t range_bytes = 0;
    if (result != JR_CUDA_ERROR_INVALID_VALUE)
        return jr_driver_check(&device->driver, result, "copying %llu bytes %s", wanted, way);
    if (!find_range(&device->driver, at, &begin, &range_bytes))
        return jr_driver_check(&device->driver, result,
                               "copying %llu bytes %s: %p is no device memory (an address of the host?)", wanted, way,
                               (void *)(uintptr_t)at);
    return jr_driver_check(&device->driver, result, "copying %llu bytes %s: the allocation has %llu bytes from %p on",
                           wanted, way, (unsigned long long)(begin + range_bytes - at), (void *)(uintptr_t)at);
}

jr_status jr_memory_upload(const jr_device *device, jr_cu_deviceptr to, const void *from, uint64_t bytes,
                           jr_cu_stream stream) {
    if (bytes == 0) return JR_OK;
    const jr_cu_result result = device->driver.cuMemcpyHtoDAsync_v2(to, from, (size_t)bytes, stream);
    return check_copy(device, result, "to the device", to, bytes);
}

jr_status jr_memory_fetch(const jr_device *device, void *to, jr_cu_deviceptr from, uint64_t bytes,
                          jr_cu_stream stream) {
    if (bytes == 0) return JR_OK;
    const jr_cu_result result = device->driver.cuMemcpyDtoHAsync_v2(to, from, (size_t)bytes, stream);
    return check_copy(device, result, "from the device", from, bytes);
}

jr_status jr_memory_download(const jr_device *device, void *to, jr_cu_deviceptr from, uint64_t bytes,
                             jr_cu_stream stream) {
    JR_TRY(jr_memory_fetch(device, to, from, bytes, stream));
    return check_copy(device, device->driver.cuStreamSynchronize(stream), "from the device", from, bytes);
}

/* Device memory is known whatever its size, and so is what the driver cannot say now (a lost context, say): the CPU
 * must not read it, and a copy gives the error. */
bool jr_memory_is_known(const jr_device *device, const void *address, uint64_t bytes) {
    const jr_driver *driver = &device->driver;
    const jr_cu_deviceptr at = jr_cu_address(address);
    jr_cu_deviceptr begin = 0;
    size_t range_bytes = 0;
    int kind = 0;
    const jr_cu_result result = driver->cuPointerGetAttribute(&kind, JR_CU_POINTER_MEMORY_TYPE, at);
    if (result != JR_CUDA_SUCCESS) return result != JR_CUDA_ERROR_INVALID_VALUE;
    if (kind == JR_CU_MEMORY_DEVICE) return true;
    return find_range(driver, at, &begin, &range_bytes) && at - begin <= range_bytes &&
           bytes <= range_bytes - (at - begin);
}

jr_status jr_memory_wait(const jr_device *device, jr_cu_stream stream) {
    return jr_driver_check(&device->driver, device->driver.cuStreamSynchronize(stream), "waiting for the device");
}

jr_status jr_memory_copy(const jr_device *device, jr_cu_deviceptr to, jr_cu_deviceptr from, uint64_t bytes,
                         jr_cu_stream stream) {
    if (bytes == 0) return JR_OK;
    const jr_cu_result result = device->driver.cuMemcpyDtoDAsync_v2(to, from, (size_t)bytes, stream);
    return jr_driver_check(&device->driver, result, "copying %llu bytes on the device", (unsigned long long)bytes);
}

jr_status jr_memory_pinned(const jr_device *device, uint64_t bytes, void **host) {
    const jr_driver *driver = &device->driver;
    void *made = NULL;
    const jr_cu_result result =
        bytes > 0 ? driver->cuMemHostAlloc(&made, (size_t)bytes, JR_CU_HOST_DEVICE_MAP | JR_CU_HOST_PORTABLE)
                  : JR_CUDA_SUCCESS;
    if (result == JR_CUDA_ERROR_OUT_OF_MEMORY)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no %llu bytes of host memory that the device can write to",
                       (unsigned long long)bytes);
    if (result == JR_CUDA_SUCCESS) *host = made;
    return jr_driver_check(driver, result, "allocating %llu bytes of host memory", (unsigned long long)bytes);
}

jr_status jr_mapped_create(const jr_device *device, size_t bytes, jr_mapped *mapped) {
    const jr_driver *driver = &device->driver;
    jr_mapped made = {0};
    JR_TRY(jr_memory_pinned(device, bytes, &made.host));
    const jr_cu_result result = driver->cuMemHostGetDevicePointer_v2(&made.address, made.host, 0);
    if (result != JR_CUDA_SUCCESS) {
        driver->cuMemFreeHost(made.host);
        return jr_driver_check(driver, result, "mapping %zu bytes of host memory", bytes);
    }
    memset(made.host, 0, bytes);
    *mapped = made;
    return JR_OK;
}

void jr_mapped_destroy(const jr_device *device, jr_mapped *mapped) {
    if (mapped->host != NULL) device->driver.cuMemFreeHost(mapped->host);
    *mapped = (jr_mapped){0};
}
