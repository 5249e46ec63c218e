/* Launches with attributes: cooperative ones, clusters, priorities, dependent ones, and what the caller adds. */
#ifndef JR_DEVICE_LAUNCH_ATTRIBUTES_H
#define JR_DEVICE_LAUNCH_ATTRIBUTES_H

#include "launch.h"

/* Does a launch ask for more than a grid, a block and a stream? */
bool jr_launch_has_attributes(const jr_launch *launch);

/* Checks what a driver would refuse without a reason, and lets the function have large clusters. The context must be
 * current. Errors: those of jr_kernel_launch. */
jr_status jr_launch_attributes_check(const jr_device *device, jr_cu_function function, const jr_launch *launch);

/* Launches with attributes; it has been checked. */
jr_cu_result jr_launch_with_attributes(const jr_device *device, jr_cu_function function, const jr_launch *launch,
                                       void **args);

/* Asks how many clusters of a launch are resident at the same time. The context must be current.
 * Errors: those of jr_kernel_clusters. */
jr_status jr_launch_clusters(const jr_device *device, jr_cu_function function, const jr_launch *launch, int *clusters);

#endif
