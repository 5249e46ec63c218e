/* Checks launches with attributes, and puts them into the driver's terms. */
#include "launch_attributes.h"

#include <string.h>

#include "base/error.h"

enum { OWN_MAX = 5, CALLERS_MAX = 32, PORTABLE_CLUSTER = 8 };

/* A launch as cuLaunchKernelEx takes it. Not copied: it points into itself. */
typedef struct described {
    jr_cu_launch_config config;
    jr_cu_launch_attribute attributes[OWN_MAX + CALLERS_MAX];
} described;

static bool has_cluster(const jr_launch *launch) {
    return launch->cluster[0] > 0 || launch->cluster[1] > 0 || launch->cluster[2] > 0;
}

static jr_cu_launch_attribute *add(described *made, int id) {
    jr_cu_launch_attribute *attribute = &made->attributes[made->config.attribute_count++];
    attribute->id = id;
    return attribute;
}

static void describe(const jr_device *device, const jr_launch *launch, described *made) {
    memset(made, 0, sizeof *made);
    for (int i = 0; i < 3; i++) {
        made->config.grid[i] = jr_launch_extent(launch->grid[i]);
        made->config.block[i] = jr_launch_extent(launch->block[i]);
    }
    made->config.shared_bytes = launch->shared_bytes;
    made->config.stream = launch->stream;
    made->config.attributes = made->attributes;
    if (launch->dependent && jr_launch_can_depend(device)) add(made, JR_CU_LAUNCH_DEPENDENT)->value.flag = 1;
    if (launch->cooperative) add(made, JR_CU_LAUNCH_COOPERATIVE)->value.flag = 1;
    if (has_cluster(launch)) {
        unsigned *cluster = add(made, JR_CU_LAUNCH_CLUSTER)->value.cluster;
        for (int i = 0; i < 3; i++) cluster[i] = jr_launch_extent(launch->cluster[i]);
    }
    if (launch->cluster_policy) add(made, JR_CU_LAUNCH_CLUSTER_POLICY)->value.flag = (int)launch->cluster_policy;
    if (launch->priority) add(made, JR_CU_LAUNCH_PRIORITY)->value.flag = launch->priority;
    if (launch->attribute_count > 0)
        memcpy(&made->attributes[made->config.attribute_count], launch->attributes,
               launch->attribute_count * sizeof *made->attributes);
    made->config.attribute_count += (unsigned)launch->attribute_count;
}

jr_cu_result jr_launch_with_attributes(const jr_device *device, jr_cu_function function, const jr_launch *launch,
                                       void **args) {
    described made;
    describe(device, launch, &made);
    return device->driver.cuLaunchKernelEx(&made.config, function, args, NULL);
}

/* ---- what is refused ---- */

static jr_status check_values(const jr_device *device, const jr_launch *launch) {
    if (launch->cooperative != 0 && launch->cooperative != 1)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "cooperative is %d: give 0 or 1", launch->cooperative);
    if ((unsigned)launch->cluster_policy > JR_CLUSTER_POLICY_LOAD_BALANCE)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "cluster_policy is %d: give one of jr_cluster_policy",
                       (int)launch->cluster_policy);
    if (launch->attribute_count > CALLERS_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the launch has %zu attributes: give at most %d",
                       launch->attribute_count, CALLERS_MAX);
    if (launch->attribute_count > 0 && launch->attributes == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the launch has %zu attributes, but their array is NULL",
                       launch->attribute_count);
    if (device->driver.cuLaunchKernelEx == NULL)
        return jr_fail(JR_ERROR_MISSING_FUNCTION,
                       "this driver takes no attributes of launches: CUDA 11.8 or later is needed");
    return JR_OK;
}

/* Of a launch that asks for clusters. */
static jr_status check_cluster(const jr_device *device, const jr_launch *launch) {
    int can = 0;
    for (int i = 0; i < 3; i++) {
        const unsigned grid = jr_launch_extent(launch->grid[i]), cluster = jr_launch_extent(launch->cluster[i]);
        if (grid % cluster != 0)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "grid %c of the launch is %u, and its cluster has %u blocks there: make the grid a multiple",
                           "xyz"[i], grid, cluster);
    }
    device->driver.cuDeviceGetAttribute(&can, JR_CU_DEVICE_CLUSTER_LAUNCH, device->handle);
    if (can) return JR_OK;
    return jr_fail(JR_ERROR_LAUNCH_RESOURCES,
                   "this device has compute capability %d.%d and no clusters, which begin with 9.0",
                   device->info.capability_major, device->info.capability_minor);
}

