/* What a kernel takes of the device, in words: for info, run and replay. */
#ifndef CLI_KERNEL_PRINT_H
#define CLI_KERNEL_PRINT_H

#include <jitreduce.h>

/* Prints registers, memory and occupancy of a kernel that is launched so. */
jr_status cli_kernel_print(jr_kernel *kernel, const jr_launch *launch, const jr_device_info *device);

/* Measures a launch, and prints the median of its times. */
jr_status cli_kernel_print_time(jr_context *context, jr_kernel *kernel, const jr_launch *launch, void **pointers);

#endif
