/* All-reduces by NCCL: it gathers the states, and each device merges them. */
#include "allreduce.h"
#include "base/error.h"
#include "base/whole.h"
#include "group/communicators.h"
#include "group/reduce/group_value.h"

/* One that was borrowed may be it, too. */
static bool is_primary(const jr_device *device) {
    jr_cu_context primary = NULL;
    if (device->primary) return true;
    JR_INSIDE inside = jr_inside_device(device);
    if (inside.status != JR_OK) return false;
    const jr_cu_result result = device->driver.cuDevicePrimaryCtxRetain(&primary, device->handle);
    if (result == JR_CUDA_SUCCESS) device->driver.cuDevicePrimaryCtxRelease_v2(device->handle);
    return result == JR_CUDA_SUCCESS && primary == device->context;
}

static jr_status check_device(const jr_group *group, size_t index, bool named) {
    const jr_device *device = &group->contexts[index]->device;
    if (device->driver.simulated && !named)
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "device %zu of the group is the simulator's, which NVIDIA's NCCL does not know: name a library "
                       "that does",
                       index);
    if (!is_primary(device))
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "the context of device %zu of the group is not the primary one, which NCCL works in", index);
    for (size_t k = 0; k < index; k++)
        if (group->contexts[k]->device.handle == device->handle)
            return jr_fail(JR_ERROR_NOT_APPLICABLE,
                           "devices %zu and %zu of the group are one device, which NCCL does not take twice", k, index);
    return JR_OK;
}

static jr_status check(const jr_group *group, const jr_allreduce_options *options) {
    const bool named = jr_nccl_named(options->nccl) != NULL;
    jr_nccl nccl;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++) status = check_device(group, i, named);
    return status == JR_OK ? jr_nccl_open(options->nccl, &nccl) : status;
}

static jr_status allocate(jr_allreduce *allreduce, size_t index) {
    const jr_group *group = allreduce->plan->group;
    const jr_device *device = &group->contexts[index]->device;
    JR_IN_DEVICE(device);
    allreduce->own_bytes = jr_divide_up(allreduce->plan->state_bytes, JR_RESULT_STRIDE) * JR_RESULT_STRIDE;
    return jr_memory_allocate(device, allreduce->own_bytes + group->size * allreduce->plan->state_bytes, NULL,
                              &allreduce->states[index]);
}

static jr_status prepare(jr_allreduce *allreduce, const jr_spec *spec) {
    jr_group *group = allreduce->plan->group;
    jr_status status = jr_allreduce_make_merges(allreduce, spec);
    if (allreduce->limit_ms == 0) allreduce->limit_ms = group->limit_ms;
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++)
        status = jr_group_plan_explain(allreduce->plan, i, allocate(allreduce, i));
    return jr_communicators_make(group, status, allreduce->nccl, allreduce->limit_ms);
}

static void release(jr_allreduce *allreduce) {
    for (size_t i = 0; i < allreduce->plan->group->local_count; i++) {
        const jr_device *device = &allreduce->plan->group->contexts[i]->device;
        if (allreduce->states[i] == 0) continue;
        JR_INSIDE inside = jr_inside_device(device);
        if (inside.status == JR_OK) jr_memory_release(device, allreduce->states[i], NULL);
    }
}

static jr_status fold_parts(jr_allreduce *allreduce, const jr_group_parts *parts) {
    const jr_group_plan *plan = allreduce->plan;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) {
        jr_run run = jr_group_plan_run_of(plan, parts, i);
        run.out = (void *)(uintptr_t)allreduce->states[i];
        status = jr_group_plan_explain(plan, i, jr_plan_start(plan->parts[i], &run));
    }
    return status;
}

/* Of several ranks all know that the others gather, too, but for what fails in their launches. */
static jr_status run(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts, void *const *d_out) {
    jr_group_plan *plan = allreduce->plan;
    jr_cu_deviceptr gathered[JR_GROUP_DEVICES_MAX];
    uint64_t elements;
    for (size_t i = 0; i < plan->group->local_count; i++) gathered[i] = allreduce->states[i] + allreduce->own_bytes;
    status = jr_group_plan_place(plan, status, parts, &elements);
    if (status == JR_ERROR_TRANSPORT) jr_communicators_abort(plan->group);
    if (status == JR_OK && elements == 0) status = jr_reduction_check_empty(plan->merge->reduction);
    if (status == JR_OK) status = fold_parts(allreduce, parts);
    if (status != JR_OK) return status;
    const jr_gathering asked = {.from = allreduce->states,
                                .to = gathered,
                                .bytes = plan->state_bytes,
                                .streams = allreduce->streams,
                                .limit_ms = allreduce->limit_ms};
    JR_TRY(jr_communicators_gather(plan->group, &asked));
    return jr_allreduce_merge(allreduce, gathered, elements, d_out);
}

static jr_status await(jr_allreduce *allreduce) {
    return jr_communicators_await(allreduce->plan->group, allreduce->streams, allreduce->limit_ms);
}

const jr_allreduce_row jr_allreduce_by_nccl = {
    .way = JR_ALLREDUCE_NCCL, .check = check, .prepare = prepare, .run = run, .await = await, .release = release};
