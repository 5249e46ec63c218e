/* Allocates mapped memory. */
#include "mapped.h"

#include <string.h>

#include "base/error.h"

jr_status jr_mapped_create(const jr_device *device, size_t bytes, jr_mapped *mapped) {
    const jr_driver *driver = &device->driver;
    jr_mapped made = {0};
    jr_cu_result result = driver->cuMemHostAlloc(&made.host, bytes, JR_CU_HOST_DEVICE_MAP | JR_CU_HOST_PORTABLE);
    if (result == JR_CUDA_ERROR_OUT_OF_MEMORY)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no %zu bytes of host memory that the device can write to", bytes);
    if (result != JR_CUDA_SUCCESS) return jr_driver_fail(driver, result, "allocating %zu bytes of host memory", bytes);
    result = driver->cuMemHostGetDevicePointer_v2(&made.address, made.host, 0);
    if (result != JR_CUDA_SUCCESS) {
        driver->cuMemFreeHost(made.host);
        return jr_driver_fail(driver, result, "mapping %zu bytes of host memory", bytes);
    }
    memset(made.host, 0, bytes);
    *mapped = made;
    return JR_OK;
}

void jr_mapped_destroy(const jr_device *device, jr_mapped *mapped) {
    if (mapped->host != NULL) device->driver.cuMemFreeHost(mapped->host);
    *mapped = (jr_mapped){0};
}
