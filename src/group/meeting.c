/* Meetings: what the devices of one process need to push their states into each other's slots
 * (kernels_src/operators/meet.cuh). */
#include "meeting.h"

#include "abi.h"
#include "base/error.h"
#include "lost.h"

/* ---- who reaches whom ---- */

static jr_status check_pair(const jr_group *group, size_t one, size_t other) {
    const jr_device *a = &group->contexts[one]->device, *b = &group->contexts[other]->device;
    int can = 0;
    if (a->handle == b->handle)
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "devices %zu and %zu of the group are one device, where kernels cannot wait for each other", one,
                       other);
    if (a->driver.cuDeviceCanAccessPeer != NULL && a->driver.cuCtxEnablePeerAccess != NULL)
        a->driver.cuDeviceCanAccessPeer(&can, a->handle, b->handle);
    if (can) return JR_OK;
    return jr_fail(JR_ERROR_NOT_APPLICABLE, "device %zu of the group (%s) cannot reach the memory of device %zu (%s)",
                   one, a->info.name, other, b->info.name);
}

/* The context is current, and those of all others have started. */
static jr_status reach_all(const jr_group *group, size_t index) {
    const jr_device *device = &group->contexts[index]->device;
    const jr_driver *driver = &device->driver;
    jr_status status = JR_OK;
    for (size_t k = 0; status == JR_OK && k < group->size; k++) {
        const jr_device *other = &group->contexts[k]->device;
        if (k == index) continue;
        const jr_cu_result result = driver->cuCtxEnablePeerAccess(other->context, 0);
        if (result != JR_CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
            status = jr_driver_check(driver, result, "reaching the memory of device %zu of the group", k);
    }
    return status;
}

static jr_status enter_and_reach(const jr_group *group, size_t index, bool reach) {
    const jr_device *device = &group->contexts[index]->device;
    JR_IN_DEVICE(device);
    return reach ? reach_all(group, index) : JR_OK;
}

jr_status jr_meeting_check(const jr_group *group) {
    jr_status status = JR_OK;
    if (!jr_group_is_alone(group))
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "the group has %d ranks: peer access needs devices of one process",
                       group->exchange.ranks);
    for (size_t i = 0; status == JR_OK && i < group->size; i++)
        for (size_t k = 0; status == JR_OK && k < group->size; k++)
            if (i != k) status = check_pair(group, i, k);
    for (size_t i = 0; status == JR_OK && i < group->size; i++) status = enter_and_reach(group, i, false);
    for (size_t i = 0; status == JR_OK && i < group->size; i++) status = enter_and_reach(group, i, true);
    return status;
}

/* ---- places ---- */

/* The memory of the driver's own: what a caller's allocator gives need not be there for peers. */
static jr_status allocate(const jr_device *device, size_t bytes, jr_cu_deviceptr *address) {
    const jr_driver *driver = &device->driver;
    jr_cu_deviceptr made = 0;
    jr_cu_result result = driver->cuMemAlloc_v2(&made, bytes);
    if (result == JR_CUDA_SUCCESS) *address = made;
    if (result == JR_CUDA_SUCCESS) result = driver->cuMemsetD8_v2(made, 0, bytes);
    return jr_driver_check(driver, result, "allocating %zu bytes of device memory for the states of a group", bytes);
}

static jr_status allocate_on(jr_meeting *meeting, size_t index) {
    const jr_group *group = meeting->group;
    const jr_device *device = &group->contexts[index]->device;
    JR_IN_DEVICE_TO_WAIT(device, NULL);
    JR_TRY(allocate(device, sizeof(jr_peers) + meeting->slots_bytes, &meeting->peers[index]));
    return index == 0 ? jr_mapped_create(device, (1 + group->size) * sizeof(uint32_t), &meeting->words) : JR_OK;
}

/* The device's slots are clear, and the next run is its first. */
static jr_status introduce(const jr_meeting *meeting, size_t index) {
    const jr_group *group = meeting->group;
    const jr_device *device = &group->contexts[index]->device;
    const jr_driver *driver = &device->driver;
    jr_peers peers = {.epoch = 1,
                      .index = (uint32_t)index,
                      .count = (uint32_t)group->size,
                      .collects = meeting->collects ? 1 : 0,
                      .limit_ns = meeting->limit_ms < 1e12 ? (uint64_t)(meeting->limit_ms * 1e6) : 0,
                      .leave = meeting->words.address,
                      .mark = meeting->mark};
    for (size_t k = 0; k < group->size; k++) peers.slots[k] = meeting->peers[k] + sizeof peers;
    JR_IN_DEVICE_TO_WAIT(device, NULL);
    jr_cu_result result = driver->cuMemcpyHtoD_v2(meeting->peers[index], &peers, sizeof peers);
    if (result == JR_CUDA_SUCCESS) result = driver->cuMemsetD8_v2(peers.slots[index], 0, meeting->slots_bytes);
    if (result == JR_CUDA_SUCCESS) result = driver->cuStreamSynchronize(NULL);
    return jr_driver_check(driver, result, "telling the devices of a group of each other");
}

jr_status jr_meeting_begin(jr_meeting *meeting) {
    jr_status status = JR_OK;
    meeting->stale = true;
    __atomic_store_n((uint32_t *)meeting->words.host, 0, __ATOMIC_RELAXED);
    for (size_t i = 0; status == JR_OK && i < meeting->group->size; i++)
        status = jr_group_name_device(meeting->group, i, introduce(meeting, i));
    meeting->stale = status != JR_OK;
    return status;
}

jr_status jr_meeting_open(const jr_group *group, size_t slot_bytes, jr_meeting *meeting) {
    jr_status status = JR_OK;
    meeting->group = group;
    meeting->slots_bytes = 2 * group->size * slot_bytes;
    for (size_t i = 0; status == JR_OK && i < group->size; i++)
        status = jr_group_name_device(group, i, allocate_on(meeting, i));
    return status == JR_OK ? jr_meeting_begin(meeting) : status;
}

void jr_meeting_close(jr_meeting *meeting) {
    for (size_t i = 0; meeting->group != NULL && i < meeting->group->local_count; i++) {
        const jr_device *device = &meeting->group->contexts[i]->device;
        if (meeting->peers[i] == 0) continue;
        JR_INSIDE inside = jr_inside_device(device);
        if (inside.status != JR_OK) continue;
        device->driver.cuMemFree_v2(meeting->peers[i]);
        if (i == 0) jr_mapped_destroy(device, &meeting->words);
    }
}

/* ---- who waits in vain ---- */

void jr_meeting_leave(const jr_meeting *meeting) {
    __atomic_store_n((uint32_t *)meeting->words.host, 1, __ATOMIC_RELAXED);
}

/* Word 0 says that nobody is to wait; the others, who has missed whom. */
static uint32_t word(const jr_meeting *meeting, size_t index) {
    return __atomic_load_n((const uint32_t *)meeting->words.host + index, __ATOMIC_RELAXED);
}

jr_status jr_meeting_look(const jr_meeting *meeting) {
    if (word(meeting, 0) == 0) return JR_OK;
    for (size_t i = 0; i < meeting->group->size; i++)
        if (word(meeting, 1 + i) > 0)
            return jr_fail(JR_ERROR_TRANSPORT,
                           "device %zu of the group waited %g ms for the state of device %u in vain: make another "
                           "all-reduce, with a longer wait_limit_ms if that device is only busy",
                           i, meeting->limit_ms, word(meeting, 1 + i) - 1);
    return jr_fail(JR_ERROR_TRANSPORT,
                   "a run of this all-reduce failed before all devices were launched: make another all-reduce");
}