static uint64_t cluster_blocks(const jr_launch *launch) {
    uint64_t blocks = 1;
    for (int i = 0; i < 3; i++)
        if (__builtin_mul_overflow(blocks, (uint64_t)jr_launch_extent(launch->cluster[i]), &blocks)) return UINT64_MAX;
    return blocks;
}

/* Every device with clusters has those of 8 blocks; larger ones must be allowed. */
static void allow_cluster(const jr_device *device, jr_cu_function function, const jr_launch *launch) {
    if (cluster_blocks(launch) <= PORTABLE_CLUSTER) return;
    if (jr_launch_attribute(device, function, JR_CU_FUNC_CLUSTER_NON_PORTABLE)) return;
    device->driver.cuFuncSetAttribute(function, JR_CU_FUNC_CLUSTER_NON_PORTABLE, 1);
}

/* Blocks that are resident on the device at the same time. */
static jr_status ask_resident(const jr_device *device, jr_cu_function function, const jr_launch *launch,
                              uint64_t *blocks) {
    int found = 0;
    if (has_cluster(launch)) {
        JR_TRY(jr_launch_clusters(device, function, launch, &found));
        *blocks = (uint64_t)found * cluster_blocks(launch);
        return JR_OK;
    }
    const uint64_t threads = jr_launch_threads(launch);
    const int block = threads < INT32_MAX ? (int)threads : INT32_MAX;
    JR_TRY(jr_driver_check(
        &device->driver,
        device->driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(&found, function, block, launch->shared_bytes),
        "asking for the occupancy of blocks of %d threads", block));
    *blocks = (uint64_t)found * (uint64_t)device->info.multiprocessor_count;
    return JR_OK;
}

static jr_status check_cooperative(const jr_device *device, jr_cu_function function, const jr_launch *launch) {
    uint64_t resident = 0, blocks = launch->grid[0];
    int can = 0;
    for (int i = 1; i < 3; i++)
        if (__builtin_mul_overflow(blocks, (uint64_t)jr_launch_extent(launch->grid[i]), &blocks)) blocks = UINT64_MAX;
    device->driver.cuDeviceGetAttribute(&can, JR_CU_DEVICE_COOPERATIVE_LAUNCH, device->handle);
    if (!can) return jr_fail(JR_ERROR_LAUNCH_RESOURCES, "this device has no cooperative launches");
    JR_TRY(ask_resident(device, function, launch, &resident));
    if (resident == 0 || blocks <= resident) return JR_OK; /* 0: a block does not fit, which the launch reports */
    return jr_fail(JR_ERROR_LAUNCH_RESOURCES,
                   "a cooperative launch of %llu blocks does not fit: of blocks of %llu threads with %u dynamic shared "
                   "bytes this device holds %llu at the same time; launch at most %llu, each with more work",
                   (unsigned long long)blocks, (unsigned long long)jr_launch_threads(launch), launch->shared_bytes,
                   (unsigned long long)resident, (unsigned long long)resident);
}

jr_status jr_launch_attributes_check(const jr_device *device, jr_cu_function function, const jr_launch *launch) {
    JR_TRY(check_values(device, launch));
    if (has_cluster(launch)) {
        JR_TRY(check_cluster(device, launch));
        allow_cluster(device, function, launch);
    }
    return launch->cooperative ? check_cooperative(device, function, launch) : JR_OK;
}

jr_status jr_launch_clusters(const jr_device *device, jr_cu_function function, const jr_launch *launch, int *clusters) {
    described made;
    int found = 0;
    JR_TRY(check_values(device, launch));
    if (device->driver.cuOccupancyMaxActiveClusters == NULL)
        return jr_fail(JR_ERROR_MISSING_FUNCTION, "this driver does not report clusters: CUDA 11.8 or later is needed");
    JR_TRY(check_cluster(device, launch));
    JR_TRY(jr_launch_allow_shared(device, function, launch));
    allow_cluster(device, function, launch);
    describe(device, launch, &made);
    const jr_cu_result result = device->driver.cuOccupancyMaxActiveClusters(&found, function, &made.config);
    JR_TRY(jr_driver_check(&device->driver, result, "asking how many clusters of %llu blocks fit",
                           (unsigned long long)cluster_blocks(launch)));
    *clusters = found;
    return JR_OK;
}
