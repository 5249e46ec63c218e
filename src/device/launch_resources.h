/* What a launch needs: its threads, and the shared memory that a function must be allowed. */
#ifndef JR_DEVICE_LAUNCH_RESOURCES_H
#define JR_DEVICE_LAUNCH_RESOURCES_H

#include "device.h"
#include "jitreduce/kernel.h"

/* True if a launch can begin before the preceding kernels have ended (jr_launch.dependent). */
static inline bool jr_launch_can_depend(const jr_device *device) {
    enum { CAPABILITY_MAJOR = 9, DRIVER_VERSION = 12030 }; /* older drivers do not capture such launches into graphs */
    return device->info.capability_major >= CAPABILITY_MAJOR && device->info.driver_version >= DRIVER_VERSION &&
           device->driver.cuLaunchKernelEx != NULL;
}

/* An extent of a grid or block: 0 means 1. */
static inline unsigned jr_launch_extent(unsigned extent) {
    return extent > 0 ? extent : 1;
}

/* Threads of a block; a product that does not fit is the largest number. */
uint64_t jr_launch_threads(const jr_launch *launch);

/* Reads an attribute of a function, 0 when the driver does not say. */
int jr_launch_attribute(const jr_device *device, jr_cu_function function, int attribute);

/* Too many threads, registers or shared bytes: says what was asked for and what there is. */
jr_status jr_launch_fail_resources(const jr_device *device, jr_cu_function function, const jr_launch *launch,
                                   jr_cu_result result);

/* As jr_launch_allow_shared, of a launch that needs dynamic shared memory. */
jr_status jr_launch_ask_shared(const jr_device *device, jr_cu_function function, const jr_launch *launch);

/* Lets blocks of a function use so much dynamic shared memory; what is free to all needs no leave. The context must be
 * current. Errors: JR_ERROR_LAUNCH_RESOURCES. */
static inline jr_status jr_launch_allow_shared(const jr_device *device, jr_cu_function function,
                                               const jr_launch *launch) {
    return launch->shared_bytes == 0 ? JR_OK : jr_launch_ask_shared(device, function, launch);
}

#endif
