/* Launches with attributes: cooperative ones, clusters, priorities, dependent ones, and what the caller adds. */
#ifndef JR_DEVICE_LAUNCH_ATTRIBUTES_H
#define JR_DEVICE_LAUNCH_ATTRIBUTES_H

#include "launch_resources.h"

/* Does a launch ask for more than a grid, a block, a stream and to be dependent? Every launch asks, so it has no
 * branches but one. */
static inline bool jr_launch_has_attributes(const jr_launch *launch) {
    const unsigned cluster = launch->cluster[0] | launch->cluster[1] | launch->cluster[2];
    return (cluster | (unsigned)launch->cooperative | (unsigned)launch->cluster_policy | (unsigned)launch->priority) !=
               0 ||
           launch->attribute_count > 0;
}

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
