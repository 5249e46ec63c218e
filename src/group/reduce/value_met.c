/* Reduces parts whose devices reach each other's memory: all push their states into slots of the first one, which folds
 * them and writes the result where the host watches. No copy, no merge of its own, no stream is synchronised. */
#include "value_met.h"

#include <sched.h>

#include "base/error.h"
#include "group/launchers.h"

static jr_run run_of(const jr_group_plan *plan, const jr_group_parts *parts, size_t index, uint64_t elements) {
    jr_run run = jr_group_plan_run_of(plan, parts, index);
    run.flat.whole = elements;
    run.mark = plan->meeting.peers[index];
    run.out = run.mark; /* of others, which write nothing there */
    return run;
}

/* What can be refused is refused before anything is launched. */
static jr_status check_runs(const jr_group_plan *plan, const jr_group_parts *parts, uint64_t elements) {
    jr_status status = elements > 0 ? JR_OK : jr_reduction_check_empty(plan->merge->reduction);
    for (size_t i = 0; status == JR_OK && i < plan->group->size; i++) {
        const jr_run run = run_of(plan, parts, i, elements);
        status = jr_group_plan_explain(plan, i, plan->parts[i]->kind->check(plan->parts[i], &run));
    }
    return status;
}

static jr_status start_one(const jr_group_plan *plan, const jr_run *run, size_t index) {
    const jr_device *device = &plan->group->contexts[index]->device;
    JR_IN_DEVICE_TO_WAIT(device, run->stream);
    return jr_plan_start(plan->parts[index], run);
}

/* What the launches of a call have in common. */
typedef struct met_call {
    const jr_group_plan *plan;
    const jr_group_parts *parts;
    uint64_t elements;
} met_call;

/* Only the first device's kernel waits for others, so it is launched last. */
static jr_status launch(void *user, size_t index) {
    const met_call *call = user;
    const jr_run run = run_of(call->plan, call->parts, index, call->elements);
    const jr_status status =
        index > 0 ? start_one(call->plan, &run, index) : jr_plan_start_watched(call->plan->parts[index], &run);
    return jr_group_plan_explain(call->plan, index, status);
}

/* Does a device still work? ended: whether its stream has. */
static jr_status query(const jr_group_plan *plan, const jr_group_parts *parts, size_t index, bool *ended) {
    const jr_device *device = &plan->group->contexts[index]->device;
    JR_IN_DEVICE(device);
    const jr_cu_result result = device->driver.cuStreamQuery(parts->streams != NULL ? parts->streams[index] : NULL);
    *ended = result == JR_CUDA_SUCCESS;
    return result == JR_CUDA_ERROR_NOT_READY ? JR_OK
                                             : jr_driver_check(&device->driver, result, "waiting for the value");
}

/* The first device may wait for one that is lost. */
static jr_status wait_for_results(const jr_group_plan *plan, const jr_group_parts *parts) {
    for (;;) {
        bool ended = false;
        jr_status status = JR_OK;
        if (jr_plan_is_ready(plan->parts[0])) return JR_OK;
        for (size_t i = plan->group->size; status == JR_OK && i-- > 0;)
            status = jr_group_plan_explain(plan, i, query(plan, parts, i, &ended));
        if (status != JR_OK || ended) return status;
        sched_yield();
    }
}

/* Nothing is under way when this returns, and the next call finds what a first one does. On a stream that is being
 * captured nothing was put, and waiting would spoil the capture. */
static void begin_anew(jr_group_plan *plan, const jr_group_parts *parts) {
    JR_KEEP_ERROR;
    jr_meeting_leave(&plan->meeting);
    for (size_t i = 0; i < plan->group->size; i++) {
        const jr_device *device = &plan->group->contexts[i]->device;
        jr_cu_stream stream = parts->streams != NULL ? parts->streams[i] : NULL;
        JR_INSIDE inside = jr_inside_to_wait(device, stream);
        if (inside.status == JR_OK) device->driver.cuStreamSynchronize(stream);
    }
    jr_meeting_begin(&plan->meeting);
}

jr_status jr_group_plan_meet(jr_group_plan *plan, const jr_group_parts *parts, uint64_t elements, jr_value *values) {
    JR_TRY(check_runs(plan, parts, elements));
    if (plan->meeting.stale) JR_TRY(jr_meeting_begin(&plan->meeting));
    jr_status status = jr_launchers_run(plan->group, parts->streams, launch, &(met_call){plan, parts, elements});
    if (status == JR_OK) status = wait_for_results(plan, parts);
    if (status != JR_OK) {
        begin_anew(plan, parts);
        return status;
    }
    return jr_plan_read_watched(plan->parts[0], values);
}
