/* Intercepts the driver's functions for device memory. */
#include "allocations.h"

#include <stdatomic.h>

#include "kernel/context.h"

static jr_driver behind;
static atomic_long made, freed;

static jr_cu_result count_alloc(jr_cu_deviceptr *address, size_t bytes) {
    const jr_cu_result result = behind.cuMemAlloc_v2(address, bytes);
    if (result == JR_CUDA_SUCCESS) atomic_fetch_add(&made, 1);
    return result;
}

static jr_cu_result count_free(jr_cu_deviceptr address) {
    const jr_cu_result result = behind.cuMemFree_v2(address);
    if (result == JR_CUDA_SUCCESS && address != 0) atomic_fetch_add(&freed, 1);
    return result;
}

void allocations_watch(const opened *device) {
    jr_driver *driver = &device->context->device.driver;
    if (driver->cuMemAlloc_v2 != count_alloc) behind = *driver;
    driver->cuMemAlloc_v2 = count_alloc;
    driver->cuMemFree_v2 = count_free;
    atomic_store(&made, 0);
    atomic_store(&freed, 0);
}

allocations allocations_seen(void) {
    const long of_all = atomic_load(&made);
    return (allocations){.made = of_all, .live = of_all - atomic_load(&freed)};
}
