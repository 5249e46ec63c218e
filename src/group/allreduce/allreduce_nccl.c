/* All-reduces by NCCL: it gathers the states, and each device merges them. */
#include "allreduce_steps.h"
#include "base/error.h"
#include "group/communicators.h"

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

static jr_status check(const jr_group *group, const jr_allreduce_options *options, bool of_segments) {
    (void)of_segments;
    const bool named = jr_nccl_named(options->nccl) != NULL;
    jr_nccl nccl;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++) status = check_device(group, i, named);
    return status == JR_OK ? jr_nccl_open(options->nccl, &nccl) : status;
}

/* A value is one segment. */
static jr_status prepare(jr_allreduce *allreduce, const jr_spec *spec) {
    jr_group *group = allreduce->plan->group;
    jr_status status = jr_allreduce_make_merges(allreduce, spec);
    if (allreduce->limit_ms == 0) allreduce->limit_ms = group->limit_ms;
    if (status == JR_OK && !allreduce->of_segments) status = jr_allreduce_make_room(allreduce, 1);
    return jr_communicators_make(group, status, allreduce->nccl, allreduce->limit_ms);
}

static jr_status gather(jr_allreduce *allreduce) {
    jr_group *group = allreduce->plan->group;
    jr_cu_deviceptr own[JR_GROUP_DEVICES_MAX];
    for (size_t i = 0; i < group->local_count; i++) own[i] = jr_allreduce_states(allreduce, i);
    const jr_gathering asked = {.from = own,
                                .to = allreduce->room.all,
                                .bytes = jr_allreduce_bytes(allreduce),
                                .streams = allreduce->streams,
                                .limit_ms = allreduce->limit_ms};
    return jr_communicators_gather(group, &asked);
}

/* With several ranks each one knows that the others gather, too, unless one of their launches fails. */
static jr_status run(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts, void *const *d_out) {
    uint64_t count;
    status = jr_allreduce_begin(allreduce, status, parts, &count);
    if (status == JR_ERROR_TRANSPORT) jr_communicators_abort(allreduce->plan->group);
    if (status != JR_OK || (allreduce->of_segments && count == 0)) return status;
    JR_TRY(jr_allreduce_fold(allreduce, parts));
    JR_TRY(gather(allreduce));
    return jr_allreduce_merge(allreduce, allreduce->room.all, count, d_out);
}

static jr_status await(jr_allreduce *allreduce) {
    return jr_communicators_await(allreduce->plan->group, allreduce->streams, allreduce->limit_ms);
}

const jr_allreduce_row jr_allreduce_by_nccl = {
    .way = JR_ALLREDUCE_NCCL, .check = check, .prepare = prepare, .run = run, .await = await};
