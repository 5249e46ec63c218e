/* All-reduces by peers: each device pushes its state into slots of all others (kernels_src/operators/meet.cuh).
 *
 * Devices wait for each other in their kernels, so all of them must be different ones, and the launches of a run must
 * all be made: those of a run that fails half-way are told to leave. */
#include "allreduce.h"

#include <string.h>

#include "abi.h"
#include "base/error.h"

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

static jr_status check(const jr_group *group, const jr_allreduce_options *options) {
    jr_status status = JR_OK;
    (void)options;
    if (!jr_group_is_alone(group))
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "the group has %d ranks: the devices of other processes are no peers",
                       group->exchange.ranks);
    for (size_t i = 0; status == JR_OK && i < group->size; i++)
        for (size_t k = 0; status == JR_OK && k < group->size; k++)
            if (i != k) status = check_pair(group, i, k);
    return status;
}

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

static jr_status allocate_on(jr_allreduce *allreduce, size_t index) {
    const jr_group *group = allreduce->plan->group;
    const jr_device *device = &group->contexts[index]->device;
    bool pushed;
    jr_status status = jr_device_enter_to_wait(device, NULL, &pushed);
    if (status != JR_OK) return status;
    status = allocate(device, sizeof(jr_peers) + 2 * group->size * JR_SLOT_BYTES(allreduce->plan->state_bytes),
                      &allreduce->peers[index]);
    if (status == JR_OK) status = reach_all(group, index);
    if (status == JR_OK && index == 0)
        status = jr_mapped_create(device, (1 + group->size) * sizeof(uint32_t), &allreduce->words);
    jr_device_leave(device, pushed);
    return status;
}

static jr_status introduce(const jr_allreduce *allreduce, size_t index) {
    const jr_group *group = allreduce->plan->group;
    const jr_device *device = &group->contexts[index]->device;
    jr_peers peers = {.epoch = 1,
                      .index = (uint32_t)index,
                      .count = (uint32_t)group->size,
                      .limit_ns = allreduce->limit_ms < 1e12 ? (uint64_t)(allreduce->limit_ms * 1e6) : 0,
                      .leave = allreduce->words.address};
    bool pushed;
    for (size_t k = 0; k < group->size; k++) peers.slots[k] = allreduce->peers[k] + sizeof peers;
    jr_status status = jr_device_enter_to_wait(device, NULL, &pushed);
    if (status != JR_OK) return status;
    jr_cu_result result = device->driver.cuMemcpyHtoD_v2(allreduce->peers[index], &peers, sizeof peers);
    if (result == JR_CUDA_SUCCESS) result = device->driver.cuStreamSynchronize(NULL);
    jr_device_leave(device, pushed);
    return jr_driver_check(&device->driver, result, "telling the devices of a group of each other");
}

static jr_status prepare(jr_allreduce *allreduce, const jr_spec *spec) {
    const size_t count = allreduce->plan->group->size;
    jr_status status = JR_OK;
    (void)spec;
    for (size_t i = 0; status == JR_OK && i < count; i++)
        status = jr_group_plan_explain(allreduce->plan, i, allocate_on(allreduce, i));
    for (size_t i = 0; status == JR_OK && i < count; i++)
        status = jr_group_plan_explain(allreduce->plan, i, introduce(allreduce, i));
    return status;
}

static void release(jr_allreduce *allreduce) {
    for (size_t i = 0; i < allreduce->plan->group->local_count; i++) {
        const jr_device *device = &allreduce->plan->group->contexts[i]->device;
        bool pushed;
        if (allreduce->peers[i] == 0 || jr_device_enter(device, &pushed) != JR_OK) continue;
        device->driver.cuMemFree_v2(allreduce->peers[i]);
        if (i == 0) jr_mapped_destroy(device, &allreduce->words);
        jr_device_leave(device, pushed);
    }
}

/* ---- runs ---- */

/* Word 0 says that nobody is to wait; the others, who has missed whom. */
static uint32_t word(const jr_allreduce *allreduce, size_t index) {
    return __atomic_load_n((const uint32_t *)allreduce->words.host + index, __ATOMIC_RELAXED);
}

static jr_status look(const jr_allreduce *allreduce) {
    if (word(allreduce, 0) == 0) return JR_OK;
    for (size_t i = 0; i < allreduce->plan->group->size; i++)
        if (word(allreduce, 1 + i) > 0)
            return jr_fail(JR_ERROR_TRANSPORT,
                           "device %zu of the group waited %g ms for the state of device %u in vain: make another "
                           "allreduce, with a longer wait_limit_ms if that device is only busy",
                           i, allreduce->limit_ms, word(allreduce, 1 + i) - 1);
    return jr_fail(JR_ERROR_TRANSPORT,
                   "a run of this all-reduce failed before all devices were launched: make another all-reduce");
}

static jr_status await(jr_allreduce *allreduce) {
    const jr_status status = jr_allreduce_await_streams(allreduce);
    return status == JR_OK ? look(allreduce) : status;
}

static jr_run run_of(const jr_allreduce *allreduce, const jr_group_parts *parts, size_t index, uint64_t elements) {
    jr_run run = jr_group_plan_run_of(allreduce->plan, parts, index);
    run.whole = elements;
    run.mark = allreduce->peers[index];
    return run;
}

/* What can be refused is refused before anything is launched. */
static jr_status check_runs(const jr_allreduce *allreduce, const jr_group_parts *parts, uint64_t elements,
                            void *const *d_out) {
    const jr_group_plan *plan = allreduce->plan;
    jr_status status = elements > 0 ? JR_OK : jr_reduction_check_empty(plan->merge->reduction);
    for (size_t i = 0; status == JR_OK && i < plan->group->size; i++) {
        const jr_plan *part = plan->parts[i];
        jr_run run = run_of(allreduce, parts, i, elements);
        run.out = d_out[i];
        status = jr_group_plan_explain(plan, i, part->kind->check(part, &run));
    }
    return status;
}

static jr_status launch(jr_allreduce *allreduce, const jr_group_parts *parts, uint64_t elements, void *const *d_out) {
    const jr_group_plan *plan = allreduce->plan;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < plan->group->size; i++) {
        jr_run run = run_of(allreduce, parts, i, elements);
        run.out = d_out[i];
        status = jr_group_plan_explain(plan, i, jr_plan_start(plan->parts[i], &run));
    }
    if (status != JR_OK) __atomic_store_n((uint32_t *)allreduce->words.host, 1, __ATOMIC_RELAXED);
    return status;
}

static jr_status run(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts, void *const *d_out) {
    uint64_t elements = 0;
    if (status == JR_OK) status = look(allreduce);
    status = jr_group_plan_place(allreduce->plan, status, parts, &elements);
    if (status == JR_OK) status = check_runs(allreduce, parts, elements, d_out);
    return status == JR_OK ? launch(allreduce, parts, elements, d_out) : status;
}

const jr_allreduce_row jr_allreduce_by_peers = {.way = JR_ALLREDUCE_PEERS,
                                                .to_all = true,
                                                .check = check,
                                                .prepare = prepare,
                                                .run = run,
                                                .await = await,
                                                .release = release};
