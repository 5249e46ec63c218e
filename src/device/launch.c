/* Launches kernels. */
#include "launch.h"

#include "base/error.h"
#include "launch_attributes.h"

/* Fails with the first dimension that is above the device's limit, which the message has; JR_OK when none is. */
static jr_status check_dimensions(const jr_device *device, const jr_launch *launch) {
    const struct {
        const char *name;
        unsigned wanted;
        int limit;
    } dimensions[] = {{"grid x", launch->grid[0], JR_CU_DEVICE_MAX_GRID_DIM_X},
                      {"grid y", launch->grid[1], JR_CU_DEVICE_MAX_GRID_DIM_Y},
                      {"grid z", launch->grid[2], JR_CU_DEVICE_MAX_GRID_DIM_Z},
                      {"block x", launch->block[0], JR_CU_DEVICE_MAX_BLOCK_DIM_X},
                      {"block y", launch->block[1], JR_CU_DEVICE_MAX_BLOCK_DIM_Y},
                      {"block z", launch->block[2], JR_CU_DEVICE_MAX_BLOCK_DIM_Z}};
    for (size_t i = 0; i < sizeof dimensions / sizeof dimensions[0]; i++) {
        int most = 0;
        if (device->driver.cuDeviceGetAttribute(&most, dimensions[i].limit, device->handle) != JR_CUDA_SUCCESS)
            continue;
        if (dimensions[i].wanted > (unsigned)most)
            return jr_fail(JR_ERROR_LAUNCH_RESOURCES, "%s of the launch is %u: this device takes at most %d",
                           dimensions[i].name, dimensions[i].wanted, most);
    }
    return JR_OK;
}

static bool asks_too_much(const jr_device *device, jr_cu_function function, const jr_launch *launch) {
    const int most_threads = jr_launch_attribute(device, function, JR_CU_FUNC_MAX_THREADS_PER_BLOCK);
    const uint64_t shared =
        (uint64_t)launch->shared_bytes + (uint64_t)jr_launch_attribute(device, function, JR_CU_FUNC_SHARED_BYTES);
    return jr_launch_threads(launch) > (uint64_t)most_threads || shared > device->info.shared_bytes_per_block_optin;
}

static jr_status fail_launch(const jr_device *device, jr_cu_function function, const jr_launch *launch,
                             jr_cu_result result) {
    const char *name = NULL;
    device->driver.cuGetErrorName(result, &name);
    const bool refused = result == JR_CUDA_ERROR_INVALID_VALUE || result == JR_CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    if (result == JR_CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES || (refused && asks_too_much(device, function, launch)))
        return jr_launch_fail_resources(device, function, launch, result);
    if (refused) {
        const jr_status status = check_dimensions(device, launch);
        if (status != JR_OK) return status;
    }
    if (result == JR_CUDA_ERROR_INVALID_HANDLE || result == JR_CUDA_ERROR_INVALID_CONTEXT)
        return jr_fail_with(
            JR_ERROR_WRONG_CONTEXT, name, NULL,
            "stream %p belongs to another context: pass a stream created in the plan's or kernel's context",
            (void *)launch->stream);
    return jr_driver_check(&device->driver, result, "launching %u x %u x %u blocks of %llu threads", launch->grid[0],
                           jr_launch_extent(launch->grid[1]), jr_launch_extent(launch->grid[2]),
                           (unsigned long long)jr_launch_threads(launch));
}

static jr_cu_result launch_plain(const jr_device *device, jr_cu_function function, const jr_launch *launch,
                                 void **args) {
    return device->driver.cuLaunchKernel(function, launch->grid[0], jr_launch_extent(launch->grid[1]),
                                         jr_launch_extent(launch->grid[2]), launch->block[0],
                                         jr_launch_extent(launch->block[1]), jr_launch_extent(launch->block[2]),
                                         launch->shared_bytes, launch->stream, args, NULL);
}

/* Plans launch so: without what other attributes need, which costs a flat reduction more than 1 %. */
static jr_cu_result launch_dependent(const jr_device *device, jr_cu_function function, const jr_launch *launch,
                                     void **args) {
    jr_cu_launch_attribute attribute = {.id = JR_CU_LAUNCH_DEPENDENT, .value.flag = 1};
    const jr_cu_launch_config config = {
        .grid = {launch->grid[0], jr_launch_extent(launch->grid[1]), jr_launch_extent(launch->grid[2])},
        .block = {launch->block[0], jr_launch_extent(launch->block[1]), jr_launch_extent(launch->block[2])},
        .shared_bytes = launch->shared_bytes,
        .stream = launch->stream,
        .attributes = &attribute,
        .attribute_count = 1};
    return device->driver.cuLaunchKernelEx(&config, function, args, NULL);
}

jr_status jr_launch_run(const jr_device *device, jr_cu_function function, const jr_launch *launch, void **args) {
    JR_TRY(jr_launch_allow_shared(device, function, launch));
    const bool more = jr_launch_has_attributes(launch);
    const bool depends = launch->dependent && jr_launch_can_depend(device);
    if (more) JR_TRY(jr_launch_attributes_check(device, function, launch));
    const jr_cu_result result = (more      ? jr_launch_with_attributes
                                 : depends ? launch_dependent
                                           : launch_plain)(device, function, launch, args);
    return result == JR_CUDA_SUCCESS ? JR_OK : fail_launch(device, function, launch, result);
}
