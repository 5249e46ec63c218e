/* The public kernel functions (kernel.h). */
#include "kernel/kernel.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device/launch.h"
#include "device/launch_attributes.h"
#include "guard.h"
#include "kernel/argument.h"
#include "kernel/context.h"
#include "kernel/kernel_order.h"
#include "loader/nvtx.h"
#include "program/entries.h"
#include "size.h"

jr_status jr_kernel_get(jr_context *context, const jr_program *program, jr_kernel **kernel) {
    JR_GUARD_CALL;
    jr_kernel_cost cost;
    jr_program own;
    JR_TRY(JR_GIVEN(context, program, kernel));
    jr_status status = jr_size_read(&jr_program_sized, program, &own);
    if (status == JR_OK) status = jr_kernel_of_caller(context, &own, kernel, &cost);
    if (status == JR_OK) jr_context_keep_cost(context, &cost);
    return status;
}

jr_status jr_kernel_get_async(jr_context *context, const jr_program *program, jr_kernel_ready *ready, void *user,
                              jr_kernel_order **order) {
    JR_GUARD_CALL;
    jr_program own;
    JR_TRY(JR_GIVEN(context, program, order));
    JR_TRY(jr_size_read(&jr_program_sized, program, &own));
    return jr_order_begin(context, &own, ready, user, order);
}

jr_status jr_kernel_order_wait(jr_kernel_order *order, double wait_ms, jr_kernel **kernel) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(order, kernel));
    return jr_order_wait(order, wait_ms, kernel);
}

void jr_kernel_order_end(jr_kernel_order *order) {
    if (order != NULL) jr_order_end(order);
}

jr_status jr_kernel_load(jr_context *context, const jr_image *image, jr_kernel **kernel) {
    JR_GUARD_CALL;
    jr_kernel_cost cost;
    JR_TRY(JR_GIVEN(context, image, kernel));
    if (jr_entries_several(image->entry))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the image has several kernels, %s: get them by jr_kernels_load",
                       image->entry);
    const jr_status status = jr_kernel_of_image(context, image, kernel, &cost);
    if (status == JR_OK) jr_context_keep_cost(context, &cost);
    return status;
}

const char *jr_kernel_name(const jr_kernel *kernel) {
    return kernel != NULL ? kernel->name : "";
}

/* A driver before CUDA 12.4, and an image without PTX. */
static jr_status fail_unknown(const jr_kernel *kernel) {
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "the parameters of %s are unknown: its image has no PTX, and the driver is older than CUDA 12.4",
                   kernel->name);
}

jr_status jr_kernel_parameters(const jr_kernel *kernel, jr_kernel_parameter *parameters, size_t room, size_t *count) {
    JR_TRY(JR_GIVEN(kernel, count));
    if (room > 0) JR_TRY(JR_GIVEN(parameters));
    if (kernel->parameters.count < 0) return fail_unknown(kernel);
    const size_t all = (size_t)kernel->parameters.count;
    for (size_t i = 0; i < all && i < room; i++) parameters[i] = kernel->parameters.list[i];
    *count = all;
    return JR_OK;
}

jr_status jr_kernel_arguments(const jr_kernel *kernel, const jr_argument *arguments, size_t count, void *room,
                              size_t room_bytes, void **pointers) {
    JR_GUARD_INTEGERS;
    enum { ALIGNED = 16 };
    size_t at = 0;
    JR_TRY(JR_GIVEN(kernel));
    if (count > 0) JR_TRY(JR_GIVEN(arguments, room, pointers));
    if (kernel->parameters.count < 0) return fail_unknown(kernel);
    if (count != (size_t)kernel->parameters.count) return jr_argument_fail_count(kernel, count);
    for (size_t i = 0; i < count; i++) {
        const size_t bytes = kernel->parameters.list[i].bytes;
        if (at > room_bytes || bytes > room_bytes - at)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the room of %zu bytes does not hold argument %zu of %s",
                           room_bytes, i + 1, kernel->name);
        pointers[i] = (char *)room + at;
        const jr_status status = jr_argument_fill(kernel, i, &arguments[i], pointers[i]);
        if (status != JR_OK) return status;
        at += (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    }
    return JR_OK;
}

/* What the driver would read at NULL. */
static jr_status check_pointers(const jr_kernel *kernel, void **args) {
    if (args == NULL && kernel->parameters.count > 0) return jr_argument_fail_count(kernel, 0);
    for (int i = 0; i < kernel->parameters.count; i++)
        if (args[i] == NULL)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "argument %d of %s is NULL: args are pointers to the arguments",
                           i + 1, kernel->name);
    return JR_OK;
}

jr_status jr_kernel_launch(jr_kernel *kernel, const jr_launch *launch, void **args) {
    JR_GUARD_RUN;
    jr_launch own;
    JR_TRY(JR_GIVEN(kernel, launch));
    JR_TRY(jr_size_read(&jr_launch_sized, launch, &own));
    if (own.grid[0] == 0 || own.block[0] == 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a launch of %u blocks of %u threads: both must be 1 or more",
                       own.grid[0], own.block[0]);
    const jr_device *device = kernel->device;
    jr_status status = check_pointers(kernel, args);
    if (status != JR_OK) return status;
    JR_IN_DEVICE(device);
    const bool begun = jr_nvtx_listens() && jr_nvtx_push("launch", kernel->name);
    if (kernel->recorded == NULL)
        status = jr_launch_run(device, kernel->module.function, &own, args);
    else
        status = jr_recorded_launch(kernel->recorded, kernel->module.function, &own, args);
    if (begun) jr_nvtx_pop();
    return status;
}

