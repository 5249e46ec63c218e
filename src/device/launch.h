/* The launch: starts a kernel on a stream, and explains a launch that the driver refuses. */
#ifndef JR_DEVICE_LAUNCH_H
#define JR_DEVICE_LAUNCH_H

#include "device.h"
#include "jitreduce/kernel.h"

/* Launches asynchronously; the context must be current. args as cuLaunchKernel's kernelParams.
 * Errors: JR_ERROR_LAUNCH_RESOURCES with the limits, JR_ERROR_WRONG_CONTEXT, JR_ERROR_INVALID_ARGUMENT,
 * JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
jr_status jr_launch_run(const jr_device *device, jr_cu_function function, const jr_launch *launch, void **args);

/* True if a launch can begin before the preceding kernels have ended (jr_launch.dependent). */
bool jr_launch_can_depend(const jr_device *device);

/* Lets blocks of a function use so much dynamic shared memory; what is free to all needs no leave. The context must be
 * current. Errors: JR_ERROR_LAUNCH_RESOURCES. */
jr_status jr_launch_allow_shared(const jr_device *device, jr_cu_function function, const jr_launch *launch);

/* An extent of a grid or block: 0 means 1. */
static inline unsigned jr_launch_extent(unsigned extent) {
    return extent > 0 ? extent : 1;
}

/* Threads of a block; a product that does not fit is the largest number. */
uint64_t jr_launch_threads(const jr_launch *launch);

/* Reads an attribute of a function, 0 when the driver does not say. */
int jr_launch_attribute(const jr_device *device, jr_cu_function function, int attribute);

#endif
