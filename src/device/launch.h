/* The launch: starts a kernel on a stream, and explains a launch that the driver refuses. */
#ifndef JR_DEVICE_LAUNCH_H
#define JR_DEVICE_LAUNCH_H

#include "launch_resources.h"

/* Launches asynchronously; the context must be current. args as cuLaunchKernel's kernelParams.
 * Errors: JR_ERROR_LAUNCH_RESOURCES with the limits, JR_ERROR_WRONG_CONTEXT, JR_ERROR_INVALID_ARGUMENT,
 * JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
jr_status jr_launch_run(const jr_device *device, jr_cu_function function, const jr_launch *launch, void **args);

#endif