/* The context is current. */
static jr_status read_info(const jr_kernel *kernel, jr_kernel_info *info) {
    const jr_device *device = kernel->device;
    jr_cu_function function = kernel->module.function;
    const struct {
        int attribute, *value;
    } wanted[] = {{JR_CU_FUNC_REGISTERS, &info->registers},
                  {JR_CU_FUNC_SHARED_BYTES, &info->shared_bytes},
                  {JR_CU_FUNC_LOCAL_BYTES, &info->local_bytes},
                  {JR_CU_FUNC_CONSTANT_BYTES, &info->constant_bytes},
                  {JR_CU_FUNC_MAX_THREADS_PER_BLOCK, &info->max_threads_per_block},
                  {JR_CU_FUNC_PTX_VERSION, &info->ptx_version},
                  {JR_CU_FUNC_BINARY_VERSION, &info->binary_version}};
    jr_status status = JR_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && status == JR_OK; i++)
        status = jr_driver_check(&device->driver,
                                 device->driver.cuFuncGetAttribute(wanted[i].value, wanted[i].attribute, function),
                                 "asking for attribute %d of a kernel", wanted[i].attribute);
    info->max_dynamic_shared_bytes = (int)device->info.shared_bytes_per_block_optin - info->shared_bytes;
    info->parameter_count = kernel->parameters.count;
    info->parameter_bytes = (int)kernel->parameters.bytes;
    return status;
}

jr_status jr_kernel_info_get(jr_kernel *kernel, jr_kernel_info *info) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(kernel, info));
    const jr_device *device = kernel->device;
    jr_kernel_info found = {0};
    JR_TRY(jr_size_check(&jr_kernel_info_sized, info));
    JR_IN_DEVICE(device);
    const jr_status status = read_info(kernel, &found);
    if (status == JR_OK) jr_size_write(&jr_kernel_info_sized, &found, info);
    return status;
}

/* The launch about whose blocks the driver is asked: with so much shared memory it answers only once the kernel is
 * allowed to use it. */
static jr_launch shape_of(int block, size_t shared_bytes) {
    return (jr_launch){.grid = {1},
                       .block = {(unsigned)block},
                       .shared_bytes = shared_bytes < UINT_MAX ? (unsigned)shared_bytes : UINT_MAX};
}

/* The context is current. */
static jr_status ask_occupancy(const jr_kernel *kernel, int block, size_t shared_bytes, int *blocks) {
    const jr_device *device = kernel->device;
    jr_cu_function function = kernel->module.function;
    const jr_launch shape = shape_of(block, shared_bytes);
    const int fixed = jr_launch_attribute(device, function, JR_CU_FUNC_SHARED_BYTES);
    *blocks = 0;
    if (shape.shared_bytes + (uint64_t)fixed > device->info.shared_bytes_per_block_optin) return JR_OK;
    JR_TRY(jr_launch_allow_shared(device, function, &shape));
    const jr_cu_result result =
        device->driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block, shared_bytes);
    return jr_driver_check(&device->driver, result, "asking for the occupancy of blocks of %d threads", block);
}

jr_status jr_kernel_occupancy(jr_kernel *kernel, int block, size_t shared_bytes, int *blocks) {
    JR_GUARD_CALL;
    int found;
    JR_TRY(JR_GIVEN(kernel, blocks));
    if (block <= 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "block is %d: set it to the number of threads, 1 or more", block);
    JR_IN_DEVICE(kernel->device);
    const jr_status status = ask_occupancy(kernel, block, shared_bytes, &found);
    if (status == JR_OK) *blocks = found;
    return status;
}

jr_status jr_kernel_clusters(jr_kernel *kernel, const jr_launch *launch, int *clusters) {
    JR_GUARD_CALL;
    jr_launch own;
    JR_TRY(JR_GIVEN(kernel, launch, clusters));
    JR_TRY(jr_size_read(&jr_launch_sized, launch, &own));
    JR_IN_DEVICE(kernel->device);
    return jr_launch_clusters(kernel->device, kernel->module.function, &own, clusters);
}

/* The context is current. */
static jr_status ask_block(const jr_kernel *kernel, size_t shared_bytes, int *block, int *grid) {
    const jr_device *device = kernel->device;
    const jr_launch shape = shape_of(1, shared_bytes);
    JR_TRY(jr_launch_allow_shared(device, kernel->module.function, &shape));
    const jr_cu_result result =
        device->driver.cuOccupancyMaxPotentialBlockSize(grid, block, kernel->module.function, NULL, shared_bytes, 0);
    return jr_driver_check(&device->driver, result, "asking for the best block size");
}

jr_status jr_kernel_block_choose(jr_kernel *kernel, size_t shared_bytes, int *block, int *grid) {
    JR_GUARD_CALL;
    int best_block = 0, least_grid = 0;
    JR_TRY(JR_GIVEN(kernel, block, grid));
    JR_IN_DEVICE(kernel->device);
    JR_TRY(ask_block(kernel, shared_bytes, &best_block, &least_grid));
    *block = best_block;
    *grid = least_grid;
    return JR_OK;
}
