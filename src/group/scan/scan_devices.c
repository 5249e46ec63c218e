/* Scans parts in device memory: each is folded to its state, and then scanned after the fold of all earlier states,
 * which its device computes from the states that the host has gathered. Elements are read twice. */
#include "group_scan.h"

#include "base/error.h"
#include "group/launchers.h"
#include "group/reduce/group_value.h"
#include "plan/scan/scan_queue.h"

/* ---- what can be refused before anything is launched ---- */

static jr_run run_of(const jr_group_plan *plan, const jr_group_parts *parts, void *const *d_out, size_t index) {
    jr_run run = jr_group_plan_run_of(plan, parts, index);
    run.out = jr_cu_address(d_out[index]);
    return run;
}

static uint64_t result_bytes(const jr_group_plan *plan, const jr_run *run) {
    return run->out != 0 ? run->count * plan->merge->reduction->output_bytes : 0;
}

/* The results of one part, where another one's elements or results are. */
static jr_status check_pair(const jr_group_plan *plan, const jr_run *run, const jr_run *other) {
    const jr_reduction *reduction = plan->merge->reduction;
    const jr_run_range written = {"results", run->out, result_bytes(plan, run)},
                       results = {"results of another part", other->out, result_bytes(plan, other)};
    jr_status status = jr_plan_check_apart(&written, &results);
    for (int k = 0; status == JR_OK && k < reduction->input_count; k++) {
        const jr_run_range read = {"input of another part", other->in[k], other->count * reduction->inputs[k].bytes};
        status = jr_plan_check_apart(&written, &read);
    }
    return status;
}

static jr_status check_part(const jr_group_plan *plan, const jr_group_parts *parts, void *const *d_out, size_t index) {
    const jr_plan *scan = plan->scans[index];
    const jr_run run = run_of(plan, parts, d_out, index);
    jr_status status = scan->kind->check(scan, &run);
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) {
        const jr_run other = run_of(plan, parts, d_out, i);
        if (i != index && run.count > 0 && other.count > 0) status = check_pair(plan, &run, &other);
    }
    return jr_group_plan_explain(plan, index, status);
}

/* Where the parts begin is not known yet, and not looked at. */
static jr_status check(const jr_group_plan *plan, const jr_group_parts *parts, void *const *d_out) {
    jr_status status = jr_group_plan_check_parts(plan, parts);
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) status = check_part(plan, parts, d_out, i);
    return status;
}

/* ---- runs ---- */

/* The states lie in mapped memory, at one address for all devices: a later run's come there when this one's folds of
 * them, which are before its own on the streams, have ended. */
static jr_status carry(const jr_group_plan *plan, const jr_run *scan, size_t index) {
    const jr_run run = {.in = {plan->states.address},
                        .merge.states = plan->group->first + index,
                        .count = scan->first,
                        .out = jr_scan_queue_carry(plan->scans[index]),
                        .stream = scan->stream};
    return jr_plan_start(plan->carries[index], &run);
}

/* What the launches of a call have in common. */
typedef struct scan_call {
    const jr_group_plan *plan;
    const jr_group_parts *parts;
    void *const *d_out;
} scan_call;

static jr_status start(void *user, size_t index) {
    const scan_call *call = user;
    const jr_group_plan *plan = call->plan;
    jr_run run = run_of(plan, call->parts, call->d_out, index);
    jr_status status = JR_OK;
    run.scan.continued = run.first > 0;
    if (run.count > 0 && run.scan.continued) status = carry(plan, &run, index);
    if (status == JR_OK) status = jr_plan_start(plan->scans[index], &run);
    return jr_group_plan_explain(plan, index, status);
}

jr_status jr_group_plan_scan(jr_group_plan *plan, jr_status status, const jr_group_parts *parts, void *const *d_out) {
    uint64_t elements;
    if (status == JR_OK) status = check(plan, parts, d_out);
    if (plan->group->size > 1) status = jr_group_plan_collect(plan, status, parts, &elements);
    return status == JR_OK ? jr_launchers_run(plan->group, parts->streams, start, &(scan_call){plan, parts, d_out})
                           : status;
}
